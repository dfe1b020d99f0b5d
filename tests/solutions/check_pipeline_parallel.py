#!/usr/bin/env python3
"""Lab 07's reference at work: ranks_pipeline.c holds on 1, 2, 3, 4, 5 and 8 ranks."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

info = json.loads((Path(os.environ["VIALATA_PLACE"]) / "buildinfo.json").read_text())
sources = [Path(os.environ["VIALATA_ROOT"]) / "tests/solutions/ranks_pipeline.c"]
for lab in ("02_collectives", "07_pipeline_parallel"):
    sources += sorted((Path(info["solutions"]) / lab).glob("*.c"))


def lines(key):
    return [line for line in info[key].split("\n") if line]


with tempfile.TemporaryDirectory() as folder:
    program = str(Path(folder) / "ranks_pipeline")
    build = [info["compiler"], *lines("lab_flags"), *lines("sanitize_flags"), "-Wall", "-Wextra",
             "-Wconversion", "-Werror", "-I", info["include"],
             *[f"-I{i}" for i in lines("mpi_includes")], *map(str, sources),
             *lines("mpi_libraries"), "-lm", "-o", program]
    subprocess.run(build, check=True)
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       ASAN_OPTIONS="detect_leaks=0")  # MPI's own
    failed = 0
    for ranks in ("1", "2", "3", "4", "5", "8"):
        run = ["timeout", "30", info["mpiexec"], "--oversubscribe", "--bind-to", "none",
               "-n", ranks, program]
        code = subprocess.run(run, env=environment).returncode
        if code != 0:
            print(f"on {ranks} ranks something does not hold ({code}; 124: no end)",
                  file=sys.stderr)
            failed = 1
sys.exit(failed)
