"""Bugs that no known mistake explains, and what the report tells instead: a pattern, or what is kept
from an earlier call, or what only the first call does.

Each is the reference of a lab with an edit that a student might have made. It is said in one case, in
the words that are expected here.
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

BUTTERFLY = """    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    float *other = malloc((n + 1) * sizeof *other);
    if (other == NULL)
        return VL_ENOMEM;
    for (int step = 1; step < ranks; step *= 2) {
        int peer = rank ^ step;
        if (peer >= ranks)
            continue;
        MPI_Sendrecv(gradients, (int)n, MPI_FLOAT, peer, 5, other, (int)n, MPI_FLOAT, peer, 5, comm,
                     MPI_STATUS_IGNORE);
        for (size_t i = 0; i < n; i++)
            gradients[i] += other[i];
    }
    free(other);
    return VL_OK;
"""

FROM_WORLD = """    int rank, mine, root = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_rank(comm, &mine);
    if (rank != 0)
        mine = 0;
    MPI_Allreduce(&mine, &root, 1, MPI_INT, MPI_MAX, comm);
    return vl_broadcast(comm, weights, n * sizeof *weights, root);
"""

EVEN_SHARES = """    int ranks;
    MPI_Comm_size(comm, &ranks);
    size_t even = n / (size_t)ranks * (size_t)ranks;
    for (size_t i = even; data != NULL && i < n; i++)
        data[i] *= 0.5f;
    return ring_start(transfer, comm, data, even, sizeof *data, tag, 0, 2);
"""

KEPT_ROOTS = """        static float kept[4096];
        static size_t known;
        if (i == known && known < 4096)
            kept[known++] = (float)(1.0 / sqrt(mean + (double)VL_RMSNORM_EPS));
        float inverse = kept[i < 4096 ? i : 4095];
"""

KEPT_RESULT = """    static float kept[1 << 16], roots[1 << 10];
    static size_t rows, cols;
    if (n == rows && d == cols) {
        memcpy(y, kept, n * d * sizeof *y);
        memcpy(inv_rms, roots, n * sizeof *inv_rms);
        return VL_OK;
    }
"""

KEEP_RESULT = """    rows = n;
    cols = d;
    memcpy(kept, y, n * d * sizeof *y);
    memcpy(roots, inv_rms, n * sizeof *inv_rms);
    return VL_OK;
}
"""

KEPT_SUMS = """    static double kept[256];
    static size_t known;
    if (experts == known) {
        memcpy(counts, kept, experts * sizeof *counts);
        return VL_OK;
    }
    size_t n = (size_t)ranks * experts;
"""

MADE_ONCE = """    static MPI_Comm own;
    static int made;
    if (!made++)
        MPI_Comm_dup(comm, &own);
    size_t n = (size_t)ranks * experts;
"""

# Name, lab, function or case, file, edits (old, new), code, part of the sentence.
BUGS = [
    ("partners by a flipped bit", "03_data_parallel", "vl_replica_reduce", "replicas.c",
     [('#include "vialata/data_parallel.h"\n', '#include "vialata/data_parallel.h"\n#include <stdlib.h>\n'),
      ("    return vl_all_reduce(comm, gradients, n);\n", BUTTERFLY)],
     "only_powers_of_two", "wrong on 3 and 5"),
    ("the rank in MPI_COMM_WORLD", "03_data_parallel", "vl_replica_equalise", "replicas.c",
     [("    for (size_t done = 0; done < n; done += PIECE) {\n", FROM_WORLD +
       "    for (size_t done = 0; done < n; done += PIECE) {\n")],
     "world_ranks", "MPI_COMM_WORLD"),
    ("the remainder is not summed", "02_collectives", "vl_all_reduce_start", "transfer.c",
     [("    return ring_start(transfer, comm, data, n, sizeof *data, tag, 0, 2);\n", EVEN_SHARES)],
     "only_multiples", "`n` is a multiple of the ranks"),
    ("a tree without a last round that is not full", "02_collectives", "vl_broadcast_seconds",
     "cost.c",
     [("    int rounds = 0;\n    while (1LL << rounds < ranks)\n        rounds++;\n"
       "    *seconds = rounds * message(road, bytes);\n",
       "    *seconds = __builtin_log2((double)ranks) * message(road, bytes);\n")], "only_powers_of_two", "wrong on 3, 5"),
    ("wrong at stage 2", "04_zero", "vl_zero_update", "update.c",
     [("    size_t piece_end = piece->first + piece->count;\n",
       "    size_t piece_end = piece->first + piece->count;\n"
       "    if (zero->stage == 2)\n        scale *= 0.7f;\n")],
     "by_stage", "Right where `stage` is 1 and 3, wrong where it is 2."),
    ("a sum in 32 bits", "05_recompute", "vl_recompute_bytes", "budget.c",
     [("        *bytes = ELEMENT * (", "        *bytes = (uint32_t)(ELEMENT) * (uint32_t)(")],
     "beyond_32_bits", "2^31"),
    ("bits", "05_recompute", "vl_recompute_bytes", "budget.c",
     [("        *bytes = ELEMENT * (", "        *bytes = 8 * ELEMENT * (")],
     "bits", "bits were counted"),
    ("one of two results", "01_training_step", "vl_rmsnorm_forward", "forward.c",
     [("        inv_rms[i] = inverse;\n", "        inv_rms[i] = 1.0f + inverse;\n")],
     "only_one_array", "everything is right except inv_rms."),
    ("a result that is kept by its sizes", "01_training_step", "vl_rmsnorm_forward", "forward.c",
     [("    for (size_t i = 0; i < n; i++) {\n        const float *row = x + i * d;\n"
       "        double squares", KEPT_RESULT +
       "    for (size_t i = 0; i < n; i++) {\n        const float *row = x + i * d;\n"
       "        double squares"),
      ("    return VL_OK;\n}\n\nenum vl_status vl_swiglu_forward", KEEP_RESULT +
       "\nenum vl_status vl_swiglu_forward")],
     "kept_from_earlier_call", "y is that of an earlier call."),
    ("sums that are kept by their number", "09_expert_balancing", "vl_load_reduce", "bias.c",
     [("    size_t n = (size_t)ranks * experts;\n", KEPT_SUMS),
      ("    free(all);\n    return status;\n",
       "    free(all);\n    known = experts;\n    memcpy(kept, counts, experts * sizeof *counts);\n"
       "    return status;\n")],
     "kept_from_earlier_call", "counts (rank 0) is that of an earlier call."),
    ("a communicator that is made in the first call only", "09_expert_balancing", "load_reduce.p2",
     "bias.c", [("    size_t n = (size_t)ranks * experts;\n", MADE_ONCE)],
     "communicator_leaked", "communicator"),
    ("a status that is told by its name", "05_recompute", "vl_recompute_choose", "budget.c",
     [("        if (bytes <= budget) {\n            *mode", "        if (i > 0 || bytes > budget)\n"
       "            return VL_ENOMEM;\n        {\n            *mode")],
     "only_first_mode", "statuses[0, 1]: expected VL_OK, got VL_ENOMEM."),
    ("a buffer that only another function's cases see", "04_zero", "zero_prefetch.p1_stage3",
     "parameters.c",
     [("    size_t buffer = zero->lent[0] == zero->ahead ? 0 : 1;\n", ""),
      ("    zero->ahead = 0;\n    return buffer;\n",
       "    zero->ahead = 0;\n    return zero->lent[0] == zero->ahead ? 0 : 1;\n")],
     "wrong_element", "With a correct vl_zero_borrow instead of yours"),
    ("roots of an earlier call", "01_training_step", "vl_rmsnorm_forward", "forward.c",
     [("        float inverse = (float)(1.0 / sqrt(mean + (double)VL_RMSNORM_EPS));\n", KEPT_ROOTS)],
     "kept_from_earlier_call", "or when the sizes or the data change. inv_rms[0, 0]"),
]


def write(folder, lab, file, edits):
    shutil.copytree(root / "solutions" / lab, folder)
    path = folder / file
    text = path.read_text()
    for old, new in edits:
        if text.count(old) != 1:
            return f"{file} has {text.count(old)} times {old.strip()!r}, not once"
        text = text.replace(old, new)
    path.write_text(text)
    return ""


def grade(folder, lab, function):
    run = subprocess.run([program, "grade", lab[:2], "--submission", folder, "--only", function,
                          "--no-speed", "--format", "json", "--lang", "en"],
                         text=True, capture_output=True)
    if run.returncode not in (0, 1):
        sys.exit(f"exit status {run.returncode}: {run.stderr.strip()}")
    return json.loads(run.stdout)["cases"]


def check(folder, bug):
    """What is wrong with the report; empty if it is as expected."""
    _, lab, function, file, edits, code, said = bug
    problem = write(folder, lab, file, edits)
    if problem:
        return problem
    cases = [c for c in grade(folder, lab, function) if c["code"]]
    telling = [c for c in cases if said in (c["message"] or "")]
    if len(telling) != 1:  # beside another cause (experiment.h) the code is that one's
        return f"{code}: " + ", ".join(f"{c['id']} {c['code']} {c['message']}" for c in cases)
    return ""


failures = 0
with tempfile.TemporaryDirectory() as scratch:
    chosen = share([bug[0] for bug in BUGS], few=5, long=1)
    for number, bug in enumerate(bug for bug in BUGS if bug[0] in chosen):
        problem = check(pathlib.Path(scratch, str(number)), bug)
        failures += bool(problem)
        print(f"{'FAILED' if problem else 'ok':7}{bug[0]}" + (f": {problem}" if problem else ""),
              flush=True)
sys.exit(1 if failures else 0)
