#!/usr/bin/env python3
"""The reference of lab 02 on 1, 2, 3, 4, 5 and 8 ranks: ranks_collectives.c holds on each.

Where memory allows, with more than 2^31 bytes too.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

place = Path(os.environ["VIALATA_PLACE"])
info = json.loads((place / "buildinfo.json").read_text())
source = Path(os.environ["VIALATA_ROOT"]) / "tests/solutions/ranks_collectives.c"
lab = Path(info["solutions"]) / "02_collectives"


def lines(key):
    return [line for line in info[key].split("\n") if line]


with tempfile.TemporaryDirectory() as folder:
    program = Path(folder) / "ranks_collectives"
    build = [info["compiler"], *lines("lab_flags"), *lines("sanitize_flags"), "-Wall", "-Wextra",
             "-Wconversion", "-Werror", "-I", info["include"],
             *[f"-I{i}" for i in lines("mpi_includes")], source, *sorted(lab.glob("*.c")),
             *lines("mpi_libraries"), "-lm", "-o", program]
    subprocess.run([str(word) for word in build], check=True)
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       ASAN_OPTIONS="detect_leaks=0")  # MPI's own, in modules it has unloaded
    failed = 0
    runs = [(ranks,) for ranks in (1, 2, 3, 4, 5, 8)]
    available = next(int(line.split()[1]) for line in open("/proc/meminfo")
                     if line.startswith("MemAvailable:"))
    if available > 10 << 20 and not lines("sanitize_flags"):  # KiB; two ranks with 2 GiB each
        runs.append((2, "large"))
    else:
        print("data above 2^31 bytes are left out: there is too little memory here")
    for ranks, *words in runs:
        run = [info["mpiexec"], "--oversubscribe", "--bind-to", "none", "-n", str(ranks),
               str(program), *words]
        try:
            code = subprocess.run(run, env=environment, timeout=120).returncode
        except subprocess.TimeoutExpired:
            code = "no end within two minutes"
        if code != 0:
            print(f"on {ranks} ranks: {code}", file=sys.stderr)
            failed = 1
sys.exit(failed)
