"""Mistakes that nobody has planted: what the grader finds out about them by experiments.

Each bug is one that was invented for this check, in a reference; its cause is a sentence that no
mistake has.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from share import share

root = pathlib.Path(os.environ["VIALATA_ROOT"])
program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
failures = 0
SMALL = "with one small change there"
NOTHING_SMALL = ""  # in place of words: no such change is told

# What it is, lab, file, function, the lines of the reference, what somebody wrote, code, words.
bugs = [
    ("gate and up taken in pairs", "01_training_step", "forward.c", "vl_swiglu_forward",
     "gate[j] / (1.0f + fast_exp(-gate[j])) * up[j]",
     "gate[2 * j] / (1.0f + fast_exp(-gate[2 * j])) * gate[2 * j + 1]",
     "misread_order", "the two dimensions of each row of gate_up, 2 x ff, had changed places"),
    ("a norm without its gain", "01_training_step", "forward.c", "vl_rmsnorm_forward",
     "y[i * d + j] = row[j] * inverse * gain[j];",
     "y[i * d + j] = row[j] * row[j] * inverse * inverse;",
     "independent_of_input", "a change in gain should change y"),
    ("attention that sees four tokens", "01_training_step", "forward.c", "vl_attention_forward",
     "float sum = exp_shifted(share, share, &largest, i + 1);",
     "if (i > 3)\n                    memset(share, 0, (i - 3) * sizeof *share);\n"
     "                float sum = exp_shifted(share, share, &largest, i + 1);",
     "wrong_element", "a change in qkv["),
    ("the scores' gradient", "01_training_step", "backward.c", "vl_attention_backward_input",
     "d[j] = p[j] * (d[j] - sum);", "d[j] = p[j] * (d[j] - sum / sqrtf((float)(i + 1)));",
     "wrong_part", "Of the three equal parts of each row of dqkv, only part 3 is right."),
    ("a gain that counts twice", "01_training_step", "backward.c", "vl_rmsnorm_backward_input",
     "dx[i * d + j] = inverse * (dy_row[j] * gain[j] -",
     "dx[i * d + j] = inverse * (dy_row[j] * gain[j] * gain[j] -",
     "wrong_power", "Halving gain should halve its share in dx"),
    ("one rank's share left out", "03_data_parallel", "replicas.c", "vl_replica_reduce",
     "    return vl_all_reduce(comm, gradients, n);",
     "    int rank;\n    MPI_Comm_rank(comm, &rank);\n"
     "    for (size_t i = 0; i < n && rank == 1; i++)\n        gradients[i] = 0;\n"
     "    return vl_all_reduce(comm, gradients, n);",
     "nothing_arrives", "nothing of what other ranks have in gradients arrives in gradients (rank 0)"),
    ("derivative of another function", "09_expert_balancing", "loss.c", "vl_balance_loss_backward",
     "(a / sum) * (1.0 - a));", "(a / sum) * (1.0 - a / sum));",
     "wrong_use_of", "changes with affinity and with no other input"),
    ("a sum that does not begin at 0", "08_expert_parallel", "plan.c", "vl_dispatch_plan",
     "    dispatch->rows = 0;\n", "", "uninitialised",
     "This case would be right if the memory that the function fills held zeros beforehand"),
    ("a number left over", "01_training_step", "step.c", "vl_training_step",
     "float scale = 1.0f;\n", "float scale = 1.0f;\n    loss += 0.5;\n",
     "constant_added", "The error of loss is the same whatever the inputs are"),
    ("a sum beyond the mask", "01_training_step", "backward.c", "vl_attention_backward_input",
     "for (size_t j = 0; j <= i; j++)\n            sum += p[j] * d[j];",
     "for (size_t j = 0; j < end; j++)\n            sum += p[j] * d[j];",
     "reads_beyond_mask", "the result becomes correct when probs is set to 0 right of the diagonal"),
]

# The same of code that is built otherwise than the reference.
repairs = [
    ("a sum in two halves", "01_training_step", "forward.c", "vl_rmsnorm_forward",
     "            squares += (double)row[j] * (double)row[j];\n"
     "        double mean = d > 0 ? squares / (double)d : 0.0;",
     "            squares += j % 2 == 0 ? (double)row[j] * row[j] : 0;\n"
     "        double odd = 0;\n"
     "        for (size_t j = 1; j < d; j += 2)\n            odd += (double)row[j] * row[j];\n"
     "        double mean = d > 0 ? fabs(squares - odd) / (double)d : 0.0;",
     "wrong_use_of", "forward.c:27-31`: with one small change there, all cases of this function are right"),
    ("a loop without its tail", "01_training_step", "forward.c", "vl_rmsnorm_forward",
     "#pragma omp simd\n        for (size_t j = 0; j < d; j++)\n"
     "            y[i * d + j] = row[j] * inverse * gain[j];",
     "        for (size_t j = 0; j + 4 <= d; j += 4) {\n"
     "            y[i * d + j] = row[j] * inverse * gain[j];\n"
     "            y[i * d + j + 1] = row[j + 1] * inverse * gain[j + 1];\n"
     "            y[i * d + j + 2] = row[j + 2] * inverse * gain[j + 2];\n"
     "            y[i * d + j + 3] = row[j + 3] * inverse * gain[j + 3];\n        }",
     "unwritten", NOTHING_SMALL),
    ("a sum that nothing repairs", "01_training_step", "forward.c", "vl_rmsnorm_forward",
     "squares += (double)row[j] * (double)row[j];",
     "squares += 1.5 * pow(fabs((double)row[j]), 1.7);",
     "wrong_use_of", NOTHING_SMALL),
]


def expect(what, holds, otherwise=""):
    global failures
    failures += not holds
    print(f"{'ok' if holds else 'FAILED':7}{what}" + ("" if holds else f": {otherwise}"), flush=True)


def grade(folder, lab, *only):
    graded = subprocess.run([program, "grade", lab[:2], "--submission", folder, *only,
                             "--lang", "en", "--no-speed", "--format", "json"],
                            text=True, capture_output=True)
    if not graded.stdout:
        sys.exit(f"no verdict: {graded.stderr}")
    return json.loads(graded.stdout)


def check(scratch, what, lab, file, function, old, new, code, words):
    folder = pathlib.Path(scratch, what)
    shutil.copytree(root / "solutions" / lab, folder)
    text = (folder / file).read_text()
    if text.count(old) != 1:
        sys.exit(f"{what}: the reference has changed")
    (folder / file).write_text(text.replace(old, new))
    cases = [c for c in grade(folder, lab, "--only", function)["cases"] if c["status"] == "failed"]
    told = [c["message"] for c in cases if c["code"] == code]
    expect(what, any(words in message for message in told) and
           (words != NOTHING_SMALL or not any(SMALL in message for message in told)),
           [(c["code"], c["message"]) for c in cases])


def check_name(scratch):
    """A submission may be a single file, and have the name of the file that holds the changes: it is read again
    for each function."""
    text = (root / "solutions/01_training_step/budget.c").read_text()
    for old, new in (("+ head + gains;", "+ head + gains + shape->ff;"),
                     ("flops_per_token / peak;", "flops_per_token / peak + 7e6 / flops_per_token;")):
        if text.count(old) != 1:
            sys.exit(f"altered_1.c: the reference has changed: {old}")
        text = text.replace(old, new)
    path = pathlib.Path(scratch, "altered_1.c")
    path.write_text(text)
    cases = grade(path, "01")["cases"]
    for case in ("parameter_count.large", "mfu.plain"):
        told = [c["message"] for c in cases if c["id"] == case]
        expect(f"a file of the name altered_1.c: {case}", SMALL in told[0], told)


with tempfile.TemporaryDirectory() as scratch:
    check_name(scratch)
    chosen = share([bug[0] for bug in [*bugs, *repairs]], few=10, long=1)
    for bug in [*bugs, *repairs]:
        if bug[0] in chosen:
            check(scratch, *bug)
sys.exit(failures > 0)
