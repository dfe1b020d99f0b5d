#!/usr/bin/env python3
"""clang-tidy finds nothing in src/ and solutions/ that tidy.known.tsv does not explain.

With VIALATA_LONG=1 it looks at all files; otherwise at those that the last commit and the work
since then changed, and at one of TURNS others, the same ones on every machine, so that a change
does not fail because of what it did not touch. How far the analyzer gets with a file differs between
machines, so an explanation that is not needed here may be needed elsewhere. Files not begun within SECONDS are left to the long
suite.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(os.environ["VIALATA_ROOT"])
PLACE = Path(os.environ["VIALATA_PLACE"])
LONG = bool(os.environ.get("VIALATA_LONG"))
TURNS = 48
SECONDS = 3000 if LONG else 60
FOUND = re.compile(r"^(.+?):(\d+):\d+: (?:error|warning): .*\[([\w.-]+)", re.MULTILINE)
began = time.monotonic()


def git(*words):
    result = subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True)
    return result.stdout.split() if result.returncode == 0 else []


def choose(sources):
    """All of them, or what was changed and a share of the others."""
    if LONG:
        return sources
    changed = set(git("diff", "--name-only", "HEAD~1"))
    first = [name for name in sources if name in changed]
    return first + [name for name in sources
                    if zlib.crc32(name.encode()) % TURNS == 0 and name not in changed]


def look(name):
    """What clang-tidy says of a file; None if there was no more time for it."""
    if time.monotonic() - began > SECONDS:
        return None
    result = subprocess.run(["clang-tidy", "--quiet", "-p", PLACE, ROOT / name],
                            capture_output=True, text=True, cwd=ROOT)
    failed = result.returncode != 0 and not FOUND.search(result.stdout)
    return f"{result.stdout}{result.stderr if failed else ''}", failed


if shutil.which("clang-tidy") is None:
    print("there is no clang-tidy")
    sys.exit(77)
commands = json.loads((PLACE / "compile_commands.json").read_text())
compiled = {os.path.relpath(entry["file"], ROOT) for entry in commands}
chosen = choose(sorted(name for name in compiled if name.startswith(("src/", "solutions/"))))
known = {tuple(line.split("\t")[:2])
         for line in (ROOT / "tests/tree/tidy.known.tsv").read_text().splitlines()}
with ThreadPoolExecutor(os.cpu_count()) as pool:
    said = dict(zip(chosen, pool.map(look, chosen)))
looked = [name for name in chosen if said[name] is not None]
needed, failures = set(), 0
for name in looked:
    text, failed = said[name]
    found = {(os.path.relpath(path, ROOT), check) for path, _, check in FOUND.findall(text)}
    needed |= found & known
    if failed or found - known:
        failures += 1
        print(text)
for name, check in sorted(known - needed):
    if not (ROOT / name).exists():
        failures += 1
        print(f"tests/tree/tidy.known.tsv: there is no {name} any more")
    elif name in looked:
        print(f"tests/tree/tidy.known.tsv: {check} finds nothing in {name} on this machine")
print(f"{len(looked)} of {len(compiled)} compiled files, {failures} with findings")
sys.exit(failures != 0 or not looked)
