"""The directive {drawing}: a picture of docs/drawings/ in the page, labelled in its language.

A drawing is plain SVG with English labels, one <text> a label. Labels and title go to the page's
catalogue as any sentence does, and come back translated, in the page's own font and colours (see
book.css). So that every language fits, a label says how much room it has:

  data-room="120"   units of width that it may take; it is broken into lines there
  data-lines="2"    how many lines it may take (1 where nothing is said)
  data-grow="up"    more lines push the label up, or "both" ways, instead of down
  translate="no"    a name or a code word: the same in every language

tests/texts/check_drawings.py measures all of them in every language."""

import re
from pathlib import Path
from xml.etree import ElementTree

from docutils import nodes
from docutils.nodes import SkipNode
from sphinx import addnodes
from sphinx.errors import SphinxError
from sphinx.util.docutils import SphinxDirective

FOLDER = Path(__file__).resolve().parent / "drawings"
SPACE = "http://www.w3.org/2000/svg"
SHAPES = {"svg", "title", "g", "text", "rect", "path", "circle"}
# The page gives font and colours; ids of two drawings on one page would meet; and where a label
# stands must be read off it, without following transforms up the tree.
REFUSED = {"style", "id", "transform", "font-family", "href", "src"}
NUMBER = re.compile(r"-?\d+(\.\d+)?")
GROWTH = {"down": 0, "both": 0.5, "up": 1}  # the share of its further lines that goes upwards
LINE = 1.2  # from one line of a label to the next, in font sizes
ElementTree.register_namespace("", SPACE)


class DrawingError(SphinxError):
    category = "Drawing"


def kind(element):
    return element.tag.removeprefix(f"{{{SPACE}}}")


def check_place(text):
    """ValueError if it cannot be told where a label stands and how much room it has."""
    numbers = [text.get("x"), text.get("y"), text.get("data-room", "1"), text.get("data-lines", "1")]
    if not all(number and NUMBER.fullmatch(number) for number in numbers):
        raise ValueError(f"{label(text)!r} wants x and y, and numbers for its room")
    if text.get("data-grow", "down") not in GROWTH:
        raise ValueError(f"{label(text)!r} grows {' or '.join(GROWTH)}")


def load(text):
    """The drawing as a tree; ValueError says what is wrong with it."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ValueError(f"no well-formed XML: {error}") from error
    if kind(root) != "svg":
        raise ValueError(f"begins with <{kind(root)}>, not <svg>")
    if len(root.get("viewBox", "").split()) != 4 or {"width", "height"} & set(root.keys()):
        raise ValueError("<svg> wants a viewBox, and neither width nor height")
    if root.find(f"{{{SPACE}}}title") is None or not title(root):
        raise ValueError("has no <title>")
    for element in root.iter():
        if kind(element) not in SHAPES:
            raise ValueError(f"<{kind(element)}> is no plain shape")
        if kind(element) == "text" and (len(element) or not label(element)):
            raise ValueError("a <text> holds one label and nothing else")
        if kind(element) == "text":
            check_place(element)
        for name, value in element.items():
            if name.startswith(("on", "{")) or name in REFUSED or "url(" in value:
                raise ValueError(f"<{kind(element)}> has {name}={value!r}")
    return root


def label(element):
    return " ".join((element.text or "").split())


def title(root):
    return label(root.find(f"{{{SPACE}}}title"))


def texts(root):
    return [element for element in root.iter() if kind(element) == "text"]


def speaks(element):
    """Whether a label is for translators: it has words, or a decimal mark."""
    return element.get("translate") != "no" and bool(
        re.search(r"[^\W\d_]|\d\.\d", label(element)))


def messages(root):
    """Title and labels as translators get them, each once."""
    return list(dict.fromkeys([title(root), *(label(t) for t in texts(root) if speaks(t))]))


def size(root, element):
    return float(element.get("font-size", root.get("font-size", 13)))


def width(text, font_size, bold=False):
    """About how wide a text is; fonts differ, so this is on the safe side."""
    return len(text) * font_size * (0.6 if bold else 0.56)


def lines(root, element, text):
    """The text broken into lines of even length that have room, as far as words can be parted."""
    if "data-room" not in element.attrib:
        return [text]
    room, bold = float(element.get("data-room")), "bold" in element.get("class", "").split()

    def broken(limit):
        made = [""]
        for word in re.split("[ \t\n]+", text):  # a no-break space holds
            longer = f"{made[-1]} {word}".strip()
            if made[-1] and width(longer, size(root, element), bold) > limit:
                made.append(word)
            else:
                made[-1] = longer
        return made

    narrowest, best = room, broken(room)
    while narrowest > room / 2 and len(broken(narrowest)) == len(best):
        best, narrowest = broken(narrowest), narrowest - 4
    return best


def overfull(root, element, text):
    """Whether a text has more lines than its label may have, or one that is too wide."""
    parts, bold = lines(root, element, text), "bold" in element.get("class", "").split()
    widest = max(width(part, size(root, element), bold) for part in parts)
    return len(parts) > int(element.get("data-lines", 1)) or widest > float(element.get("data-room"))


def dress(text, given):
    """The drawing as a page has it: labels as 'given' {English: translation} has them."""
    root = load(text)
    named = root.find(f"{{{SPACE}}}title")
    root.set("role", "img")
    root.set("aria-label", given.get(title(root), title(root)))
    root.remove(named)  # browsers would show it as a tooltip over the whole drawing
    for element in texts(root):
        english = label(element)
        parts = lines(root, element, given.get(english, english) if speaks(element) else english)
        step = LINE * size(root, element)
        up = GROWTH[element.get("data-grow", "down")]
        first = float(element.get("y")) - up * (len(parts) - 1) * step
        for name in ("data-room", "data-lines", "data-grow"):
            element.attrib.pop(name, None)
        element.set("y", f"{first:g}")
        element.text = parts[0] if len(parts) == 1 else None
        for number, part in enumerate(parts if len(parts) > 1 else []):
            place = {"x": element.get("x"), "y": f"{first + number * step:g}"}
            line = ElementTree.SubElement(element, f"{{{SPACE}}}tspan", place)
            line.text = part + (" " if number + 1 < len(parts) else "")
    return ElementTree.tostring(root, encoding="unicode")


class drawing(nodes.General, nodes.Element, addnodes.translatable):
    """Holds the SVG as text, what translators gave for its labels, and the caption as a child."""

    def preserve_original_messages(self):
        self["given"] = {}

    def apply_translated_message(self, original_message, translated_message):
        self["given"][original_message] = translated_message

    def extract_original_messages(self):
        return messages(load(self["svg"]))


class Drawing(SphinxDirective):
    required_arguments = 1
    has_content = True

    def run(self):
        path = FOLDER / f"{self.arguments[0]}.svg"
        self.env.note_dependency(str(path))
        try:
            text = path.read_text(encoding="utf-8")
            load(text)
        except (OSError, ValueError) as error:
            what = error.strerror if isinstance(error, OSError) else error
            where = path.relative_to(FOLDER.parent)
            raise DrawingError(f"{self.env.docname}:{self.lineno}: {where}: {what}") from error
        node = drawing(svg=text, given={})
        self.set_source_info(node)
        self.state.nested_parse(self.content, self.content_offset, node)
        if len(node) != 1 or not isinstance(node[0], nodes.paragraph):
            where = f"{self.env.docname}:{self.lineno}"
            raise DrawingError(f"{where}: a drawing has one sentence below")
        return [node]


def put_figure(translator, node):
    translator.body.append('<figure class="drawing">\n' + dress(node["svg"], node["given"]))
    translator.body.append("\n<figcaption>")


def end_figure(translator, node):
    translator.body.append("</figcaption>\n</figure>\n")


def put_caption(translator, node):
    """In plain text the caption alone, in brackets."""
    translator.new_state(0)
    translator.add_text("[")
    for part in node[0]:
        part.walkabout(translator)
    translator.add_text("]")
    translator.end_state()
    raise SkipNode


def setup(app):
    app.add_node(drawing, html=(put_figure, end_figure), text=(put_caption, None))
    app.add_directive("drawing", Drawing)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
