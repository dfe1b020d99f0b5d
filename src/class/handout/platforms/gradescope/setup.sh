#!/bin/sh
# Gradescope runs this once, as root, when it builds the autograder's image; this file and everything
# else in the zip is in /autograder/source then.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
exec sh "$here/build.sh" "$here/course"
