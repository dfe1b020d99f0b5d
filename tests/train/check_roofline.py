#!/usr/bin/env python3
"""`bench step --operators` in the real trainer: rows that add up to the step, and the formulas of the
calls that a step really makes. No time is judged."""
import json
import math
import os
import subprocess
import sys

from on_ranks import PATIENCE, environment, info, place

problems = []


def expect(holds, what):
    if not holds:
        problems.append(what)


def measure():
    """What the trainer says, after one step of each shape."""
    run = subprocess.run([info["mpiexec"], "-n", "1", place / "bin" / "vialata-trainer",
                          "bench-operators", "1"], capture_output=True, text=True, timeout=2 * PATIENCE,
                         env=dict(environment, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "")
                                  + ":detect_leaks=0"))
    if run.returncode != 0:
        sys.exit(f"bench-operators: exit status {run.returncode}: {run.stderr}")
    return json.loads(run.stdout)["roofline"]


def multiplying(s):
    """Parameters of the layers' matrices, and of the logits'."""
    return s["layers"] * (4 * s["width"] ** 2 + 3 * s["width"] * s["ff"]), s["vocabulary"] * s["width"]


def check(s):
    name = f"L{s['layers']} D{s['width']}"
    rows = {row["operator"]: row for row in s["operators"]}
    seconds = [row["seconds"] for row in s["operators"]]
    expect(len(rows) == len(s["operators"]) == 22, f"{name}: {len(s['operators'])} rows")
    expect(math.isclose(sum(seconds), s["seconds"], rel_tol=1e-9),
           f"{name}: the rows take {sum(seconds)} s, the step {s['seconds']} s")
    expect(min(seconds) > 0, f"{name}: a row without time: {seconds}")

    tokens, layers, width = s["batch"] * s["sequence"], s["layers"], s["width"]
    in_layers, in_logits = multiplying(s)
    for kind in ("forward", "backward_input", "backward_weight"):
        for operator, parameters, calls in (("linear", in_layers, 4 * layers), ("logits", in_logits, 1)):
            row = rows[f"{operator}_{kind}"]
            expect(row["flops"] == 2 * tokens * parameters, f"{name}: {row}")
            expect(row["calls"] == calls, f"{name}: {row}")
    expect(rows["rmsnorm_forward"]["calls"] == 2 * layers + 1, f"{name}: {rows['rmsnorm_forward']}")
    expect(rows["update"]["bytes"] == 8 * rows["zeroing"]["bytes"], f"{name}: {rows['update']}")

    # Of what the budget counts, the operators leave out the masked half of attention; they add small
    # terms: 10 per pair for the softmax, and everything outside the products.
    counted = 6 * tokens * (in_layers + in_logits) + 12 * layers * tokens * width * s["sequence"]
    expect(s["counted_flops"] == counted, f"{name}: counted {s['counted_flops']}, not {counted}")
    pairs = s["batch"] * s["heads"] * s["sequence"] * (s["sequence"] + 1) / 2
    masked = 6 * layers * tokens * width * (s["sequence"] - 1)
    other = sum(row["flops"] for operator, row in rows.items()
                if operator != "rest" and not operator.startswith(("linear", "logits", "attention")))
    expect(s["flops"] == counted - masked + 10 * layers * pairs + other,
           f"{name}: {s['flops']} FLOPs, expected {counted - masked + 10 * layers * pairs + other}")
    expect(0 < other < 0.02 * counted, f"{name}: {other} FLOPs outside the products")

    for operator, row in rows.items():
        if operator == "rest":
            continue
        least = max(row["flops"] / (1e9 * s["sgemm_gflops"]),
                    row["bytes"] / (1e9 * s["memory_gb_per_second"]))
        expect(math.isclose(row["share"], least / row["seconds"], rel_tol=1e-9), f"{name}: {row}")


shapes = measure()
expect(len(shapes) == 2, f"{len(shapes)} shapes")
for shape in shapes:
    check(shape)
print("\n".join(problems) or "rows and rest are the step, and their FLOPs what was worked out")
sys.exit(1 if problems else 0)
