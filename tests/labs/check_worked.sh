#!/bin/sh
# What is given to the student (worked.c, and each other file in which nothing is to be written) is
# exactly as the reference has it. Looked at in .skeleton, where `vialata reset` takes it from: what
# a student has changed is no fault.
set -eu
root=${VIALATA_ROOT:?}
seen=0
for given in "$root"/labs/*/.skeleton/*.c; do
    [ -f "$given" ] || continue
    grep -q 'TODO(' "$given" && [ "${given##*/}" != worked.c ] && continue
    lab=$(basename "${given%/.skeleton/*}")
    finished=$root/solutions/$lab/${given##*/}
    if ! diff -u "$finished" "$given"; then
        echo "labs/$lab/.skeleton/${given##*/} is not the reference's: copy $finished over it." >&2
        exit 1
    fi
    seen=$((seen + 1))
done
if [ "$seen" -eq 0 ]; then
    echo "No lab has a file that is given: lab 01 must have worked.c." >&2
    exit 1
fi
echo "$seen given file(s) equal to the reference's"
