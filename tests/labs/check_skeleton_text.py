#!/usr/bin/env python3
"""Skeleton, hints and explanation of each lab speak of the same functions.

- every function of the headers a lab includes is in its skeleton, with the same parameters, unless
  it is in another lab's;
- every function that is still to be written has one hint section of three items, in no other place;
- every such function is listed once in the explanation's table, with the file it is in;
- every file with such a function has TODO marks of the lab's number, and worked files have none;
  next to functions to be written, a file may give a finished one as an example;
- a skeleton returns VL_TODO exactly where something is to be written.
"""
import os
import re
import sys
from pathlib import Path

FUNCTION = re.compile(r"^enum vl_status (vl_\w+)\(([^)]*)\)\s*([;{])", re.M)
faults = []


def fault(path, sentence):
    faults.append(f"{path.relative_to(root)}: {sentence}")


def functions(path):
    """name -> (parameters with single spaces, body or '')"""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n") if "TODO" not in m.group()
                  else m.group(), path.read_text(), flags=re.S)
    found = {}
    for m in FUNCTION.finditer(text):
        body = ""
        if m.group(3) == "{":
            end = text.find("\n}", m.end())
            body = text[m.end():end]
        found[m.group(1)] = (" ".join(m.group(2).split()), body)
    return found


def written_elsewhere(lab):
    """The functions in the skeletons of all other labs."""
    sources = [s for s in lab.parent.glob("[0-9][0-9]_*/*.c") if s.parent != lab]
    return {name for source in sources for name in functions(source)}


def check_hints(path, wanted):
    sections = re.split(r"(?m)^## ", path.read_text())[1:]
    names = [s.split("\n", 1)[0].strip() for s in sections]
    for name in sorted(wanted - set(names)):
        fault(path, f"{name} has no hints.")
    for name in sorted(set(names) - wanted):
        fault(path, f"'{name}' is no function to be written in this lab.")
    for name, section in zip(names, sections):
        items = re.findall(r"(?m)^(\d+)\. \S", section)
        if items != ["1", "2", "3"]:
            fault(path, f"{name} has the hints {items}, not 1, 2 and 3.")
        if names.count(name) > 1:
            fault(path, f"{name} has more than one section.")


def check_table(path, wanted):
    rows = re.findall(r"(?m)^\| `(vl_\w+)` \| `(\w+\.c)` \|", path.read_text())
    named = dict(rows)
    for name, (file, _) in sorted(wanted.items()):
        if named.get(name) != file:
            fault(path, f"the table has {name} in {named.get(name)}, the skeleton in {file}.")
    for name in sorted(set(named) - set(wanted)):
        fault(path, f"the table asks for {name}, which the skeleton does not.")
    if len(rows) != len(named):
        fault(path, "the table has a function twice.")


def check_lab(lab):
    number = lab.name[:2]
    present, headers, to_write, given = {}, set(), {}, []
    for source in sorted(lab.glob("*.c")):
        text = source.read_text()
        headers |= set(re.findall(r'#include "(vialata/\w+\.h)"', text))
        marks = re.findall(r"TODO\((\w+)\)", text)
        if set(marks) - {number}:
            fault(source, f"marks {sorted(set(marks))}, but this is lab {number}.")
        asks = False
        for name, (parameters, body) in functions(source).items():
            if name in present:
                fault(source, f"{name} is also in {present[name][0]}.")
            present[name] = (source.name, parameters)
            if source.name == "worked.c":
                if "TODO" in body:
                    fault(source, f"{name} is worked, and yet has a TODO.")
                continue
            if "TODO" not in body:
                given.append(name)
                continue
            to_write[name] = (source.name, parameters)
            asks = True
            if f"TODO({number})" not in body:  # a bare VL_TODO
                fault(source, f"{name} has no TODO({number}) mark.")
            if "VL_TODO" not in body:
                fault(source, f"{name} does not return VL_TODO.")
        if asks != bool(marks):
            fault(source, f"{len(marks)} TODO marks do not fit its functions.")
    if not present:
        return False
    elsewhere = written_elsewhere(lab)
    for header in sorted(headers):
        path = root / "include" / header
        for name, (parameters, _) in functions(path).items():
            if name not in present and name in elsewhere:
                continue
            if name not in present:
                fault(path, f"promises {name}, which is in no file of labs/{lab.name}.")
            elif present[name][1] != parameters:
                fault(path, f"{name} has other parameters in {present[name][0]}.")
    check_hints(lab / "hints.md", set(to_write))
    check_table(lab / "README.md", to_write)
    print(f"labs/{lab.name}: {len(to_write)} functions to write, {len(present)} in all",
          *(["; given:", *given] if given else []))
    return True


root = Path(os.environ["VIALATA_ROOT"]).resolve()
labs = [lab for lab in sorted((root / "labs").glob("[0-9][0-9]_*")) if check_lab(lab)]
if not labs:
    faults.append("labs/: no lab has a skeleton.")
print("\n".join(faults), file=sys.stderr)
sys.exit(1 if faults else 0)
