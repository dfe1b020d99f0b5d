"""The book on paper: one long page that Chromium prints (po/one_file.cmake), with a contents list in front.

Sphinx makes the page out of all others and loses the captions under which the first page lists them. As an extension
(-t paper) this module puts them back. As a program,

    paper.py PAGE CHROMIUM OUT.pdf

it prints the page, asks pdfinfo on which page each chapter begins, writes the numbers into the contents and prints once
more. Without pdfinfo the contents have no numbers; their links work."""

import html
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MARK = re.compile(r'(<span id="document-[^"]+"></span>)<section([^>]*>)')  # Sphinx puts it before each page
PATIENCE = 600  # seconds
DESTINATION = re.compile(r'^ *(\d+) +\[.*\] +"document-([^"]+)"$', re.M)
NUMBER = re.compile(r'(<span class="page" data-of="([^"]+)">)[^<]*')


# ---- the extension ----
def parts(app):
    """[(caption, [(page, title)])], in the language of the book."""
    from sphinx import addnodes
    for tree in app.env.get_doctree(app.config.root_doc).findall(addnodes.toctree):
        yield tree["caption"], [(page, title or app.env.titles[page].astext()) for title, page in tree["entries"]]


def contents(app):
    from sphinx.locale import get_translation
    lines = ["", f'<nav class="chapters">\n<h2>{html.escape(get_translation("sphinx")("Table of Contents"))}</h2>']
    for caption, pages in parts(app):
        lines.append(f"<h3>{html.escape(caption)}</h3>\n<ol>")
        lines += [f'<li><a href="#document-{page}"><span>{html.escape(title)}</span>'
                  f'<span class="page" data-of="{page}"></span></a></li>' for page, title in pages]
        lines.append("</ol>")
    return "\n".join([*lines, "</nav>", ""])


def assemble(app, error):
    """Sphinx names the one page in each link. Without that they stay inside of the file that is printed."""
    if error:
        return
    page = Path(app.outdir) / f"{app.config.root_doc}.html"
    text = re.sub(r'href="[./]*%s\.html#' % app.config.root_doc, 'href="#', page.read_text(encoding="utf-8"))
    text = MARK.sub(lambda found: contents(app) + found[0], text, count=1)
    text = MARK.sub(r"<section data-chapter\2\1", text)  # else it would be on the page of paper before
    for caption, pages in parts(app):
        begin = f'<span id="document-{pages[0][0]}"></span>'
        text = text.replace(begin, f'{begin}<p class="part">{html.escape(caption)}</p>')
    page.write_text(text, encoding="utf-8")


def setup(app):
    if app.tags.has("paper"):
        app.connect("build-finished", assemble)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


# ---- the program ----
def put(page, chromium, out):
    """Chromium waits until the page's scripts have drawn all formulas. Root may not use its sandbox, and the page is
    our own."""
    with tempfile.TemporaryDirectory() as profile:
        ran = subprocess.run([chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                              f"--user-data-dir={profile}", "--virtual-time-budget=600000", "--no-pdf-header-footer",
                              "--generate-pdf-document-outline", f"--print-to-pdf={out}", page.as_uri()],
                             capture_output=True, text=True, timeout=PATIENCE)
    if ran.returncode != 0 or not out.exists():
        sys.exit(f"Chromium could not print the book:\n{ran.stderr}")


def pages_of(out):
    """{page of the course: on which page of paper it begins}"""
    if shutil.which("pdfinfo") is None:
        return {}
    listed = subprocess.run(["pdfinfo", "-dests", out], capture_output=True, text=True)
    return {page: number for number, page in DESTINATION.findall(listed.stdout)}


def main():
    page, chromium, out = Path(sys.argv[1]).resolve(), sys.argv[2], Path(sys.argv[3])
    put(page, chromium, out)
    numbers = pages_of(out)
    text = page.read_text(encoding="utf-8")
    page.write_text(NUMBER.sub(lambda found: found[1] + numbers.get(found[2], ""), text), encoding="utf-8")
    if numbers:
        put(page, chromium, out)


if __name__ == "__main__":
    main()
