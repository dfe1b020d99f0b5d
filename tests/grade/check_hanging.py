"""Ranks that wait for one another are named, with their calls and lines, and in time.

Every hanging/*.c replaces one file of lab 02's reference. Its first lines say what must come of
it:
  replaces:  the file
  expect:    case, status of that case (or any), code; may come several times
  says:      words that its message or its detail must contain, separated by semicolons; | for or
A line that ends in the comment `told` must be named as file:line.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from busy import busy
from share import share

here = pathlib.Path(__file__).resolve().parent
root = pathlib.Path(os.environ.get("VIALATA_ROOT", here.parent.parent))
program = pathlib.Path(os.environ["VIALATA_PLACE"]).resolve() / "bin" / "vialata"
MOST_SECONDS = 15  # on a quiet machine; on a busy one a case has more time before it is called hung
failures = 0


def field(text, name):
    return re.findall(rf"^/\* {name}: (.*) \*/$", text, re.M)


def wanted_words(source, text):
    words = [w.strip() for line in field(text, "says") for w in line.split(";")]
    told = [n for n, line in enumerate(text.splitlines(), 1) if line.endswith("/* told */")]
    return words + [f"{field(text, 'replaces')[0]}:{n}" for n in told]


def grade(folder, case):
    begin = time.monotonic()
    run = subprocess.run([program, "grade", "02", "--submission", folder, "--only", case,
                          "--format", "json", "--lang", "en"], text=True, capture_output=True,
                         timeout=120)
    seconds = time.monotonic() - begin
    if run.returncode != 1:
        return None, seconds, f"exit status {run.returncode} instead of 1: {run.stderr.strip()}"
    cases = json.loads(run.stdout)["cases"]
    return (cases[0], seconds, "") if len(cases) == 1 else (None, seconds, f"{len(cases)} cases")


def check(source, text, case, status, code):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "02_collectives"
        shutil.copytree(next((root / "solutions").glob("02_*")), folder)
        shutil.copy(source, folder / field(text, "replaces")[0])
        found, seconds, problem = grade(folder, case)
    if found is None:
        return [problem], seconds, ""
    said = f"{found['message'] or ''}\n{found.get('detail') or ''}"
    problems = []
    if found["code"] != code:
        problems.append(f"code {found['code']} instead of {code}")
    if status not in ("any", found["status"]):
        problems.append(f"status {found['status']} instead of {status}")
    for words in wanted_words(source, text):
        if not any(w.lower() in said.lower() for w in words.split("|")):
            problems.append(f"does not say `{words}`")
    if seconds > MOST_SECONDS * busy():
        problems.append(f"took {seconds:.0f} s")
    return problems, seconds, said


def main():
    global failures
    chosen = [name for name in sys.argv[1:] if name != "-v"]
    asked = []
    sources = sorted((here / "hanging").glob("*.c"))
    chosen = chosen or share([source.stem for source in sources], few=7, long=1)  # each waits for some seconds
    for source in sources:
        if source.stem in chosen:
            text = source.read_text()
            asked += [(source, text, *expected.split()) for expected in field(text, "expect")]
    with ThreadPoolExecutor(2) as pool:  # ranks that wait leave the machine to others
        for (source, _, case, *_), found in zip(asked, pool.map(lambda words: check(*words), asked)):
            problems, seconds, said = found
            failures += bool(problems)
            print(f"{'FAILED' if problems else 'ok':7}{source.stem} {case} ({seconds:.1f} s)",
                  *problems, sep="\n    ")
            if problems or "-v" in sys.argv:
                print(*said.strip().splitlines(), sep="\n    | ", end="\n")
            sys.stdout.flush()
    sys.exit(1 if failures else 0)


main()
