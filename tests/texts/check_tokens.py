#!/usr/bin/env python3
"""Translations keep code spans, formulas, addresses, names, flags and placeholders."""

import sys

import po
import rules

problems = []
for language in po.LANGUAGES:
    for entry in po.translated(language):
        formatted = "c-format" in entry.flags
        for source, text, number in entry.pairs():
            # The form for exactly 1 may say "one" without the digit, and any first form may be
            # as the English singular is.
            first = entry.plural is not None and number == 0
            found = rules.tokens(source, text, formatted, first and language in ("es", "sk"))
            if first and found and not rules.tokens(entry.source, text, formatted):
                continue
            problems += [f"{entry.where}: {problem}" for problem in found]
sys.exit(po.report(problems, "every token is kept"))
