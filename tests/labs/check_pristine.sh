#!/bin/sh
# labs/ holds what a student is given and nothing else, and no command writes to it: work on a lab,
# from `start` to `reset`, leaves it as it was.
set -u
failed=0
for left in "$VIALATA_ROOT"/labs/*/.skeleton "$VIALATA_ROOT"/labs/*/backup-*; do
    [ -e "$left" ] || continue
    echo "$left: nobody works in labs/ any more (vialata start)"
    failed=1
done

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
export VIALATA_WORK="$work/work" VIALATA_STATE="$work/state"
vialata=$VIALATA_PLACE/bin/vialata
state_of_labs() { (cd "$VIALATA_ROOT/labs" && find . -printf '%p %y %s %T@ %m\n' | sort); }

state_of_labs >"$work/before"
{
    "$vialata" start all && "$vialata" list && echo "/* mine */" >>"$VIALATA_WORK/01_training_step/step.c" &&
        "$vialata" reset 01
} >"$work/log" 2>&1 || { cat "$work/log"; failed=1; }
"$vialata" grade 05 >"$work/log" 2>&1
[ $? -eq 1 ] || { cat "$work/log"; failed=1; }
state_of_labs >"$work/after"
if ! diff "$work/before" "$work/after"; then
    echo "labs/ was written to"
    failed=1
fi
exit $failed
