"""How Sphinx reads the course. The source folder is the root of the tree, this folder is given
with -c, and po/texts.cmake gives the language and the folder of built catalogues."""

import json
import os
import posixpath
import re
import shutil
import sys
import textwrap
from pathlib import Path

from docutils import nodes
from docutils.nodes import SkipNode
from docutils.utils.smartquotes import smartchars

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
from ebook import Katex  # noqa: E402
from interface import SEARCH, WORDS  # noqa: E402
from languages import LANGUAGES, language_name, language_tag  # noqa: E402

project = "Vialata"
author = "The Vialata contributors"
root_doc = "docs/index"
include_patterns = ["docs/*.md", "labs/*/README.md", "labs/*/hints.md"]
extensions = ["myst_parser", "drawing", "steps", "blocks", "glossary_table", "ebook",
              "paper", "terminal_text"]  # all but one are of this folder
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

# A single straight quote is an apostrophe in French, also where markup follows (l'*étage*).
smartchars.quotes["fr"] = "«\N{NO-BREAK SPACE}", "\N{NO-BREAK SPACE}»", "’", "’"

# ---- languages: one catalogue a page, built outside the source tree ----
language = "en"
locale_dirs = [os.environ.get("VIALATA_COURSE", "")]
gettext_compact = False
gettext_uuid = False
gettext_location = False  # the page is the file's name; line numbers only make noise
gettext_auto_build = False

# ---- plain text, for the terminal ----
text_sectionchars = "=-~^+"

# ---- the whole book as one file, for a reading device (-t ebook) or for paper (-t paper) ----
EBOOK, PAPER = tags.has("ebook"), tags.has("paper")  # noqa: F821 (Sphinx gives this file its tags)
ONE_FILE = EBOOK or PAPER
version = os.environ.get("VIALATA_VERSION", "")
epub_basename = "vialata"
epub_description = "How large language models are trained on many machines, learned by building it"
epub_contributor = epub_publisher = author
epub_copyright = author
epub_identifier = "vialata"
epub_scheme = "URN"
epub_uid = "vialata"
epub_show_urls = "no"
epub_exclude_files = ["_static/print.css"]
epub_tocdup = False
epub_tocscope = "includehidden"  # the other one takes the first page to be in no folder

# ---- the site: static and offline ----
html_theme = "basic" if PAPER else "furo"
html_title = f"Vialata {version}" if PAPER else "Vialata"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_additional_pages = {} if ONE_FILE else {"index": "start.html"}
html_use_index = False
highlight_language = "none"  # a block without a language is a drawing or a command
html_show_search_summary = False  # it fetches pages, which a page opened as a file may not
templates_path = ["_templates"]
html_static_path = ["_static"]
SCRIPTS = Path("/usr/share/javascript")
KATEX = SCRIPTS / "katex"
html_math_renderer = "katex"
html_sidebars = {} if PAPER else {
    "**": [
        "sidebar/brand.html",
        "languages.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}


UNIT = re.compile(
    r"(?<=\d) (?=(?:[kKMGT]?i?[Bo](?:/s)?|[kMG]?bit/s|[mµn]?s|W|[GMk]?Wh|%|(?:octet|byte|bajt|bit)\w*)(?![\w/]))"
)
CARONS = str.maketrans({"ť": "t’", "ď": "d’", "ľ": "l’", "Ľ": "L’"})
VERBATIM = (nodes.literal, nodes.literal_block, nodes.math, nodes.math_block)


def page_context(app, pagename, templatename, context, doctree):
    up = "../" * (pagename.count("/") + 1)
    context["language"] = language_tag(app.config.language)
    context["languages"] = [
        {
            "tag": language_tag(code),
            "name": language_name(code),
            "page": posixpath.join(up + code, pagename + ".html"),
            "current": code == app.config.language,
        }
        for code in LANGUAGES
    ]
    # A page without parts needs no list of them, and the theme's script fails on one.
    if context.get("toc", "").count("<a ") < 2:
        context["furo_hide_toc"] = True


def take_room(app, doctree, docname):
    """Drawings are indented in the source; on a phone every column counts."""
    if app.builder.name in ("html", "singlehtml", "epub"):
        for block in doctree.findall(nodes.literal_block):
            block[:] = [nodes.Text(textwrap.dedent(block.astext()))]
            block.rawsource = block.astext()


def keep_units(app, doctree, docname):
    """A number and its unit stay on one line, in every language."""
    for text in list(doctree.findall(nodes.Text)):
        if not isinstance(text.parent, VERBATIM):
            text.parent.replace(text, nodes.Text(UNIT.sub("\N{NO-BREAK SPACE}", text)))


def tex_of(node):
    """KaTeX puts a caron above any letter; these have it beside them, like an apostrophe."""
    return node.astext().translate(CARONS)


def put_mathml(translator, node, display):
    """As docs/_static/book.js does it in a browser."""
    if not hasattr(translator.builder, "katex"):
        translator.builder.katex = Katex(KATEX / "katex.min.js")
    tex = tex_of(node).strip().replace("·", "\\cdot ")
    translator.body.append(translator.builder.katex.mathml(tex, display))
    raise SkipNode


def put_inline_math(translator, node):
    if EBOOK:
        put_mathml(translator, node, False)
    translator.body.append(translator.starttag(node, "span", "", CLASS="math notranslate"))
    translator.body.append(translator.encode(r"\(" + tex_of(node) + r"\)") + "</span>")
    raise SkipNode


def put_block_math(translator, node):
    if EBOOK:
        put_mathml(translator, node, True)
    translator.body.append(translator.starttag(node, "div", CLASS="math notranslate"))
    translator.body.append(translator.encode(r"\[" + tex_of(node) + r"\]") + "</div>\n")
    raise SkipNode


def take_katex(app, error):
    """KaTeX and its fonts travel with the site, which never asks the network for anything."""
    target = Path(app.outdir) / "_static" / "katex"
    if error or app.builder.name not in ("html", "singlehtml") or target.exists():
        return
    (target / "fonts").mkdir(parents=True)
    for name in ("katex.min.js", "katex.min.css"):
        shutil.copy(KATEX / name, target)
    for font in (KATEX / "fonts").glob("*.woff2"):
        shutil.copy(font, target / "fonts")


def mend_theme(app, error):
    """Debian's furo imports one style sheet from a server's root and one script as a module: both
    are out of reach where pages are files. Put in their places, they come along."""
    if error or app.builder.name != "html":
        return
    static = Path(app.outdir) / "_static"
    style = static / "styles" / "furo.css"
    style.write_text(
        re.sub(
            r"@import url\(/javascript/([^)]+)\);",
            lambda found: (SCRIPTS / found[1]).read_text(encoding="utf-8"),
            style.read_text(encoding="utf-8"),
        ),
        encoding="utf-8",
    )
    script = static / "scripts" / "furo.js"
    script.write_text(
        re.sub(
            r'^import \w+ from "\./([^"]+)";$',
            lambda found: (script.parent / found[1]).read_text(encoding="utf-8"),
            script.read_text(encoding="utf-8"),
            flags=re.MULTILINE,
        ),
        encoding="utf-8",
    )


def mend_captions(app, error):
    """Sphinx calls the captions of its contents headings, but does not say of which level."""
    if error or app.builder.name != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        before = page.read_text(encoding="utf-8")
        after = before.replace('class="caption" role="heading"', 'class="caption" role="heading" aria-level="2"')
        if after != before:
            page.write_text(after, encoding="utf-8")


def translate_theme(app, error):
    """Words of the theme that pass through no catalogue, and of the search (see interface.py)."""
    code = app.config.language
    if error or app.builder.name != "html" or code == "en":
        return
    words = "|".join(map(re.escape, WORDS))
    pattern = re.compile(r"""(>\s*|title=")(%s)(\s*<|")""" % words)
    for page in Path(app.outdir).rglob("*.html"):
        before = page.read_text(encoding="utf-8")
        after = pattern.sub(lambda m: m[1] + WORDS[m[2]].get(code, m[2]) + m[3], before)
        if after != before:
            page.write_text(after, encoding="utf-8")
    own = {sentence: given[code] for sentence, given in SEARCH.items() if code in given}
    with (Path(app.outdir) / "_static" / "translations.js").open("a", encoding="utf-8") as script:
        script.write("\nObject.assign(Documentation.TRANSLATIONS, %s);\n" % json.dumps(own))


def setup(app):
    app.add_html_math_renderer("katex", (put_inline_math, None), (put_block_math, None))
    if not EBOOK:
        app.add_css_file("katex/katex.min.css")
        app.add_js_file("katex/katex.min.js")
        app.add_js_file("book.js")
    app.add_css_file("book.css")
    if PAPER:
        app.add_css_file("print.css")
    app.connect("html-page-context", page_context, priority=900)  # after the theme's own
    app.connect("doctree-resolved", take_room)
    app.connect("doctree-resolved", keep_units)
    app.connect("build-finished", take_katex)
    app.connect("build-finished", mend_theme)
    app.connect("build-finished", mend_captions)
    app.connect("build-finished", translate_theme)
