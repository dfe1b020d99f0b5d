"""Every mistake must earn its code: that is how the grader itself is graded.

Each file src/grade/labs/NN_slug/mistakes/FUNCTION/CODE[.variant].mistake is put into the reference
and graded as a submission. FUNCTION, and every function after `also:`, must lose points, and one of
its cases must get CODE. So a mistake that no longer applies, passes, or cannot be told from another
one of its function fails the suite.

Without arguments a share is graded (share.py). Arguments choose labs by number, functions, or
mistakes as FUNCTION/CODE, and grade all of these.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

from share import share

root = pathlib.Path(os.environ["VIALATA_ROOT"])
program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
LEAST = 12  # mistakes a lab
ONE_IN = {"few": 256, "long": 4}
ONE_IN_SEEN = {"few": 32, "long": 4}  # of those that numbers do not show: what is seen of a run tells them
AT_ONCE = 2


def grade(lab, mistake, function):
    run = subprocess.run([program, "grade", lab, "--mistake", mistake, "--only", function,
                          "--no-speed", "--format", "json", "--lang", "en"], text=True,
                         capture_output=True)
    if run.returncode > 1:
        return None, f"exit status {run.returncode}: {run.stderr.strip()}"
    return json.loads(run.stdout), ""


def check_function(lab, mistake, function, code):
    verdict, problem = grade(lab, mistake, function)
    if problem:
        return problem
    lost = [c for c in verdict["cases"] if c["status"] != "passed"]
    if not lost:
        return f"{function}: gets full points"
    if verdict["max_score"] > 0 and verdict["score"] >= verdict["max_score"]:
        return f"{function}: loses no points"  # a bonus and given code have none to lose
    if not any(c["code"] == code for c in lost):
        codes = ", ".join(f"{c['id']} {c['code']}" for c in lost)
        return f"{function}: {codes}, instead of {code}"
    return ""


def check(path):
    """What is wrong with this mistake; empty if it is caught as it should be."""
    lab, function, name = path.parts[-4][:2], path.parent.name, path.name[:-len(".mistake")]
    also = re.search(r"^also: (.*)$", path.read_text(), re.M)
    for one in [function] + (also.group(1).split() if also else []):
        problem = check_function(lab, f"{function}/{name}", one, name.split(".")[0])
        if problem:
            return problem
    return ""


def is_chosen(path, words):
    lab, function, name = path.parts[-4][:2], path.parent.name, path.name[:-len(".mistake")]
    return lab in words or function in words or f"{function}/{name}" in words


def main():
    paths = sorted(root.glob("src/grade/labs/*/mistakes/*/*.mistake"))
    failures = 0
    for lab in sorted(root.glob("src/grade/labs/[0-9]*")):
        count = len(list(lab.glob("mistakes/*/*.mistake")))
        if count < LEAST:
            failures += 1
            print(f"FAILED {lab.name} has {count} mistakes, fewer than {LEAST}")
    if sys.argv[1:]:
        paths = [p for p in paths if is_chosen(p, sys.argv[1:])]
    else:
        shown, seen = [], []
        for path in paths:
            is_shown = re.search(r"^shows: output$", path.read_text(), re.M)
            (shown if is_shown else seen).append(str(path.relative_to(root)))
        paths = [root / n for n in sorted(share(shown, **ONE_IN) + share(seen, **ONE_IN_SEEN))]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for path, problem in zip(paths, pool.map(check, paths)):
            failures += bool(problem)
            print(f"{'FAILED' if problem else 'ok':7}{'/'.join(path.parts[-4:])}  {problem}",
                  flush=True)
    print(f"{len(paths)} mistakes were graded, {failures} failures")
    sys.exit(1 if failures or not paths else 0)


main()
