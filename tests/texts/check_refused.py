#!/usr/bin/env python3
"""What readers of a language crossed out does not come back: refused.tsv has the phrases, as regular expressions, what
to write instead, and which word of the English source must be there for it to count (none: any). A row for "en" is
about the English sentences themselves."""

import csv
import re
import sys

import po

PATH = po.ROOT / "tests" / "texts" / "refused.tsv"


def read():
    with open(PATH, encoding="utf-8") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield (row["language"], re.compile(row["phrase"]), row["instead"],
                   re.compile(row["where"] or "", re.IGNORECASE))


refused = list(read())
problems = []
for number, language in enumerate(po.LANGUAGES):
    for entry in po.translated(language):
        for source, text, _ in entry.pairs():
            for of, phrase, instead, where in refused:
                if of == language or (of == "en" and number == 0):
                    found = phrase.search(source if of == "en" else text)
                    if found and where.search(source):
                        problems.append(f"{entry.where}: {of}: “{found[0]}” -> {instead}")
sys.exit(po.report(problems, f"none of {len(refused)} phrases that readers crossed out"))
