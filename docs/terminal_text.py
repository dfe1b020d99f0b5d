"""The course as plain text, for the terminal: what `explain` and `hint` show.

A paragraph is one line, however long it is, since only the terminal knows where to break it. A line that must stay
whole ends in a blank: code, a drawing, a table, a formula (src/report/draw/terminal_page.h)."""

import re

import sphinx.writers.text
from docutils import nodes
from docutils.nodes import SkipNode
from sphinx.writers.text import TextTranslator, TextWrapper

WIDEST_COLUMN = 36
sphinx.writers.text.MAXWIDTH = 1_000_000

# Words part at plain blanks alone: a no-break space holds what belongs together, and so does the hyphen of
# "all-reduce".
TextWrapper.wordsep_re = re.compile(r"([ \t\n]+)")


def plain_formula(latex):
    """The few commands that the course's formulas use, as a terminal can show them."""
    plain = re.sub(r"\\text\{([^{}]*)\}", r"\1", latex)
    plain = re.sub(r"\\sqrt\{(\w)\}", "√\\1", plain.replace("{,}", ","))
    plain = re.sub(r"\\sqrt\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}", "√(\\1)", plain)
    plain = re.sub(r"\\hat\s*\{?(\w)\}?", "\\1\N{COMBINING CIRCUMFLEX ACCENT}", plain)
    plain = re.sub(r"\^\\top\b", "ᵀ", plain).replace("\\quad", " ")
    return re.sub(r"\\b?(log|max|mod)(?![a-z])", r"\1", plain)


def whole(text):
    return "\n".join(line.rstrip() + " " for line in text.splitlines())


class TerminalTranslator(TextTranslator):
    """Code between backquotes, as in the source: quotation marks belong to the language."""

    def visit_literal(self, node):
        self.add_text("`")

    def depart_literal(self, node):
        self.add_text("`")

    def visit_math(self, node):
        self.add_text(plain_formula(node.astext()))
        raise SkipNode

    def visit_math_block(self, node):
        self.new_state()
        self.add_text(whole(plain_formula(node.astext())))
        self.end_state(wrap=False)
        raise SkipNode

    def visit_literal_block(self, node):
        self.new_state()
        self.add_text(whole(node.astext()))
        self.end_state(wrap=False)
        raise SkipNode

    def visit_table(self, node):
        """Columns as wide as what they hold; a long cell is wrapped."""
        rows = [[len(cell.astext()) + 2 for cell in row] for row in node.findall(nodes.row)]
        for column, spec in enumerate(node.findall(nodes.colspec)):
            spec["colwidth"] = min(WIDEST_COLUMN, max(row[column] for row in rows))
        super().visit_table(node)

    def depart_table(self, node):
        self.add_text(whole(str(self.table)))
        self.table = None
        self.end_state(wrap=False)


def setup(app):
    app.set_translator("text", TerminalTranslator)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
