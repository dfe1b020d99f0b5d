#!/usr/bin/env python3
"""Glossary terms are translated as docs/glossary.tsv says.

Stems are compared, so inflection is free. Where a sentence means something else or says it well in
other words, it is listed in terms.exceptions.tsv: language (* is all), English term, the source's
first words (none is every sentence), reason.
"""

import csv
import sys

import po
import rules

here = po.ROOT / "tests" / "texts"


def table(path):
    with open(path, encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


glossary = table(po.ROOT / "docs" / "glossary.tsv")
exceptions = table(here / "terms.exceptions.tsv")
used = set()
problems = []
for language in po.LANGUAGES:
    for entry in po.translated(language):
        for source, text, _ in entry.pairs():
            for english, agreed in rules.terms(glossary, language, source, text, "c-format" in entry.flags):
                for i, excused in enumerate(exceptions):
                    if (excused["language"] in ("*", language) and excused["term"] == english
                            and source.startswith(excused["source"])):
                        used.add(i)
                        break
                else:
                    problems.append(f"{entry.where}: {english} -> {agreed}? {text[:90]}")
for i, excused in enumerate(exceptions):
    if i not in used:
        problems.append(f"terms.exceptions.tsv: no longer needed: {list(excused.values())[:3]}")
sys.exit(po.report(problems, "terms as agreed"))
