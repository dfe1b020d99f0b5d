#!/bin/sh
# Every C file of ours reads as .clang-format says; selftest installs clang-format.
set -eu
cd "$VIALATA_ROOT"
find include src solutions labs tests -name '*.[ch]' -print0 |
    xargs -0 clang-format --dry-run -Werror
