#!/usr/bin/env python3
"""`bench peers` in the real trainer: a program that does other work is refused. With VIALATA_LONG set, and where a
Python has PyTorch, PyTorch itself must agree. No time is judged."""
import json
import math
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from on_ranks import PATIENCE, environment, info, place

problems = []

PEERS = {
    # another model: it is ready, and answers with a loss of its own
    "differs": ("peer_differs", """
print("ready", "0.0", flush=True)
for _ in sys.stdin:
    print(1.5, 0.25, flush=True)
"""),
    "not_a_number": ("peer_differs", """
print("ready", "0.0", flush=True)
for _ in sys.stdin:
    print("nan", 0.25, flush=True)
"""),
    "talks": ("peer_differs", """
print("ready", "0.0", flush=True)
for _ in sys.stdin:
    print("a warning", flush=True)
"""),
    "ends": ("peer_differs", """
print("ready", "0.0", flush=True)
"""),
    "never_ready": ("peer_lacks", """
sys.exit("no torch here")
"""),
}


def expect(holds, what):
    if not holds:
        problems.append(what)


def run(python, folder):
    return subprocess.run([info["mpiexec"], "-n", "1", place / "bin" / "vialata-trainer", "bench-peers",
                           "--events", python], capture_output=True, text=True, timeout=2 * PATIENCE,
                          env=dict(environment, TMPDIR=str(folder), ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "")
                                   + ":detect_leaks=0"))


def check_fake(name, code, body, folder):
    seen = folder / "seen"
    program = folder / name
    program.write_text(f"#!{sys.executable}\nimport pathlib, sys\n"
                       f"pathlib.Path({str(seen)!r}).write_text(' '.join(map(str, (pathlib.Path(a).stat().st_size "
                       f"if a.startswith('/') else a for a in sys.argv[1:]))))\n{body}")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    done = run(program, folder)
    expect(done.returncode == 3, f"{name}: exit status {done.returncode}: {done.stderr}")
    expect(code in done.stdout, f"{name}: no {code} in {done.stdout!r}")
    script, weights, tokens, batch = map(int, seen.read_text().split())
    expect(script > 0 and weights > 4 * 3_000_000 and tokens == 2 * 4 * 8 * 128 and batch == 8,
           f"{name}: was given {seen.read_text()}")
    left = [path.name for path in folder.glob("vialata-peer-*")]
    expect(not left, f"{name}: left {left}")


def with_torch():
    for python in (shutil.which("python3"), "/usr/bin/python3"):
        if python and subprocess.run([python, "-c", "import torch"], capture_output=True).returncode == 0:
            return python
    return None


def check_torch(python, folder):
    done = run(python, folder)
    expect(done.returncode == 0, f"PyTorch: exit status {done.returncode}: {done.stdout}{done.stderr}")
    for shape in json.loads(done.stdout.splitlines()[-1])["peers"] if done.returncode == 0 else ():
        expect(abs(shape["loss"] - shape["peer_loss"]) < 1e-3 * shape["loss"], f"PyTorch: {shape}")
        expect(shape["loss"] < math.log(shape["vocabulary"]), f"PyTorch: nothing was learnt: {shape}")


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    for name, (code, body) in PEERS.items():
        check_fake(name, code, body, folder)
    python = with_torch() if os.environ.get("VIALATA_LONG") else None
    if python is not None:
        check_torch(python, folder)
print("\n".join(problems) or f"5 that do something else are refused; PyTorch itself: {python or 'not tried'}")
sys.exit(1 if problems else 0)
