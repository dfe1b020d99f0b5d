#!/usr/bin/env python3
"""Every idea of the sources is taught once, in its chapter, in every language, and the table of
docs/claims.md leads there and to its labs. Reads the book that the check `book` has built."""

import re
import sys
from collections import Counter
from pathlib import PurePosixPath

import po

CLAIMS = {f"claim-{letter}{number}": page
          for letter, count, page in (("a", 25, "bandwidth"), ("b", 20, "scaling"))
          for number in range(1, count + 1)}

problems = []
for language in ["en", *po.LANGUAGES]:
    folder = po.PLACE / "share" / "book" / language
    pages = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
             for path in sorted(folder.rglob("*.html"))}
    if "docs/claims.html" not in pages:
        problems.append(f"{language}: docs/claims.html was not built: build the target book")
        continue
    places = Counter((claim, name) for name, text in pages.items()
                     for claim in re.findall(r'\bid="(claim-\w+)"', text))
    for claim, chapter in CLAIMS.items():
        found = {name: count for (c, name), count in places.items() if c == claim}
        if found != {f"docs/{chapter}.html": 1}:
            problems.append(f"{language}: {claim}: on {chapter}.html once, not {found}")
    for claim, name in sorted(places.keys()):
        if claim not in CLAIMS:
            problems.append(f"{language}: {name}: {claim} has no row")

    rows = re.findall(r"<tr\b.*?</tr>", pages["docs/claims.html"], re.DOTALL)[1:]  # less the head
    if len(rows) != len(CLAIMS):
        problems.append(f"{language}: the table has {len(rows)} rows, not {len(CLAIMS)}")
    for row, (claim, chapter) in zip(rows, CLAIMS.items()):
        name = claim.removeprefix("claim-").upper()
        first, *labs = re.findall(r'href="([^"]*)"[^>]*>(?:<[^>]*>)*([^<]*)', row) or [("", "")]
        if first != (f"{chapter}.html#{claim}", name):
            problems.append(f"{language}: where the row of {name} should be is {first}")
            break  # one row missing, and all below are another's
        for link, number in labs:
            lab = PurePosixPath(link)
            if lab.parts[:2] != ("..", "labs") or "/".join(lab.parts[1:]) not in pages:
                problems.append(f"{language}: {name}: {link} is no lab's page")
            elif not lab.parts[2].startswith(f"{number}_"):
                problems.append(f"{language}: {name}: {number} leads to {link}")
sys.exit(po.report(problems, f"{len(CLAIMS)} ideas, each in its place in every language"))
