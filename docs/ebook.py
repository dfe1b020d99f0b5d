"""The book as one file for a reading device (EPUB). Such devices run no scripts, so formulas are MathML in it:
KaTeX makes that in Node.js, formula by formula, in one process."""

import json
import posixpath
import re
import subprocess
from pathlib import Path
from urllib.parse import unquote

from languages import language_tag
from sphinx.builders.epub3 import Epub3Builder
from sphinx.errors import SphinxError

HERE = Path(__file__).resolve().parent
HOLDS = {"mathml": "<math", "svg": "<svg"}  # what a reading device must be told before it opens a page


# An operator with a name, such as mod: KaTeX makes letters of it, which MathML does not allow there.
NAMED = re.compile(r"<mo([^>]*)><mrow>((?:<mi[^>]*>\w</mi>)+)</mrow></mo>")


class Katex:
    def __init__(self, script):
        self.process = subprocess.Popen(["node", HERE / "mathml.js", script], text=True, encoding="utf-8",
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def mathml(self, tex, display):
        self.process.stdin.write(json.dumps({"tex": tex, "display": display}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SphinxError(f"KaTeX cannot read this formula: {tex}")
        made = re.sub(r"^<span[^>]*>|</span>$", "", json.loads(line))
        return NAMED.sub(lambda name: f"<mo{name[1]}>{re.sub('<[^>]*>', '', name[2])}</mo>", made)


class Ebook(Epub3Builder):
    def get_toc(self):
        """Labs are in another folder than the first page, and a reading device follows no dots."""
        super().get_toc()
        for link in self.refnodes:
            link["refuri"] = posixpath.normpath(link["refuri"])

    def build_content(self):
        super().build_content()
        contents = Path(self.outdir) / "content.opf"
        text = contents.read_text(encoding="utf-8")

        def declare(item):
            held = self.mend(Path(self.outdir) / unquote(item[1]))
            kinds = " ".join(kind for kind, begin in HOLDS.items() if begin in held)
            return f'{item[0]} properties="{kinds}"' if kinds else item[0]

        contents.write_text(re.sub(r'<item id="epub-\d+" href="([^"]+\.xhtml)"', declare, text), encoding="utf-8")

    @staticmethod
    def mend(page):
        """In a browser a drawing may say that a label is the same in all languages; here it may not."""
        text = page.read_text(encoding="utf-8")
        mended = re.sub(r'(<(?:text|tspan)[^>]*) translate="no"', r"\1", text)
        if mended != text:
            page.write_text(mended, encoding="utf-8")
        return mended


def name_language(app, config):
    """As the standard writes it: pt-BR."""
    config.epub_language = language_tag(config.language)


def setup(app):
    app.add_builder(Ebook, override=True)
    app.connect("config-inited", name_language)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
