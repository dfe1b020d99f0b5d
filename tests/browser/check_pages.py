#!/usr/bin/env python3
"""The book as a browser shows it, opened as files: pages of every language on a phone's width (one in
twenty in the short suite), its formulas, its switcher and its search. What would make this test blind is
looked for first: each kind of fault is planted in a small copy of the book, and must be seen there."""

import json
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "texts"))
import po  # noqa: E402
from book import Site  # noqa: E402
from chromium import Browser, program  # noqa: E402
from share import share  # noqa: E402

BOOK = po.PLACE / "share" / "book"
ONE_IN = {"few": 20, "long": 1}
HOME = "docs/index.html"

# What is put before the end of the first page's body, and the kind of fault that it must earn.
PLANTED = {
    "console": ("<script>console.error('planted');</script>", "console"),
    "exception": ("<script>planted();</script>", "console"),
    "script": ("<script src='planted.js'></script>", "missing"),
    "picture": ("<img src='planted.png' alt=''>", "missing"),
    "style": ("<style>h1 { background: url(planted.svg); }</style>", "missing"),
    "host": ("<img src='https://planted.example/a.png' alt=''>", "host"),
    "wide": ("<p style='width: 400px'>planted</p>", "width"),
    "long": ("<p>" + "planted" * 20 + "</p>", "width"),
    "undrawn": ("<script>addEventListener('load', () => document.body.insertAdjacentHTML("
                "'beforeend', '<span class=math>planted</span>'));</script>", "formula"),
    "unreadable": (r"<span class='math'>\(\frac{\)</span>", "formula"),
    "unknown": (r"<span class='math'>\(\planted\)</span>", "formula"),
}


def narrow_search(path):
    """A search that finds the first page only: the others are not in the small book."""
    text = path.read_text(encoding="utf-8")
    index = json.loads(text[text.index("(") + 1:text.rindex(")")])
    home = index["docnames"].index(HOME.removesuffix(".html"))
    for part in ("terms", "titleterms"):
        index[part] = {word: home for word, places in index[part].items()
                       if home in (places if isinstance(places, list) else [places])}
    index |= {"alltitles": {}, "indexentries": {}}
    path.write_text(f"Search.setIndex({json.dumps(index)})", encoding="utf-8")


def plant(folder):
    """A small book of two languages with a fault on each page; the faults that must be found."""
    for language in ("en", "sk"):
        for name in ("_static", "index.html", "search.html", "searchindex.js", HOME):
            source, target = BOOK / language / name, folder / language / name
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    expected = {("sk/search.html", "search"), ("sk/search.html", "missing")}
    narrow_search(folder / "en" / "searchindex.js")
    (folder / "sk" / "searchindex.js").unlink()
    page = (folder / "en" / HOME).read_text(encoding="utf-8")

    def write(name, text, language="en"):
        # The switcher of a copy leads to its own name.
        text = text.replace("/" + HOME, f"/docs/{name}.html")
        for other in ("en", "sk"):
            path = folder / other / "docs" / f"{name}.html"
            if other == language or not path.exists():
                path.write_text(text if other == language else
                                (folder / other / HOME).read_text(encoding="utf-8")
                                .replace("/" + HOME, f"/docs/{name}.html"), encoding="utf-8")

    write("good", page)
    for name, (fault, kind) in PLANTED.items():
        write(name, page.replace("</body>", fault + "</body>"))
        expected.add((f"en/docs/{name}.html", kind))
    write("language", page.replace('lang="en"', 'lang="fr"', 1))
    expected.add(("en/docs/language.html", "lang"))
    write("switcher", re.sub(r'href="[^"]*"( lang="sk")', r'href="../index.html"\1', page))
    expected.add(("en/docs/switcher.html", "switcher"))
    (folder / "en" / "docs" / "alone.html").write_text(page, encoding="utf-8")
    expected.add(("sk/docs/alone.html", "page"))
    return expected


def check_planted(browser):
    with tempfile.TemporaryDirectory(prefix="vialata book ") as folder:  # a blank, on purpose
        expected = plant(Path(folder))
        faults = Site(browser, folder, patience=3).check()
    found = {(page, kind) for page, kind, _ in faults}
    blind = [f"planted, but not seen: {page}: {kind}" for page, kind in sorted(expected - found)]
    for page, kind, sentence in faults:
        if (page, kind) in found - expected:
            blind.append(f"not planted, but seen: {page}: {kind}: {sentence}")
    return blind


def main():
    program()
    po.build_book()
    start = time.monotonic()
    with Browser() as browser:
        problems = check_planted(browser)
        site = Site(browser, BOOK, looked=lambda pages: share(pages, **ONE_IN))
        if site.languages != sorted(["en", *po.LANGUAGES]):
            problems.append(f"the book's folder has the languages {site.languages}")
        if not problems:
            problems = [f"{page}: {kind}: {sentence}" for page, kind, sentence in site.check()]
    for problem in problems:
        print(problem)
    print(f"{len(site.looked)} of {len(site.pages)} pages in {len(site.languages)} languages, "
          f"{time.monotonic() - start:.0f} s" + (f": {len(problems)} to repair" if problems else ""))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
