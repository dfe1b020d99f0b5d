"""Training on two hosts: mpirun with a list of hosts, and Slurm's srun. The losses are those of one
machine, Ctrl-C saves, and nothing stays behind."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import hosts
import slurm_machine
from train.training import PROGRAM, expect, losses, problems

LAYOUT = ["--dp", "2", "--tp", "2", "--zero", "1", "--layers", "2", "--width", "32", "--batch", "4"]


def steps_of(log):
    return [line for line in map(json.loads, log.read_text().splitlines()) if "loss" in line]


def train(folder, name, before, environment, *words, code=0):
    log = folder / f"{name}.jsonl"
    run = subprocess.run([*before, PROGRAM, "train", "--lang", "en", "--log", log, *LAYOUT, *words],
                         capture_output=True, text=True, timeout=300, cwd=folder,
                         env=dict(os.environ, **environment))
    expect(run.returncode == code, f"{name}: exit {run.returncode}: {run.stdout} {run.stderr}")
    return steps_of(log) if run.returncode == 0 else run.stderr


def on_both(two, folder, name, usual, environment, *words):
    """As usual, on one machine, but bytes went from host to host."""
    received = two.bytes_between()
    first = train(folder, name, two.words("n1"), environment, *words, "--steps", "3",
                  "--save", f"{name}.safetensors")
    received = two.bytes_between() - received
    rest = train(folder, name, two.words("n1"), environment, *words, "--steps", "6",
                 "--resume", f"{name}.safetensors")
    if not problems:
        expect(losses(rest) == losses(usual) and len(first) == 3, f"{name}: {rest} for {usual}")
    expect(received > 100000, f"{name}: the second host has received {received} bytes")


def in_a_job(slurm, two, folder):
    """Inside a job of Slurm, mpirun finds the job's nodes by itself."""
    received = two.bytes_between()
    run = slurm.run("salloc", "--nodes=2", "--ntasks=4", PROGRAM, "train", "--lang", "en", *LAYOUT,
                    "--steps", "2", timeout=100, OMPI_MCA_btl_tcp_if_include="eth0")
    received = two.bytes_between() - received
    expect(run.returncode == 0 and received > 100000,
           f"in a job: exit {run.returncode}, {received} bytes: {run.stderr}")


def interrupted(two, folder, name, environment, *words):
    """Ctrl-C ends after the step, and saves."""
    log, save = folder / f"{name}-ended.jsonl", folder / f"{name}-ended.safetensors"
    run = subprocess.Popen([*two.words("n1"), PROGRAM, "train", "--lang", "en", *LAYOUT, *words,
                            "--steps", "100000", "--log", log, "--save", save], text=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=folder,
                           env=dict(os.environ, **environment))
    until = time.monotonic() + 60
    while time.monotonic() < until and not (log.exists() and steps_of(log)):
        time.sleep(0.2)
    run.send_signal(signal.SIGINT)
    said = run.communicate(timeout=60)[1]
    expect(run.returncode == 0 and save.exists() and "Ending after this step" in said,
           f"{name} interrupted: exit {run.returncode}: {said}")


def refusals(folder):
    (folder / "hosts").write_text("n1\n")
    nowhere = {"PATH": str(folder / "empty")}
    for words, code, told, environment in (
            (["--launcher", "ssh"], 2, "srun", {}),
            (["--hostfile", "nowhere"], 2, "nowhere", {}),
            (["--launcher", "srun", "--hostfile", "hosts"], 2, "--hostfile", {}),
            (["--hostfile", "hosts", "--with", "labs"], 2, "--with", {}),
            (["--launcher", "srun"], 3, "`srun`", nowhere)):
        said = train(folder, "refused", [], environment, "--steps", "1", *words, code=code)
        expect(told in said and said.count("\n") == 1, f"{words}: {said}")


def a_host_dies(slurm, folder):
    run = subprocess.Popen([*slurm.words("n1"), PROGRAM, "train", "--lang", "en", *LAYOUT,
                            "--launcher", "srun", "--steps", "100000", "--log",
                            folder / "dies.jsonl"], text=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, cwd=folder, env=slurm.environment)
    until = time.monotonic() + 60
    while time.monotonic() < until and not ((folder / "dies.jsonl").exists()
                                            and steps_of(folder / "dies.jsonl")):
        time.sleep(0.2)
    slurm.kill_node("n2")
    said = run.communicate(timeout=120)[1]
    # srun ends with 0 or, if the other ranks were killed first, with 137: each has its sentence.
    expect(run.returncode == 4 and "last said is above" in said,
           f"a host has died: exit {run.returncode}: {said}")


def with_mpirun(two, folder, usual):
    (folder / "hosts").write_text("n1 slots=2\nn2 slots=2\n")
    environment = {"OMPI_MCA_plm_rsh_agent": str(two.agent(folder)),
                   "OMPI_MCA_btl_tcp_if_include": "eth0", "OMPI_MCA_oob_tcp_if_include": "eth0"}
    on_both(two, folder, "mpirun", usual, environment, "--hostfile", "hosts")
    interrupted(two, folder, "mpirun", environment, "--hostfile", "hosts")
    expect(not two.running(), f"left by mpirun: {two.running()}")


def what_is_left(slurm):
    """A job whose end Slurm still has to tell the other node is COMPLETING for a moment."""
    until = time.monotonic() + 20
    while slurm.queue() and time.monotonic() < until:
        time.sleep(0.2)
    return slurm.queue()


def with_slurm(two, folder, usual):
    (folder / "slurm").mkdir()
    with slurm_machine.Slurm(folder / "slurm", on=two) as slurm:
        environment = {"SLURM_CONF": slurm.environment["SLURM_CONF"],
                       "OMPI_MCA_btl_tcp_if_include": "eth0"}
        on_both(two, folder, "srun", usual, environment, "--launcher", "srun")
        interrupted(two, folder, "srun", environment, "--launcher", "srun")
        left = what_is_left(slurm)
        expect(left == [], f"left in Slurm's queue: {left}")
        in_a_job(slurm, two, folder)
        a_host_dies(slurm, folder)
        if problems:
            problems.append(slurm.logs())


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    folder.chmod(0o755)
    refusals(folder)
    why = hosts.lacks()
    if not why:
        usual = train(folder, "one-machine", [], {}, "--steps", "6")
        with hosts.Hosts() as two:
            with_mpirun(two, folder, usual)
            why = slurm_machine.lacks()
            if not why:
                with_slurm(two, folder, usual)
print("\n".join(problems) or (f"skipped in part: {why}" if why else "two hosts train as one"))
sys.exit(1 if problems else 77 if why else 0)
