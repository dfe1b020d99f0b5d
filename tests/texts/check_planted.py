#!/usr/bin/env python3
"""The checks of the texts see what they are for: in a copy with nothing but the entries of planted.tsv, each wrong
translation is named by its check, and no right one by any. The wrong ones are of the kinds that readers found.

A row for "en" is a sentence of the source. A line break is written \\n, and a space of another kind \\u00a0."""

import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import po
import rules

HERE = po.ROOT / "tests" / "texts"
CHECKS = ("catalogues", "refused", "spelling", "terms", "tokens", "typography")


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def written(escape):
    return "\n" if escape[1] == "n" else chr(int(escape[1][1:], 16))


def planted():
    with open(HERE / "planted.tsv", encoding="utf-8") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield {name: re.sub(r"\\(n|u[0-9a-f]{4})", written, text) for name, text in row.items()}


class Catalogue:
    """One that remembers at which line each entry begins."""

    def __init__(self):
        self.lines = ['msgid ""', 'msgstr "Content-Type: text/plain; charset=UTF-8\\n"', ""]

    def add(self, context, source, text):
        """The line that names the entry."""
        if re.search(r"%(?:\d+\$)?[sdzu]", source):
            self.lines.append("#, c-format")
        self.lines += [f"msgctxt {quoted(context)}", f"msgid {quoted(source)}", f"msgstr {quoted(text)}", ""]
        return len(self.lines) - 3

    def write(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(self.lines), encoding="utf-8")


def prepare(root, rows):
    """Fills the copy; {(catalogue, line): (row, is it the wrong one)}."""
    catalogues = {language: Catalogue() for language in po.LANGUAGES}
    template, where = Catalogue(), {}
    for number, row in enumerate(rows):
        language = po.LANGUAGES[0] if row["language"] == "en" else row["language"]
        for kind in ("wrong", "right"):
            source = row[kind] if row["language"] == "en" else row["source"]
            line = catalogues[language].add(f"{kind} {number}", source, row[kind])
            template.add(f"{kind} {number}", source, "")
            where[f"po/{language}.po:{line}"] = (row, kind == "wrong")
    for language, catalogue in catalogues.items():
        catalogue.write(root / "po" / f"{language}.po")
    template.write(root / "place" / "po" / "vialata.pot")
    shutil.copytree(HERE, root / "tests" / "texts", ignore=shutil.ignore_patterns("*.c", "*.h", "__pycache__"))
    (root / "docs").mkdir()
    for name in ("po/LINGUAS", "docs/glossary.tsv"):
        shutil.copy(po.ROOT / name, root / name)
    shutil.copytree(po.ROOT / "labs/10_bandwidth/machines", root / "labs/10_bandwidth/machines")  # their names
    return where


def said(check, root):
    ran = subprocess.run([sys.executable, HERE / f"check_{check}.py"], capture_output=True, text=True,
                         env={**os.environ, "VIALATA_ROOT": str(root), "VIALATA_PLACE": str(root / "place")})
    if "Traceback" in ran.stderr:
        sys.exit(f"check_{check}.py: {ran.stderr}")
    return ran.stdout


def main():
    rows, problems = list(planted()), []
    with tempfile.TemporaryDirectory() as scratch:
        where = prepare(Path(scratch), rows)
        named = {check: set(re.findall(r"^(po/\w+\.po:\d+):(?!.*(?:not taken up|no longer in))", said(check, Path(scratch)), re.M))
                 for check in CHECKS}
    for place, (row, wrong) in where.items():
        text = row["wrong" if wrong else "right"]
        if wrong and place not in named[row["check"]]:
            problems.append(f"{row['language']}: {row['check']} does not see {text!r}")
        if not wrong and row["language"] != "en":
            problems += [f"{row['language']}: {check} complains of {text!r}" for check in CHECKS if place in named[check]]
        if not wrong and row["language"] == "en" and place in named[row["check"]]:
            problems.append(f"en: {row['check']} complains of {text!r}")
    return po.report(problems, f"{len(rows)} planted findings, each seen; their right forms pass")


if __name__ == "__main__":
    sys.exit(main())
