"""What docs/steps/*.json must say, derived from where it comes from: the rule of the ring, the program, the course's
own formulas and diagrams, and a record of measurements. Each function gives (title, frames): the numbers of the title,
and for each frame its cells, its marks, the numbers of its sentence in their order, and words that it must have."""

import json
import re
import subprocess
from collections import namedtuple

import po

Frame = namedtuple("Frame", "cells marks numbers words", defaults=[()])


def page(name):
    return (po.ROOT / f"{name}.md").read_text(encoding="utf-8")


def found(pattern, text, what):
    match = re.search(pattern, text)
    if match is None:
        raise ValueError(f"{what} is not found any more")
    return match


def evaluate(formula, **values):
    """A formula of the pages, such as 2 (P - 1) / P."""
    formula = re.sub(r"(?<=[\w)]) (?=\()", " * ", formula)
    if not re.fullmatch(r"[\d\sP()+*/-]+", formula):
        raise ValueError(f"not understood: {formula}")
    return eval(formula, {"__builtins__": {}}, values)  # only digits, P and signs: see the line above


# ---- ring: chunk c begins at rank c + 1, and rank c comes last ----
def ring(ranks=4):
    holds = [[[rank] for rank in range(ranks)] for _ in range(ranks)]  # [chunk][rank]: whose parts are in it

    def cells():
        names = {0: "spent", 1: "own", ranks: "sum"}
        return [[f"{names.get(len(parts), 'part')} {'+'.join(map(str, parts))}".strip() for parts in chunk]
                for chunk in holds]

    made, sent = [(cells(), [])], 0
    for step in range(2 * (ranks - 1)):
        reduces = step < ranks - 1
        moves = [(rank, (rank - step - 1) % ranks, (rank + 1) % ranks) for rank in range(ranks)]
        there = [(to, chunk, holds[chunk][rank]) for rank, chunk, to in moves]
        for (rank, chunk, to), (_, _, parts) in zip(moves, there):
            holds[chunk][to] = parts + [to] if reduces else parts
            if reduces:
                holds[chunk][rank] = []
        sent += 1
        made.append((cells(), sorted([chunk, to, 0] for to, chunk, _ in there)))
    formula = found(r"\$(2 \(P - 1\) / P)\$", page("docs/bandwidth"), "the formula of the ring")[1]
    if sent / ranks != evaluate(formula, P=ranks):
        raise ValueError(f"each rank sends {sent} of {ranks} chunks, which is not {formula}")
    digits = [float(digit) for digit in re.findall(r"\d+", formula)]
    numbers = [[ranks], [0], [1, ranks - 1, ranks], [2], [3], [4, ranks - 1, ranks],
               [5, ranks, sent, sent / ranks, *digits]]
    return [ranks, ranks], [Frame(*frame, told) for frame, told in zip(made, numbers, strict=True)]


# ---- schedule: what the program says ----
def asked(stages, batches):
    ran = subprocess.run([po.PLACE / "bin" / "vialata", "schedule", "1f1b", "--pp", str(stages), "--micro-batches",
                          str(batches), "--format", "json"], stdout=subprocess.PIPE, check=True)
    return json.loads(ran.stdout)


def schedule(stages=3, batches=4):
    plan = asked(stages, batches)
    units = int(plan["makespan"])
    names = {"F": "forward", "B": "backward", "W": "weight"}
    does = [{int(task["begin"]): task["task"] for task in row["tasks"]} for row in plan["rows"]]
    at = [{task: unit for unit, task in row.items()} for row in does]

    def alive(stage, unit):
        """A micro-batch is alive from its F to its W, both included."""
        return sum(at[stage][f"F{batch}"] <= unit <= at[stage][f"W{batch}"] for batch in range(batches))

    def done(stage, unit):
        task = does[stage].get(unit)
        return f"{names[task[0]]} {task}" if task else "idle"

    worked = len(does[0])
    if any(row["alive_at_most"] != max(alive(row["stage"], unit) for unit in range(units)) for row in plan["rows"]):
        raise ValueError("the program counts other micro-batches as alive")
    if any(len(row) != worked for row in does):
        raise ValueError("the stages do not work for the same time")

    def task(stage, unit):
        return int(does[stage][unit][1:])

    # What a sentence says of a stage at its time: the task named, or None where the stage waits.
    claims = [{0: "F0", 1: None, 2: None}, {0: "F1", 1: "F0"}, {}, {2: "B0", 0: None, 1: None}, {1: "B0", 2: "W0"},
              {0: "B0"}, {1: "F2"}, {0: "F3"}, {}, {1: "F3"}, {0: None}, {2: "F3", 0: "B2"}, {1: None, 2: "B3"},
              {2: "W3", 0: None}, {2: None}, {}]
    for unit, claim in enumerate(claims):
        for stage, claimed in claim.items():
            if does[stage].get(unit) != claimed:
                raise ValueError(f"at {unit} stage {stage} does {does[stage].get(unit)}, not {claimed}")
    last = stages - 1
    numbers = [
        [0, task(0, 0), task(0, 0)], [task(1, 1), 1, 0, task(0, 1)], [stages], [last, task(last, 3), task(last, 2)],
        [1, task(1, 4), last, task(last, 4)], [0, alive(0, 5)], [1, task(1, 5), task(1, 6)],
        [0, task(0, 6), task(0, 7)], [alive(0, 8), 0, alive(1, 8), 1, alive(2, 8), 2], [1, task(1, 9), last], [0],
        [last, task(last, 11), 0, task(0, 11)], [1, task(last, 12), last], [last, task(last, 13), 0], [0, last],
        [units, worked, units - worked],
    ]
    frames = []
    for unit in range(units):
        cells = [[*(done(stage, time) if time <= unit else "" for time in range(units)), f"number {alive(stage, unit)}"]
                 for stage in range(stages)]
        frames.append(Frame(cells, [[stage, unit, 0] for stage in range(stages)], numbers[unit]))
    return [stages, batches], frames


# ---- zero: what the lab's table and its formulas say ----
def zero(ranks=4):
    text = page("labs/04_zero/README")
    row = found(r"\| 16-bit mixed precision \| (\d+) \| (\d+) \| ([\d +]+) \|", text, "the row of mixed precision")
    weights, gradients, optimizer = (int(evaluate(cell)) for cell in row.groups())
    told = [[0, weights, gradients, optimizer], [1, weights, gradients, optimizer, ranks],
            [2, weights, gradients, optimizer, ranks], [3, weights, gradients, optimizer, ranks]]
    frames = []
    for stage in range(4):
        formula = found(rf"\$\$ s_{stage} = ([^=$]+)", text, f"the formula of stage {stage}")[1]
        total = evaluate(formula, P=ranks)
        kinds = [("weights", weights, stage < 3), ("gradients", gradients, stage < 2),
                 ("optimizer", optimizer, stage < 1)]
        if sum(size if whole else size / ranks for _, size, whole in kinds) != total:
            raise ValueError(f"stage {stage}: {total} bytes are not those that are drawn")
        cells = [[", ".join(kind if whole or chunk == rank else "away" for chunk in range(ranks))
                  for kind, _, whole in kinds] + [f"number {total:g}"] for rank in range(ranks)]
        frames.append(Frame(cells, [], told[stage] + [total]))
    return [ranks, 0, 3], frames


# ---- routing: the lab's own diagram ----
def diagram():
    """{part: its lines on each rank} of the drawing that begins "rank 0 ... tokens a b c d"."""
    text = found(r"(?m)^ +rank 0 +rank 1\n +tokens +a b c d [\s\S]+?(?=\n```)", page("labs/08_expert_parallel/README"),
                 "the diagram of the tokens")[0]
    first, *lines = text.splitlines()
    middle, parts, name = first.index("rank 1"), {}, None
    for line in lines:
        name = line[:14].strip() or name
        if line.strip():
            parts.setdefault(name, []).append((line[14:middle], line[middle:]))
    return parts


def rows_of(parts, name, rank):
    """{expert: tokens} of one rank."""
    return {int(expert): tokens.split() for line in parts[name]
            for expert, tokens in re.findall(r"(\d): ([a-h](?: [a-h])*)", line[rank])}


def routing(ranks=2, experts=4):
    parts = diagram()
    chosen = [[(token, int(one), int(two)) for line in parts["chosen"]
               for token, one, two in re.findall(r"([a-h]) (\d) (\d)", line[rank])] for rank in range(ranks)]
    home = {token: rank for rank in range(ranks) for token, *_ in chosen[rank]}
    ordered = [{expert: [token for token, *its in chosen[rank] if expert in its] for expert in range(experts)}
               for rank in range(ranks)]
    here = experts // ranks
    rows = [{expert: [token for source in ordered for token in source[expert]]
             for expert in range(rank * here, (rank + 1) * here)} for rank in range(ranks)]
    for rank in range(ranks):
        if ordered[rank] != rows_of(parts, "plan", rank) or rows[rank] != rows_of(parts, "rows", rank):
            raise ValueError(f"what the diagram says of rank {rank} does not follow from the choices in it")
    kind = ["first", "second"]

    def cell(tokens, done=""):
        return ", ".join(f"{kind[home[token[0]]]}{done} {token}" for token in tokens)

    top = [cell(" ".join(map(str, choice)) for choice in chosen[rank]) for rank in range(ranks)]
    none = [""] * ranks

    def frame(places, done="", result=none):
        return [top, *([cell(places[rank].get(expert, []), done) for rank in range(ranks)]
                       for expert in range(experts)), result]

    back = [cell([token for token, *_ in chosen[rank]], "-done") for rank in range(ranks)]
    travelled = [[1 + expert, rank, slot] for rank in range(ranks) for expert, tokens in rows[rank].items()
                 for slot, token in enumerate(tokens) if home[token] != rank]
    each = len(chosen[0][0]) - 1
    choices = each * len(chosen[0])
    stay = sum(home[token] == 0 for tokens in rows[0].values() for token in tokens)
    loads = [len(rows[expert // here][expert]) for expert in range(experts)]
    if stay != sum(home[token] == 1 for tokens in rows[1].values() for token in tokens):
        raise ValueError("on the two ranks different numbers of choices stay")
    frames = [Frame(frame([{}] * ranks), [], [each]),
              Frame(frame(ordered), [], [choices]),
              Frame(frame(rows), sorted(travelled), [stay, choices - stay]),
              Frame(frame(rows, "-done"), [], loads),
              Frame(frame([{}] * ranks, result=back), [], [each])]
    return [len(home), ranks, experts, each], frames


# ---- crossover: a record of measurements ----
NAMES = {"ep": "expert parallelism", "dp overlap": "data parallelism with overlap", "zero 3": "ZeRO-3"}


def crossover(machine="nvl72", chips=64):
    record = json.loads((po.ROOT / "docs" / "measured" / "study-chips.json").read_text(encoding="utf-8"))
    panel = next(p for p in record["panels"] if (p["machine"], p["chips"]) == (machine, chips))
    stages = {layout["layout"]: layout["pp"] for layout in panel["layouts"]}

    def best(road, piped):
        return min((cell["simulated"], cell["layout"]) for cell in road["layouts"]
                   if (stages[cell["layout"]] > 1) == piped)

    roads = panel["roads"]
    bars = [f"without {best(road, False)[0] * 1e3:.0f}, with {best(road, True)[0] * 1e3:.0f}" for road in roads]
    frames = []
    for number, road in enumerate(roads):
        (alone, name), (piped, _) = best(road, False), best(road, True)
        times = [piped, alone] if number < 2 else [alone, piped]
        ahead = "pipeline is no longer needed" if alone < piped and number == 2 else ""
        if (alone < piped) != (number >= 2):
            raise ValueError("the roads cross elsewhere")
        frames.append(Frame([[bars[row] if row <= number else ""] for row in range(len(roads))],
                            [[number, 0, 0], [number, 0, 1]], [road["bandwidth"], *times], (NAMES[name], ahead)))
    return [chips], frames


FIGURES = {"ring": ring, "schedule": schedule, "zero": zero, "routing": routing, "crossover": crossover}
