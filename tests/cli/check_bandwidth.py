#!/usr/bin/env python3
"""A small `study bandwidth` from end to end: on two roads, one step of each layout. All layouts train
the same model, the planner's seconds are those of its closed form, the crossover follows from the
medians, and neither hosts nor processes are left, whatever ends it. Wrong usage is refused before
anything is made.
"""
import json
import math
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(os.environ["VIALATA_ROOT"])
sys.path.insert(0, str(ROOT / "tests" / "train"))
from training import LONG, PROGRAM, below, expect, farthest, finish, is_alive, problems
from studies import crossover_problem, page_problems
from two_hosts import may_make_them, namespaces

RATES, STEPS = {"200mbit": 25e6, "1gbit": 125e6}, 2
LAYOUTS = ["alone", "dp", "dp overlap", "zero 3", "tp", "pp 1f1b", "ep"]
PLACE = pathlib.Path(os.environ["VIALATA_PLACE"])
SIMULATES = bool(json.loads((PLACE / "buildinfo.json").read_text())["smpimain"])


def environment(folder, **more):
    return os.environ | {"TMPDIR": str(folder), "LANGUAGE": "en"} | more


def hosts_of(job):
    """Those that this process made; other work on the machine has its own."""
    return namespaces() & {f"vl{job.pid}{which}" for which in "ab"}


def start(folder, *words, **more):
    return subprocess.Popen([PROGRAM, "study", *map(str, words)], cwd=folder, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=environment(folder, **more))


def end_of(job, seconds):
    try:
        said, why = job.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        job.kill()
        said, why = job.communicate()
        problems.append(f"{job.args[1:]} hangs")
    expect(not hosts_of(job), f"{job.args[1:]}: namespaces stay: {hosts_of(job)}")
    return job.returncode, said, why


def study(folder, *words, **more):
    return end_of(start(folder, *words, **more), 600)


def close(one, other, within=1e-9):
    return abs(one - other) <= within * max(abs(one), abs(other))


# ---- refused ----

def refusals(folder):
    for words, told in (*((["bandwidth", "--rates", r], "--rates") for r in
                          ("0mbit", "0gbit,1gbit", "1gbit", "1gbit,1000mbit", "1gbit,x", "1gbit,",
                           ",1gbit", "100,200", "1mbit,1gbit", "1gbit,1tbit", "-1gbit,1gbit",
                           "1e3mbit,2gbit", "1gbit, 2gbit", "1.5.2gbit,1gbit", "1gbit,101gbit",
                           ",".join(f"{10 + i}mbit" for i in range(17)))),
                        (["bandwidth", "--steps", "0"], "--steps"),
                        (["bandwidth", "--steps", "101"], "--steps"),
                        (["bandwidth", "--runs", "0"], "--runs"),
                        (["bandwidth", "--runs", "21"], "--runs"),
                        (["bandwidth", "--runs", "5", "--steps", "21"], "--steps"),
                        (["balance", "--runs", "2"], "--runs"),
                        (["bandwidth", "--seeds", "2"], "--seeds"),
                        (["bandwidth", "--alphas", "1"], "--alphas"),
                        (["balance", "--rates", "1gbit,2gbit"], "--rates"),
                        (["bandwidth", "--out", "/nowhere/page.html"], "/nowhere/page.html"),
                        (["bandwidth", "--out", "one", "--json", "./one"], "--json")):
        code, said, why = study(folder, *words)
        expect(code == 2 and not said and why.count("\n") == 1 and told in why,
               f"study {words}: {code} {said!r} {why!r}")
    code, said, why = study(folder, "bandwidth", PATH="/nowhere")
    expect(code == 3 and not said and why.count("\n") == 1 and "iproute2" in why,
           f"without iproute2: {code} {said!r} {why!r}")
    expect(not list(folder.iterdir()), "a refused study left a file")


NOBODY = 65534
SMALL = ["study", "bandwidth", "--rates", "500mbit,1gbit", "--steps", "1"]


def as_nobody(folder, *before, page="page.html", runs="2"):
    os.chown(folder, NOBODY, NOBODY)
    words = [PROGRAM, *SMALL, "--runs", runs, "--out", page]
    return subprocess.run([*before, *map(str, words)], text=True,
                          capture_output=True, cwd=folder,
                          env=environment(folder, HOME="/", PATH="/usr/bin:/bin"))


USER = ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"]


def a_user_may():
    """May this user run the build at all, and have namespaces?"""
    return (os.geteuid() == 0 and shutil.which("setpriv") and shutil.which("ip") and
            subprocess.run([*USER, "test", "-x", PROGRAM]).returncode == 0 and
            subprocess.run([*USER, "unshare", "-Urmn", "true"], capture_output=True).returncode == 0)


def not_root(folder):
    """A user makes the hosts in namespaces of their own where the kernel lets them."""
    if not a_user_may():
        return
    before = namespaces()
    run = as_nobody(folder, *USER)
    expect(run.returncode == 0 and not run.stderr, f"as nobody: {run.returncode} {run.stderr}")
    left = {path.name: path.stat().st_uid for path in folder.iterdir()}
    expect(left == {"page.html": NOBODY}, f"left behind: {left}")
    expect(namespaces() == before, "a user's namespaces are seen outside")
    expect(run.stdout.count(" is measured: ") == 4, f"a line for each road and run: {run.stdout}")
    expect("Steps timed for each: 2," in (folder / "page.html").read_text(), "steps of both runs")


def page_below_run(folder):
    """Where nothing has made /run/netns yet, /run is covered, and what a user has in it is not."""
    if not a_user_may():
        return
    script = """mount -t tmpfs none /run && mkdir -p /run/user/mine && chown "$0" /run/user/mine &&
                mount --bind "$1" /run/user/mine && shift && exec "$@" """
    run = as_nobody(folder, "unshare", "-m", "sh", "-c", script, str(NOBODY), folder, *USER,
                    page="/run/user/mine/page.html", runs="1")
    expect(run.returncode == 0 and (folder / "page.html").exists(),
           f"a page below /run: {run.returncode} {run.stderr}")


def not_root_and_not_allowed(folder):
    """The kernel gives no user namespaces inside a chroot."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        return
    root = folder / "root"
    root.mkdir()
    script = f"""mount --rbind / "$0" && place=$1 && shift &&
                 exec /usr/sbin/chroot --userspec={NOBODY}:{NOBODY} "$0" env -C "$place" "$@" """
    run = as_nobody(folder, "unshare", "-m", "sh", "-c", script, root, folder)
    if "Permission denied" in run.stderr or run.returncode == 126:
        return
    expect(run.returncode == 3 and "only root" in run.stderr and run.stderr.count("\n") == 1,
           f"as nobody, not allowed: {run.returncode} {run.stderr}")
    expect([path.name for path in folder.iterdir()] == ["root"], "a refused study left a file")


# ---- measured ----

def layouts(road):
    return {cell["layout"]: cell for cell in road["layouts"]}


def cells_hold(road, name):
    cells = layouts(road)
    expect(list(cells) == LAYOUTS, f"{name}: {list(cells)}")
    for layout, cell in cells.items():
        seconds, measured = cell["seconds"], cell["measured"]
        expect(len(seconds) == STEPS and all(s > 0 for s in seconds), f"{name} {layout}: {seconds}")
        expect(close(measured["median"], statistics.median(seconds)) and
               measured["low"] <= measured["median"] <= measured["high"],
               f"{name} {layout}: {measured} of {seconds}")
        expect("planned" in cell, f"{name} {layout}: planned")
        expect(("simulated" in cell) == (SIMULATES and layout != "alone"),
               f"{name} {layout}: simulated")


def losses_agree(roads):
    """All layouts train the same model, and where sums have one order, to the last bit."""
    one = roads[0]
    alone = layouts(one)["alone"]["losses"]
    expect(len(alone) == STEPS + 1 and alone == sorted(alone, reverse=True) and
           abs(alone[0] - math.log(256)) < 0.5, f"losses alone: {alone}")
    for road in roads:
        cells = layouts(road)
        for layout, cell in cells.items():
            off = farthest(alone, cell["losses"])
            expect(off < 1e-5, f"{layout}: losses differ by {off:.2g}")
            expect(cell["losses"] == layouts(one)[layout]["losses"],
                   f"{layout}: its losses depend on the road")
        expect(cells["dp"]["losses"] == cells["zero 3"]["losses"] == cells["dp overlap"]["losses"],
               "data parallelism and ZeRO do not have the same losses")


def planner_holds(road, model):
    """Of its closed forms, those that fit in a line: half of the work, and two messages of half of
    the gradients, which backward hides if they overlap with it; half of the work and a bubble of
    2 / 3 m, since a stage passes on its gradients after two of the three parts of its work."""
    cells, alpha, beta = layouts(road), road["alpha"], road["beta"]
    alone = cells["alone"]["measured"]["median"]
    expect(close(cells["alone"]["planned"], alone), "alone is not as planned")
    wanted = alone / 2 + 2 * alpha + 4 * model["parameters"] * beta
    expect(close(cells["dp"]["planned"], wanted, 1e-3),
           f"dp: {cells['dp']['planned']} instead of {wanted} (alone {alone}, alpha {alpha}, beta {beta})")
    hidden = min(wanted - alone / 2, alone / 2 * 2 / 3)
    expect(close(cells["dp overlap"]["planned"], wanted - hidden, 1e-3),
           f"dp overlap: {cells['dp overlap']['planned']} instead of {wanted - hidden}")
    bubble = alone / 2 * (1 + 2 / 3 / model["micro_batches"])
    # The second stage has the head besides, which is small.
    expect(bubble <= cells["pp 1f1b"]["planned"] < 1.05 * bubble,
           f"pipeline: {cells['pp 1f1b']['planned']} instead of {bubble}")
    sending = 1.5 * 4 * model["parameters"] * beta
    expect(cells["zero 3"]["planned"] >= 0.98 * max(sending, alone / 2), "ZeRO-3 hides too much")


def simulator_holds(road, model):
    """The same closed form, but for the update, which two hosts do not share. What overlaps takes
    less, but no less than its bytes need: ZeRO-3 sends half as much again."""
    cells, alpha, beta = layouts(road), road["alpha"], road["beta"]
    alone = cells["alone"]["measured"]["median"]
    sending = 4 * model["parameters"] * beta
    wanted = alone / 2 + 2 * alpha + sending
    found = {way: cell.get("simulated") for way, cell in cells.items()}
    expect(0.98 * wanted < found["dp"] < wanted + 0.2 * alone, f"dp: {found['dp']}, {wanted}")
    expect(sending < found["dp overlap"] < found["dp"], f"overlapped: {found}")
    expect(found["zero 3"] > 1.5 * sending, f"ZeRO-3: {found}, {sending}")
    expect(found["pp 1f1b"] > alone / 2, "a pipeline without its bubble")


def crossover_holds(told):
    dp, pp = ([layouts(road)[way]["measured"]["median"] for road in told["roads"]]
              for way in ("dp", "pp 1f1b"))
    problem = crossover_problem(told["findings"]["crossover"]["measured"],
                                [road["rate"] for road in told["roads"]], dp, pp)
    expect(problem is None, f"crossover {problem}")


def is_a_page(path, told):
    found = page_problems(path, 1, (told["command"], told["date"], "200 Mbit/s, expert parallel"))
    expect(not found, f"the page: {found}")


def measured(folder):
    code, said, why = study(folder, "bandwidth", "--rates", "1gbit,200mbit", "--steps", STEPS,
                            "--json", "study.json", "--out", "page.html")
    expect(code == 0 and not why, f"study: {code} {why}")
    if code != 0:
        return
    left = sorted(path.name for path in folder.iterdir())
    expect(left == ["page.html", "study.json"], f"left behind: {left}")
    told = json.loads((folder / "study.json").read_text())
    expect(told["schema"] == "vialata.study.bandwidth/1" and told["steps"] == STEPS, "the schema")
    expect([road["rate"] for road in told["roads"]] == list(RATES.values()), "rates do not rise")
    for name, road in zip(RATES, told["roads"]):
        cells_hold(road, name)
        planner_holds(road, told["model"])
        if SIMULATES:
            simulator_holds(road, told["model"])
        # A busy machine can only make a road slower.
        expect(1 / road["beta"] < 1.2 * road["rate"], f"{name}: {1 / road['beta']:.3g} bytes/s")
    losses_agree(told["roads"])
    crossover_holds(told)
    expect(said.count(" is measured: ") == len(RATES), f"a line a road: {said}")
    is_a_page(folder / "page.html", told)


# ---- ended early ----

def trains(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe").endswith("vialata-trainer")
    except OSError:  # it has ended meanwhile
        return False


def ended_early(folder, number):
    job = start(folder, "bandwidth")
    until = time.monotonic() + 60
    started = []
    while time.monotonic() < until and not any(map(trains, started)):
        time.sleep(0.05)
        started = below(job.pid)
    expect(len(hosts_of(job)) == 2, f"hosts: {hosts_of(job)}")
    job.send_signal(number)
    code, _, said = end_of(job, 60)
    expect(code == 128 + signal.SIGINT, f"exit status {code}")
    expect(said.count("\n") == 1 and "as you asked" in said, f"said {said!r}")
    until = time.monotonic() + 10
    while any(map(is_alive, started)) and time.monotonic() < until:
        time.sleep(0.05)
    expect(not any(map(is_alive, started)), "a process of the study lives on")
    expect(not list(folder.iterdir()), f"left behind: {list(folder.iterdir())}")


def reader_is_gone(folder):
    """As in `study bandwidth | head -0`: it finds out when it has something to say."""
    job = start(folder, "bandwidth", "--rates", "400mbit,1gbit", "--steps", 1)
    job.stdout.close()
    job.stdout = None
    code, _, said = end_of(job, 300)
    expect(code == 3 and "could not be written" in said, f"no reader: {code} {said!r}")
    expect(not list(folder.iterdir()), f"left behind: {list(folder.iterdir())}")


checks = [refusals, not_root_and_not_allowed]
possible = may_make_them()
if possible:
    checks += [lambda folder: ended_early(folder, signal.SIGINT), measured]
    checks += [lambda folder: ended_early(folder, signal.SIGTERM), not_root, page_below_run,
               reader_is_gone] if LONG else []
for check in checks:
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o777)  # for a user without a name
        check(pathlib.Path(place))
if not possible and not problems:
    print("no right to make namespaces with limited rates here: only refusals were checked")
    sys.exit(77)
finish("a study of two hosts trains one model in all layouts, and leaves nothing behind")
