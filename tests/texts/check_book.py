#!/usr/bin/env python3
"""The book: built in every language without a warning, readable without a network; every link
inside it leads somewhere, the switcher keeps the page, and the search index knows its words."""

import html.parser
import re
import subprocess
import sys
import urllib.parse
from pathlib import Path

import po

sys.dont_write_bytecode = True
sys.path.insert(0, str(po.ROOT / "docs"))
from interface import SEARCH, WORDS  # noqa: E402

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.language = None
        self.links, self.loaded, self.ids, self.switch = [], [], set(), {}
        self.maths = 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, pairs):
        given = dict(pairs)
        if tag == "html":
            self.language = given.get("lang")
        if "id" in given:
            self.ids.add(given["id"])
        if "math" in given.get("class", "").split():
            self.maths += 1
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
            if "hreflang" in given:
                self.switch[given["hreflang"]] = given["href"]
        relation = given.get("rel", "")
        if tag in LOADED and given.get(LOADED[tag]) and relation not in ("index", "search", "next",
                                                                        "prev", "canonical"):
            self.loaded.append(given[LOADED[tag]])


problems = []
po.build_book()
for language in ["en", *po.LANGUAGES]:  # what was said when it was built, maybe long ago
    said = (po.PLACE / "course" / f"book-{language}.warnings").read_text(encoding="utf-8")
    problems += said.splitlines()

# The mark of a whole book is what Ninja makes: where it is missing, the book is built again.
for language in ["en", *po.LANGUAGES]:
    mark = f"share/book/{language}/.complete"
    asked = subprocess.run(["ninja", "-C", po.PLACE, "-t", "query", mark], capture_output=True)
    if asked.returncode != 0:
        problems.append(f"{mark} is made by no rule")

for word, given in [*WORDS.items(), *SEARCH.items()]:
    for language in sorted(set(po.LANGUAGES) - given.keys()):
        problems.append(f"docs/interface.py: {word!r} has no {language}")

book = po.PLACE / "share" / "book"
languages = ["en", *po.LANGUAGES]
pages = {path: Page(path) for language in languages for path in (book / language).rglob("*.html")}


def look(path, link, what):
    """A link inside the book must lead to a file, and to a place in it."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or parts.netloc:
        return
    target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        problems.append(f"{path.relative_to(book)}: {what} {link} leads nowhere")
    elif parts.fragment and target in pages and parts.fragment not in pages[target].ids:
        problems.append(f"{path.relative_to(book)}: {what} {link}: no such place")


for path, page in pages.items():
    name = path.relative_to(book)
    language = name.parts[0]
    text = path.read_text(encoding="utf-8")
    for found in re.findall(r"\w+[”‘“»]<(?:em|strong|code|span)\b", text):
        problems.append(f"{name}: a closing quote where an apostrophe should be: {found}")
    prose = re.sub(r"(?s)<(pre|code|script|svg|title)\b.*?</\1>", "", text)
    for found in re.findall(r"[^>]{0,20}\d (?:GB|Go|MB|Mo|ms)\b", prose):
        problems.append(f"{name}: a line may end between a number and its unit: {found}")
    if language != "en":
        for word, given in WORDS.items():
            if word not in given.values() and re.search(rf">\s*{re.escape(word)}\s*<", text):
                problems.append(f"{name}: the theme says {word!r} in English")
    if page.language != language.replace("_", "-"):
        problems.append(f"{name}: lang is {page.language}")
    for address in page.loaded:
        if re.match(r"(?:https?:)?//", address):
            problems.append(f"{name}: loads {address} from the network")
        look(path, address, "file")
    for link in page.links:
        look(path, link, "link")
    if name.name != "index.html" or len(name.parts) > 2:
        for other in languages:
            same = (book / other / Path(*name.parts[1:])).resolve()
            link = page.switch.get(other.replace("_", "-"))
            if link is None or (path.parent / link).resolve() != same:
                problems.append(f"{name}: the switcher does not lead to {other}")
for language in languages:
    for page in [*po.pages(), "index", "search"]:
        if not (book / language / f"{page}.html").exists():
            problems.append(f"{language}/{page}.html was not built")
    for style in (book / language / "_static").rglob("*.css"):
        for address in re.findall(r"(?:url\(|@import\s+)['\"]?((?:https?:)?//[^'\")]+)",
                                  style.read_text(encoding="utf-8")):
            problems.append(f"{style.relative_to(book)}: loads {address}")
    index = (book / language / "searchindex.js").read_text(encoding="utf-8")
    if "rmsnorm" not in index:
        problems.append(f"{language}: the search index does not know RMSNorm")
    if not (book / language / "_static/katex/katex.min.js").exists():
        problems.append(f"{language}: KaTeX does not stand beside the book")
maths = {language: sum(page.maths for path, page in pages.items() if path.is_relative_to(book / language))
         for language in languages}
if len(set(maths.values())) != 1 or not maths["en"]:
    problems.append(f"formulas were lost: {maths}")
sys.exit(po.report(problems, f"{len(pages)} pages, {maths['en']} formulas in each language"))
