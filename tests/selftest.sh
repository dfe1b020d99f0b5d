#!/bin/sh
# The tests: the release build's tests and checks, then the C tests under AddressSanitizer and
# UndefinedBehaviorSanitizer. The last line has the totals. Called by ./vialata selftest:
#
#   selftest.sh ROOT BUILD [--long] [NAME ...]
#
# NAME: only tests whose names contain one of these words. --long: also what takes minutes (ten times as
# much fuzzing, a quarter of all mistakes instead of a few). Both: these tests leave nothing out (share.py).
set -u
# Open MPI takes 0.2 s per start to look for hardware that tests do not use.
export OMPI_MCA_pml=ob1
root=$1
build=$2
shift 2
asan=$(dirname "$build")/asan
only=
long=
for word in "$@"; do
    case $word in
    --long) long=1 ;;
    -*)
        printf 'selftest: %s is not an option; there is --long.\n' "$word" >&2
        exit 2
        ;;
    *) only=${only:+$only|}$word ;;
    esac
done
if [ -n "$long" ]; then
    export VIALATA_LONG=1
    [ -z "$only" ] || VIALATA_LONG=all
fi
results=$(mktemp -d) || exit 3
trap 'rm -rf "$results"' EXIT
status=0

run() { # run NAME FOLDER CTEST-ARGUMENTS...
    name=$1 folder=$2
    shift 2
    printf '== %s\n' "$name"
    [ -z "$only" ] || set -- "$@" -R "$only"
    ctest --test-dir "$folder" --output-on-failure --output-junit "$results/$name.xml" "$@" ||
        status=1
}

# Four places, of which most tests take two (tests.cmake).
run release "$build" -j 4
if { [ -f "$asan/build.ninja" ] || cmake -S "$root" -B "$asan" --preset asan; } \
    >"$results/log" 2>&1 && cmake --build "$asan" --target sanitized >>"$results/log" 2>&1; then
    # What Open MPI and the dynamic loader keep until the end is not ours to free.
    LSAN_OPTIONS="suppressions='$root/tests/lsan.supp':print_suppressions=0" \
        run asan "$asan" -j 4 -LE check
else
    tail -n 40 "$results/log"
    echo "The build under AddressSanitizer failed."
    status=1
fi

count() { # count ATTRIBUTE: its sum over all results
    cat "$results"/*.xml 2>/dev/null | tr -s ' \t\n' '\n' |
        sed -n "s/^$1=\"\([0-9]*\)\".*/\1/p" | awk '{ sum += $1 } END { print sum + 0 }'
}
failed=$(count failures)
skipped=$(count skipped)
passed=$(($(count tests) - failed - skipped))
[ "$status" -ne 0 ] && [ "$failed" -eq 0 ] && failed=1
if [ "$((passed + failed + skipped))" -eq 0 ]; then
    echo "No test has such a name: ctest --test-dir \"$build\" -N lists them."
    failed=1 status=1
fi
if [ "$skipped" -gt 0 ]; then
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
else
    printf '%d passed, %d failed\n' "$passed" "$failed"
fi
exit "$status"
