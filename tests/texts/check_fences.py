#!/usr/bin/env python3
"""What stands in a fence of a page is a command, code, or a drawing that is translated (`diagram`): no words that
would stay English in the other languages."""

import re
import sys

import po

COMMANDS = re.compile(r"(?:\./)?(?:vialata|git|cmake|mpicc|apt-get|tests/\S+|ompi_info|grep|docker)\b|--|#")
WORD = re.compile(r"[^\W\d_]{3,}")
CODE = {"c", "python", "sh", "json"}
# Files that are shown as they are: what a machine reads is the same in every language.
SHOWN = {("docs/add-a-diagnosis.md", "shows: output"), ("docs/instructors.md", "id,lab,case,points")}
FENCE = re.compile(r"^( *)(`{3,})([^`\n]*)\n(.*?)^ *\2 *$", re.M | re.S)


def untranslated(text):
    """(line number, line) of fences with words that nobody translates."""
    for fence in FENCE.finditer(text):
        kind, body = fence[3].strip(), fence[4]
        if kind in CODE | {"diagram"} or kind.startswith("{"):
            continue
        first = text.count("\n", 0, fence.start(4)) + 1
        for number, line in enumerate(body.split("\n"), first):
            if WORD.search(line) and not COMMANDS.match(line.strip()):
                yield number, line, body


problems = []
if not list(untranslated("```\n   stage 0   forward\n```\n")) or list(untranslated("```diagram\n stage\n```\n")):
    sys.exit("this check does not see what it is for")
pages = sorted([*po.ROOT.glob("docs/*.md"), *po.ROOT.glob("labs/*/*.md")])
for page in pages:
    name = str(page.relative_to(po.ROOT))
    for number, line, body in untranslated(page.read_text(encoding="utf-8")):
        if not any(name == where and body.startswith(begin) for where, begin in SHOWN):
            problems.append(f"{name}:{number}: mark this drawing `diagram`, or its kind of code: {line.strip()}")
sys.exit(po.report(problems, f"{len(pages)} pages: only commands and code stay English"))
