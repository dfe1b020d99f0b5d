"""Bugs that somebody wrote who had seen neither the grader nor its mistakes: each must cost points.
bugs.py says what is in tests/unseen/SET/NN/NAME.bug.

The set `holes` is another kind: who wrote it had seen the cases, and looked for what cost nothing. It has
what costs points since then.

A set was graded once, before anything was changed because of it, and two readers compared each report with
its cause. Since then it is kept as a test. A few are graded for each change, more in the long suite
(share.py). A table says how many are told with more than "the numbers are wrong", and how many points each
set's bugs cost in functions other than their own. These may be MOST_ELSEWHERE; elsewhere.known.tsv has the
bugs that cost more, with their points, which may not become more: what several functions call costs the
points of each. uncaught.known.tsv has those that cost nothing yet, and why; one that costs points leaves the
list. Arguments choose labs, or bugs as NN/NAME, and grade all of these.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import bugs
from share import share

root = pathlib.Path(os.environ["VIALATA_ROOT"])
program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
ONE_IN = {"few": 800, "long": 4}
AT_ONCE = 2
MOST_ELSEWHERE = 10  # points that a bug may cost outside its own function
SLACK = 3  # points: what a race does differs from run to run
known = {name: float(points) for name, points in (
    line.split("\t") for line in (root / "tests/unseen/elsewhere.known.tsv").read_text().splitlines())}
uncaught = {line.split("\t")[0] for line in (
    root / "tests/unseen/uncaught.known.tsv").read_text().splitlines()}
VAGUE = {"wrong_values", "last_row", "last_column", "scaled", "not_a_number", "all_zero",
         "counts_later"}


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
    return [root / n for n in share([str(p.relative_to(root)) for p in paths], **ONE_IN)]


def check(path):
    """What is wrong with how this bug was graded, its codes, and the points that it lost elsewhere."""
    facts, verdict = grade(path)
    own = [c for c in verdict["cases"] if c["function"] == facts["function"]]
    elsewhere = sum(c["max_points"] - c["points"] for c in verdict["cases"] if c not in own)
    codes = {c["code"] for c in own if c["status"] != "passed"} - {None}
    # A function that is a bonus has no points to lose.
    bonus = any(c["group"] == "bonus" and c["status"] == "failed" for c in verdict["cases"])
    name = "/".join([path.parent.parent.name, path.parent.name, path.stem])
    if verdict["score"] >= verdict["max_score"] and not bonus:
        return "" if name in uncaught else "full points", codes, elsewhere
    if name in uncaught:
        return "it costs points now: take it off uncaught.known.tsv", codes, elsewhere
    if elsewhere > (known[name] + SLACK if name in known else MOST_ELSEWHERE):
        return f"lost {elsewhere:.1f} points elsewhere", codes, elsewhere
    return "", codes, elsewhere


failures = told = 0
lost = collections.defaultdict(list)
paths = chosen(sorted((root / "tests/unseen").glob("*/*/*.bug")))
with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
    for path, (problem, codes, elsewhere) in zip(paths, pool.map(check, paths)):
        failures += bool(problem)
        told += bool(codes - VAGUE)
        lost[path.parent.parent.name].append(elsewhere)
        print(f"{'FAILED' if problem else 'ok':7}{path.parent.name}/{path.stem}: {problem} "
              f"{' '.join(sorted(codes))} (elsewhere {elsewhere:.1f})", flush=True)
print("set       bugs  points lost elsewhere: none  at most 5  most")
for name, points in lost.items():
    print(f"{name:10}{len(points):4}{sum(p < 0.05 for p in points):28}{sum(p <= 5 for p in points):11}"
          f"{max(points):6.1f}")
print(f"{told} of {len(paths)} are told with more than that their numbers are wrong")
print(f"{len(paths) - failures} passed, {failures} failed")
sys.exit(1 if failures or not paths else 0)
