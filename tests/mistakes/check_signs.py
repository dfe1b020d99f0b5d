"""How often is a general sign said, and is it true?

Known mistakes are graded as if nobody knew them (unexplained.c), so that the signs speak. RIGHT says which
mistakes a sign truly describes: what a student reads then is what was done. Every other mistake of which
the sign is said is a false alarm, and a sign that is false more often than one time in twenty misleads.

The mistakes in RIGHT are graded, in the long suite others too (share.py). Then a table says how often each
sign was said and how often rightly; signs that were said less than LEAST times are only reported. Arguments
choose labs by number, with all their mistakes.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

from share import share

root = pathlib.Path(os.environ["VIALATA_ROOT"])
program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "tests" / "grade_unexplained"
AT_ONCE = 2
PRECISION = 0.95
LEAST = 20
ONE_IN = {"few": 0, "long": 4}  # of the mistakes that no sign describes
SIGNS = ("not_accumulated", "accumulated", "all_zero", "sign_flipped", "scaled", "transposed",
         "rotated", "halves_swapped", "places_exchanged", "last_row", "last_column", "of_another_rank",
         "of_another_array")
RIGHT = {
    "not_accumulated": {"vl_linear_backward_weight/not_accumulated",
                        "vl_experts_backward_weight/overwritten"},
    "accumulated": {"vl_linear_backward_input/accumulated"},
    "last_column": {"vl_adamw_update/last_column"},
    "scaled": {
        "vl_cross_entropy_forward/mean_for_each",  # 1 / n
        "vl_all_reduce_start/averaged",  # 1 / ranks
        "vl_tensor_cross_entropy_backward/scale_missing",
        "vl_tensor_gain_backward/gain_summed_without_need",  # ranks times too large
    },
}


def mistakes(lab):
    """Pairs of a mistake and a function in which it shows."""
    for path in sorted(lab.glob("mistakes/*/*.mistake")):
        name = f"{path.parent.name}/{path.name[:-len('.mistake')]}"
        also = re.search(r"^also: (.*)$", path.read_text(), re.M)
        for function in [path.parent.name] + (also.group(1).split() if also else []):
            yield name, function


def grade(task):
    """The codes of (mistake, function) pairs of a lab: {(mistake, function): {code, ...}}."""
    lab, pairs = task
    run = subprocess.run([program, lab.name[:2]], text=True, capture_output=True,
                         input="".join(f"{m} {f}\n" for m, f in pairs))
    if run.returncode != 0:
        sys.exit(f"{lab.name}: {run.stderr.strip()}")
    codes = {}
    for line in run.stdout.splitlines():
        mistake, function, _, code = line.split("\t")[0].split(" ")
        codes.setdefault((mistake, function), set()).add(code)
    return codes


def is_listed(pair):
    return any(pair[0] in names for names in RIGHT.values())


def chosen():
    labs = sorted(root.glob("src/grade/labs/[0-9]*"))
    words = sys.argv[1:]
    for lab in labs:
        pairs = list(mistakes(lab))
        others = {m for m, _ in pairs} if words else set(share({m for m, _ in pairs}, **ONE_IN))
        listed = set(share(sorted({m for m, _ in pairs if is_listed((m, _))}), few=5, long=1))
        pairs = [p for p in pairs if p[0] in listed or p[0] in others]
        if pairs and (not words or lab.name[:2] in words):
            yield lab, pairs


def judge(said):
    """Print the table of {sign: [mistake, ...]}; returns the number of signs that mislead."""
    failures = 0
    print(f"{'sign':18}{'said':>6}{'right':>7}")
    for sign in SIGNS:
        right = [m for m in said[sign] if m in RIGHT.get(sign, set())]
        misleads = len(right) < PRECISION * len(said[sign]) and len(said[sign]) >= LEAST
        failures += misleads
        print(f"{sign:18}{len(said[sign]):6}{len(right):7}{'  FAILED' if misleads else ''}")
        for mistake in sorted(set(said[sign]) - RIGHT.get(sign, set())):
            print(f"       not true of {mistake}")
    return failures


tasks = list(chosen())
said, graded, failures = {sign: [] for sign in SIGNS}, set(), 0
with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
    for (lab, pairs), codes in zip(tasks, pool.map(grade, tasks)):
        graded.update(m for m, _ in pairs)
        for (mistake, _), found in sorted(codes.items()):
            for sign in found & set(SIGNS):
                said[sign].append(mistake)
for sign, names in RIGHT.items():
    for mistake in sorted(names & graded - set(said[sign])):
        failures += 1
        print(f"FAILED {mistake} does not get {sign}")
failures += judge(said)
print(f"{len(graded)} mistakes were graded, {failures} failures")
sys.exit(1 if failures or not graded else 0)
