#!/bin/sh
# Grade what one student handed in, and write the results as the platform reads them.
#
#   grade.sh COURSE SUBMISSION FORMAT RESULTS      (three folders, and a format of `vialata export`)
#
# It fails without results if the grading did not take place: that is not the student's fault. The
# platform's container is the wall around the submission, so --trust is right here; where bubblewrap
# works in it, it is used all the same. What is printed is for instructors.
set -u
course=$1 submission=$2 format=$3 results=$4
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
labs='' language=en student='' # set by settings.sh
set --
# shellcheck source=/dev/null
. "$here/settings.sh" # may also set words for `vialata grade`
vialata=$course/build/release/bin/vialata
if [ -n "$student" ]; then
    chmod 600 "$here/course.secret"
    set -- "$@" --secret "$here/course.secret" --student "$student"
fi
# Whoever is not root here can read nothing in the course, whatever its files allow: a submission runs as
# a user of its own.
if [ "$(id -u)" = 0 ]; then
    chmod go-rwx "$course" || exit 1
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/verdicts"
for lab in $labs; do
    # All of the path: a name may hold the end of a line.
    folder=$(find "$submission" -type d -name "$lab" -print -quit)
    "$vialata" grade "$lab" --lang "$language" --submission "${folder:-$submission}" --trust "$@" \
        --format json --out "$work/verdicts/$lab.json"
    status=$?
    if [ "$status" -gt 2 ] || [ ! -s "$work/verdicts/$lab.json" ]; then
        exit 1
    fi
    printf '%s: exit status %s, ' "$lab" "$status"
    grep '"isolation"' "$work/verdicts/$lab.json"
done
"$vialata" export "$format" "$work/verdicts"/*.json --out "$results"
