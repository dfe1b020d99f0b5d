#!/usr/bin/env python3
"""Ranks that share a model train it as one device does, whatever the layout; the log says the
layout; a checkpoint of one goes on in any other; what cannot be is refused with the reason.
"""
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
from training import LONG, expect, farthest, finish, losses, refused, train

LAYERS, WIDTH, HEADS, FF, SEQUENCE, BATCH = 4, 32, 4, 40, 16, 8
SHAPE = ["--layers", LAYERS, "--width", WIDTH, "--heads", HEADS, "--ff", FF, "--sequence", SEQUENCE,
         "--batch", BATCH]
PARAMETERS = 2 * 256 * WIDTH + LAYERS * (4 * WIDTH ** 2 + 3 * WIDTH * FF) + (2 * LAYERS + 1) * WIDTH
LAYOUTS = (["--tp", 2], ["--tp", 4, "--sequence-parallel"], ["--pp", 2, "--schedule", "afab"],
           ["--pp", 2, "--schedule", "zb-h1", "--stage-layers", "1,3"],
           ["--pp", 2, "--chunks", 2, "--recompute", "full"],
           ["--pp", 4, "--recompute", "selective"],
           ["--tp", 2, "--pp", 2, "--sequence-parallel", "--recompute", "full"],
           ["--dp", 2, "--pp", 2, "--zero", 3], ["--dp", 2, "--tp", 2, "--zero", 2],
           ["--dp", 2, "--tp", 2, "--pp", 2, "--chunks", 2, "--zero", 1])


def option(words, name, otherwise):
    return words[words.index(name) + 1] if name in words else otherwise


def says_where_everybody_is(run, words):
    dp, tp, pp = (option(words, name, 1) for name in ("--dp", "--tp", "--pp"))
    expect((run["ranks"], run["dp"], run["tp"], run["pp"]) == (dp * tp * pp, dp, tp, pp),
           f"{words}: {run}")
    places = [{"replica": replica, "stage": stage, "place": place} for stage in range(pp)
              for replica in range(dp) for place in range(tp)]
    expect(run["mesh"] == places, f"{words}: the mesh is {run['mesh']}")
    expect(run["sequence_parallel"] == ("--sequence-parallel" in words), f"{words}: {run}")
    chunks = option(words, "--chunks", 1)
    expect(run["chunks"] == chunks and len(run["stage_layers"]) == pp * chunks
           and sum(run["stage_layers"]) == LAYERS, f"{words}: layers {run['stage_layers']}")
    wanted = option(words, "--schedule", "none" if pp == 1 else "1f1b" if chunks == 1
                    else "interleaved")
    expect(run["schedule"] == wanted, f"{words}: schedule {run['schedule']}")
    expect(run["parameters"] == PARAMETERS, f"{words}: {run['parameters']} parameters")


def holds_what_it_should(run, words):
    """Moments: each number once a replica or, from stage 1 on, once overall; gains at each place."""
    copies = run["dp"] if run["zero"] == 0 else 1
    gains = (2 * LAYERS + 1) * WIDTH
    wanted = 8 * copies * (PARAMETERS + (run["tp"] - 1) * gains)
    held = sum(rank["moments"] for rank in run["memory"])
    expect(held == wanted, f"{words}: {held} bytes of moments, not {wanted}")


def follow_one_device(folder):
    _, alone = train(folder, "alone", *SHAPE, "--steps", 20)
    for words in LAYOUTS[::1 if LONG else 2]:
        run, steps = train(folder, "together", *SHAPE, "--steps", 20, "--meter", *words)
        off = farthest(losses(alone), losses(steps))
        print(f"{' '.join(map(str, words))}: {off:.1e} from one device")
        expect(off < 1e-5, f"{words}: {off} from one device")
        if run:
            says_where_everybody_is(run, words)
            holds_what_it_should(run, words)
            expect(len(steps[0]["sent_bytes_by_rank"]) == run["ranks"], f"{words}: {steps[0]}")


def same_order_same_bits(folder):
    """A pipeline adds in the order of one device with as many micro-batches: its file shows it."""
    shape = [*SHAPE, "--steps", 5]
    for micro, words in ((8, ["--pp", 4, "--micro-batches", 8]), (4, ["--pp", 2, "--chunks", 2]),
                         (4, ["--pp", 2, "--schedule", "zb-h1"]), (4, ["--pp", 2]),
                         (4, ["--pp", 2, "--schedule", "afab"]))[:None if LONG else 3]:
        _, alone = train(folder, "a", *shape, "--accumulate", micro, "--save", folder / "a.st")
        _, steps = train(folder, "b", *shape, *words, "--save", folder / "b.st")
        expect(losses(alone) == losses(steps), f"{words}: other losses than one device's")
        expect((folder / "a.st").read_bytes() == (folder / "b.st").read_bytes(),
               f"{words}: another file than one device's")
    _, whole = train(folder, "a", *shape, "--dp", 2, "--pp", 2, "--save", folder / "a.st")
    _, shards = train(folder, "b", *shape, "--dp", 2, "--pp", 2, "--zero", 1, "--save",
                      folder / "b.st")
    expect((folder / "a.st").read_bytes() == (folder / "b.st").read_bytes(),
           "shards of stages save another file than stages")


def resume(folder):
    _, straight = train(folder, "straight", *SHAPE, "--steps", 12)
    later = (["--tp", 2], ["--pp", 2, "--chunks", 2], ["--dp", 2, "--tp", 2, "--zero", 3],
             ["--dp", 2, "--pp", 2, "--zero", 2, "--stage-layers", "3,1"], [])
    for words in LAYOUTS[::1 if LONG else 4]:
        _, first = train(folder, "first", *SHAPE, "--steps", 6, *words, "--save", folder / "x.st")
        for others in (later[len(words) % 5], later[(len(words) + 2) % 5])[:2 if LONG else 1]:
            _, rest = train(folder, "rest", "--resume", folder / "x.st", "--steps", 12, *others)
            off = farthest(losses(straight), losses(first) + losses(rest))
            expect(off < 1e-5, f"{words}, then {others}: {off} from one device")
        _, whole = train(folder, "whole", *SHAPE, "--steps", 12, *words)
        _, rest = train(folder, "rest", "--resume", folder / "x.st", "--steps", 12, *words)
        expect(losses(rest) == losses(whole)[6:], f"{words}: resumed in the same layout, other bits")


def schedules_of_ones_own(folder):
    own = folder / "own.txt"
    own.write_text("# p = 2, m = 3\nF0 F1 .. .. B0 W0 F2 B1 W1 .. B2 W2\n"
                   ".. F0 B0 W0 F1 B1 W1 F2 B2 W2 ..\n")
    shape = [*SHAPE, "--steps", 4, "--pp", 2]
    _, named = train(folder, "named", *shape, "--micro-batches", 3)
    run, steps = train(folder, "own", *shape, "--schedule", own)
    expect(losses(steps) == losses(named), "a schedule from a file trains otherwise than by name")
    expect(run.get("micro_batches") == 3 and run.get("schedule") == str(own), f"the log says {run}")
    for text, told in (("F0 F1 B0 W0 B1 W1\nB0 F0 W0 F1 B1 W1\n", ("B0", "F0")),
                       ("F0 B0 W0 F1 B1 W1\nF1 B1 W1 F0 B0 W0\n", ("waits",)),
                       ("F0 F1 B0 W0 W1\nF0 F1 B0 W0 B1 W1\n", ("B1",)),
                       ("F0 F0 B0 W0\nF0 B0 W0\n", ("twice",)), ("F0 B0 W0\n", ("--pp",)),
                       ("F0 G0\n", ("G0",))):
        own.write_text(text)
        refused(folder, [*shape, "--schedule", own], *told)
    own.write_text("".join(" ".join(f"{kind}{m}" for m in range(9) for kind in "FBW") + "\n"
                           for _ in range(2)))
    refused(folder, [*shape, "--schedule", own], "9", "--batch")
    refused(folder, [*shape, "--schedule", folder / "nothing"], "nothing", "1f1b")


def refusals(folder):
    """Before anything is started, and once a checkpoint has said how large the model is."""
    train(folder, "kept", *SHAPE, "--steps", 1, "--save", folder / "kept.st")
    for words, told in ((["--tp", 3], "--tp"), (["--tp", 8], "--tp"), (["--pp", 5], "5"),
                        (["--pp", 2, "--chunks", 3], "--chunks"),
                        (["--pp", 2, "--micro-batches", 9], "9"),
                        (["--pp", 4, "--dp", 4], "4"), (["--dp", 16, "--tp", 2], "16"),
                        (["--pp", 2, "--chunks", 2, "--micro-batches", 3], "3"),
                        (["--pp", 2, "--stage-layers", "2,3"], "5")):
        refused(folder, [*SHAPE, "--steps", 2, *words], told)
        if "16" != told:  # many ranks, to no purpose
            refused(folder, ["--resume", folder / "kept.st", "--steps", 2, *words], told)
    refused(folder, [*SHAPE, "--micro-batches", 2, "--accumulate", 2], "--accumulate")
    refused(folder, [*SHAPE, "--sequence-parallel"], "--tp")
    refused(folder, [*SHAPE, "--chunks", 2], "--pp")
    refused(folder, [*SHAPE, "--dp", 64, "--tp", 4, "--pp", 2], "512")


with tempfile.TemporaryDirectory() as place:
    follow_one_device(pathlib.Path(place))
    same_order_same_bits(pathlib.Path(place))
    resume(pathlib.Path(place))
    schedules_of_ones_own(pathlib.Path(place))
    refusals(pathlib.Path(place))
finish("all layouts train as one device does")
