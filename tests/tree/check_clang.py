#!/usr/bin/env python3
"""clang takes every file without a warning, as gcc does: preset "clang". With VIALATA_LONG=1 it
builds the whole tree; otherwise it only checks files, those that the last commit and the work since then
changed and one of TURNS others, and generates no code."""
import json
import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from share import share

ROOT = Path(os.environ["VIALATA_ROOT"])
FOLDER = Path(os.environ["VIALATA_PLACE"]).parent / "clang"
TURNS = 12
WITHOUT_ARGUMENT = {"-c", "-MD"}
WITH_ARGUMENT = {"-o", "-MT", "-MF"}


def run(words, folder=ROOT):
    return subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)


def changed_names():
    """What the last commit and the work since then changed, with the files that include a changed header."""
    said = subprocess.run(["git", "-C", ROOT, "diff", "--name-only", "HEAD~1"], capture_output=True,
                          text=True)
    changed = set(said.stdout.split()) if said.returncode == 0 else set()
    headers = [f'/{name}'.split("/src/")[-1].split("/include/")[-1] for name in changed
               if name.endswith(".h")]
    return changed, [f'#include "{name.lstrip("/")}"' for name in headers]


def chosen(entries):
    changed, includes = changed_names()
    names = [os.path.relpath(entry["file"], ROOT) for entry in entries]
    some = {*share(names, few=TURNS, long=1), *changed}
    return [entry for entry, name in zip(entries, names)
            if name in some or any(line in (ROOT / name).read_text() for line in includes)]


def reading(command):
    """The compiler's command without what it writes."""
    words, kept = iter(shlex.split(command)), []
    for word in words:
        if word in WITH_ARGUMENT:
            next(words)
        elif word not in WITHOUT_ARGUMENT and Path(word).name != "ccache":
            kept.append(word)
    return [*kept, "-fsyntax-only"]


if shutil.which("clang") is None:
    print("there is no clang")
    sys.exit(77)
configured = run(["cmake", "-S", ROOT, "-B", FOLDER, "--preset", "clang"])
if configured.returncode == 0 and os.environ.get("VIALATA_LONG"):
    configured = run(["cmake", "--build", FOLDER])
if configured.returncode != 0:
    print(configured.stdout[-8000:])
    sys.exit(1)
entries = chosen([entry for entry in json.loads((FOLDER / "compile_commands.json").read_text())
                  if Path(entry["file"]).exists()])
with ThreadPoolExecutor(os.cpu_count()) as pool:
    results = list(pool.map(lambda entry: run(reading(entry["command"]), entry["directory"]),
                            entries))
failures = [result for result in results if result.returncode != 0]
for result in failures[:20]:
    print(result.stdout)
print(f"{len(entries)} files, {len(failures)} with warnings")
sys.exit(bool(failures) or not entries)
