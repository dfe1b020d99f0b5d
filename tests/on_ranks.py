"""Starts a program that tests/ranks.cmake built, under mpirun on several numbers of ranks in turn.

Under AddressSanitizer it looks for leaks too, except for those that tests/lsan.supp names. Runs
take longer there, so fewer numbers of ranks are tried unless VIALATA_LONG is set.
"""
import json
import os
import subprocess
import sys
from pathlib import Path

root = Path(os.environ["VIALATA_ROOT"])
place = Path(os.environ["VIALATA_PLACE"])
info = json.loads((place / "buildinfo.json").read_text())
sanitized = info["sanitize_flags"] != ""
PATIENCE = 400   # seconds for what takes 20 on a quiet machine: only what hangs takes longer
NO_END = 124     # what timeout exits with

environment = dict(
    os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    OPENBLAS_NUM_THREADS="1",
    LSAN_OPTIONS=f"suppressions='{root}/tests/lsan.supp':print_suppressions=0")


def start(program, ranks, *words):
    """Run 'program' ("comm/ranks_mesh") and return its exit status."""
    return subprocess.run(
        ["timeout", str(PATIENCE), info["mpiexec"], "--oversubscribe", "--bind-to", "none", "-n",
         str(ranks), str(place / "tests" / program), *map(str, words)],
        env=environment).returncode


def check(program, runs, sample=(3,)):
    """What a check should exit with: 0 if the program exits with 0 in each of the runs.

    A run is a number of ranks, or that and the program's words: "2 large". Under
    AddressSanitizer only the numbers in 'sample' are run.
    """
    failed = 0
    if sanitized and not os.environ.get("VIALATA_LONG"):
        runs = [run for run in runs if int(str(run).split()[0]) in sample]
    for run in runs:
        status = start(program, *str(run).split())
        if status != 0:
            why = f"no end after {PATIENCE} s" if status == NO_END else f"exit status {status}"
            print(f"{program} on {run} ranks: {why}", file=sys.stderr)
            failed = 1
        if status == NO_END:
            break  # the other runs would not end either, and this test's own time would run out
    return failed
