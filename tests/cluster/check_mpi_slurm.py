"""`vialata mpi --launcher srun`: Slurm starts the ranks on the node where it was started. What is said of them is what is
said under mpirun, and nothing stays behind."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import slurm_machine

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
MPICC = shutil.which("mpicc")
problems = []


def expect(holds, what):
    if not holds:
        problems.append(what)


def words(folder, case):
    return [PROGRAM, "mpi", "--lang", "en", "--launcher", "srun", "-n", "3", "--json", folder / "report.json",
            "--", folder / "cases", *case.split()]


def on_node(slurm, *command):
    return slurm.run("srun", "--nodes=1", "--ntasks=1", "--nodelist=n1", *command, timeout=120)


def watch(slurm, folder, case, status, code, end="ended", before=()):
    run = on_node(slurm, *before, *words(folder, case))
    report = json.loads((folder / "report.json").read_text()) if run.returncode == status else {}
    (folder / "report.json").unlink(missing_ok=True)
    found = (report.get("finding") or {}).get("code")
    expect((run.returncode, report.get("end"), found) == (status, end, code),
           f"{case}: exit {run.returncode}, {report}: {run.stdout} {run.stderr}")
    return run


def outside(folder, environment):
    """A computer that is not a node has no ranks, and so nothing to watch."""
    run = subprocess.run(words(folder, "across"), capture_output=True, text=True, env=environment, timeout=60)
    expect(run.returncode == 3 and "not one of Slurm" in run.stderr and run.stderr.count("\n") == 1,
           f"outside: exit {run.returncode}: {run.stderr}")


def stopped(slurm, folder):
    """Whoever stops it learns where the ranks are."""
    script = '"$@" & sleep 8; kill -TERM $!; wait $!'
    run = on_node(slurm, "sh", "-c", script, "sh", *words(folder, "endless"))
    said = " ".join(run.stderr.split())
    expect("while it was still running" in said and "Rank 1 waits in MPI_Barrier (" in said and "cases.c:" in said, f"stopped: {said}")


def what_is_left(folder):
    left = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            left += [process.name] if os.readlink(process / "exe") == str(folder / "cases") else []
        except OSError:
            pass
    return left


def with_slurm(slurm, folder):
    outside(folder, slurm.environment)
    run = watch(slurm, folder, "good 7", 7, None, before=["sh", "-c", 'echo hello | "$@"', "sh"])
    expect(run.stdout == "sum 3, read hello\n", f"good: {run.stdout}")
    watch(slurm, folder, "ring", 1, "hung_cycle", end="standstill")
    watch(slurm, folder, "leak", 1, "communicator_leaked")
    watch(slurm, folder, "talking", 0, None)
    stopped(slurm, folder)
    expect(what_is_left(folder) == [], f"left: {what_is_left(folder)}")
    until = time.monotonic() + 20  # a job that is over is still "completing" for a moment
    while slurm.queue() and time.monotonic() < until:
        time.sleep(0.2)
    expect(slurm.queue() == [], f"in the queue: {slurm.queue()}")


why = slurm_machine.lacks() or ("" if MPICC else "mpicc is not here")
if not why:
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        place.chmod(0o755)
        subprocess.run([MPICC, "-g", "-o", place / "cases", HERE.parent / "mpi" / "cases.c"], check=True)
        (place / "slurm").mkdir()
        with slurm_machine.Slurm(place / "slurm") as machine:
            with_slurm(machine, place)
            if problems:
                problems.append(machine.logs())
print("\n".join(problems) or (f"skipped: {why}" if why else "ranks that Slurm starts are watched"))
sys.exit(1 if problems else 77 if why else 0)
