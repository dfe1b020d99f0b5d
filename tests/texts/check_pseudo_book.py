#!/usr/bin/env python3
"""Everything that a page of the book says is offered to translators: its sentences, the labels of its drawings and
step-through figures, and the words of its formulas.

The book is built in a language that nobody speaks (pseudo.py). What still reads as plain letters would be English in
every language."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path

import po
import pseudo
import rules

TEX = re.compile(r"\\[a-zA-Z]+|(?<![^\W\d_])[A-Za-z]{1,2}(?![^\W\d_])|\b(?:%s)\b" % "|".join(rules.IN_FORMULAS))
COMMENT = re.compile(r"(?<!\S# )(?<=# )\S.*$", re.M)  # of a command, as docs/blocks.py has it
SKIPPED = {"code", "script", "style", "nav"}
VOID = {"br", "hr", "img", "input", "meta", "link", "col", "wbr"}
# Built from a table of terms, which has its languages side by side.
OTHER_PAGES = {"docs/glossary"}


def kept_in(source):
    return TEX if rules.is_formula(source) else rules.TOKENS[False]


class Reader(HTMLParser):
    """The texts of the article: prose, labels and titles of drawings, and formulas apart."""

    def __init__(self):
        super().__init__()
        self.open, self.prose, self.formulas = [], [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        classes = set((given.get("class") or "").split())
        if tag not in VOID:
            self.open.append((tag, classes))
        if self.inside("article") and tag == "svg" and given.get("aria-label"):
            self.prose.append(given["aria-label"])

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def inside(self, tag):
        return any(tag == there for there, _ in self.open)

    def handle_data(self, text):
        classes = set().union(*(classes for _, classes in self.open)) if self.open else set()
        if not self.inside("article") or any(tag in SKIPPED for tag, _ in self.open):
            return
        if "math" in classes:
            self.formulas.append(text)
        elif self.inside("pre") and "diagram" not in classes:
            self.prose += COMMENT.findall(text)
        elif "headerlink" not in classes:
            self.prose.append(text)


def build(scratch):
    """The book in disguise, as Slovak."""
    catalogues = scratch / "locale" / "sk" / "LC_MESSAGES"
    for page in po.pages():
        (catalogues / page).parent.mkdir(parents=True, exist_ok=True)
        made = catalogues / f"{page}.po"
        made.write_text(pseudo.catalogue(po.read(po.PLACE / "course" / "pot" / f"{page}.pot"), kept_in),
                        encoding="utf-8")
        subprocess.run(["msgfmt", "-o", made.with_suffix(".mo"), made], check=True)
    ran = subprocess.run([shutil.which("sphinx-build", path="/usr/bin") or "sphinx-build", "-q", "-c", po.ROOT / "docs",
                          "-b", "html", "-D", "language=sk", "-d", scratch / "doctrees", po.ROOT, scratch / "book"],
                         env={**os.environ, "LC_ALL": "C.UTF-8", "VIALATA_COURSE": str(scratch / "locale")},
                         capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(ran.stderr[-3000:])
    return scratch / "book"


def main():
    problems, seen, labels = [], 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        book = build(Path(scratch))
        for page in po.pages():
            if page in OTHER_PAGES:
                continue
            reader = Reader()
            reader.feed((book / f"{page}.html").read_text(encoding="utf-8"))
            seen += sum(c in pseudo.DISGUISED for text in reader.prose for c in text)
            labels += sum(c in pseudo.DISGUISED for text in reader.formulas for c in text)
            for text in reader.prose:
                words = pseudo.plain_words(text)
                if words:
                    problems.append(f"{page}: {' '.join(words)}   | {' '.join(text.split())[:100]}")
            for formula in reader.formulas:
                words = [word for word in re.findall(r"(?<![\\\w])[A-Za-z]{3,}(?!\w)", formula)
                         if word not in rules.IN_FORMULAS]
                if words:
                    problems.append(f"{page}: in a formula: {' '.join(words)}   | {formula[:100]}")
    if seen < 100_000 or labels < 100:
        problems.append(f"only {seen} letters of prose and {labels} of formulas were in disguise")
    return po.report(problems, f"{len(po.pages())} pages, {seen} letters, all offered to translators")


if __name__ == "__main__":
    sys.exit(main())
