"""The directive {steps}: a figure that is stepped through, one frame after another.

docs/steps/NAME.json has what is in it, in English:

  title     what all frames show; screen readers hear it with each of them
  still     the frame that is printed on paper, counted from 1
  margin    the width of the row labels; a drawing is 360 wide
  head      how many lines a column label may take
  corner    what the row labels are, if they do not say it
  rows      groups of rows: their labels, the height of each, and "slots", how many items fit next to each other
  columns   groups of columns: labels, width, "gap" behind each, slots, font size, and "key" if a screen reader is told
            of them in every frame; where "bar" is given, items are bars below each other, so many units long per one;
            where "stack" is, the letters of an item stand one above the other
  kinds     {kind: class, label}: hue and shade in book.css; those with a label make the legend
  frames    sentence, cells (one text per row and column) and marks (row, column, slot: what is new)

A cell is a list of items, "kind text" each, with commas between them. The text of an item is the same in every
language, but for its decimal mark. All other words, and the sentences, go to the page's catalogue.

Every frame becomes a drawing such as those of docs/drawings, so docs/drawing.py translates it and breaks its labels
into lines. All frames are in the page; docs/_static/steps.js shows one at a time. tests/texts/check_steps.py derives
the cells again from the program and from the course, and compares."""

import html
import json
from pathlib import Path
from xml.etree import ElementTree

from docutils import nodes
from docutils.nodes import SkipNode
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

import drawing
from interface import STEPS

FOLDER = Path(__file__).resolve().parent / "steps"
WIDTH, FONT = 360, 12
LINE = drawing.LINE * FONT
GAP, DASHED = 0.75, 1  # around a box, on each side; what is dashed is smaller still, or two lines would meet
MARK = "mark"  # the kind whose class and label a mark has
AWAY = "away"  # the kind of what is not there


# ---- what the data says ----
def spread(groups, size, begin):
    """Rows or columns of all groups, one after another: [(label, where it begins, its group)], and the end."""
    made = []
    for group in groups:
        for label in group["labels"]:
            made.append((label, begin, group))
            begin += group[size]
    return made, begin


def top(data):
    return data["head"] * LINE + 5


def items(cell):
    """[(kind, text)] of a cell."""
    return [item.partition(" ")[::2] for item in cell.split(", ")] if cell else []


def local(text, language):
    """A number with the decimal mark of the language."""
    return text if language == "en" else text.replace(".", ",")


def slots(row, column):
    return row.get("slots", column.get("slots", 1))


def box(data, row, column, slot, text):
    """x, y, width, height of an item."""
    (_, x, across), (_, y, down) = column, row
    number = slots(down, across)
    if "bar" in across:
        high = (down["height"] - 6) / number
        return x + GAP, y + 3 + slot * high, float(text or 0) * across["bar"], high - 1
    wide = (across["width"] - across.get("gap", 0)) / number
    return x + slot * wide + GAP, y + GAP, wide - 2 * GAP, down["height"] - 2 * GAP


def table(data):
    """Rows, columns, and how high the drawing is."""
    columns, _ = spread(data["columns"], "width", data["margin"])
    rows, bottom = spread(data["rows"], "height", top(data))
    return rows, columns, bottom + 2


# ---- a frame as a drawing ----
def add(parent, kind, **fields):
    return ElementTree.SubElement(parent, f"{{{drawing.SPACE}}}{kind}",
                                  {name.replace("_", "-").strip("-"): value if isinstance(value, str) else f"{value:g}"
                                   for name, value in fields.items()})


def put_label(root, label, x, y, room, lines, place, grow):
    if label:
        text = add(root, "text", class_=place, x=x, y=y, data_room=room, data_lines=lines, data_grow=grow)
        text.text = label


def put_boxes(root, classes, boxes):
    """Boxes of one kind, all of them one path."""
    hue, _, shade = classes.partition(" ")
    if boxes and shade:
        if shade == "empty":
            boxes = [(x + DASHED, y + DASHED, wide - 2 * DASHED, high - 2 * DASHED) for x, y, wide, high in boxes]
        path = "".join(f"M{x:g} {y:g}h{wide:g}v{high:g}h{-wide:g}z" for x, y, wide, high in boxes)
        add(add(root, "g", class_=hue), "path", class_=shade, d=path)


def put_text(root, text, place, column, language):
    x, y, wide, high = place
    size, bar = column.get("font", FONT), "bar" in column
    parts = text if column.get("stack") else [local(text, language)]
    for line, part in enumerate(parts):
        down = (line - (len(parts) - 1) / 2) * drawing.LINE * size
        made = add(root, "text", x=x + (wide + 4 if bar else wide / 2), y=y + high / 2 + 0.36 * size + down,
                   translate="no", **({} if bar else {"class_": "middle"}),
                   **({"font_size": size} if size != FONT else {}))
        made.text = part


def picture(data, number, language="en"):
    """A frame as a drawing in English: SVG, as docs/drawings has it."""
    frame = data["frames"][number]
    rows, columns, bottom = table(data)
    root = ElementTree.Element(f"{{{drawing.SPACE}}}svg", {"viewBox": f"0 0 {WIDTH} {bottom:g}",
                                                            "font-size": str(FONT)})
    add(root, "title").text = data["title"]
    boxes, texts = {}, []
    for row, cells in zip(rows, frame["cells"], strict=True):
        for column, cell in zip(columns, cells, strict=True):
            for slot, (kind, text) in enumerate(items(cell)):
                place = box(data, row, column, slot, text)
                boxes.setdefault(kind, []).append(place)
                if text:
                    texts.append((text, place, column[2]))
    for kind, places in boxes.items():
        put_boxes(root, data["kinds"][kind]["class"], places)
    marked = [box(data, rows[row], columns[column], slot, text_of(frame, row, column, slot))
              for row, column, slot in frame["marks"]]
    if MARK in data["kinds"]:
        put_boxes(root, data["kinds"][MARK]["class"], marked)
    put_label(root, data.get("corner"), data["margin"] - 6, top(data) - 6, data["margin"] - 6, data["head"],
              "end soft", "up")
    for label, x, group in columns:
        wide = group["width"] - group.get("gap", 0)
        put_label(root, label, x + wide / 2, top(data) - 6, wide - 1, data["head"], "middle soft", "up")
    for label, y, group in rows:
        put_label(root, label, data["margin"] - 6, y + group["height"] / 2 + 0.36 * FONT, data["margin"] - 6,
                  int(group["height"] / LINE), "end", "both")
    for text, place, column in texts:
        put_text(root, text, place, column, language)
    return ElementTree.tostring(root, encoding="unicode")


def text_of(frame, row, column, slot):
    there = items(frame["cells"][row][column])
    return there[slot][1] if slot < len(there) else ""


# ---- in words ----
def curled(text):
    """Labels with the apostrophe of the sentences around them, which Sphinx sets."""
    return text.replace("'", "’")


def messages(data):
    """All words but the sentences, as translators get them, each once."""
    found = [message for number in range(len(data["frames"]))
             for message in drawing.messages(drawing.load(picture(data, number)))]
    return list(dict.fromkeys([*found, *(label for _, label in legend(data))]))


def legend(data):
    return [(kind["class"], kind["label"]) for kind in data["kinds"].values() if "label" in kind]


def content(data, row, column, cell, given, language):
    """What is in a cell, for the ear: texts as they are; of items without text, how many there are of them."""
    there = items(cell)
    if "bar" in column[2]:
        return ", ".join(f"{given(data['kinds'][kind]['label'])} {text}" for kind, text in there)
    if any(text for _, text in there):
        return " ".join(local(text, language) for _, text in there if text)
    kinds = [given(data["kinds"][kind]["label"]) for kind, _ in there if kind != AWAY]
    return f"{kinds[0]} {len(kinds)}/{slots(row[2], column[2])}" if kinds else ""


def described(data, number, given, language):
    """A frame for a screen reader: the title, and what is in the cells that are new, or in all of them."""
    def translated(label):
        return given.get(label, label)

    frame = data["frames"][number]
    rows, columns, _ = table(data)
    new = {(row, column) for row, column, _ in frame["marks"]}
    said = []
    for r, row in enumerate(rows):
        for c, column in enumerate(columns):
            if new and (r, c) not in new and not column[2].get("key"):
                continue
            there = content(data, row, column, frame["cells"][r][c], translated, language)
            name = f"{translated(row[0])} {translated(data.get('corner', ''))}".strip()
            if any(letter.isalpha() for letter in column[0]) and "bar" not in column[2]:
                name += f", {translated(column[0])}"
            if there:
                said.append(f"{name}: {there}")
    return f"{translated(data['title'])}. {'; '.join(said)}"


def dress(data, number, given, language):
    """The SVG of a frame as it is in a page."""
    told = {data["title"]: described(data, number, given, language)}
    return drawing.dress(picture(data, number, language), given | told)


# ---- in a page ----
class steps(drawing.drawing):
    """Holds the data, what translators gave for its labels, and as children the caption and the sentences."""

    def extract_original_messages(self):
        return messages(self["data"])

    def apply_translated_message(self, original_message, translated_message):
        self["given"][original_message] = curled(translated_message)


class Steps(SphinxDirective):
    required_arguments = 1
    has_content = True

    def run(self):
        path = FOLDER / f"{self.arguments[0]}.json"
        self.env.note_dependency(str(path))
        where = f"{self.env.docname}:{self.lineno}"
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            node = steps(data=data, given={})
            messages(data)
        except (OSError, ValueError, LookupError) as error:
            what = error.strerror if isinstance(error, OSError) else repr(error)
            raise drawing.DrawingError(f"{where}: {path.relative_to(FOLDER.parent)}: {what}") from error
        self.set_source_info(node)
        self.state.nested_parse(self.content, self.content_offset, node)
        for frame in data["frames"]:
            self.state.nested_parse(StringList([frame["sentence"]], str(path)), self.content_offset, node)
        if len(node) != 1 + len(data["frames"]) or not all(isinstance(child, nodes.paragraph) for child in node):
            raise drawing.DrawingError(f"{where}: steps have one sentence below, and one for each frame")
        return [node]


def put_legend(data, given):
    made = []
    for classes, label in legend(data):
        hue, _, shade = classes.partition(" ")
        swatch = f'<svg xmlns="{drawing.SPACE}" viewBox="0 0 14 14" aria-hidden="true"><g class="{hue}">' \
                 f'<rect class="{shade}" x="2" y="2" width="10" height="10"/></g></svg>'
        made.append(f"<span>{swatch}{html.escape(given.get(label, label))}</span>")
    return f'<div class="legend">{"".join(made)}</div>\n'


def put_figure(translator, node):
    data, given, language = node["data"], node["given"], translator.builder.config.language
    caption, *sentences = node
    words = " ".join(f'data-{name}="{html.escape(told.get(language, told["en"]))}"' for name, told in STEPS.items())
    translator.body.append(f'<figure class="steps drawing" {words}>\n{put_legend(data, given)}<ol>\n')
    for number, sentence in enumerate(sentences):
        still = ' class="still"' if number + 1 == data["still"] else ""
        translator.body.append(f"<li{still}>{dress(data, number, given, language)}\n")
        sentence.walkabout(translator)
        translator.body.append("</li>\n")
    translator.body.append("</ol>\n<figcaption>")
    caption.walkabout(translator)
    translator.body.append("</figcaption>\n</figure>\n")
    raise SkipNode


def put_list(translator, node):
    """In plain text the caption in brackets, and the sentences, numbered."""
    caption, *sentences = node
    translator.new_state(0)
    translator.add_text("[")
    for part in caption:
        part.walkabout(translator)
    translator.add_text("]")
    translator.end_state()
    listed = nodes.enumerated_list("", *(nodes.list_item("", sentence.deepcopy()) for sentence in sentences))
    listed.walkabout(translator)
    raise SkipNode


def setup(app):
    app.add_node(steps, html=(put_figure, None), text=(put_list, None))
    app.add_directive("steps", Steps)
    app.add_css_file("steps.css")
    if not app.tags.has("ebook"):  # a reading device runs no scripts
        app.add_js_file("steps.js")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
