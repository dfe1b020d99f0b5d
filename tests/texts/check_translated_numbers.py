#!/usr/bin/env python3
"""A translation has the numbers of its source, in the same order, in every page of the course.

In digits: a number that one language writes in a word, or an order that its grammar asks for,
is listed in numbers.exceptions.tsv: language (* is all), the source's first words, the difference
as it is printed here, reason.
"""

import csv
import sys

import figures
import po
import rules

PATH = po.ROOT / "tests" / "texts" / "numbers.exceptions.tsv"

with open(PATH, encoding="utf-8") as stream:
    exceptions = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
used = set()
problems = []
for language in po.LANGUAGES:
    for path in (po.course_catalogue(language, page) for page in po.pages()):
        for entry in po.read(path) if path.exists() else ():
            if entry.fuzzy or not any(entry.texts.values()):
                continue
            for source, text, _ in entry.pairs():
                found = figures.differences(rules.prose(source), rules.prose(text), language)
                excused = [i for i, row in enumerate(exceptions)
                           if row["language"] in ("*", language) and row["difference"] == found
                           and source.startswith(row["source"])]
                used.update(excused)
                if found and not excused:
                    problems.append(f"{entry.where}: {found}: {source[:60]} | {text[:60]}")
for i, row in enumerate(exceptions):
    if i not in used:
        problems.append(f"{PATH.name}:{i + 2}: no longer needed: {row['language']} {row['source']}")
sys.exit(po.report(problems, "the numbers of every translation are those of its source"))
