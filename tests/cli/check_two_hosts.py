#!/usr/bin/env python3
"""Two hosts are made, measured and removed again; who may not make them is told so."""
import json
import math
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from two_hosts import may_make_them, namespaces

PROGRAM = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
problems = []


def expect(holds, what):
    if not holds:
        problems.append(what)


def bench(*words, **more):
    return subprocess.run([PROGRAM, "bench", "roads", "--two-hosts", "--lang", "en", *words],
                          capture_output=True, text=True, timeout=200, **more)


def measured():
    before = namespaces()
    with tempfile.TemporaryDirectory() as folder:
        picture = pathlib.Path(folder) / "hosts.svg"
        run = bench("--json", "--rate", "500mbit", "--svg", picture,
                    env=dict(os.environ, TMPDIR=folder))
        expect(run.returncode == 0, f"exit status {run.returncode}: {run.stderr}")
        if run.returncode != 0:
            return
        drawn = picture.read_text(encoding="utf-8")
        expect(drawn.count("<svg") == 1 and "</svg>" in drawn, "the picture is not whole")
        left = [p.name for p in pathlib.Path(folder).iterdir() if p != picture]
        expect(not [name for name in left if name.startswith("vialata-")], f"left behind: {left}")
    told = json.loads(run.stdout)
    for part, keys in (("overlap", ("alone", "flat", "overlap", "hidden", "gradient_bytes")),
                       ("levels", ("bytes", "ring", "two_level", "ratio"))):
        for key in keys:
            expect(math.isfinite(told[part][key]), f"{part}.{key} is {told[part].get(key)}")
    road = told["overlap"]["road"]
    # 500 Mbit/s are 62.5 MB/s: a busy machine can only make the road slower.
    expect(1 / road["beta"] < 75e6, f"the road is as broad as {1 / road['beta']:.3g} bytes/s")
    expect(namespaces() == before, f"namespaces stay: {namespaces() - before}")


def refused():
    run = bench("--rate", "nonsense")
    expect(run.returncode == 3 and run.stderr.count("\n") == 1, f"a wrong rate: {run.stderr}")
    expect(not namespaces(), f"namespaces stay: {namespaces()}")
    run = subprocess.run([PROGRAM, "bench", "step", "--two-hosts"], capture_output=True, text=True)
    expect(run.returncode == 2, "only roads have two hosts")


def ended_early():
    """Ctrl-C while the hosts are made, and while they measure."""
    for delay in (0.005, 0.02, 1.5):
        with tempfile.TemporaryDirectory() as folder:
            job = subprocess.Popen([PROGRAM, "bench", "roads", "--two-hosts", "--lang", "en"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True, env=dict(os.environ, TMPDIR=folder))
            while job.poll() is None and not os.listdir(folder):
                time.sleep(0.001)
            time.sleep(delay)
            os.killpg(job.pid, signal.SIGINT)
            job.communicate(timeout=60)
            expect(job.returncode == 130, f"ended after {delay} s: {job.returncode}")
            left = [name for name in os.listdir(folder) if name.startswith("vialata-")]
            expect(not left and not namespaces(), f"after {delay} s: {left}, {namespaces()}")


def left_over():
    """Hosts with our names, left by a killed process that had the same process number."""
    script = 'ip netns add "vl$$a"; exec "$@"'
    run = subprocess.run(["sh", "-c", script, "sh", PROGRAM, "bench", "roads", "--two-hosts",
                          "--rate", "nonsense", "--lang", "en"], capture_output=True, text=True)
    expect(run.returncode == 3 and "rate" in run.stderr, f"left-over hosts: {run.stderr}")
    expect(not namespaces(), f"namespaces stay: {namespaces()}")


def not_root():
    """A user makes the hosts in namespaces of their own; where the kernel gives none, only root may."""
    if os.geteuid() != 0 or not shutil.which("setpriv") or not shutil.which("ip"):
        return
    user = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    if subprocess.run([*user, "test", "-x", PROGRAM]).returncode != 0:
        return  # this user may not run the build at all
    may = subprocess.run([*user, "unshare", "-Urmn", "true"], capture_output=True).returncode == 0
    before = namespaces()
    run = subprocess.run([*user, PROGRAM, "bench", "roads", "--two-hosts", "--lang", "en", "--json"],
                         capture_output=True, text=True, cwd="/", env=dict(os.environ, HOME="/"))
    expect(run.returncode == 0 and "overlap" in json.loads(run.stdout) if may else
           run.returncode == 3 and "root" in run.stderr, f"as nobody: {run.returncode} {run.stderr}")
    expect(namespaces() == before, "a user's namespaces are seen outside")


not_root()
if not may_make_them():
    print("\n".join(problems) or "no right to make namespaces here: only the refusal was checked")
    sys.exit(bool(problems))
measured()
refused()
ended_early()
left_over()
print("\n".join(problems) or "two hosts come, are measured, and go")
sys.exit(bool(problems))
