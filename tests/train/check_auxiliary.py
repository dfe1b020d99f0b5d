#!/usr/bin/env python3
"""The auxiliary loss trains as on one device wherever tokens are: the batch's own where all
forwards come first, a micro-batch's under any schedule. It evens load out, is not part of the
logged loss, leaves nothing of itself behind under the bias, and goes on from a checkpoint.
"""
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
from training import LONG, expect, farthest, finish, losses, refused, train

SHAPE = ["--layers", 2, "--width", 32, "--heads", 4, "--sequence", 16, "--batch", 8, "--experts", 4]
AUX = ["--balance", "aux", "--aux-alpha", 0.5]
MEASURED = ["--interference"]
ALL_FIRST = ["--pp", 2, "--micro-batches", 4, "--schedule", "afab"]
STEPS = ["--steps", 12]


def told(steps, name):
    return [step[name] for step in steps]


def off(name, one, other):
    return farthest(told(one, name), told(other, name))


def whole_batch(folder):
    _, alone = train(folder, "alone", *SHAPE, *AUX, *MEASURED, *STEPS)
    sizes = [step["interference"]["size"] for step in alone]
    for words in (["--tp", 2, "--sequence-parallel", "--ep", 2], ["--dp", 2, "--ep", 2],
                  [*ALL_FIRST, "--recompute", "full"], [*ALL_FIRST, "--ep", 2, "--zero", 3], ["--dp", 2],
                  ["--tp", 2], ["--ep", 2, "--zero", 2], ALL_FIRST)[:None if LONG else 3]:
        run, steps = train(folder, "together", *SHAPE, *AUX, *MEASURED, *STEPS, *words)
        far = (farthest(losses(alone), losses(steps)), off("balance_loss", alone, steps),
               farthest(sizes, [step["interference"]["size"] for step in steps]))
        print(f"{' '.join(map(str, words))}: loss, balance and interference {far} from one device")
        expect(max(far[:2]) < 1e-5 and far[2] < 1e-5, f"{words}: {far} from one device")
        expect((run["balance"], run["aux_alpha"], run["aux_scope"]) == ("aux", 0.5, "global"),
               f"{words}: {run}")


def smaller_scopes(folder):
    """In a pipeline bit for bit what one stage does, under a schedule that never waits."""
    one_by_one = ["--pp", 2, "--micro-batches", 4, "--schedule", "1f1b"]
    for scope in ("micro-batch", "sequence"):
        words = [*SHAPE, *AUX, "--aux-scope", scope, *STEPS]
        _, alone = train(folder, "alone", *words, "--accumulate", 4)
        _, stages = train(folder, "stages", *words, *one_by_one)
        expect(losses(alone) == losses(stages), f"{scope}: other losses in a pipeline")
        expect(off("balance_loss", alone, stages) < 1e-12, f"{scope}: another balance loss")
    _, alone = train(folder, "alone", *words, "--accumulate", 1)
    _, four = train(folder, "four", *words, "--accumulate", 4)
    expect(farthest(losses(alone), losses(four)) < 1e-5, "sequences depend on micro-batches")
    words[words.index("sequence")] = "micro-batch"
    _, alone = train(folder, "alone", *words, "--accumulate", 1)
    _, four = train(folder, "four", *words, "--accumulate", 4)
    expect(off("balance_loss", alone, four) > 1e-4, "micro-batches make no difference")
    _, batch = train(folder, "batch", *SHAPE, *AUX, *STEPS)
    expect(farthest(losses(alone), losses(batch)) < 1e-6, "one micro-batch is the whole batch")


def what_it_does(folder):
    """Compared at the first step, before anything has moved: the same language-model loss."""
    runs = {}
    for name, words in (("none", ["--balance", "none"]), ("aux", AUX),
                        ("bias", ["--bias-speed", 0.01])):
        _, runs[name] = train(folder, name, *SHAPE, *words, *MEASURED, "--steps", 60, "--lr", 0.01)
    first = {steps[0]["loss"] for steps in runs.values()}
    expect(len(first) == 1, f"the auxiliary loss is in the logged loss: {first}")
    for name in ("none", "bias"):
        expect("balance_loss" not in runs[name][0], f"{name}: a balance loss")
        expect(all(step["interference"] == {"size": 0, "cosine": 0} for step in runs[name]),
               f"{name} interferes")
    expect(all(step["interference"]["size"] > 0.01 for step in runs["aux"]), "aux does not")
    late = {name: sum(told(steps[45:], "max_violation")) / 15 for name, steps in runs.items()}
    print("MaxVio of the last quarter:", late)
    expect(late["aux"] < 0.75 * late["none"], f"nothing is evened out: {late}")
    even = 2 * 0.5  # layers times alpha, where load is even
    expect(abs(runs["aux"][-1]["balance_loss"] - even) < 0.1 * even, f"{runs['aux'][-1]}")


def nothing_to_compare_with(folder):
    """A token's only expert gets the same weight whatever its affinity: the language model has no
    gradient there, and rounding errors are not taken for one. With three ranks the order of
    addition depends on the place in the array."""
    words = ["--layers", 1, *SHAPE[2:], *AUX, *MEASURED, "--top-k", 1, "--steps", 3]
    for layout in ([], ["--dp", 3], ["--ep", 4, "--tp", 2]):
        _, steps = train(folder, "one", *words, *layout)
        expect(all(step["interference"] == {"size": None, "cosine": None} for step in steps),
               f"{layout}: {told(steps, 'interference')}")


def resume(folder):
    words = [*SHAPE, *AUX, "--aux-scope", "sequence"]
    _, straight = train(folder, "straight", *words, "--steps", 10)
    train(folder, "first", *words, "--steps", 5, "--save", folder / "x.st")
    kept = ["--resume", folder / "x.st", "--steps", 10]
    run, rest = train(folder, "rest", *kept)
    expect(losses(rest) == losses(straight)[5:], "resumed with other losses")
    expect((run["balance"], run["aux_scope"]) == ("aux", "sequence"), f"resumed: {run}")
    for words, name in ((["--aux-alpha", 0.25], "--aux-alpha"),
                        (["--aux-scope", "global"], "--aux-scope"),
                        (["--balance", "bias"], "--balance")):
        refused(folder, [*kept, *words], name)


def refusals(folder):
    """A schedule from a file is looked at task by task."""
    first = ["F0 F1 B0 W0 B1 W1"] * 2
    early = ["F0 F1 B0 W0 B1 W1", "F0 B0 W0 F1 B1 W1"]
    for name, rows in (("first", first), ("early", early)):
        (folder / name).write_text("\n".join(rows) + "\n")
    words = [*SHAPE, *AUX, "--pp", 2, "--steps", 2, "--schedule"]
    _, steps = train(folder, "own", *words, folder / "first")
    expect(len(steps) == 2, "a schedule of one's own with all forwards first is refused")
    refused(folder, [*words, folder / "early"], "afab")
    for words, name in (([*SHAPE, *AUX, "--accumulate", 2], "afab"),
                        ([*SHAPE, *AUX, "--pp", 2], "afab"),
                        ([*SHAPE, "--balance", "loss"], "--balance"),
                        ([*SHAPE, *AUX, "--aux-scope", "batch"], "--aux-scope"),
                        ([*SHAPE, *AUX, "--bias-speed", 0.1], "--bias-speed"),
                        ([*SHAPE, "--aux-alpha", 0.1], "--aux-alpha"),
                        ([*SHAPE, "--aux-scope", "global"], "--aux-scope"),
                        (["--interference"], "--experts"), (["--aux-alpha", 0.1], "--experts")):
        refused(folder, [*words, "--steps", 2], name)


with tempfile.TemporaryDirectory() as place:
    whole_batch(pathlib.Path(place))
    smaller_scopes(pathlib.Path(place))
    what_it_does(pathlib.Path(place))
    nothing_to_compare_with(pathlib.Path(place))
    resume(pathlib.Path(place))
    refusals(pathlib.Path(place))
finish("the auxiliary loss trains as on one device")
