#!/usr/bin/env python3
"""A model with experts trains as on one device wherever its experts are; a checkpoint of one mesh
goes on in any other with its bias, and in the same one bit for bit; eval reads it; what cannot be
is refused with the reason.
"""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import checkpoint_reader
from training import LONG, PROGRAM, expect, farthest, finish, losses, refused, train

LAYERS, WIDTH, SEQUENCE, BATCH, EXPERTS, CHOSEN = 2, 32, 16, 8, 4, 2
FF = 32  # 96 of a dense model, divided by 3
SHAPE = ["--layers", LAYERS, "--width", WIDTH, "--heads", 4, "--sequence", SEQUENCE, "--batch",
         BATCH, "--experts", EXPERTS]
DENSE = 2 * 256 * WIDTH + LAYERS * (4 * WIDTH ** 2 + 3 * WIDTH * FF + (2 + EXPERTS) * WIDTH) + WIDTH
EVERYWHERE = LAYERS * (2 + EXPERTS) * WIDTH + WIDTH  # of these gains and routers, never cut
ROUTED = LAYERS * EXPERTS * 3 * WIDTH * FF
LAYOUTS = (["--dp", 2], ["--ep", 2], ["--ep", 4, "--zero", 3], ["--dp", 2, "--ep", 2, "--zero", 2],
           ["--pp", 2], ["--ep", 2, "--pp", 2, "--recompute", "full"],
           ["--dp", 2, "--ep", 2, "--pp", 2, "--zero", 1], ["--dp", 2, "--zero", 1],
           ["--tp", 2], ["--ep", 2, "--tp", 2, "--sequence-parallel", "--zero", 3],
           ["--ep", 2, "--tp", 2, "--pp", 2, "--recompute", "full"],
           ["--tp", 4, "--sequence-parallel", "--recompute", "selective"])

TWO_LEVELS = (["--dp", 4, "--flat", "--node-replicas", 2],
              ["--dp", 4, "--ep", 2, "--flat", "--node-replicas", 4],
              ["--dp", 2, "--ep", 2, "--flat", "--node-replicas", 2])


def option(words, name, otherwise):
    return words[words.index(name) + 1] if name in words else otherwise


def says_what_it_is(run, words):
    dp, ep, pp, tp = (option(words, name, 1) for name in ("--dp", "--ep", "--pp", "--tp"))
    wanted = {"ranks": dp * ep * pp * tp, "dp": dp, "ep": ep, "pp": pp, "tp": tp,
              "experts": EXPERTS, "top_k": CHOSEN, "balance": "bias", "parameters": DENSE + ROUTED}
    for key, value in wanted.items():
        expect(run[key] == value, f"{words}: {key} is {run[key]}, not {value}")
    expect(run["shape"]["ff"] == FF, f"{words}: {run['shape']}")
    held = sum(rank["moments"] for rank in run["memory"])
    copies = (1, 1) if run["zero"] > 0 else (dp * ep, dp)  # of dense units, of experts
    dense = DENSE + (tp - 1) * EVERYWHERE
    expect(held == 8 * (copies[0] * dense + copies[1] * ROUTED),
           f"{words}: {held} bytes of moments")


def violations(steps):
    return [step["max_violation"] for step in steps]


def follow_one_device(folder):
    run, alone = train(folder, "alone", *SHAPE, "--steps", 15)
    says_what_it_is(run, [])
    for words in (*LAYOUTS, *TWO_LEVELS)[slice(None) if LONG else slice(1, None, 4)]:
        run, steps = train(folder, "together", *SHAPE, "--steps", 15, *words)
        off = farthest(losses(alone), losses(steps))
        print(f"{' '.join(map(str, words))}: {off:.1e} from one device")
        expect(off < 1e-7, f"{words}: {off} from one device")
        expect(violations(steps)[0] == violations(alone)[0], f"{words}: another load at first")
        if run:
            says_what_it_is(run, words)


def resume(folder):
    _, straight = train(folder, "straight", *SHAPE, "--steps", 10)
    for i, words in list(enumerate(LAYOUTS))[slice(None) if LONG else slice(2, None, 4)]:
        _, whole = train(folder, "whole", *SHAPE, "--steps", 10, *words)
        train(folder, "first", *SHAPE, "--steps", 5, *words, "--save", folder / "x.st")
        others = ([], *LAYOUTS)[(i + 5) % (len(LAYOUTS) + 1)]
        _, rest = train(folder, "rest", "--resume", folder / "x.st", "--steps", 10, *others)
        off = farthest(losses(straight)[5:], losses(rest))
        expect(off < 1e-5, f"{words}, then {others}: {off} from one device")
        _, rest = train(folder, "rest", "--resume", folder / "x.st", "--steps", 10, *words)
        expect(losses(rest) == losses(whole)[5:] and violations(rest) == violations(whole)[5:],
               f"{words}: resumed in the same layout, other bits")


def bias_rides_along(folder):
    """Each step moves every bias by the speed, or not at all; without balance all stay at zero."""
    speed = 0.25
    for name, words in (("bias", ["--bias-speed", speed]), ("none", ["--balance", "none"])):
        train(folder, name, *SHAPE, "--steps", 3, "--ep", 2, "--pp", 2, *words, "--save",
              folder / f"{name}.st")
        tensors, metadata, _ = checkpoint_reader.read(folder / f"{name}.st")
        expect(metadata["n_routed_experts"] == str(EXPERTS), f"metadata: {metadata}")
        for layer in range(LAYERS):
            shape, bias = tensors[f"model.layers.{layer}.mlp.gate.e_score_correction_bias"]
            expect(shape == [EXPERTS], f"a bias of shape {shape}")
            moved = [b / speed for b in bias]
            expect(all(m == int(m) and abs(m) <= 3 for m in moved), f"{name}: bias {bias}")
            expect(any(moved) == (name == "bias"), f"{name}: bias {bias}")
    run, _ = train(folder, "on", "--resume", folder / "none.st", "--steps", 4)
    expect(run.get("balance") == "none", f"resumed without balance: {run}")
    run, _ = train(folder, "on", "--resume", folder / "bias.st", "--steps", 4)
    expect(run.get("bias_speed") == speed, f"resumed with another speed: {run}")


def eval_agrees(folder):
    """Compared with a separate computation from the file alone, bias included."""
    text = pathlib.Path(__file__).read_bytes()[:129]
    (folder / "text").write_bytes(text)
    train(folder, "long", *SHAPE, "--steps", 40, "--lr", 0.01, "--bias-speed", 0.02, "--dp", 2,
          "--ep", 2, "--save", folder / "l.st")
    tensors, metadata, _ = checkpoint_reader.read(folder / "l.st")
    wanted = checkpoint_reader.mean_loss(tensors, metadata, text)
    told = subprocess.run([PROGRAM, "eval", "--checkpoint", folder / "l.st", "--data",
                           folder / "text", "--json"], capture_output=True, text=True, timeout=300)
    expect(told.returncode == 0, f"eval: {told.stderr}")
    if told.returncode == 0:
        off = abs(json.loads(told.stdout)["loss"] - wanted) / wanted
        print(f"eval: {off:.1e} from what the file says")
        expect(off < 1e-5, f"eval says {told.stdout}, the file {wanted}")
    for name in [n for n in tensors if n.endswith("bias")]:
        tensors[name] = (tensors[name][0], [0.0] * EXPERTS)
    expect(abs(checkpoint_reader.mean_loss(tensors, metadata, text) - wanted) > 1e-4 * wanted,
           "the bias chooses nothing here, so this shows nothing about it")
    told = subprocess.run([PROGRAM, "sample", "--checkpoint", folder / "l.st", "--bytes", "40"],
                          capture_output=True, text=True, timeout=300)
    expect(told.returncode == 0 and len(told.stdout) > 20, f"sample: {told}")


def loads_are_counted(folder):
    """Shares of a layer add up to one; of a text in two halves they are the mean of the halves';
    MaxVio follows from them; a dense model is refused."""
    def evaluate(text, *words):
        (folder / "text").write_bytes(text)
        return subprocess.run([PROGRAM, "eval", "--lang", "en", "--checkpoint", folder / "l.st",
                               "--data", folder / "text", *words], capture_output=True, text=True,
                              timeout=300)
    text = pathlib.Path(__file__).read_bytes()[:8 * SEQUENCE + 1]
    parts = (text, text[:4 * SEQUENCE + 1], text[4 * SEQUENCE:])
    told = [evaluate(part, "--loads", "--json") for part in parts]
    expect(all(t.returncode == 0 for t in told), f"eval --loads: {told}")
    whole, *halves = [json.loads(t.stdout) for t in told if t.returncode == 0] or [{}]
    for layer in range(LAYERS):
        shares = whole["loads"][layer]
        expect(len(shares) == EXPERTS and abs(sum(shares) - 1) < 1e-12, f"shares {shares}")
        mean = [sum(h["loads"][layer][e] for h in halves) / 2 for e in range(EXPERTS)]
        expect(max(abs(a - b) for a, b in zip(shares, mean)) < 1e-12, f"{shares} is not {mean}")
        expect(all(abs(s * 8 * SEQUENCE * CHOSEN - round(s * 8 * SEQUENCE * CHOSEN)) < 1e-9
                   for s in shares), f"{shares} of {8 * SEQUENCE * CHOSEN} choices")
        expect(abs(whole["max_violation"][layer] - (max(shares) * EXPERTS - 1)) < 1e-9,
               f"MaxVio of {shares}: {whole['max_violation'][layer]}")
    expect(halves[0]["loads"] != halves[1]["loads"], "two texts, and the very same loads")
    shown = evaluate(text, "--loads").stdout
    expect(shown.count("MaxVio") == LAYERS and shown.count("%") == LAYERS * EXPERTS, shown)
    plain = evaluate(text, "--json").stdout
    expect(set(json.loads(plain)) == {"loss", "windows", "bytes"}, plain)
    train(folder, "dense", *SHAPE[:-2], "--steps", 1, "--save", folder / "l.st")
    said = evaluate(text, "--loads")
    expect(said.returncode == 2 and "--loads" in said.stderr and not said.stdout, f"{said}")


def groups_limit_choices(folder):
    """With all groups open nothing changes, to the last bit. With one of two open the choices do,
    alike on one device and on several, and a checkpoint carries the groups along."""
    _, without = train(folder, "without", *SHAPE, "--steps", 6)
    run, opened = train(folder, "open", *SHAPE, "--steps", 6, "--expert-groups", 2)
    expect((run["expert_groups"], run["group_limit"]) == (2, 2), f"{run}")
    expect(losses(opened) == losses(without), "open groups change the losses")
    groups = ["--expert-groups", 2, "--group-limit", 1]
    _, limited = train(folder, "limited", *SHAPE, "--steps", 6, *groups)
    expect(losses(limited) != losses(without), "the limit changes nothing")
    _, spread = train(folder, "spread", *SHAPE, "--steps", 6, *groups, "--ep", 2, "--zero", 3)
    off = farthest(losses(limited), losses(spread))
    expect(off < 1e-7, f"groups on two ranks: {off} from one device")
    train(folder, "first", *SHAPE, "--steps", 3, *groups, "--save", folder / "g.st")
    run, rest = train(folder, "rest", "--resume", folder / "g.st", "--steps", 6)
    expect((run["expert_groups"], run["group_limit"]) == (2, 1), f"{run}")
    expect(losses(rest) == losses(limited)[3:], "resumed groups give other losses")
    refused(folder, ["--resume", folder / "g.st", "--group-limit", 2, "--steps", 7],
            "--group-limit")


def spoilt_numbers(folder):
    """NaN in a router shows in the loss, on all ranks in the same step. A bias is in no loss, so a
    file with NaN there is refused."""
    train(folder, "sound", *SHAPE, "--steps", 2, "--save", folder / "sound.st")
    places = checkpoint_reader.read(folder / "sound.st")[2]
    gate = "model.layers.0.mlp.gate."
    layouts = ([], ["--ep", 2, "--tp", 2], ["--pp", 2, "--dp", 2])
    for number, (name, told) in enumerate(((gate + "weight", "step 3"),
                                           ("model.layers.0.mlp.experts.0.up_proj.weight", "step 3"),
                                           (gate + "e_score_correction_bias", "spoilt.st"))):
        content = bytearray((folder / "sound.st").read_bytes())
        struct.pack_into(f"<{EXPERTS}f", content, places[name], *[float("nan")] * EXPERTS)
        (folder / "spoilt.st").write_bytes(content)
        for words in layouts if LONG else layouts[number:number + 1]:
            said = train(folder, "on", "--resume", folder / "spoilt.st", "--steps", 4, *words,
                         code=2)
            expect(isinstance(said, str) and said.count("\n") == 1 and told in said,
                   f"{name} spoilt, {words}: {said!r}")
        evaluated = subprocess.run([PROGRAM, "eval", "--checkpoint", folder / "spoilt.st"],
                                   capture_output=True, text=True, timeout=300)
        expect(evaluated.returncode == 2 and "spoilt.st" in evaluated.stderr,
               f"{name} spoilt: eval {evaluated}")


def refusals(folder):
    train(folder, "kept", *SHAPE, "--steps", 1, "--save", folder / "kept.st")
    train(folder, "dense", *SHAPE[:-2], "--steps", 1, "--save", folder / "dense.st")
    kept, dense = ["--resume", folder / "kept.st"], ["--resume", folder / "dense.st"]
    for words, told in (([*SHAPE, "--top-k", 5], "5"), ([*SHAPE, "--ep", 3], "3"),
                        ([*SHAPE, "--tp", 4, "--ff", 42], "42"),
                        ([*SHAPE, "--ep", 4, "--dp", 4], "16"), (["--ep", 2], "--experts"),
                        (["--top-k", 2], "--experts"), (["--balance", "none"], "--experts"),
                        ([*kept, "--ep", 3], "3"), ([*kept, "--tp", 8], "--tp"),
                        ([*kept, "--top-k", 1], "--top-k"),
                        ([*kept, "--balance", "none"], "--balance"),
                        ([*dense, "--ep", 2], "--ep"), ([*dense, "--experts", 4], "--experts")):
        refused(folder, [*words, "--steps", 2], told)


with tempfile.TemporaryDirectory() as place:
    follow_one_device(pathlib.Path(place))
    resume(pathlib.Path(place))
    bias_rides_along(pathlib.Path(place))
    eval_agrees(pathlib.Path(place))
    loads_are_counted(pathlib.Path(place))
    groups_limit_choices(pathlib.Path(place))
    spoilt_numbers(pathlib.Path(place))
    refusals(pathlib.Path(place))
finish("experts train as on one device, wherever they are")
