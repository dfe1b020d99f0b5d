#!/usr/bin/env python3
"""Counts, beacons and meshes are exact on several ranks: each ranks_*.c checks its own."""
import pathlib
import struct
import sys
import tempfile

from on_ranks import NO_END, check, start

here = pathlib.Path(__file__).resolve().parent
LEFT = 3  # VL_PHASE_LEFT
RANKS = {"ranks_mesh": (1, 2, 3, 4, 6, 8)}  # of the others: 1 to 4

failures = 0
with tempfile.TemporaryDirectory() as scratch:
    for name in sorted(path.stem for path in here.glob("ranks_*.c")):
        failures += check(f"comm/{name}", [f"{ranks} {scratch}/{name}.{ranks}"
                                           for ranks in RANKS.get(name, (1, 2, 3, 4))])
    # A rank that leaves in mid-case says so, whichever way it leaves.
    for way in ("exit", "abort", "finalize"):
        beacon = pathlib.Path(scratch) / way
        if start("comm/ranks_beacon", 1, way, beacon) == NO_END:
            print(f"a rank that leaves by {way} does not end")
            failures += 1
            continue
        phase = struct.unpack("I", beacon.read_bytes()[:4])[0]
        if phase != LEFT:
            failures += 1
            print(f"a rank that left by {way} is in phase {phase}, not {LEFT}")
sys.exit(failures != 0)
