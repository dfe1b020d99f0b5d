#!/usr/bin/env python3
"""Replicas train as one device does: the same losses, whoever holds what; bytes and memory as the
closed forms say; a checkpoint of one layout goes on in another.
"""
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
from training import LONG, expect, farthest, finish, losses, refused, train

STEPS = 100 if LONG else 15


def chunk(n, rank, ranks):
    return n // ranks + (rank < n % ranks)


def units_of(shape):
    d, f, v = shape["width"], shape["ff"], shape["vocabulary"]
    return [v * d] + shape["layers"] * [4 * d * d + 3 * d * f + 2 * d] + [d + v * d]


def ring(n, rank, ranks):
    """Elements that one rank sends in a ring reduce-scatter of n: all chunks but its own."""
    return n - chunk(n, rank, ranks)


def gather(n, rank, ranks):
    """... in a ring all-gather: all chunks but that of the next rank."""
    return n - chunk(n, (rank + 1) % ranks, ranks)


def sent(units, stage, rank, ranks):
    """Bytes of one step with one micro-batch: gradients, weights, and 8 bytes for the loss."""
    loss = 8 * (ranks - 1)
    norm = 8 * (ranks - 1) * len(units) if stage > 0 else 0
    gradients = sum(ring(u, rank, ranks) for u in units)
    weights = sum(gather(u, rank, ranks) for u in units) * (2 if stage == 3 else 1)
    return 4 * (gradients + weights) + loss + norm


def held(units, stage, rank, ranks):
    """Bytes of weights, gradients, moments and lent buffers."""
    psi, shard = sum(units), sum(chunk(u, rank, ranks) for u in units)
    weights, gradients = (shard if stage == 3 else psi), (shard if stage >= 2 else psi)
    moments = 2 * (shard if stage >= 1 else psi)
    lent = 2 * max(units) * ((stage >= 2) + (stage == 3))
    return {"weights": 4 * weights, "gradients": 4 * gradients, "moments": 4 * moments,
            "lent": 4 * lent}


def follow_one_device(folder):
    _, alone = train(folder, "alone", "--steps", STEPS)
    bits = None
    for stage in (0, 1, 2, 3):
        run, steps = train(folder, f"zero{stage}", "--steps", STEPS, "--dp", 4, "--zero", stage,
                           "--meter")
        expect((run["dp"], run["zero"], run["ranks"]) == (4, stage, 4), f"stage {stage}: {run}")
        off = farthest(losses(alone), losses(steps))
        print(f"--dp 4 --zero {stage}: {off:.1e} from one device over {STEPS} steps")
        expect(off < 1e-5, f"stage {stage} is {off} from one device")
        bits = bits or losses(steps)
        expect(losses(steps) == bits, f"the bits of stage {stage} differ from those of stage 0")
        check_counts(run, steps, stage, 4)


def check_counts(run, steps, stage, ranks):
    units = units_of(run["shape"])
    for rank, memory in enumerate(run["memory"]):
        wanted = held(units, stage, rank, ranks)
        got = {kind: memory[kind] for kind in wanted}
        expect(got == wanted, f"stage {stage}, rank {rank} holds {got}, not {wanted}")
    wanted = [sent(units, stage, rank, ranks) for rank in range(ranks)]
    expect(steps[-1]["sent_bytes_by_rank"] == wanted,
           f"stage {stage}, {ranks} ranks: sent {steps[-1]['sent_bytes_by_rank']}, not {wanted}")
    expect(steps[-1]["sent_bytes"] == sum(wanted), f"stage {stage}: the sum of the bytes")


def small(folder):
    """Units, and rows, that no number of replicas divides evenly."""
    shape = ["--layers", 2, "--width", 12, "--heads", 2, "--ff", 7, "--sequence", 16, "--batch", 7,
             "--steps", 12]
    _, alone = train(folder, "small", *shape)
    for ranks, words in ((4, ["--flat", "--node-replicas", 2]), (3, ["--bucket", 4096]), (5, ["--zero", 2]),
                         (3, ["--zero", 3]), (2, ["--flat"]), (5, []), (3, ["--zero", 1]),
                         (1, ["--zero", 3]))[:None if LONG else 4]:
        name = f"small on {ranks} {' '.join(map(str, words))}"
        run, steps = train(folder, "shared", *shape, "--dp", ranks, "--meter", *words)
        off = farthest(losses(alone), losses(steps))
        expect(off < 1e-5, f"{name}: {off} from one device")
        if "--flat" not in words and "--bucket" not in words:
            check_counts(run, steps, run["zero"], ranks)
    _, whole = train(folder, "micro", *shape, "--dp", 3, "--accumulate", 2)
    expect(farthest(losses(alone), losses(whole)) < 1e-5, "micro-batches change the losses")


def resume(folder):
    """Saved by shards, resumed on one device and on others; the file is the same either way. With
    --ff 1 two matrices have one row, and are matrices still."""
    shape = ["--layers", 1, "--width", 16, "--heads", 2, "--ff", 1, "--sequence", 16, "--batch", 6]
    train(folder, "a", *shape, "--steps", 6, "--dp", 3, "--zero", 3, "--save", folder / "a.st")
    train(folder, "b", *shape, "--steps", 6, "--dp", 3, "--save", folder / "b.st")
    expect((folder / "a.st").read_bytes() == (folder / "b.st").read_bytes(),
           "shards and replicas save different files")
    _, straight = train(folder, "c", *shape, "--steps", 12, "--dp", 3, "--zero", 3)
    for words in (["--dp", 2, "--zero", 2], [], ["--dp", 3, "--zero", 3])[:None if LONG else 1]:
        _, later = train(folder, "d", "--resume", folder / "a.st", "--steps", 12, *words)
        expect(later[0]["step"] == 7, "a resumed run begins with the next step")
        expect(farthest(losses(straight)[6:], losses(later)) < 1e-5, f"resumed on {words}")
    _, later = train(folder, "e", "--resume", folder / "a.st", "--steps", 12, "--dp", 3, "--zero", 3)
    expect(losses(later) == losses(straight)[6:], "resumed in the same layout, other bits")


def refusals(folder):
    for words, told in ((["--dp", 9], "9"), (["--dp", 2, "--accumulate", 5], "--accumulate"),
                        (["--dp", 2, "--data", folder / "nothing"], "nothing"),
                        (["--dp", 2, "--resume", folder / "nothing"], "nothing"),
                        (["--dp", 2, "--trace", folder / "nowhere" / "t"], "nowhere")):
        refused(folder, [*words, "--steps", 1], told)


with tempfile.TemporaryDirectory() as place:
    follow_one_device(pathlib.Path(place))
    small(pathlib.Path(place))
    resume(pathlib.Path(place))
    refusals(pathlib.Path(place))
finish("replicas train as one device does")
