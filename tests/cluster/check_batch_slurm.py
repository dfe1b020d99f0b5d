"""A class graded by a job array of Slurm: a node dies, the program is killed or interrupted, Slurm
refuses; in the end each submission is graded once, and as without Slurm."""
import csv
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import slurm_machine

ROOT = pathlib.Path(os.environ["VIALATA_ROOT"])
PROGRAM = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
LONG = bool(os.environ.get("VIALATA_LONG"))
COUNT = 20
MANY = 8 if LONG else 4
LABS = {"1": "01_training_step", "10": "10_bandwidth"}
problems = []


def expect(holds, what):
    if not holds:
        problems.append(what)


def command(folder, results, *words, lab="10"):
    return [PROGRAM, "batch", "--lang", "en", "--trust", "--labs", lab, "--no-speed", folder, "--out",
            results, *words]


def scores(results, lab):
    with open(results / "gradebook.csv", newline="", encoding="utf-8") as file:
        return {row["id"]: row[LABS[lab]] for row in csv.DictReader(file)}


def notes(results, lab):
    with open(results / "gradebook.csv", newline="", encoding="utf-8") as file:
        return [row[LABS[lab] + "_note"] for row in csv.DictReader(file)]


def verdicts(results):
    return {path.name: path.stat().st_mtime_ns for path in results.glob("verdicts/*/*.json")}


def hand_in(folder, lab, count):
    """References, skeletons, and halves of both."""
    solution, skeleton = ROOT / "solutions" / LABS[lab], ROOT / "labs" / LABS[lab]
    for i in range(count):
        student = folder / f"student{i}"
        shutil.copytree(solution if i % 4 != 1 else skeleton, student)
        if i % 4 == 2:
            name = sorted(path.name for path in solution.glob("*.c"))[0]
            shutil.copy(skeleton / name, student)


def wait_for(what, seconds=120):
    until = time.monotonic() + seconds
    while not what():
        if time.monotonic() > until:
            return False
        time.sleep(0.2)
    return True


def a_node_dies(slurm, scratch):
    folder, results, usual = scratch / "in", scratch / "results", scratch / "usual"
    hand_in(folder, "1", COUNT)
    job = subprocess.Popen(command(folder, results, "--slurm", lab="1"), env=slurm.environment,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    expect(wait_for(lambda: any(line.endswith("RUNNING n2") for line in slurm.queue())),
           f"nothing runs on n2: {slurm.queue()}")
    time.sleep(1)
    slurm.kill_node("n2")
    said = job.communicate(timeout=800)[0]
    expect(job.returncode == 0, f"exit {job.returncode}: {said}")
    told = [line for line in said.splitlines() if f" of {COUNT}: " in line]
    expect(len(told) == COUNT and len({line.split(": ")[1] for line in told}) == COUNT,
           f"not each once: {said}")
    log = (slurm.folder / "slurmctld.log").read_text()
    expect("requeue" in log.lower(), "the node's gradings were not put back into the queue")
    expect(len(verdicts(results)) == COUNT, f"verdicts: {sorted(verdicts(results))}")
    expect(not (results / ".slurm").exists() and slurm.queue() == [], "something is left")
    slurm.start_node("n2")
    run = subprocess.run(command(folder, usual, lab="1"), capture_output=True, text=True)
    expect(run.returncode == 0, f"without Slurm: {run.stderr}")
    if not problems:
        expect(scores(results, "1") == scores(usual, "1"),
               f"{scores(results, '1')} differs from {scores(usual, '1')}")
        expect(len(set(scores(usual, "1").values())) == 3, f"alike: {scores(usual, '1')}")


def ended_from_outside(slurm, scratch):
    """Killed, then interrupted, then let to its end: nothing is lost or graded twice."""
    folder, results = scratch / "many", scratch / "ended"
    hand_in(folder, "10", MANY)
    words = command(folder, results, "--slurm", "--jobs", "2", "--sbatch", "--job-name=mine")
    seen = {}
    for ending in (signal.SIGKILL, signal.SIGINT)[0 if LONG else 1:]:
        run = subprocess.Popen(words, env=slurm.environment, text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
        expect(any(re.match(r"\d+ of \d+: ", line) for line in run.stdout), "no grading ends")
        run.send_signal(ending)
        said = run.communicate(timeout=100)[0]
        expect(run.returncode == -ending, f"{ending}: exit {run.returncode}: {said}")
        now = verdicts(results)
        expect(all(now.get(name) == when for name, when in seen.items()), "a verdict was lost")
        if ending == signal.SIGINT:
            expect(slurm.queue() == [], f"still in the queue: {slurm.queue()}")
            seen = now
    last = slurm.run(*words)
    now = verdicts(results)
    expect(last.returncode == 0 and len(now) == MANY, f"the last run: {last.stdout} {last.stderr}")
    expect(all(now.get(name) == when for name, when in seen.items()), "a verdict was made again")
    again = slurm.run(*words)
    expect(again.returncode == 0 and "gradings" not in again.stdout, f"again: {again.stdout}")


def refusals(slurm, scratch):
    folder, results = scratch / "many", scratch / "refused"
    run = slurm.run(*command(folder, results, "--slurm", "--sbatch", "--partition=nowhere"))
    expect(run.returncode == 3 and "--sbatch" in run.stderr, f"a wrong partition: {run.stderr}")
    expect(slurm.queue() == [], f"a refused array is in the queue: {slurm.queue()}")
    run = subprocess.Popen(command(folder, results, "--slurm", "--sbatch", "--hold"),
                           env=slurm.environment, stdout=subprocess.DEVNULL)
    expect(wait_for(slurm.queue), "nothing is in the queue")
    subprocess.run(["scancel", "--state=PENDING"], env=slurm.environment)
    expect(run.wait(timeout=100) == 1, f"gradings that Slurm has ended: exit {run.returncode}")
    expect(all("Slurm" in note for note in notes(results, "10")), f"{notes(results, '10')}")


def timed(slurm, scratch):
    """Speed comes afterwards, on whole nodes."""
    folder, results = scratch / "two", scratch / "speed"
    hand_in(folder, "10", 2)
    words = [word for word in command(folder, results, "--slurm") if word != "--no-speed"]
    run = slurm.run(*words)
    expect(run.returncode == 0 and "Speed, each on a node" in run.stdout,
           f"with speed: {run.stdout} {run.stderr}")
    expect(len(verdicts(results)) == 2, f"verdicts: {sorted(verdicts(results))}")


def without_slurm(scratch):
    (scratch / "none").mkdir()
    run = subprocess.run(command(scratch, scratch / "results", "--slurm"), text=True,
                         capture_output=True, env=dict(os.environ, PATH=str(scratch / "none")))
    expect(run.returncode == 3 and "`sbatch`" in run.stderr and run.stderr.count("\n") == 1,
           f"without Slurm: {run.returncode} {run.stderr}")
    run = subprocess.run(command(scratch, scratch / "results", "--sbatch", "--x"), text=True,
                         capture_output=True)
    expect(run.returncode == 2 and "--slurm" in run.stderr, f"--sbatch alone: {run.stderr}")
    expect(not (scratch / "results").exists(), "a refused command has made its folder")


with tempfile.TemporaryDirectory() as name:
    scratch = pathlib.Path(name)
    scratch.chmod(0o755)
    without_slurm(scratch)
    why = slurm_machine.lacks()
    if not why:
        (scratch / "slurm").mkdir()
        with slurm_machine.Slurm(scratch / "slurm") as slurm:
            for part in (*([a_node_dies] if LONG else []), ended_from_outside, refusals, *([timed] if LONG else [])):
                part(slurm, scratch)
            if problems:
                problems.append(slurm.logs())
print("\n".join(problems) or (f"skipped: {why}" if why else "a cluster grades a class once"))
sys.exit(1 if problems else 77 if why else 0)
