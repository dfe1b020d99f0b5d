"""Bugs that were written as edits of a reference.

    tests/unseen/SET/NN/NAME.bug    function, kind (slip, misunderstanding), cause; then edits of the
                                    reference, as in a .mistake: --- FUNCTION or FILE, +++
"""
import os
import pathlib
import re
import shutil
import sys

root = pathlib.Path(os.environ["VIALATA_ROOT"])


def read(path):
    head, *edits = re.split(r"^--- ", path.read_text(), flags=re.M)
    facts = dict(re.findall(r"^(\w+): (.*)", head, re.M))
    parts = [(e.split("\n", 1)[0].strip(), *e.split("\n", 1)[1].split("+++\n", 1)) for e in edits]
    return facts, parts


def span(text, where):
    """Where a function stands in a file of the reference."""
    for head in re.finditer(rf"^[a-z].*?\b{re.escape(where)}\(", text, re.M):
        brace, end = text.find("\n{\n", head.start()), text.find("\n}\n", head.start())
        if 0 <= brace < end and ";" not in text[head.start():brace]:
            return head.start(), end + 3
    return None


def write(folder, lab, edits):
    """The reference of a lab with these edits. Fails if one does not fit exactly once."""
    shutil.copytree(next((root / "solutions").glob(f"{lab}_*")), folder)
    for where, old, new in edits:
        for file in sorted(folder.glob("*.c")):
            text = file.read_text()
            place = (0, len(text)) if file.name == where else span(text, where)
            if place is not None:
                break
        else:
            sys.exit(f"lab {lab}: the reference has no {where}")
        inside = text[place[0]:place[1]]
        if inside.count(old) != 1:
            sys.exit(f"lab {lab}, {where}: the reference has changed; mend the bug\n{old}")
        file.write_text(text[:place[0]] + inside.replace(old, new) + text[place[1]:])
