#!/usr/bin/env python3
"""Every language in its own typography (docs/style.md)."""

import sys

import po
import rules

problems = []


def look(entry, language, text):
    plain = rules.prose(text, "c-format" in entry.flags)
    found = [] if language == "en" else rules.typography(language, plain)
    if not rules.is_diagram(text):  # it has its columns
        found += rules.grouping(language, plain)
    problems.extend(f"{entry.where}: {problem}" for problem in found)


for number, language in enumerate(po.LANGUAGES):
    for entry in po.translated(language):
        for source, text, _ in entry.pairs():
            look(entry, language, text)
            if number == 0:  # every catalogue has the same
                look(entry, "en", source)
sys.exit(po.report(problems, "quotation marks, spaces, decimal commas and thousands as they should be"))
