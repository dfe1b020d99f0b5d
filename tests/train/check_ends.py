#!/usr/bin/env python3
"""Runs on several ranks that cannot go on: no rank waits forever, one sentence is printed,
nothing is left running, and what was saved is whole.
"""
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import checkpoint_reader
from training import LONG, PROGRAM, below, expect, finish, is_alive, problems

TRAINER = PROGRAM.with_name("vialata-trainer")
LEARNS = ["--layers", 2, "--width", 128, "--heads", 2, "--sequence", 16, "--batch", 6, "--dp", 3,
          "--steps", 1000000]


def start(folder, *words, **more):
    words = [PROGRAM, "train", "--lang", "en", "--log", folder / "log", *map(str, words)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            start_new_session=True, **more)


def end(job, name):
    """What it said; a run that hangs is ended here."""
    try:
        return job.communicate(timeout=60)[1]
    except subprocess.TimeoutExpired:
        job.kill()
        job.communicate()
        problems.append(f"{name}: hangs")
        return ""


def steps(folder):
    try:
        lines = (folder / "log").read_text().split("\n")[:-1]
    except FileNotFoundError:
        return []
    return [one["step"] for one in map(json.loads, lines) if "loss" in one]


def wait_for_steps(folder, count):
    until = time.monotonic() + 60
    while len(steps(folder)) < count and time.monotonic() < until:
        time.sleep(0.05)


def rank_of(pid):
    """None for a process that is not a rank."""
    words = pathlib.Path(f"/proc/{pid}/environ").read_text(errors="replace").split("\0")
    found = [word.partition("=")[2] for word in words if word.startswith("OMPI_COMM_WORLD_RANK=")]
    is_rank = os.path.realpath(f"/proc/{pid}/exe") == str(TRAINER.resolve())
    return int(found[0]) if found and is_rank else None


def lack_at_the_end(folder, stage):
    """The rank that would write the whole state has no memory for it; the others gather with it."""
    name = f"stage {stage}, no room for the whole state"
    job = start(folder, *LEARNS, "--zero", stage, "--save", folder / "a.st")
    wait_for_steps(folder, 5)
    for pid in below(job.pid):
        if rank_of(pid) == 0:
            pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[0])
            most = pages * resource.getpagesize() + (3 << 20)  # the state is twice as large
            resource.prlimit(pid, resource.RLIMIT_AS, (most, most))
    job.send_signal(signal.SIGINT)
    said = end(job, name)
    expect(job.returncode == 3, f"{name}: exit status {job.returncode}")
    expect(said.count("memory") == 1, f"{name}: {said!r}")
    expect(not (folder / "a.st").exists(), f"{name}: something was saved")


def lack_at_the_beginning(folder):
    """No rank has memory for its part: one says so."""
    limit = 500 << 20
    job = start(folder, "--dp", 3, "--zero", 1, "--layers", 8, "--width", 512, "--batch", 6,
                "--steps", 1,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    said = end(job, "no room at first")
    expect(job.returncode == 3 and said.count("\n") == 1, f"no room: {job.returncode} {said!r}")


def hidden(folder, without="\0"):
    return [path.name for path in folder.iterdir()
            if path.name.startswith(".") and not path.name.endswith(without)]


def killed(folder, stage):
    """One of three dies and says nothing."""
    name = f"stage {stage}, a rank is killed"
    job = start(folder, *LEARNS, "--zero", stage, "--save", folder / "k.st", "--save-every", 5)
    wait_for_steps(folder, 12)
    family = below(job.pid)
    os.kill(next(pid for pid in family if rank_of(pid) == 1), signal.SIGKILL)
    said = end(job, name)
    # Open MPI may add lines of its own about memory of a process that is gone.
    expect(job.returncode == 4 and said.count("doctor") == 1, f"{name}: {job.returncode} {said!r}")
    until = time.monotonic() + 20  # mpirun need not wait for what it has killed
    while any(map(is_alive, family)) and time.monotonic() < until:
        time.sleep(0.05)
    expect(not any(map(is_alive, family)), f"{name}: somebody is left")
    (kept,) = checkpoint_reader.read(folder / "k.st")[0]["optimizer.step"][1]
    expect(kept % 5 == 0 and 0 <= steps(folder)[-1] - kept <= 5, f"{name}: kept step {kept}")
    expect(len(hidden(folder, without="-lock")) <= 1, f"{name}: left behind {hidden(folder)}")
    again = list(map(str, [*LEARNS[:-1], 1, "--zero", stage, "--save", folder / "k.st"]))
    job = start(folder, *again)
    said = end(job, f"{name}, again")  # its locks died with it, and this run clears up
    expect(job.returncode == 0 and hidden(folder) == [],
           f"{name}, again: {job.returncode} {said!r} {hidden(folder)}")


def two_on_one_file(folder):
    """The second of two runs is told, and the first goes on."""
    first = start(folder, *LEARNS, "--save", folder / "a.st")
    wait_for_steps(folder, 3)
    for option, file in (("--save", "a.st"), ("--log", "log")):
        second = subprocess.run([PROGRAM, "train", "--lang", "en", "--steps", "1", option,
                                 folder / file], capture_output=True, text=True, timeout=60)
        expect(second.returncode == 2 and "Another run" in second.stderr and option in second.stderr,
               f"two runs on one {option}: {second.returncode} {second.stderr!r}")
    first.send_signal(signal.SIGINT)
    said = end(first, "first of two")
    numbers = steps(folder)
    expect(numbers == list(range(1, len(numbers) + 1)), f"first of two: {numbers} {said!r}")
    expect(hidden(folder) == [], f"first of two: left behind {hidden(folder)}")


def log_without_room(folder, replicas):
    """The log cannot grow any more: what was learned is saved, and a later run goes on from it."""
    name = f"no room for the log, {replicas} ranks"
    model, most = folder / "a.st", 400_000  # a step's line has 150 bytes; the state fits
    job = start(folder, "--layers", 1, "--width", 16, "--heads", 2, "--sequence", 16, "--batch", 2,
                "--dp", replicas, "--steps", 1000000, "--save", model, "--save-every", 1000000)
    wait_for_steps(folder, 5)
    for pid in below(job.pid):
        if rank_of(pid) is not None:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, most))
    said = end(job, name)
    expect(job.returncode == 2 and said.count("\n") == 1, f"{name}: {job.returncode} {said!r}")
    for told in (str(folder / "log"), "ulimit -f", f"--resume {model}"):
        expect(told in said, f"{name}: {told!r} is not in {said!r}")
    if not model.exists():
        problems.append(f"{name}: nothing was saved")
        return
    (kept,) = checkpoint_reader.read(model)[0]["optimizer.step"][1]
    expect(kept == steps(folder)[-1] + 1, f"{name}: kept step {kept}")
    job = start(folder, "--resume", model, "--dp", replicas, "--steps", kept + 2)
    said = end(job, f"{name}, resumed")
    expect(job.returncode == 0, f"{name}, resumed: {job.returncode} {said!r}")
    expect(steps(folder) == [*range(1, kept), kept + 1, kept + 2], f"{name}: steps of the log")


def in_new_folder(check, *words):
    with tempfile.TemporaryDirectory() as folder:
        check(pathlib.Path(folder), *words)


if b"__asan_init" not in TRAINER.read_bytes():  # which needs addresses without end
    for stage in (1, 3) if LONG else (3,):
        in_new_folder(lack_at_the_end, stage)
    in_new_folder(lack_at_the_beginning)
for stage in (0, 3) if LONG else (3,):
    in_new_folder(killed, stage)
in_new_folder(two_on_one_file)
for replicas in (1, 2) if LONG else (2,):
    in_new_folder(log_without_room, replicas)
finish("whatever happens to one rank, the others end too")
