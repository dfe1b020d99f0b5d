#!/usr/bin/env python3
"""Every given file exists once.

- No file of labs/ is repeated in solutions/, under whatever name.
- Each file of a lab is either to be written, with a TODO of its own and a finished file of its name
  in solutions/; or given, without a TODO and in labs/ alone.
- Nothing else is in solutions/, except headers of its own.
"""
import os
import sys
from pathlib import Path

root = Path(os.environ["VIALATA_ROOT"]).resolve()
faults = []


def fault(path, sentence):
    faults.append(f"{path.relative_to(root)}: {sentence}")


labs = sorted((root / "labs").glob("[0-9][0-9]_*"))
texts = {path.read_bytes(): path for lab in labs for path in lab.rglob("*") if path.is_file()}
for path in sorted((root / "solutions").rglob("*")):
    if path.is_file() and path.read_bytes() in texts:
        fault(path, f"repeats {texts[path.read_bytes()].relative_to(root)}: it is given, so it goes")
given = 0
for lab in labs:
    finished = root / "solutions" / lab.name
    for source in sorted(lab.glob("*.[ch]")):
        to_write = "TODO(" in source.read_text()
        if to_write and not (finished / source.name).exists():
            fault(source, "is to be written, and solutions/ has no finished one")
        if not to_write and (finished / source.name).exists():
            fault(source, "has nothing to be written, and yet solutions/ has one of its name")
        given += not to_write
    for source in sorted(finished.glob("*.c")):
        if not (lab / source.name).exists():
            fault(source, "is no file of the lab")
if not given:
    faults.append("labs/: no file is given, so this check sees nothing")
print("\n".join(faults) or f"{given} given files, each in labs/ alone")
sys.exit(bool(faults))
