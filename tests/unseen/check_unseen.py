"""Bugs that somebody wrote who had seen neither the grader nor its mistakes: each must cost points.

    tests/unseen/SET/NN/NAME.bug    function, kind (slip, misunderstanding), cause; then edits of the
                                    reference, as in a .mistake: --- FUNCTION or FILE, +++

A set was graded once, before anything was changed because of it, and two readers compared each report with
its cause. Since then it is kept as a test. A few are graded for each change, all with VIALATA_LONG=1;
then a table says how many are told with more than "the numbers are wrong". Arguments choose labs, or
bugs as NN/NAME.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(os.environ["VIALATA_ROOT"])
program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
EACH = 50  # one in so many, without VIALATA_LONG
VAGUE = {"wrong_values", "last_row", "last_column", "scaled", "not_a_number", "all_zero",
         "counts_later"}
# Bugs that no case shows yet, each with what is missing.
HOLES = {"09/zero_token_ends_all": "affinities that are all zero; the contract does not speak of them"}


def read(path):
    head, *edits = re.split(r"^--- ", path.read_text(), flags=re.M)
    facts = dict(re.findall(r"^(\w+): (.*)", head, re.M))
    parts = [(e.split("\n", 1)[0].strip(), *e.split("\n", 1)[1].split("+++\n", 1)) for e in edits]
    return facts, parts


def span(text, where):
    """Where a function stands in a file of the reference."""
    for head in re.finditer(rf"^[a-z].*?\b{re.escape(where)}\(", text, re.M):
        brace, end = text.find("\n{\n", head.start()), text.find("\n}\n", head.start())
        if 0 <= brace < end and ";" not in text[head.start():brace]:
            return head.start(), end + 3
    return None


def write(folder, lab, edits):
    """The reference of a lab with these edits. Fails if one does not fit exactly once."""
    shutil.copytree(next((root / "solutions").glob(f"{lab}_*")), folder)
    for where, old, new in edits:
        for file in sorted(folder.glob("*.c")):
            text = file.read_text()
            place = (0, len(text)) if file.name == where else span(text, where)
            if place is not None:
                break
        else:
            sys.exit(f"lab {lab}: the reference has no {where}")
        inside = text[place[0]:place[1]]
        if inside.count(old) != 1:
            sys.exit(f"lab {lab}, {where}: the reference has changed; mend the bug\n{old}")
        file.write_text(text[:place[0]] + inside.replace(old, new) + text[place[1]:])


def grade(path):
    facts, edits = read(path)
    lab = path.parent.name
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch, "submission")
        write(folder, lab, edits)
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
    caught = verdict["score"] < verdict["max_score"]
    told += bool(codes - VAGUE)
    wrong = caught == (name in HOLES)
    failures += wrong
    print(f"{'FAILED' if wrong else 'ok':7}{name}: {'' if caught else 'full points '}"
          f"{' '.join(sorted(c for c in codes if c))}", flush=True)
print(f"{told} of {len(paths)} are told with more than that their numbers are wrong")
print(f"{len(paths) - failures} passed, {failures} failed")
sys.exit(1 if failures or not paths else 0)
