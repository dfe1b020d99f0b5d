#!/usr/bin/env python3
"""The table of simulated machines comes out the same again. Each day another row is simulated, all of
them with VIALATA_LONG=1, or those whose numbers are given. Skipped without SimGrid."""
import concurrent.futures
import datetime
import json
import os
import sys

sys.dont_write_bytecode = True
import make_sets as sets

if not json.loads((sets.PLACE / "buildinfo.json").read_text())["smpimain"]:
    print("SimGrid is not installed, so no row is simulated again: skipped")
    sys.exit(77)

# Digits that another compiler may round differently.
NEAR = 1e-4


def chosen(rows):
    if sys.argv[1:]:
        return [rows[int(word)] for word in sys.argv[1:]]
    if os.environ.get("VIALATA_LONG"):
        return rows
    return [rows[datetime.date.today().toordinal() % len(rows)]]


def check(row):
    """Which numbers of the row are other ones today."""
    found = sets.measure(*sets.parts_of(row))
    if found is None:
        return ["the rules do not keep it any more"]
    return [f"{name}: {row[name]} in the table, {value} now" for name, value in found.items()
            if abs(value / row[name] - 1) > NEAR]


def main():
    rows, failures = sets.read_table(), 0
    assert [row["set"] for row in rows] == list(range(sets.SETS)), "sets are missing in the table"
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        again = chosen(rows)
        for row, wrong in zip(again, pool.map(check, again)):
            failures += bool(wrong)
            for line in wrong:
                print(f"set {row['set']}: {line}")
    print(f"{len(again)} of {len(rows)} sets were simulated again, {failures} differ")
    if failures:
        print("If the simulator has changed on purpose, make the table again: "
              "tests/simulate/make_sets.py")
    sys.exit(1 if failures else 0)


main()
