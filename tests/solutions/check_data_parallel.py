#!/usr/bin/env python3
"""Lab 03's reference, alone with lab 02's collectives, on 1, 2, 3, 4, 5 and 8 ranks."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

root = Path(os.environ["VIALATA_ROOT"]).resolve()
info = json.loads((Path(os.environ["VIALATA_PLACE"]) / "buildinfo.json").read_text())


def words(key):
    return [word for word in info.get(key, "").split("\n") if word]


def run(command, seconds):
    outcome = subprocess.run(["timeout", str(seconds)] + command, capture_output=True, text=True,
                             stdin=subprocess.DEVNULL,
                             env={**os.environ, "OPENBLAS_NUM_THREADS": "1",
                                  "ASAN_OPTIONS": "detect_leaks=0"})  # MPI's own
    if outcome.returncode != 0:
        print(" ".join(command), outcome.stdout, outcome.stderr, sep="\n", file=sys.stderr)
    return outcome.returncode == 0


sources = [root / "tests/solutions/ranks_data_parallel.c", root / "src/grade/runner/unit_toy.c",
           root / "src/base/random.c"]
for lab in ("01_training_step", "02_collectives", "03_data_parallel"):
    sources += sorted((root / "solutions" / lab).glob("*.c"))
with tempfile.TemporaryDirectory() as scratch:
    program = scratch + "/ranks"
    built = run([info["compiler"], *words("lab_flags"), *words("sanitize_flags"), "-D_GNU_SOURCE",
                 f"-I{root}/include", f"-I{root}/src",
                 *[f"-I{folder}" for folder in words("mpi_includes") + words("blas_includes")],
                 "-Wl,--wrap=vl_all_reduce", "-Wl,--wrap=vl_all_reduce_start",
                 *map(str, sources), *words("mpi_libraries"), *words("blas_libraries"), "-lm",
                 "-o", program], 120)
    failed = [] if built else ["build"]
    for ranks in (1, 2, 3, 4, 5, 8) if built else ():
        if not run([info["mpiexec"], "--allow-run-as-root", "--oversubscribe", "--bind-to", "none",
                    "-n", str(ranks), program], 60):
            failed.append(ranks)
print("failed: " + ", ".join(map(str, failed)) if failed else "6 numbers of ranks")
sys.exit(1 if failed else 0)
