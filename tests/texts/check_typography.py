#!/usr/bin/env python3
"""Every language in its own typography (docs/style.md)."""

import sys

import po
import rules

problems = []
for language in po.LANGUAGES:
    for entry in po.translated(language):
        for _, text, _ in entry.pairs():
            for problem in rules.typography(language, rules.prose(text, "c-format" in entry.flags)):
                problems.append(f"{entry.where}: {problem}")
sys.exit(po.report(problems, "quotation marks, spaces and decimal commas as they should be"))
