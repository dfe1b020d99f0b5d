"""Builds tests/solutions/<program>.c with the references of some labs, and runs it under mpirun."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

root = Path(os.environ["VIALATA_ROOT"])
info = json.loads((Path(os.environ["VIALATA_PLACE"]) / "buildinfo.json").read_text())


def lines(key):
    return [line for line in info[key].split("\n") if line]


def reference(lab):
    """The sources of a reference: what is written in solutions/, what is given in labs/."""
    files = {s.name: s for root in ("labs", "solutions")
             for s in (Path(info[root]) / lab).glob("*.c")}
    return [files[name] for name in sorted(files)]


def check(program_name, labs, runs, beside=(), linked=()):
    """What a check should exit with: 0 if the program holds in each of the runs.

    A run is a number of ranks, or that and the program's words: "2 large". 'beside' are more
    sources, of the tree; 'linked' are flags for the linker.
    """
    sources = [s for lab in labs for s in reference(lab)]
    sources += [root / name for name in beside]
    with tempfile.TemporaryDirectory() as folder:
        flags = [info["compiler"], *lines("lab_flags"), *lines("sanitize_flags"), "-Wall",
                 "-Wextra", "-Wconversion", "-Werror", "-D_GNU_SOURCE", "-I", info["include"],
                 "-I", root / "src",
                 *[f"-I{i}" for i in lines("mpi_includes") + lines("blas_includes")]]
        objects = []
        for source in sources:
            objects.append(Path(folder) / f"{len(objects)}.o")
            subprocess.run([*map(str, flags), "-c", str(source), "-o", str(objects[-1])],
                           check=True)
        program = Path(folder) / program_name
        build = [*flags, root / f"tests/solutions/{program_name}.c", *objects,
                 *linked, *lines("mpi_libraries"), *lines("blas_libraries"), "-lm", "-o", program]
        subprocess.run([str(word) for word in build], check=True)
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OPENBLAS_NUM_THREADS="1",
                           ASAN_OPTIONS="detect_leaks=0")  # MPI's own
        failed = 0
        for run in runs:
            ranks, *words = str(run).split()
            code = subprocess.run(["timeout", "120", info["mpiexec"], "--oversubscribe",
                                   "--bind-to", "none", "-n", ranks, str(program), *words],
                                  env=environment).returncode
            if code != 0:
                print(f"on {run} ranks something does not hold ({code}; 124: no end)",
                      file=sys.stderr)
                failed = 1
    return failed
