#!/usr/bin/env python3
"""The table by which lab 10's last station is graded: machines that nobody has built, a model, five
layouts, and what `vialata simulate` says about them. One command makes the whole table again:

    VIALATA_PLACE=build/release tests/simulate/make_sets.py

It takes about 20 minutes on two cores and writes src/grade/labs/10_bandwidth/simulated/sets.tsv, one
row for each set. A row holds all that the simulator was given, so check_sets.py can make it again.

How a set is drawn, and which are kept:

  - chip, links, domain, model and batch are drawn from the ranges in draw_machine and draw_model,
    the five layouts from all that layouts_of lists. In none of them does a chip send more than about
    MOST_MESSAGES, since messages decide what a simulation costs.
  - Every layout has to fit into a chip's memory, by the planner's own rule.
  - At least LEAST_APART of the ten pairs of layouts differ by a factor of APART or more: a set whose
    layouts are all equally fast asks nothing.
  - The first layout is simple (data parallelism alone), and the second has a pipeline. Both cross
    between LOW and HIGH, and on a road of HIGH the simple one is faster by a factor of GAIN: where
    two layouts run alongside each other, the crossover is wherever the last percent puts it.

None of the rules looks at what a planner says. What is not kept is drawn again.
"""
import concurrent.futures
import ctypes
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

GENERATOR = 1  # the version of this file's rules; another number draws other sets
SETS = 200
PLACE = Path(os.environ.get("VIALATA_PLACE", "build/release")).resolve()
ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "src" / "grade" / "labs" / "10_bandwidth" / "simulated" / "sets.tsv"

LAYOUTS = 5
MOST_MESSAGES = 600
APART, LEAST_APART = 1.35, 4
LOW, HIGH, GAIN = 1e9, 1e12, 1.35

MACHINE = ["chips", "domain", "peak", "efficiency", "memory_bytes", "inner_latency",
           "inner_bandwidth", "outer_latency", "outer_bandwidth"]
MODEL = ["layers", "width", "heads", "ff", "vocabulary", "sequence", "batch"]
LAYOUT = ["data", "tensor", "pipeline", "micro_batches", "zero"]
FOUND = ["reached", "crossover"]
COLUMNS = (["set"] + MACHINE + MODEL
           + [f"{name}_{i}" for i in range(LAYOUTS) for name in [*LAYOUT, "seconds"]] + FOUND)


# ---- drawing ----

class Draw:
    """Everything comes from random(), whose numbers are the same in every version of Python."""

    def __init__(self, *words):
        self.source = random.Random(":".join(map(str, words)))

    def one_of(self, values):
        return values[int(self.source.random() * len(values))]

    def between(self, low, high):
        """Log-uniform, to two digits: a figure that a data sheet could have."""
        drawn = math.exp(math.log(low) + self.source.random() * math.log(high / low))
        return float(f"{drawn:.1e}")


def draw_machine(draw):
    """From an A100 (312 TFLOP/s, NVLink 300 GB/s) to a B200 (2250 TFLOP/s, 900 GB/s), and somewhat
    beyond; outside, from a shared card of 100 Gbit/s to a card of 800 Gbit/s for every chip."""
    chips = draw.one_of([8] * 12 + [16] * 9 + [32] * 2 + [64])
    return {"chips": chips, "domain": draw.one_of([d for d in (2, 4, 8, 16) if d < chips]),
            "peak": draw.between(2e14, 2.5e15), "efficiency": draw.between(0.4, 0.7),
            "memory_bytes": draw.one_of([8e10, 1.41e11, 1.92e11]),
            "inner_latency": draw.between(1e-6, 5e-6), "inner_bandwidth": draw.between(1e11, 9e11),
            "outer_latency": draw.between(4e-6, 2e-5), "outer_bandwidth": draw.between(3e9, 1e11)}


def draw_model(draw, chips):
    """Dense models of 0.1 to 4 billion parameters, with heads of 128 and a feed-forward part of
    8 D / 3, rounded up to a multiple of 512. Models of many layers have many of them in a stage, and
    a head costs little in comparison; here it costs a sixth to two thirds of one layer."""
    width = draw.one_of([1024, 2048, 3072, 4096])
    return {"layers": draw.one_of([4, 8, 12] if chips < 32 else [4]), "width": width, "heads": width // 128,
            "ff": -(-8 * width // 3 // 512) * 512, "vocabulary": width * draw.one_of([2, 4, 8]),
            "sequence": draw.one_of([1024, 2048, 4096]), "batch": chips * draw.one_of([1, 2, 4, 8])}


def messages(model, layout):
    """About so many are sent by a chip: rings of the data and of the tensor ranks."""
    layers, members = model["layers"] / layout["pipeline"], layout["data"] - 1
    trips = 6 * layout["micro_batches"] / 2 if layout["zero"] == 3 else 2
    data = trips * (layers + 2) * members
    tensor = 9 * layers * layout["micro_batches"] * (layout["tensor"] - 1)
    return data + tensor


def layouts_of(machine, model):
    """All that may be drawn: whole rows in a micro-batch, tensor parallelism inside a domain, two
    layers or more in each stage, enough micro-batches to fill the pipeline."""
    chips = machine["chips"]
    for tensor in (1, 2, 4, 8):
        for pipeline in (1, 2, 4, 8):
            if chips % (tensor * pipeline) or tensor > machine["domain"]:
                continue
            data = chips // tensor // pipeline
            rows = model["batch"] // data
            for m in (1, 2, 4, 8, 16, 32):
                if rows % m or m < pipeline or 2 * pipeline > model["layers"]:
                    continue
                for zero in (0, 1) if pipeline > 1 else (0, 1, 3):
                    layout = dict(zip(LAYOUT, (data, tensor, pipeline, m, zero)))
                    if (data > 1 or zero == 0) and messages(model, layout) <= MOST_MESSAGES:
                        yield layout


def kind_of(layout):
    return [layout[name] for name in LAYOUT if name != "micro_batches"]


def draw_layouts(draw, machine, model):
    """The simple one, the one with a pipeline and so few micro-batches that its bubble matters, and
    three others; no two alike but for the micro-batches."""
    every = list(layouts_of(machine, model))
    simple = [x for x in every if x["tensor"] == x["pipeline"] == 1]
    staged = [x for x in every if 1 < x["pipeline"] and x["micro_batches"] <= 2 * x["pipeline"]]
    if not simple or not staged:
        return None
    taken = [draw.one_of(simple), draw.one_of(staged)]
    while len(taken) < LAYOUTS:
        others = [x for x in every if all(kind_of(x) != kind_of(y) for y in taken)]
        if not others:
            return None
        taken.append(draw.one_of(others))
    return taken


# ---- simulating ----

def figures(values):
    return {name: [value, "drawn"] for name, value in values.items()}


def write_model(path, model):
    path.write_text(json.dumps({
        "title": "drawn", "model": figures({
            **{name: model[name] for name in MODEL if name != "batch"},
            "dense_layers": model["layers"], "kv_heads": model["heads"], "key_width": 128,
            "value_width": 128, "rope_width": 0, "query_rank": 0, "latent_rank": 0,
            "ff_matrices": 3, "expert_ff": 0, "experts": 0, "chosen": 0, "shared": 0,
            "expert_groups": 1, "groups_met": 1}),
        "recipe": figures({"batch": model["batch"], "weight_bytes": 2, "gradient_bytes": 2,
                           "optimizer_bytes": 12, "kept_bytes": 2, "element_bytes": 2,
                           "dispatch_bytes": 2, "combine_bytes": 2})}))


def write_machine(path, machine):
    """The shares that hide are the planner's business; the simulator does not read them."""
    links = {link: figures({"latency": machine[f"{link}_latency"],
                            "bandwidth": machine[f"{link}_bandwidth"],
                            "nominal": machine[f"{link}_bandwidth"]}) for link in ("inner", "outer")}
    path.write_text(json.dumps({
        "title": "drawn", "cluster": figures({
            "peak": machine["peak"], "efficiency": machine["efficiency"],
            "memory_bytes": machine["memory_bytes"], "reserve_bytes": 6e9, "hidden_gathers": 0,
            "hidden_experts": 0, "hidden_pipeline": 0, "hidden_closing": 0, "levels": 1,
            "domain": machine["domain"], "cards": machine["domain"], "torus": 0,
            # The simulator charges each product at 'efficiency', whatever its size.
            "processors": 0, "tile_rows": 1, "tile_columns": 1, "memory_bandwidth": 1e12,
            "score_passes": 0, "sequence_parallel": 0}), **links}))


def simulate(machine, model, layout):
    """What `vialata simulate --json` says, or None if the layout does not fit."""
    with tempfile.TemporaryDirectory() as folder:
        write_model(Path(folder) / "model.json", model)
        write_machine(Path(folder) / "machine.json", machine)
        words = "dp={data},tp={tensor},pp={pipeline},m={micro_batches},zero={zero}".format(**layout)
        done = subprocess.run(
            [PLACE / "bin" / "vialata", "simulate", "--json", "--model", f"{folder}/model.json",
             "--machine", f"{folder}/machine.json", "--chips", str(machine["chips"]), "--layout",
             words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
    if done.returncode == 2 and b"does not fit" in done.stderr:
        return None
    if done.returncode != 0:
        raise RuntimeError(f"{words}: {done.stderr.decode()}")
    return json.loads(done.stdout)


def rounded(value):
    return float(f"{value:.6g}")


def seconds_of(machine, model, layout):
    told = simulate(machine, model, layout)
    return rounded(told["seconds"]) if told else None


def reached(machine, model):
    """The share of its peak that a chip reaches while it waits for nothing: what a planner calls
    efficiency. Memory bounds norms and other element-wise work, so it is less than that of the
    matrix products. Two chips compute the rows that a chip has when all chips share the batch, one
    by one, and then twice as many: the difference is theirs alone, without the update. The memory
    of these two counts as endless."""
    pair = {**machine, "chips": 2, "memory_bytes": 1e15}
    rows = model["batch"] // machine["chips"]

    def busy(count):
        told = simulate(pair, {**model, "batch": 2 * count},
                        {"data": 2, "tensor": 1, "pipeline": 1, "micro_batches": count, "zero": 1})
        return told["seconds"] * (1 - told["idle"]["mean"])

    layers, d = model["layers"], model["width"]
    active = layers * (4 * d * d + 3 * d * model["ff"]) + d * model["vocabulary"]
    flops = (6 * active + 12 * layers * d * model["sequence"]) * rows * model["sequence"]
    return rounded(flops / ((busy(2 * rows) - busy(rows)) * machine["peak"]))


# ---- the crossover ----

TRIES, CLOSE = 3, 1.2


def times(bandwidth, machine, model, pair):
    """The bandwidth between domains and the seconds of both of the pair there; None if one of them
    does not fit."""
    at = {**machine, "outer_bandwidth": bandwidth}
    found = [seconds_of(at, model, layout) for layout in pair]
    return (bandwidth, *found) if all(found) else None


def meet(one, other):
    """Where both take equally long, if the seconds of each are a + b / bandwidth; None if nowhere."""
    apart = [x[1] - x[2] for x in (one, other)]
    slope = (apart[0] - apart[1]) / (1 / one[0] - 1 / other[0])
    slowness = 1 / one[0] - apart[0] / slope if slope > 0 else 0
    return 1 / slowness if slowness > 0 else None


def crossover(machine, model, pair, own, high):
    """The bandwidth between domains at which both of the pair take equally long, or None. First from
    the times at the machine's own bandwidth and at HIGH; then, until two answers in a row are within
    a factor of CLOSE, from those at the last answer and at the one of its neighbours that is on the
    other side."""
    slower, faster = (own if own[1] > own[2] else None), high
    last = meet(own, high)
    for _ in range(TRIES):
        if last is None or not LOW <= last <= HIGH:
            return None
        here = times(last, machine, model, pair)
        if here[1] > here[2]:
            slower = here
        else:
            faster = here
        found = meet(slower or own, faster)
        if found is not None and max(found / last, last / found) <= CLOSE:
            return rounded(found)
        last = found
    return None


# ---- the table ----

def far_apart(seconds):
    pairs = [(a, b) for i, a in enumerate(seconds) for b in seconds[i + 1:]]
    return sum(max(a, b) / min(a, b) >= APART for a, b in pairs)


def measure(machine, model, layouts):
    """What a row says beyond what was drawn, or None if a rule does not keep the set."""
    pair = layouts[:2]
    high = times(HIGH, machine, model, pair)
    if high is None or high[2] < GAIN * high[1]:
        return None
    seconds = []
    for layout in layouts:
        seconds.append(seconds_of(machine, model, layout))
        if seconds[-1] is None:
            return None
    if far_apart(seconds) < LEAST_APART:
        return None
    own = (machine["outer_bandwidth"], *seconds[:2])
    where = crossover(machine, model, pair, own, high)
    if where is None:
        return None
    return {**{f"seconds_{i}": s for i, s in enumerate(seconds)}, "reached": reached(machine, model),
            "crossover": where}


def make_set(number):
    attempt = 0
    while True:
        draw = Draw(GENERATOR, number, attempt)
        attempt += 1
        machine = draw_machine(draw)
        model = draw_model(draw, machine["chips"])
        layouts = draw_layouts(draw, machine, model)
        found = measure(machine, model, layouts) if layouts else None
        if found is None:
            continue
        each = {f"{name}_{i}": x[name] for i, x in enumerate(layouts) for name in LAYOUT}
        return {"set": number, **machine, **model, **each, **found}


def parts_of(row):
    """Machine, model and layouts of a row."""
    return ({name: row[name] for name in MACHINE}, {name: row[name] for name in MODEL},
            [{name: row[f"{name}_{i}"] for name in LAYOUT} for i in range(LAYOUTS)])


def read_table(path=TABLE):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    assert lines[0].split("\t") == COLUMNS, "the table has other columns than make_sets.py writes"
    return [dict(zip(COLUMNS, map(json.loads, line.split("\t")))) for line in lines[1:]]


def simgrid_version():
    simulator = Path(json.loads((PLACE / "buildinfo.json").read_text())["smpimain"])
    library = ctypes.CDLL(str(simulator.parents[1] / "libsimgrid.so"))
    parts = [ctypes.c_int() for _ in range(3)]
    library.sg_version_get(*map(ctypes.byref, parts))
    return ".".join(str(part.value) for part in parts)


def main():
    """Without arguments the whole table; it goes on with one that was interrupted."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else SETS
    path = Path(sys.argv[2]) if len(sys.argv) > 2 else TABLE
    made_by = f"# tests/simulate/make_sets.py, rules {GENERATOR}; SimGrid {simgrid_version()}\n"
    done = read_table(path) if path.exists() and path.read_text().startswith(made_by) else []
    done = done if len(done) < count else []
    path.parent.mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool, open(path, "w", encoding="ascii") as table:
        table.write(made_by + "\t".join(COLUMNS) + "\n")
        for row in itertools.chain(done, pool.map(make_set, range(len(done), count))):
            table.write("\t".join(json.dumps(row[name]) for name in COLUMNS) + "\n")
            table.flush()


if __name__ == "__main__":
    main()
