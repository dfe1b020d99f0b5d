#!/bin/sh
# Install what grading needs, and build the course.
#
#   build.sh COURSE
set -eu
course=$1
# Built on one of the platform's machines, used on others: no instructions that only some of them have.
if [ "$(uname -m)" = x86_64 ]; then
    VIALATA_CPU=x86-64-v3
    export VIALATA_CPU
fi
sh "$course/vialata" version
# Where bubblewrap does not work, a submission runs as a user of its own, or as the one who grades. The
# references are not for it. A grader that is not root (Autolab's) cannot read them either: it gives
# the same points, but does not name known mistakes.
chmod -R go-rwx "$course/solutions" "$course/src"
