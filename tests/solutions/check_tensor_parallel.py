#!/usr/bin/env python3
"""The reference of lab 06 on 1, 2, 3, 4 and 8 ranks: its functions one by one.

(Whole models made of them: tests/engine/ranks_parallel_model.c.)
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

root = Path(os.environ["VIALATA_ROOT"])
info = json.loads((Path(os.environ["VIALATA_PLACE"]) / "buildinfo.json").read_text())
labs = ["01_training_step", "02_collectives", "06_tensor_parallel"]
sources = [s for lab in labs for s in sorted((Path(info["solutions"]) / lab).glob("*.c"))]


def lines(key):
    return [line for line in info[key].split("\n") if line]


with tempfile.TemporaryDirectory() as folder:
    flags = [info["compiler"], *lines("lab_flags"), *lines("sanitize_flags"), "-Wall", "-Wextra",
             "-Werror", "-D_GNU_SOURCE", "-I", info["include"], "-I", root / "src",
             *[f"-I{i}" for i in lines("mpi_includes") + lines("blas_includes")]]
    objects = []
    for source in sources:
        objects.append(Path(folder) / f"{len(objects)}.o")
        subprocess.run([*map(str, flags), "-c", str(source), "-o", str(objects[-1])], check=True)
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OPENBLAS_NUM_THREADS="1", ASAN_OPTIONS="detect_leaks=0")  # MPI's own
    failed = 0
    program = Path(folder) / "ranks_tensor_parallel"
    build = [*flags, "-Wconversion", root / "tests/solutions/ranks_tensor_parallel.c", *objects,
             *lines("mpi_libraries"), *lines("blas_libraries"), "-lm", "-o", program]
    subprocess.run([str(word) for word in build], check=True)
    for ranks in (1, 2, 3, 4, 8):
        run = ["timeout", "60", info["mpiexec"], "--oversubscribe", "--bind-to", "none", "-n",
               str(ranks), str(program)]
        if subprocess.run(run, env=environment).returncode != 0:
            print(f"on {ranks} ranks something does not hold", file=sys.stderr)
            failed = 1
sys.exit(failed)
