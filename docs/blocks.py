"""Blocks that translators get, and the decimal mark of formulas.

A drawing made of characters is a fence marked "diagram". It goes to the page's catalogue as one message, line
breaks and all, and comes back in the same place. So does a display formula in which a word stands; any other
formula is the same in every language, but for its decimal mark.

Sphinx can do this for reStructuredText only: it wraps such a translation in the syntax of that. Hence a node
of our own goes before each block and takes the message there and back."""

import re

from docutils import nodes
from docutils.nodes import SkipNode
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

DIAGRAM = "diagram"
COMMANDS = ("default", "none", "sh")  # a fence without a kind, as Sphinx calls it, or of a shell
COMMENT = re.compile(r"(?<!\S# )(?<=# )\S.*$", re.M)
WORD = re.compile(r"(?<!\\)\b(?!(?:log|max|min|mod|sign|exp|tanh|bmod)\b)[A-Za-z]{3,}")
BLOCKS = (nodes.literal_block, nodes.math_block)
FORMULAS = (nodes.math, nodes.math_block)


def speaks(block):
    """Whether a block is for translators."""
    if isinstance(block, nodes.math_block):
        return bool(WORD.search(block.astext()))
    return block.get("language") == DIAGRAM or bool(comments(block))


def comments(block):
    """What is said of the commands in a block."""
    if isinstance(block, nodes.math_block) or block.get("language", "none") not in COMMANDS or block.get("classes"):
        return []
    return COMMENT.findall(block.astext())


def with_decimal_mark(latex, language):
    """TeX takes a comma between digits for the end of something, and puts a gap after it, if it has no braces."""
    mark = r"(?<=\d),(?=\d{3})" if language == "en" else r"(?<=\d)[.,](?=\d)"
    return re.sub(mark, "{,}", latex)


# Several words, parted by blanks, are one name: "time per token". Functions are upright, too.
NAME = re.compile(r"(?<!\\)\b[^\W\d_]{3,}(?: [^\W\d_]{2,})*")


def with_names(latex):
    """TeX sets letters side by side as a product, without the blanks between words. Names are text."""
    return NAME.sub(lambda name: r"\text{%s}" % name[0], latex)


class carrier(nodes.Element, addnodes.translatable):
    """Comes before a block, and shows nothing on the page."""

    def block(self):
        return self.parent[self.parent.index(self) + 1]

    def preserve_original_messages(self):
        self["text"] = self.block().astext()
        self["put_in"] = {}  # "translated" would be Sphinx's: such a node has all that it gets
        self["comments"] = comments(self.block())

    def extract_original_messages(self):
        return self["comments"] or [self["text"]]

    def apply_translated_message(self, original_message, translated_message):
        if self["comments"]:  # a comment ends where its line does
            self["put_in"][original_message] = " ".join(translated_message.splitlines())
            translated_message = COMMENT.sub(lambda comment: self["put_in"].get(comment[0], comment[0]), self["text"])
        block = self.block()
        block.rawsource = translated_message
        block[:] = [nodes.Text(translated_message)]


class SendOut(SphinxTransform):
    """Before messages are taken out of a page, or put into it (Sphinx does that at 10 and 20)."""

    default_priority = 5

    def apply(self, **kwargs):
        for block in [node for node in self.document.findall() if isinstance(node, BLOCKS)]:
            if speaks(block):
                sent = carrier()
                sent.source, sent.line = block.source, block.line
                block.parent.insert(block.parent.index(block), sent)
            if isinstance(block, nodes.math_block):
                block["translatable"] = False
            elif block.get("language") == DIAGRAM:
                block["language"] = "none"
                block["classes"].append(DIAGRAM)


class DressFormulas(SphinxTransform):
    """After translations are in their places."""

    default_priority = 30

    def apply(self, **kwargs):
        for formula in [node for node in self.document.findall() if isinstance(node, FORMULAS)]:
            marked = with_decimal_mark(formula.astext(), self.config.language)
            if isinstance(formula, nodes.math_block):
                marked = with_names(marked)
            if marked != formula.astext():
                formula.rawsource = marked
                formula[:] = [nodes.Text(marked)]


def leave_out(translator, node):
    raise SkipNode


def setup(app):
    app.add_node(carrier, html=(leave_out, None), text=(leave_out, None), latex=(leave_out, None))
    app.add_transform(SendOut)
    app.add_transform(DressFormulas)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
