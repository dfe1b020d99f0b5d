#!/bin/sh
# A worked function is shown to the student exactly as the reference has it.
set -eu
root=${VIALATA_ROOT:?}
seen=0
for given in "$root"/labs/*/worked.c; do
    [ -f "$given" ] || continue
    lab=$(basename "$(dirname "$given")")
    finished=$root/solutions/$lab/worked.c
    if ! diff -u "$finished" "$given"; then
        echo "labs/$lab/worked.c is not solutions/$lab/worked.c: copy the latter over it." >&2
        exit 1
    fi
    seen=$((seen + 1))
done
if [ "$seen" -eq 0 ]; then
    echo "No lab has a worked.c: lab 01 must." >&2
    exit 1
fi
echo "$seen worked file(s) equal to the reference's"
