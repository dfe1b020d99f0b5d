#!/bin/sh
# An installed tree works, can be moved, may have a space in its path, and can build a lab that is
# written outside the tree.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/first place"
cmake --install "$VIALATA_PLACE" --prefix "$prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
mv "$prefix" "$work/second place"
prefix="$work/second place"

unset VIALATA_PLACE # the installed program must find its own
export VIALATA_STATE="$work/state"
"$prefix/bin/vialata" list --lang sk >"$work/list"
grep -q training_step "$work/list"
"$prefix/bin/vialata" grade 01 --reference --only vl_rmsnorm_forward --format json >"$work/verdict" ||
    { cat "$work/verdict"; exit 1; }
grep -q '"status": "passed"' "$work/verdict"

"$prefix/bin/vialata" handout --labs 10 --out "$work/kit" >"$work/log" || { cat "$work/log"; exit 1; }
"$work/kit/vialata" --no-install list --lang en >"$work/list"
grep -q "^10" "$work/list" && ! grep -q "^09" "$work/list"

export HOME="$work/a home" # the workspace of an installed course is in the home folder
mkdir "$HOME"
"$prefix/bin/vialata" start 09 >"$work/log" || { cat "$work/log"; exit 1; }
cp "$prefix"/share/vialata/solutions/09_expert_balancing/* "$HOME/vialata-work/09_expert_balancing/"
"$prefix/bin/vialata" grade 09 >"$work/log" || { cat "$work/log"; exit 1; }
"$prefix/bin/vialata" train --with labs --experts 4 --steps 2 --width 16 --heads 2 --layers 1 \
    --sequence 16 >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
grep -q "^09 .*yours$" "$work/log"
if grep -q '"smpimain": "/' "$prefix/libexec/vialata/buildinfo.json"; then # with SimGrid
    "$prefix/bin/vialata" simulate --chips 8 --with labs >"$work/log" 2>&1 ||
        { cat "$work/log"; exit 1; }
    grep -q "^09 .*yours$" "$work/log"
    grep -q "A step takes" "$work/log"
    "$prefix/bin/vialata" simulate --real "--dp 2 --batch 2 --steps 1" >"$work/log" 2>&1 ||
        { cat "$work/log"; exit 1; }
    sed -i 's|"smpimain": "/|&nowhere/|' "$prefix/libexec/vialata/buildinfo.json"
    "$prefix/bin/vialata" simulate 2>"$work/log" && exit 1
    grep -q "apt-get install libsimgrid-dev" "$work/log"
else
    "$prefix/bin/vialata" simulate 2>"$work/log" && exit 1
    grep -q "built without SimGrid" "$work/log"
fi

mkdir "$work/my lab"
cp "$prefix"/share/vialata/labs/01_training_step/*.c "$work/my lab/"
cp "$prefix"/share/vialata/solutions/01_training_step/* "$work/my lab/"
cat >"$work/my lab/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(mine C)
find_package(vialata REQUIRED)
vialata_add_trainer(mine LAB 01_training_step
                    SOURCES worked.c forward.c backward.c step.c budget.c predict.c)
END
cmake -S "$work/my lab" -B "$work/my lab/build" -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1 &&
    cmake --build "$work/my lab/build" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 VIALATA_PLACE="$prefix" \
    mpirun -n 1 "$work/my lab/build/mine" train --events --steps 2 --width 16 --heads 2 --layers 1 \
    --sequence 16 >"$work/events"
grep -q '"step":2,' "$work/events"
echo "installed, moved, and used from outside"
