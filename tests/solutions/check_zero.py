#!/usr/bin/env python3
"""Builds ranks_zero.c with the references and runs it on 1, 2, 3, 4, 5 and 8 ranks.

VIALATA_EXTRA_FLAGS (say, -fsanitize=address) are added to the compiler's. The lab's own sources are
compiled anew, so that they reach these too.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

root = Path(os.environ["VIALATA_ROOT"])
place = Path(os.environ["VIALATA_PLACE"])
info = json.loads((place / "buildinfo.json").read_text())
labs = ["04_zero", "03_data_parallel", "02_collectives", "01_training_step"]
sources = [s for lab in labs for s in sorted((Path(info["solutions"]) / lab).glob("*.c"))]
includes = [info["include"], *info["mpi_includes"].split(), *info["blas_includes"].split()]

with tempfile.TemporaryDirectory() as scratch:
    program = Path(scratch) / "ranks_zero"
    build = [info["compiler"], *info["lab_flags"].split("\n"), "-Wall", "-Wextra", "-D_GNU_SOURCE",
             *os.environ.get("VIALATA_EXTRA_FLAGS", "").split(), *["-I" + i for i in includes],
             str(root / "tests/solutions/ranks_zero.c"), *map(str, sources),
             *info["mpi_libraries"].split(), *info["blas_libraries"].split(), "-lm", "-o",
             str(program)]
    subprocess.run(build, check=True)
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1",
                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    failed = 0
    for ranks in (1, 2, 3, 4, 5, 8):
        run = ["timeout", "60", info["mpiexec"], "--oversubscribe", "--bind-to", "none", "-n",
               str(ranks), str(program)]
        if subprocess.run(run, env=environment).returncode != 0:
            print(f"on {ranks} ranks something does not hold", file=sys.stderr)
            failed = 1
sys.exit(failed)
