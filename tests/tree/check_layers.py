#!/usr/bin/env python3
"""Layers point down: an include reaches its own layer or one below, and the wall is whole.

base < wire, sandbox < comm, oracle, plan, ranks, clinic < contracts (include/vialata) < engine <
train, simulate, grade, runner < report < class < cli
inside grade: catalogue, mutants < build < judge < job, patterns < diagnose < experiment < run; a
lab uses judge and wire, and no other lab
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(os.environ["VIALATA_ROOT"])
PLACE = Path(os.environ["VIALATA_PLACE"])
LEVEL = {"base": 0, "wire": 1, "sandbox": 1, "comm": 2, "oracle": 2, "plan": 2, "ranks": 2,
         "cable": 2, "clinic": 2, "vialata": 3, "engine": 4, "train": 5, "simulate": 5, "grade": 5, "runner": 5, "report": 6, "class": 7,
         "cli": 8}
# Neighbours on one level that do not know each other. The oracle knows no lab: what it shares with
# them is the status and the sizes. The grader runs no training and no code of the runner; what the
# two say to each other is in wire.
NEVER = {("grade", "train"), ("train", "grade"), ("grade", "runner"), ("runner", "grade"),
         ("runner", "train"), ("train", "runner"), ("grade", "comm"),
         ("oracle", "comm"), ("oracle", "wire"), ("comm", "oracle"), ("plan", "comm"),
         ("plan", "oracle"), ("oracle", "plan"), ("comm", "plan"), ("sandbox", "wire"),
         *(("clinic", other) for other in ("sandbox", "wire", "comm", "oracle", "plan", "ranks")),
         ("ranks", "comm"), ("ranks", "oracle"), ("ranks", "plan"),
         ("train", "simulate"), ("grade", "simulate"), ("simulate", "grade"),
         ("runner", "simulate"), ("simulate", "runner")}
# Only a trusted program starts others behind the wall.
WHO_STARTS_OTHERS = {"sandbox": {"sandbox", "cable", "ranks", "grade", "report", "class", "cli"},
                     "ranks": {"ranks", "grade", "report", "class", "cli"}}
BELOW_CONTRACTS = {"vialata/status.h", "vialata/shape.h", "vialata/blueprint.h"}
GRADE = {"catalogue": 0, "mutants": 0, "build": 1, "judge": 2, "shared": 2, "program": 3, "job": 3, "patterns": 3, "cost": 4,
         "diagnose": 4, "experiment": 5, "run": 6}
# The only part of the engine that the grader knows: a schedule is data with a single reader.
ENGINE_SEEN_BY_GRADE = re.compile(r"engine/schedule/")
LAB_SEES = ("grade/catalogue/", "grade/judge/", "grade/shared/")
MPI_ALLOWED = ("src/comm/", "src/engine/", "src/train/", "src/runner/", "src/simulate/",
               "include/vialata/")
LAB_RUNNER = re.compile(r"src/grade/labs/[^/]+/runner/")

problems = []


def layer_of(path):
    parts = path.relative_to(ROOT).parts
    if LAB_RUNNER.match(str(path.relative_to(ROOT))):
        return "runner"
    return "vialata" if parts[0] == "include" else parts[1]


def inside_grade(name, target):
    """What is wrong with an include from one part of the grader into another; empty if nothing."""
    here, there = name.split("/")[2], target.split("/")[1]
    if here == "labs":
        own = "/".join(name.split("/")[1:4]) + "/"
        return "" if target.startswith((own, *LAB_SEES)) else "a lab does not see this"
    if there == "labs":
        return "the machine knows no lab"
    if here not in GRADE or there not in GRADE:
        return "this part is not in tests/tree/check_layers.py"
    return "" if GRADE[there] <= GRADE[here] else f"{here} looks up to {there}"


# The wrappers wrap the collectives' contracts, and are linked as objects with everything else.
AROUND_CONTRACTS = "src/comm/intercept/"


files = [p for top in ("src", "include") for p in (ROOT / top).rglob("*.[ch]")]
for path in files:
    name = str(path.relative_to(ROOT))
    here = layer_of(path)
    text = path.read_text(encoding="utf-8")
    for line, content in enumerate(text.splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', content)
        if not found:
            continue
        target = found.group(1)
        if target == "mpi.h" and not (name.startswith(MPI_ALLOWED) or LAB_RUNNER.match(name)):
            problems.append(f"{name}:{line}: <mpi.h> does not belong here")
        there = target.split("/")[0]
        if there not in LEVEL or "/" not in target:
            continue
        if name.startswith(AROUND_CONTRACTS) and there == "vialata":
            continue
        if LEVEL[here] < LEVEL["vialata"] and target in BELOW_CONTRACTS:
            continue
        if here == "runner" and there == "grade":  # its own lab, which it shares with the grader
            own = "/".join(name.split("/")[1:4]) + "/"
            if not (LAB_RUNNER.match(name) and target.startswith(own)):
                problems.append(f"{name}:{line}: the runner sees no part of the grader ({target})")
        elif here == "grade" and there == "grade":
            wrong = inside_grade(name, target)
            if wrong:
                problems.append(f"{name}:{line}: {wrong} ({target})")
        elif here == "grade" and there == "engine" and not ENGINE_SEEN_BY_GRADE.match(target):
            problems.append(f"{name}:{line}: the grader knows only engine/schedule/ ({target})")
        elif here == "oracle" and there == "vialata":
            problems.append(f"{name}:{line}: the oracle shares nothing with the labs ({target})")
        elif (LEVEL[there] > LEVEL[here] or (here, there) in NEVER
              or here not in WHO_STARTS_OTHERS.get(there, {here})):
            problems.append(f"{name}:{line}: {here} looks up to {there} ({target})")
    if re.search(r"setlocale\s*\(\s*LC_ALL", text):
        problems.append(f"{name}: setlocale(LC_ALL) would change how numbers are written")

# A lab is found by its folder: outside that folder no code names it as a lab.
LABS = sorted(p.name for p in (ROOT / "src/grade/labs").glob("[0-9]*"))
SLUGS = "|".join(name[3:] for name in LABS)
NAMES_A_LAB = re.compile(rf'"({"|".join(LABS)})|vl_(lab|cases|calls)_({SLUGS})\b|vl_lab_find\("')
cmake = [ROOT / "CMakeLists.txt",
         *(path for top in ("src", "tests") for path in (ROOT / top).rglob("*.cmake"))]
for path in files + cmake:
    name = str(path.relative_to(ROOT))
    if name.startswith("src/grade/labs/"):
        continue
    text = re.sub(r"/\*.*?\*/", lambda c: re.sub(r"[^\n]", " ", c.group()),
                  path.read_text(encoding="utf-8"), flags=re.S)  # comments may give examples
    for found in NAMES_A_LAB.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        problems.append(f"{name}:{line}: only a lab's own folder names it ({found.group(0)})")

for path in list((ROOT / "labs").rglob("*.c")) + list((ROOT / "solutions").rglob("*.[ch]")):
    for found in re.finditer(r'#\s*include\s*"([^"]+)"', path.read_text(encoding="utf-8")):
        if "/" in found.group(1) and not found.group(1).startswith("vialata/"):
            problems.append(f"{path.relative_to(ROOT)}: a lab sees only contracts, "
                            f"not {found.group(1)}")

# The wall: the trusted program has neither MPI nor any lab function in it, except for two that need
# no run: the reference's schedules, which `vialata schedule` draws, and the planner of `vialata
# plan`, with the functions of earlier labs that it calls (and what is in the same files). They
# judge nothing.
DRAWN = {"vl_schedule_afab", "vl_schedule_1f1b", "vl_schedule_interleaved", "vl_schedule_zb_h1",
         "vl_schedule_tag"}
PLANNED = {"vl_parameter_count", "vl_flops_per_token", "vl_mfu",
           "vl_broadcast_seconds", "vl_reduce_scatter_seconds", "vl_all_gather_seconds",
           "vl_all_reduce_seconds", "vl_two_level_seconds",
           "vl_bubble_of_ideal", "vl_live_afab", "vl_live_1f1b", "vl_live_interleaved",
           "vl_division_check", "vl_planned_parameters", "vl_planned_chip", "vl_planned_flops",
           "vl_planned_efficiency", "vl_planned_arithmetic", "vl_planned_state_bytes",
           "vl_planned_kept_bytes",
           "vl_group_of", "vl_group_exchange_seconds", "vl_group_gather_seconds",
           "vl_planned_traffic", "vl_planned_step", "vl_forecast_make", "vl_forecast_search",
           "vl_crossover", "vl_rule_tokens", "vl_domains_met"}
program = PLACE / "bin" / "vialata"
symbols = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
if re.search(r"\bMPI_[A-Z]", symbols):
    problems.append("bin/vialata is linked with MPI")
defined = set(re.findall(r" T (vl_\w+)", symbols))
promised = set()
for header in sorted((ROOT / "include/vialata").glob("*.h")):
    promised |= set(re.findall(r"enum vl_status (vl_\w+)\(", header.read_text()))
if not promised:
    problems.append("no lab function found in include/vialata: this check sees nothing")
if unneeded := (DRAWN | PLANNED) - defined:
    problems.append(f"bin/vialata may contain what it does not: {sorted(unneeded)}")
beyond = defined & promised - DRAWN - PLANNED
if beyond:
    problems.append(f"bin/vialata contains lab functions: {sorted(beyond)}")

# The top level is fixed.
TOP = {"vialata", "CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE", "include", "labs",
       "solutions", "src", "po", "docs", "tests"}
if (ROOT / ".git").exists():
    tracked = subprocess.run(["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT), "ls-files"],
                             capture_output=True, text=True, check=True).stdout.splitlines()
    for name in sorted({n.split("/")[0] for n in tracked}):
        if name not in TOP and not name.startswith("."):
            problems.append(f"{name}: the top level is fixed (docs/architecture.md)")

print("\n".join(problems) or f"{len(files)} files look down only")
sys.exit(bool(problems))
