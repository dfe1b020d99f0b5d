"""Bugs that somebody wrote who had seen neither the grader nor its mistakes: each must cost points.
bugs.py says what is in tests/unseen/SET/NN/NAME.bug.

A set was graded once, before anything was changed because of it, and two readers compared each report with
its cause. Since then it is kept as a test. A few are graded for each change, all with VIALATA_LONG=1;
then a table says how many are told with more than "the numbers are wrong". Arguments choose labs, or
bugs as NN/NAME.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import bugs

root = pathlib.Path(os.environ["VIALATA_ROOT"])
program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
EACH = 50  # one in so many, without VIALATA_LONG
VAGUE = {"wrong_values", "last_row", "last_column", "scaled", "not_a_number", "all_zero",
         "counts_later"}
# Bugs that no case shows yet, each with what is missing.
HOLES = {}


def grade(path):
    facts, edits = bugs.read(path)
    lab = path.parent.name
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch, "submission")
        bugs.write(folder, lab, edits)
        run = subprocess.run([program, "grade", lab, "--submission", folder, "--no-speed",
                              "--format", "json", "--lang", "en"], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"{path}: exit status {run.returncode}: {run.stderr.strip()}")
    return facts, json.loads(run.stdout)


def chosen(paths):
    words = sys.argv[1:]
    if words:
        return [p for p in paths if p.parent.name in words or f"{p.parent.name}/{p.stem}" in words]
    return paths if os.environ.get("VIALATA_LONG") == "1" else paths[::EACH]


failures = told = 0
paths = chosen(sorted((root / "tests/unseen").glob("*/*/*.bug")))
for path in paths:
    name = f"{path.parent.name}/{path.stem}"
    facts, verdict = grade(path)
    codes = {c["code"] for c in verdict["cases"]
             if c["status"] != "passed" and c["function"] == facts["function"]}
    # A function that is a bonus has no points to lose.
    failed = {c["group"] for c in verdict["cases"] if c["status"] == "failed"}
    caught = verdict["score"] < verdict["max_score"] or "bonus" in failed
    told += bool(codes - VAGUE)
    wrong = caught == (name in HOLES)
    failures += wrong
    print(f"{'FAILED' if wrong else 'ok':7}{name}: {'' if caught else 'full points '}"
          f"{' '.join(sorted(c for c in codes if c))}", flush=True)
print(f"{told} of {len(paths)} are told with more than that their numbers are wrong")
print(f"{len(paths) - failures} passed, {failures} failed")
sys.exit(1 if failures or not paths else 0)
