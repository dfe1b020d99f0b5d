#!/usr/bin/env python3
"""Recomputation changes the memory and the time, and no bit: the losses of all modes are equal, on
one device and on replicas; the log's bytes are those of the closed form; a trace shows what was
computed again.
"""
import json
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
import training
from training import LONG, expect, finish, losses, refused

MODES = ("none", "selective", "full")
LAYERS, WIDTH, HEADS, FF, SEQUENCE, BATCH, STEPS = 3, 24, 2, 40, 16, 6, 20
SHAPE = ["--layers", LAYERS, "--width", WIDTH, "--heads", HEADS, "--ff", FF, "--sequence", SEQUENCE,
         "--batch", BATCH]


def train(folder, *words):
    run, steps = training.train(folder, "log", *words)
    return run, losses(steps)


def kept(mode, rows):
    """Bytes of a micro-batch of this many rows."""
    tokens = rows * SEQUENCE
    inputs = tokens * WIDTH
    probs = rows * HEADS * SEQUENCE ** 2
    rest = tokens * (2 + 7 * WIDTH + 3 * FF)
    return 4 * (LAYERS * inputs + (LAYERS if mode == "none" else 1) * probs
                + (1 if mode == "full" else LAYERS) * rest)


def same_bits(folder):
    for layout, rows in (([], BATCH), (["--accumulate", 3], 2), (["--dp", 2, "--zero", 3, "--accumulate", 2], 2),
                         (["--accumulate", 4], 2), (["--dp", 2], 3),
                         (["--dp", 2, "--zero", 3], 3))[:None if LONG else 3]:
        bits = None
        for mode in MODES:
            run, found = train(folder, *SHAPE, "--steps", STEPS, *layout, "--recompute", mode)
            name = f"{layout} --recompute {mode}"
            expect(run["recompute"] == mode, f"{name}: the log says {run['recompute']}")
            expect(len(found) == STEPS and found[-1] < found[0], f"{name}: {found}")
            bits = bits or found
            expect(found == bits, f"{name}: other bits than with {MODES[0]}")
            for rank, memory in enumerate(run["memory"]):
                expect(memory["kept"] == kept(mode, rows),
                       f"{name}, rank {rank}: keeps {memory['kept']}, not {kept(mode, rows)}")
                expect(memory["activations"] > memory["kept"], f"{name}: {memory}")
    run, found = train(folder, *SHAPE, "--steps", STEPS)
    expect(run["recompute"] == "none", "without the option nothing is forgotten")


def resume(folder):
    """Checkpoints are the same in all modes: saved in one, continued in another."""
    _, straight = train(folder, *SHAPE, "--steps", 8)
    train(folder, *SHAPE, "--steps", 4, "--recompute", "full", "--save", folder / "a.st")
    for mode in MODES:
        _, later = train(folder, "--resume", folder / "a.st", "--steps", 8, "--recompute", mode)
        expect(later == straight[4:], f"resumed with {mode}: other losses")


def again(folder):
    """The layers computed again in the last step, last first; the last layer is still there."""
    for mode in MODES:
        trace = folder / "trace.json"
        train(folder, *SHAPE, "--steps", 2, "--accumulate", 2, "--recompute", mode,
              "--trace", trace)
        units = [event["args"]["unit"] for event in json.loads(trace.read_text())["traceEvents"]
                 if event["name"] == "again"]
        wanted = [] if mode == "none" else 2 * list(range(LAYERS - 1, 0, -1))
        expect(units == wanted, f"{mode}: computed again {units}, not {wanted}")


def refusals(folder):
    for word in ("most", "Full", "fu"):
        refused(folder, [*SHAPE, "--steps", 1, "--recompute", word], "`selective`")


with tempfile.TemporaryDirectory() as place:
    same_bits(pathlib.Path(place))
    resume(pathlib.Path(place))
    again(pathlib.Path(place))
    refusals(pathlib.Path(place))
finish("all modes train alike")
