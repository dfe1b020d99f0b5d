"""The directive {terms}: docs/glossary.tsv as a table, the page's own language first and in its
alphabetical order. And the order of {glossary}, which Sphinx sorts by code points alone."""

import csv
from pathlib import Path

from docutils import nodes
from languages import LANGUAGES, dictionary_order, language_name, language_tag
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective

TERMS = Path(__file__).resolve().parent / "glossary.tsv"


def table_row(cells, languages):
    """Plain text that no catalogue takes: a paragraph without a source is not translated."""
    row = nodes.row()
    for text, language in zip(cells, languages):
        # Docutils makes an attribute lang of such a class: for a voice that reads the page.
        word = nodes.inline("", text, classes=[f"language-{language_tag(language)}"])
        row += nodes.entry("", nodes.paragraph("", "", word))
    return row


class TermsTable(SphinxDirective):
    def run(self):
        self.env.note_dependency(str(TERMS))
        with open(TERMS, encoding="utf-8") as stream:
            terms = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
        # A language that is just being added may have no column yet.
        languages = [code for code in LANGUAGES if code in terms[0]]
        languages.sort(key=lambda code: code != self.config.language)
        terms.sort(key=lambda term: dictionary_order(term[languages[0]], languages[0]))
        group = nodes.tgroup("", cols=len(languages))
        group += [nodes.colspec(colwidth=1) for _ in languages]
        group += nodes.thead("", table_row(map(language_name, languages), languages))
        group += nodes.tbody("", *(table_row([term[code] for code in languages], languages)
                                   for term in terms))
        return [nodes.table("", group, classes=["colwidths-auto"])]


class GlossaryOrder(SphinxTransform):
    default_priority = 510  # behind Sphinx's own sorting, which is behind the translation

    def apply(self, **_):
        for glossary in self.document.findall(addnodes.glossary):
            entries = glossary[0]
            entries[:] = sorted(entries, key=lambda entry: dictionary_order(entry[0].astext(),
                                                                            self.config.language))


def setup(app):
    app.add_directive("terms", TermsTable)
    app.add_transform(GlossaryOrder)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
