"""Programs that somebody wrote who had not seen how they are watched: of those with a bug `vialata mpi` finds
something in nearly all, and of the right ones it accuses none.

blind/SET.txt has the programs of one author: `--- NAME` (bug_07.c, good_31.cpp), then the program. Its first line
says on how many ranks it runs, its kind and the cause, written before the program. Each set was run once before
anything was changed because of it: 49, 45, 49 and 46 of 50 bugs were found, and in each of the first two one
right program was accused (collectives on intercommunicators). `missed` has the bugs that are not found today.

  check_blind.py [SET/NAME ...]    a few programs; with VIALATA_LONG or names more of them (share.py)
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from share import ALL, share

here = pathlib.Path(__file__).resolve().parent
program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
ONE_IN = {"few": 50, "long": 4}
AT_ONCE = 2
SECONDS = 25  # a standstill is ended after some three
RECALL, RECALL_OF_A_KIND = 0.90, 0.80
COMPILERS = {".c": "mpicc", ".cpp": "mpicxx"}
missed = {"d/bug_20.cpp": "the calls that change places look the same",
          "d/bug_27.c": "too many collectives follow the one that differs"}
# What may be said of a kind; other findings are counted as found, but not as named.
NAMES = {"deadlock": {"hung_cycle", "send_needs_buffer", "rank_left", "never_sent"},
         "collective_order": {"collective_order", "collective_communicator"},
         "buffer_race": {"buffer_touched", "receives_overlap", "buffer_shared"}}


def programs():
    """{"a/bug_07.c": text} of all sets."""
    found = {}
    for file in sorted(here.glob("blind/*.txt")):
        parts = re.split(r"^--- (\S+)\n", file.read_text(encoding="utf-8"), flags=re.M)[1:]
        found.update((f"{file.stem}/{name}", text) for name, text in zip(parts[::2], parts[1::2]))
    return found


def watch(folder, name, text):
    """Its kind, and the code that was found, or None."""
    ranks, kind = re.match(r"/\* ranks: (\d+); kind: (\w+)", text).groups()
    source = folder / name.replace("/", "_")
    built, report = source.with_suffix(""), source.with_suffix(".json")
    source.write_text(text, encoding="utf-8")
    subprocess.run([COMPILERS[source.suffix], "-g", "-w", "-o", built, source, "-lm"], check=True)
    strict = ["--strict"] if kind == "buffer_race" else []
    try:
        subprocess.run([program, "mpi", "-n", ranks, *strict, "--json", report, "--", built], check=False,
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return kind, None
    finding = json.loads(report.read_text())["finding"]
    return kind, finding and finding["code"]


def main():
    texts = programs()
    words = sys.argv[1:]
    chosen = [n for n in texts if n in words] if words else share(list(texts), **ONE_IN)
    table, failures = collections.defaultdict(lambda: [0, 0, 0]), []
    with tempfile.TemporaryDirectory(prefix="vialata blind ") as scratch, \
            concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        runs = pool.map(lambda name: (name, *watch(pathlib.Path(scratch), name, texts[name])), chosen)
        for name, kind, code in runs:
            row = table[kind]
            row[0] += 1
            row[1] += code is not None
            row[2] += code in NAMES.get(kind, {kind})
            if kind == "correct" and code is not None:
                failures.append(f"{name}: accused of {code}")
            elif kind != "correct" and (code is None) != (name in missed):
                failures.append(f"{name} ({kind}): {'not found' if code is None else 'found: take it off the list'}")
    print("kind                      programs  found  named as this")
    for kind, (count, found, named) in sorted(table.items()):
        print(f"{kind:26}{count:7}{found:7}{named:7}")
        if ALL and kind != "correct" and found < RECALL_OF_A_KIND * count:
            failures.append(f"{kind}: found {found} of {count}")
    bugs = [row for kind, row in table.items() if kind != "correct"]
    count, found = (sum(row[i] for row in bugs) for i in (0, 1))
    if ALL and found < RECALL * count:
        failures.append(f"found {found} of {count}")
    print(*failures, sep="\n", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(77 if shutil.which("mpicc") is None else main())
