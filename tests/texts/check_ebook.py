#!/usr/bin/env python3
"""The book as one file: an EPUB that a reading device can trust (all its parts are declared and well-formed, all
its links lead somewhere, no script, every formula as MathML) in one language, and in all with VIALATA_LONG; then
also for paper. If epubcheck is installed, it has to agree."""

import posixpath
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zipfile
from urllib.parse import unquote

import po
from share import LONG

JAR = "/usr/share/java/epubcheck.jar"
OPF = {"o": "http://www.idpf.org/2007/opf"}
MATHML = "{http://www.w3.org/1998/Math/MathML}"
HOLDS = {"mathml": f"{MATHML}math", "svg": "{http://www.w3.org/2000/svg}svg"}
PAGES = 60  # of a book on paper, at least
FORMULAS = 700

problems = []


def build(target):
    subprocess.run(["cmake", "--build", po.PLACE, "--target", target], check=True, stdout=subprocess.DEVNULL)


def check_page(book, name, declared):
    """Its ids, and the links in it: [(page, id or "")]."""
    try:
        root = ElementTree.fromstring(book.read(name))
    except ElementTree.ParseError as error:
        problems.append(f"{name}: {error}")
        return set(), []
    for kind, tag in HOLDS.items():
        if (next(root.iter(tag), None) is not None) != (kind in declared):
            problems.append(f"{name}: {kind} is there and not declared, or the other way round")
    for element in root.iter():
        if element.tag.endswith("}script") or any(key.startswith("on") for key in element.keys()):
            problems.append(f"{name}: a reading device runs no script")
    for note in root.iter(f"{MATHML}annotation"):  # the TeX that a formula was made from, which nobody sees
        note.text = ""
    if re.search(r"\\\(|\\\[|\\frac|\\sqrt", "".join(root.itertext())):
        problems.append(f"{name}: a formula is still TeX")
    links = []
    for element in root.iter("{http://www.w3.org/1999/xhtml}a"):
        page, _, place = element.get("href", "").partition("#")
        if element.get("href") and not re.match(r"[a-z]+:", page):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(page))) if page else name
            links.append((target, place))
    return {element.get("id") for element in root.iter() if element.get("id")}, links


def check_epub(language):
    build(f"epub-{language}")
    path = po.PLACE / "share" / "book" / f"vialata-{language}.epub"
    with zipfile.ZipFile(path) as book:
        first = book.infolist()[0]
        if first.filename != "mimetype" or first.compress_type != zipfile.ZIP_STORED:
            problems.append(f"{path.name}: `mimetype` must come first, as it is")
        names = set(book.namelist())
        package = ElementTree.fromstring(book.read("content.opf"))
        items = {unquote(item.get("href")): item for item in package.iterfind("o:manifest/o:item", OPF)}
        told = package.findtext(".//{http://purl.org/dc/elements/1.1/}language")
        if told != language.replace("_", "-"):
            problems.append(f"{path.name}: its language is called `{told}`")
        known = {item.get("id") for item in items.values()}
        problems.extend(f"{path.name}: {name} is declared, but is not there" for name in set(items) - names)
        spine = [item.get("idref") for item in package.iterfind("o:spine/o:itemref", OPF)]
        problems.extend(f"{path.name}: the order names `{name}`, which is not there" for name in set(spine) - known)
        ids, links = {}, []
        for name, item in items.items():
            if name.endswith(".xhtml") and name in names:
                ids[name], found = check_page(book, name, item.get("properties", "").split())
                links += [(name, *link) for link in found]
        for name, target, place in links:
            if target not in ids or (place and place not in ids[target]):
                problems.append(f"{path.name}: {name} leads to {target}#{place}, which is not there")
        formulas = sum(book.read(name).count(b"<math") for name in ids)
    if not links or formulas < FORMULAS or len(ids) < 40:
        problems.append(f"{path.name}: {len(ids)} pages, {len(links)} links, {formulas} formulas: the book is not whole")
    if shutil.which("java") and po.Path(JAR).exists():
        said = subprocess.run(["java", "-jar", JAR, "--quiet", path], capture_output=True, text=True)
        problems.extend(line for line in said.stderr.splitlines() + said.stdout.splitlines()
                        if line.startswith(("ERROR", "FATAL", "WARNING")))


def check_pdf(language):
    build(f"pdf-{language}")
    path = po.PLACE / "share" / "book" / f"vialata-{language}.pdf"
    pages = len(re.findall(rb"/Type ?/Page\b(?!s)", path.read_bytes()))
    if not path.read_bytes().startswith(b"%PDF-") or pages < PAGES:
        problems.append(f"{path.name} has {pages} pages")
    if b"file:" in path.read_bytes() or str(po.PLACE).encode() in path.read_bytes():
        problems.append(f"{path.name}: a link leads out of it, to a file of this machine")
    check_contents(path, po.PLACE / "course" / "one-file" / language / "paper" / "docs" / "index.html")


def check_contents(path, page):
    """The number of each chapter in the contents is the page of paper on which it begins."""
    if shutil.which("pdfinfo") is None:
        return
    listed = subprocess.run(["pdfinfo", "-dests", path], capture_output=True, text=True).stdout
    begins = {name: number for number, name in re.findall(r'^ *(\d+) .*"document-(.+)"$', listed, re.M)}
    told = dict(re.findall(r'data-of="([^"]+)">([^<]*)<', page.read_text(encoding="utf-8")))
    if len(told) != len(po.pages()) - 1 or told != begins:
        problems.append(f"{path.name}: its contents say {told}, and the chapters begin at {begins}")


for language in ["en", *po.LANGUAGES] if LONG else ["sk"]:
    check_epub(language)
if LONG:
    check_pdf("fr")
sys.exit(po.report(problems, "a book in one file is whole, and a reading device can show it"))
