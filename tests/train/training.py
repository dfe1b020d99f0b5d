"""What checks of whole runs share: a run through the program, its log, its processes, and the
faults found."""
import json
import os
import pathlib
import subprocess
import sys

PROGRAM = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
LONG = bool(os.environ.get("VIALATA_LONG"))  # minutes may be spent
problems = []
# In a build under AddressSanitizer MPI's own leaks would fail every run.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"


def expect(holds, what):
    if not holds:
        problems.append(what)


def train(folder, name, *words, code=0):
    """What the log says of the run, and its steps; what was said if the run is refused."""
    log = folder / f"{name}.jsonl"
    log.unlink(missing_ok=True)  # a resumed run would add to it
    run = subprocess.run([PROGRAM, "train", "--lang", "en", "--log", log, *map(str, words)],
                         capture_output=True, text=True, timeout=300)
    expect(run.returncode == code,
           f"{name} {words}: exit status {run.returncode}: {run.stderr.strip()}")
    if run.returncode != 0:
        return run.stderr if code != 0 else ({}, [])
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    return lines[0]["run"], [line for line in lines if "loss" in line]


def losses(steps):
    return [s["loss"] for s in steps]


def farthest(one, other):
    """The largest relative difference; far away if one of them is shorter."""
    if len(one) != len(other) or not one:
        return 1.0
    return max(abs(a - b) / abs(a) for a, b in zip(one, other))


def refused(folder, words, *told):
    """Before the first step, in one sentence that has these words."""
    said = train(folder, "refused", *words, code=2)
    expect(isinstance(said, str) and said.count("\n") == 1 and all(word in said for word in told),
           f"{words}: {said!r}")
    expect(not (folder / "refused.jsonl").exists(), f"{words}: told after the first step only")


def below(pid):
    """The processes that this one has started, and theirs."""
    try:
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid for child in children for pid in [int(child), *below(int(child))]]


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def finish(praise):
    print("\n".join(problems) or praise)
    sys.exit(bool(problems))
