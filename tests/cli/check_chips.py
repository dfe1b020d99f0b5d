#!/usr/bin/env python3
"""A small `study chips` from end to end: 16 chips of an H100 machine in two domains, and 8 in a torus.
Each cell is what `vialata simulate` says of the same model, machine and layout, digit for digit, and
what the planner says there; the crossover follows from the cells; the page is whole. Ctrl-C leaves
nothing; without SimGrid the planner alone is shown; wrong usage is refused before anything starts.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(os.environ["VIALATA_ROOT"])
sys.path.insert(0, str(ROOT / "tests" / "train"))
from training import PROGRAM, below, expect, finish, is_alive
from studies import crossover_problem, page_problems

PLACE = pathlib.Path(os.environ["VIALATA_PLACE"])
SIMULATES = bool(json.loads((PLACE / "buildinfo.json").read_text())["smpimain"])
MACHINES = ROOT / "labs" / "10_bandwidth" / "machines"
FACTORS = [0.125, 4]
WORDS = ["--factors", "4,1/8", "--json", "study.json", "--out", "page.html"]
LAYOUTS = ["dp", "dp overlap", "zero 3", "tp", "pp 1f1b", "ep"]


def environment(folder, **more):
    return os.environ | {"TMPDIR": str(folder), "LANGUAGE": "en"} | more


def start(folder, *words, **more):
    return subprocess.Popen([PROGRAM, "study", *map(str, words)], cwd=folder, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=environment(folder, **more))


def study(folder, *words, within=600, **more):
    job = start(folder, *words, **more)
    try:
        said, why = job.communicate(timeout=within)
    except subprocess.TimeoutExpired:
        job.terminate()
        return None, *job.communicate(timeout=60)
    return job.returncode, said, why


def refused(folder, *words, **more):
    """Within seconds, so that nobody waits for minutes before hearing it."""
    return study(folder, *words, within=30, **more)


def close(one, other, within=1e-9):
    return abs(one - other) <= within * max(abs(one), abs(other))


# ---- refused ----

def refusals(folder):
    small = json.loads((MACHINES / "h100-ib.json").read_text())
    small["cluster"]["memory_bytes"][0] = 8e9
    torus = json.loads((MACHINES / "tpu-v5p.json").read_text())
    torus["cluster"]["domain"][0] = torus["cluster"]["cards"][0] = 8
    with tempfile.TemporaryDirectory() as place:
        (pathlib.Path(place) / "small.json").write_text(json.dumps(small))
        (pathlib.Path(place) / "torus.json").write_text(json.dumps(torus))
        for words, told in (*((["--chips", c], "--chips") for c in
                              ("0", "4", "1024", "48", "64,64", "64,", "", "x", "8,16,32,64,128",
                               "-8", "8 ")),
                            *((["--factors", f], "--factors") for f in
                              ("1", "1,1", "0,1", "1,x", "-1,1", "1,1/0", "1,2,", "1/", "1e1,2",
                               "1,2/2", "1,0.0001", "1,nan", "1,1/2/3", ",".join(["1"] * 17))),
                            (["--machines", "h100-ib,h100-ib"], "--machines"),
                            (["--machines", ""], "--machines"),
                            (["--machines", "abacus"], "abacus"),
                            (["--machines", f"{place}/small.json"], "too small"),
                            (["--machines", f"{place}/torus.json", "--chips", "16"],
                             "links between tori"),
                            (["--rates", "1gbit,2gbit"], "--rates"), (["--steps", "3"], "--steps"),
                            (["--out", "/nowhere/page.html"], "/nowhere/page.html"),
                            (["--out", "one", "--json", "./one"], "--json")):
            code, said, why = refused(folder, "chips", *words)
            expect(code == 2 and not said and why.count("\n") == 1 and told in why,
                   f"study chips {words}: {code} {said!r} {why!r}")
        code, _, why = refused(folder, "chips", "--machines", f"{place}/torus.json", "--chips", "16",
                               VIALATA_PLACE=without_simgrid(pathlib.Path(place)))
        expect(code == 2 and "links between tori" in why, f"planned only: {code} {why!r}")
    for words in (["balance", "--chips", "8"], ["bandwidth", "--machines", "nvl72"],
                  ["bandwidth", "--factors", "1,2"]):
        code, said, why = refused(folder, *words)
        expect(code == 2 and not said and words[1] in why and "study chips" in why,
               f"study {words}: {code} {said!r} {why!r}")
    expect(not list(folder.iterdir()), "a refused study left a file")


# ---- the cells, once more by another command ----

def figures(values):
    return {name: [value, "as the study has it"] for name, value in values.items()}


def write_model(path, model):
    width = model["width"] // model["heads"]
    path.write_text(json.dumps({
        "title": "as the study has it",
        "model": figures({"layers": model["layers"], "dense_layers": 0, "width": model["width"],
                          "heads": model["heads"], "kv_heads": model["heads"], "key_width": width,
                          "value_width": width, "rope_width": 0, "query_rank": 0, "latent_rank": 0,
                          "ff": model["expert_ff"], "ff_matrices": 3,
                          "expert_ff": model["expert_ff"], "experts": model["experts"],
                          "chosen": model["chosen"], "shared": 1, "expert_groups": 1,
                          "groups_met": 1, "vocabulary": model["vocabulary"],
                          "sequence": model["sequence"]}),
        "recipe": figures({"batch": 2, "weight_bytes": 2, "gradient_bytes": 2,
                           "optimizer_bytes": 12, "kept_bytes": 2, "element_bytes": 2,
                           "dispatch_bytes": 2, "combine_bytes": 2})}))


def write_machine(path, panel, layout, bandwidth):
    """The file of the machine, with another bandwidth, and sums as the layout has them."""
    machine = json.loads((MACHINES / f"{panel['machine']}.json").read_text())
    link = "outer" if panel["link"] == "between" else "inner"
    machine[link]["bandwidth"][0] = machine[link]["nominal"][0] = bandwidth
    machine["cluster"]["levels"][0] = 2 if layout["neighbours"] else 1
    machine["cluster"]["processors"][0] = 0
    if not layout["overlap"]:
        machine["cluster"]["hidden_closing"][0] = 0
    path.write_text(json.dumps(machine))
    return machine["cluster"]["memory_bandwidth"][0]


def simulate(folder, panel, layout, bandwidth, model):
    write_model(folder / "model.json", model)
    memory = write_machine(folder / "machine.json", panel, layout, bandwidth)
    words = ",".join(f"{name}={layout[name]}" for name in
                     ("dp", "ep", "tp", "pp", "v", "m", "zero", "keep"))
    done = subprocess.run(
        [PROGRAM, "simulate", "--json", "--model", "./model.json", "--machine", "./machine.json",
         "--chips", str(panel["chips"]), "--batch", str(2 * panel["chips"]), "--scale", "64",
         "--in-order", "--memory-rate", str(memory), "--layout", words,
         *(["--two-level"] if layout["neighbours"] else [])],
        cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=300)
    expect(done.returncode == 0, f"simulate {words}: {done.stderr}")
    return json.loads(done.stdout) if done.returncode == 0 else None


def cells_are_those_of_simulate(folder, told):
    """Where `simulate` has a way to say it: it sums in buckets, or in two levels inside domains."""
    panel = told["panels"][0]
    seen = 0
    for layout in panel["layouts"]:
        if not (layout["overlap"] or layout["neighbours"] or layout["zero"]):
            continue
        for road in panel["roads"]:
            cell = next(c for c in road["layouts"] if c["layout"] == layout["layout"])
            found = simulate(folder, panel, layout, road["bandwidth"], told["model"])
            seen += 1
            expect(found and found["seconds"] == cell["simulated"],
                   f"{cell}: simulate says {found and found['seconds']}")
            expect(found and close(found["planned_seconds"], cell["planned"]),
                   f"{cell}: simulate has planned {found and found['planned_seconds']}")
    expect(seen >= 6, f"only {seen} cells could be compared")
    for name in ("model.json", "machine.json"):
        (folder / name).unlink(missing_ok=True)


# ---- the cells among themselves ----

def seconds(panel, way, source):
    return [next(c for c in road["layouts"] if c["layout"] == way).get(source)
            for road in panel["roads"]]


def panel_holds(panel, name):
    expect([c["layout"] for c in panel["layouts"]] == LAYOUTS, f"{name}: {panel['layouts']}")
    for layout in panel["layouts"]:
        chips = layout["dp"] * layout["ep"] * layout["tp"] * layout["pp"]
        expect(chips == panel["chips"], f"{name}: {layout} has {chips} chips")
    expect([road["factor"] for road in panel["roads"]] == FACTORS, f"{name}: factors")
    for source in ("planned", "simulated") if SIMULATES else ("planned",):
        for way in LAYOUTS:
            narrow, broad = seconds(panel, way, source)
            expect(0 < broad <= narrow * (1 + 1e-12), f"{name} {way} {source}: {narrow}, {broad}")
        crossover_holds(panel, source, name)


def crossover_holds(panel, source, name):
    problem = crossover_problem(panel["findings"]["crossover"][source],
                                [road["bandwidth"] for road in panel["roads"]],
                                seconds(panel, "dp", source), seconds(panel, "pp 1f1b", source))
    expect(problem is None, f"{name} {source}: crossover {problem}")


def is_a_page(path, told):
    found = page_problems(path, len(told["panels"]),
                          (told["command"], told["date"], "TPU v5p, 16 chips", "dp=4,pp=4,m=8,zero=0",
                           "float32" if SIMULATES else "SimGrid was missing"))
    expect(not found, f"the page: {found}")


def whole(folder):
    code, said, why = study(folder, "chips", "--machines", "h100-ib,tpu-v5p", "--chips", "16",
                            *WORDS)
    expect(code == 0 and not why, f"study: {code} {why}")
    if code != 0:
        return
    left = sorted(path.name for path in folder.iterdir())
    expect(left == ["page.html", "study.json"], f"left behind: {left}")
    told = json.loads((folder / "study.json").read_text())
    expect(told["schema"] == "vialata.study.chips/1", "the schema")
    expect([(p["machine"], p["chips"], p["link"]) for p in told["panels"]] ==
           [("h100-ib", 16, "between"), ("tpu-v5p", 16, "torus")], "the panels")
    for panel in told["panels"]:
        panel_holds(panel, panel["machine"])
    is_a_page(folder / "page.html", told)
    if SIMULATES:
        cells = len(LAYOUTS) * len(FACTORS) * len(told["panels"])
        expect(said.count(" is done: ") == cells and f"Cell {cells} of {cells}" in said,
               f"a line for each cell: {said}")
        cells_are_those_of_simulate(folder, told)


def other_domains(folder):
    """A rack of 72 has room for all 64 chips, so the link inside it is varied; on 128, 64 of its
    chips take part, and one domain sums before the two of them do."""
    code, _, why = study(folder, "chips", "--machines", "nvl72", "--chips", "64,128", *WORDS,
                         VIALATA_PLACE=without_simgrid(folder))
    expect(code == 0, f"nvl72: {code} {why}")
    if code != 0:
        return
    one, two = json.loads((folder / "study.json").read_text())["panels"]
    expect((one["link"], two["link"], two["domain"]) == ("inside", "between", 64), "its domains")
    neighbours = [{c["layout"]: c["neighbours"] for c in panel["layouts"]} for panel in (one, two)]
    expect(neighbours[0]["dp"] == 0 and neighbours[1]["dp"] == 64, f"neighbours: {neighbours}")
    expect("dp overlap" in neighbours[0] and "dp overlap" not in neighbours[1], "buckets on 128")


# ---- without SimGrid, and ended early ----

def without_simgrid(folder):
    """The same build, which was made where there was none."""
    place = folder / "place"
    if not place.exists():
        place.mkdir()
        for entry in PLACE.iterdir():
            (place / entry.name).symlink_to(entry)
        (place / "buildinfo.json").unlink()
        info = json.loads((PLACE / "buildinfo.json").read_text()) | {"smpimain": ""}
        (place / "buildinfo.json").write_text(json.dumps(info))
    return str(place)


def planner_alone(folder):
    code, said, why = study(folder, "chips", "--machines", "h100-ib", "--chips", "16", *WORDS,
                            VIALATA_PLACE=without_simgrid(folder))
    expect(code == 0 and not why, f"without SimGrid: {code} {why}")
    expect("Nothing is simulated: SimGrid is missing." in said and "planned:" in said and
           "a step, simulated" not in said, f"without SimGrid: {said}")
    if code != 0:
        return
    told = json.loads((folder / "study.json").read_text())
    expect(seconds(told["panels"][0], "dp", "simulated") == [None, None], "simulated without it")
    page = (folder / "page.html").read_text()
    expect("SimGrid was missing" in page and "tensor parallel, planned" in page, "its page")


def simulates(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe").endswith("smpimain")
    except OSError:  # it has ended meanwhile
        return False


def ended_early(folder, number):
    job = start(folder, "chips", "--machines", "h100-ib", "--chips", "64")
    until = time.monotonic() + 60
    started = []
    while time.monotonic() < until and not any(map(simulates, started)):
        time.sleep(0.05)
        started = below(job.pid)
    job.send_signal(number)
    _, said = job.communicate(timeout=60)
    expect(job.returncode in (128 + signal.SIGINT, -number), f"exit status {job.returncode}")
    expect(said.count("\n") == 1 and "as you asked" in said, f"said {said!r}")
    until = time.monotonic() + 10
    while any(map(is_alive, started)) and time.monotonic() < until:
        time.sleep(0.05)
    expect(not any(map(is_alive, started)), "a process of the study lives on")
    expect(not list(folder.iterdir()), f"left behind: {list(folder.iterdir())}")


checks = [refusals, planner_alone, other_domains, whole]
if SIMULATES:
    checks += [lambda folder: ended_early(folder, signal.SIGINT),
               lambda folder: ended_early(folder, signal.SIGTERM)]
for check in checks:
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o777)  # or scratch folders would be made elsewhere
        check(pathlib.Path(place))
finish("a study of chips simulates and plans what it says, and leaves nothing behind")
