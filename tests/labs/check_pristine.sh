#!/bin/sh
# What `vialata reset` puts back (labs/NN_name/.skeleton) is what a student got on the first day:
# the lab's own files as committed. Compared at HEAD, so that work in progress in labs/ is no fault.
set -u
cd "$VIALATA_ROOT" || exit 1
git rev-parse --verify --quiet HEAD >/dev/null 2>&1 || exit 77
failed=0
count=0
for kept in $(git ls-tree -r --name-only HEAD labs | grep '/\.skeleton/'); do
    own=$(echo "$kept" | sed 's|/\.skeleton/|/|')
    count=$((count + 1))
    if [ "$(git rev-parse "HEAD:$kept")" != "$(git rev-parse --quiet --verify "HEAD:$own")" ]; then
        echo "$kept differs from $own: copy the lab's file over it"
        failed=1
    fi
done
for own in $(git ls-tree -r --name-only HEAD labs | grep '^labs/[^/]*/[^/]*\.[ch]$'); do
    kept=$(dirname "$own")/.skeleton/$(basename "$own")
    if ! git rev-parse --quiet --verify "HEAD:$kept" >/dev/null; then
        echo "$kept is missing: copy $own there"
        failed=1
    fi
done
[ "$count" -gt 0 ] || { echo "no skeleton is kept at all"; exit 1; }
exit $failed
