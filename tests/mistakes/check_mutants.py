"""Small changes of the references, made by machine: how many cost points, and how many are named.

A sample of all mutants (src/grade/mutants) is graded as submissions. Many change nothing that a contract
promises, so not all of them can lose points; the table says how many did, lab by lab, and of those
how many were told with their place or cause. Only in the long suite (share.py), where half the functions
take part. Arguments choose labs by number, with all their functions.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

from share import LONG, share

root = pathlib.Path(os.environ["VIALATA_ROOT"])
program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
OF_EACH = 2  # mutants of a function
ONE_IN = {"few": 0, "long": 2}
AT_ONCE = 2
LEAST_CAUGHT, LEAST_NAMED = 0.55, 0.80
VAGUE = {"wrong_values", "last_row", "last_column", "scaled", "not_a_number"}  # no cause, no place


def functions(lab):
    """Those of the graded functions of a lab, if they have a file of their own, that take part."""
    text = next((root / "src/grade/labs").glob(f"{lab}_*/lab.c")).read_text()
    found = re.findall(r'\{"(vl_\w+)", "\w+\.c"', text)
    return found if sys.argv[1:] else share(found, **ONE_IN)


def grade(lab, function, number):
    run = subprocess.run([program, "grade", lab, "--mistake", f"{function}/mutant.{number}",
                          "--only", function, "--no-speed", "--format", "json", "--lang", "en"],
                         text=True, capture_output=True)
    if run.returncode > 1:
        return None
    return json.loads(run.stdout)


def is_itself(lab, function):
    """With none of its mutants chosen, a function is right."""
    verdict = grade(lab, function, 0)
    return verdict is not None and verdict["score"] == verdict["max_score"]


def look(lab, function):
    """For some of its mutants: (caught, named, what was told)."""
    seen = []
    for k in range(OF_EACH):
        verdict, number = None, 7 + 61 * k
        while verdict is None and number > 0:  # beyond its last one: take one before
            verdict = grade(lab, function, number)
            number //= 2 if verdict is None else 1
        if verdict is None:
            continue
        codes = [c["code"] for c in verdict["cases"]
                 if c["status"] != "passed" and c["code"] != "counts_later"]
        # Given code has no points to lose.
        caught = verdict["score"] < verdict["max_score"] or verdict["max_score"] == 0 < len(codes)
        seen.append((caught, caught and any(c not in VAGUE for c in codes),
                     f"{function}/mutant.{number}", sorted(set(codes))))
    return seen


def main():
    if not LONG and not sys.argv[1:]:
        print("skipped: only with VIALATA_LONG")
        return 77
    labs = sys.argv[1:] or [f"{n:02d}" for n in range(1, 11)]
    all_caught = all_named = total = broken = 0
    print("lab  mutants  caught  named")
    for lab in labs:
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            seen = sum(pool.map(lambda f: look(lab, f), functions(lab)), [])
        for function in functions(lab)[-3::-7]:
            if not is_itself(lab, function):
                broken += 1
                print("      FAILED: without a mutant,", function, "is not itself")
        caught, named = sum(s[0] for s in seen), sum(s[1] for s in seen)
        print(f"{lab}   {len(seen):6}  {caught:6}  {named:5}", flush=True)
        for s in seen:
            if not s[1]:
                print("     ", "not named" if s[0] else "passes   ", s[2], *s[3])
        total, all_caught, all_named = total + len(seen), all_caught + caught, all_named + named
    print(f"all {total:6}  {all_caught:6}  {all_named:5}")
    enough = (all_caught >= LEAST_CAUGHT * total, all_named >= LEAST_NAMED * all_caught,
              broken == 0)
    print(f"{sum(enough)} passed, {3 - sum(enough)} failed")
    return 0 if all(enough) else 1


sys.exit(main())
