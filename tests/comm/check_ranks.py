"""Counts, beacons and meshes are exact on several ranks: ranks_*.c are linked with the wrappers and
ask."""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
place = pathlib.Path(os.environ["VIALATA_PLACE"])
info = json.loads((place / "buildinfo.json").read_text())
LEFT = 3  # VL_PHASE_LEFT
RANKS = {"ranks_mesh": (1, 2, 3, 4, 6, 8)}  # of the others: 1 to 4


def listed(key):
    """An item a line; paths may be relative to the file's folder."""
    return [item for item in info[key].split("\n") if item]


def found(key, part):
    return [str(place / path) for path in listed(key) if part in path]


def build(name, folder):
    program = folder / name
    subprocess.run(
        [info["compiler"], "-std=gnu11", "-D_GNU_SOURCE", "-g", "-Wall", "-Wextra", "-Werror",
         *info["sanitize_flags"].split(),
         *("-I" + path for path in (info["root"] + "/src", info["include"])),
         *("-isystem" + path for path in listed("mpi_includes")),
         str(here / f"{name}.c"), *found("runner_objects", "intercept"), *listed("wrap_flags"),
         *found("solution_archives", "02_collectives"), *found("runner_archives", "vl_"),
         *listed("mpi_libraries"), *listed("runner_libraries"), "-o", str(program)], check=True)
    return program


def run(ranks, program, *arguments):
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "ASAN_OPTIONS": "detect_leaks=0"}
    return subprocess.run(
        [info["mpiexec"], "--oversubscribe", "--bind-to", "none", "-n", str(ranks), str(program),
         *arguments], env=environment, timeout=120, text=True, capture_output=True)


failures = 0
with tempfile.TemporaryDirectory() as scratch:
    scratch = pathlib.Path(scratch)
    for name in sorted(path.stem for path in here.glob("ranks_*.c")):
        program = build(name, scratch)
        for ranks in RANKS.get(name, (1, 2, 3, 4)):
            result = run(ranks, program, str(scratch / f"{name}.{ranks}"))
            if result.returncode != 0:
                failures += 1
                print(f"{name} on {ranks} ranks:\n{result.stdout}{result.stderr}")
    # A rank that goes away in mid-case says so, whichever way it goes.
    for way in ("exit", "abort", "finalize"):
        beacon = scratch / way
        run(1, scratch / "ranks_beacon", way, str(beacon))
        phase = struct.unpack("I", beacon.read_bytes()[:4])[0]
        if phase != LEFT:
            failures += 1
            print(f"a rank that left by {way} is in phase {phase}, not {LEFT}")
sys.exit(failures != 0)
