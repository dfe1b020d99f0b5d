#!/usr/bin/env python3
"""A model on every mesh of 1 to 8 ranks follows the model on one device."""
import json
import os
import subprocess
import sys
from pathlib import Path

place = Path(os.environ["VIALATA_PLACE"])
info = json.loads((place / "buildinfo.json").read_text())
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OPENBLAS_NUM_THREADS="1", ASAN_OPTIONS="detect_leaks=0")  # MPI's own
PATIENCE = 400  # seconds for what takes 20 alone on a quiet machine: only what hangs takes longer
failed = 0
for ranks in (1, 2, 3, 4, 5, 6, 8):
    run = ["timeout", str(PATIENCE), info["mpiexec"], "--oversubscribe", "--bind-to", "none", "-n",
           str(ranks), str(place / "tests/ranks_parallel_model")]
    status = subprocess.run(run, env=environment).returncode
    if status != 0:
        why = f"no end after {PATIENCE} s" if status == 124 else "something does not hold"
        print(f"on {ranks} ranks: {why}", file=sys.stderr)
        failed = 1
        if status == 124:
            break  # nor would the others end, and this test's own time would run out
sys.exit(failed)
