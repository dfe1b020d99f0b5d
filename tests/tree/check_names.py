#!/usr/bin/env python3
"""A function or variable of the trusted program is defined once: of two in its archives the linker would take the
first without a word, and whoever wanted the other calls it."""
import os
import pathlib
import subprocess
import sys
from collections import defaultdict

PLACE = pathlib.Path(os.environ["VIALATA_PLACE"])

# What SimGrid runs is compiled a second time, and linked with nothing of this.
files = [*PLACE.glob("CMakeFiles/vialata.dir/**/*.o"),
         *(p for p in PLACE.glob("libvl_*.a") if not p.name.startswith("libvl_smpi"))]
where = defaultdict(set)
for path in files:
    # Otherwise nm loads the compiler's plugin for every object, which takes nearly all of the time.
    for line in subprocess.run(["nm", "--plugin=/nonexistent", "-A", "-g", "--defined-only", path], check=True,
                               text=True, stdout=subprocess.PIPE).stdout.splitlines():
        place, _, rest = line.rpartition(":")
        _, kind, name = rest.split()
        if kind in "TDBRC":
            where[name].add(os.path.relpath(place, PLACE))
twice = {name: places for name, places in where.items() if len(places) > 1 and name != "main"}
for name, places in sorted(twice.items()):
    print(f"{name} is defined more than once: {', '.join(sorted(places))}")
print(f"{len(where)} names in {len(files)} files")
sys.exit(1 if twice or len(where) < 1000 else 0)
