#!/usr/bin/env python3
"""The drawings: sound, used, to scale, and in every language whole, translated and inside the room
that each label has."""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from pathlib import Path

import po

sys.dont_write_bytecode = True
sys.path.insert(0, str(po.ROOT / "docs"))
import drawing  # noqa: E402

USE = re.compile(r"^```\{drawing\} +(\S+)\n(.+)\n```$", re.M)
problems = []
drawings = {}
for path in sorted(drawing.FOLDER.glob("*.svg")):
    try:
        drawings[path.stem] = drawing.load(path.read_text(encoding="utf-8"))
    except ValueError as error:
        problems.append(f"{path.relative_to(po.ROOT)}: {error}")


# ---- every label has room, whatever the language ----
def place(root, text):
    """(left, top, right, bottom) of the room of a label, all its lines taken."""
    room, high = float(text.get("data-room")), drawing.size(root, text)
    kind = text.get("class", "").split()
    left = float(text.get("x")) - room * (0.5 if "middle" in kind else "end" in kind)
    more = (int(text.get("data-lines", 1)) - 1) * drawing.LINE * high
    up = drawing.GROWTH[text.get("data-grow", "down")]
    baseline = float(text.get("y")) - up * more
    return left, baseline - 0.8 * high, left + room, baseline + more + 0.25 * high


def check_room(name, root):
    _, _, right, bottom = map(float, root.get("viewBox").split())
    taken = []
    for text in drawing.texts(root):
        words = drawing.label(text)
        if drawing.size(root, text) < 11:
            problems.append(f"{name}: {words!r} is too small for a telephone")
        if not drawing.speaks(text):
            continue
        if "data-room" not in text.attrib:
            problems.append(f"{name}: {words!r} has no data-room")
            continue
        if drawing.overfull(root, text, words):
            problems.append(f"{name}: {words!r} has no room even in English")
        box = place(root, text)
        if box[0] < 0 or box[1] < 0 or box[2] > right or box[3] > bottom:
            problems.append(f"{name}: the room of {words!r} leaves the drawing")
        for other, there in taken:
            across = box[0] < there[2] and there[0] < box[2]
            if across and box[1] < there[3] and there[1] < box[3]:
                problems.append(f"{name}: the rooms of {other!r} and {words!r} overlap")
        taken.append((words, box))


# ---- what a page shows ----
def shown(path):
    """{title: texts} of the drawings in a built page."""
    page = path.read_text(encoding="utf-8")
    found = {}
    for figure in re.findall(r'<figure class="drawing">\s*(<svg.*?</svg>)', page, re.S):
        root = ElementTree.fromstring(figure)
        if root.get("role") == "img":
            labels = ["".join(text.itertext()) for text in drawing.texts(root)]
            found[root.get("aria-label")] = labels
    return found


def check_page(page, uses):
    template = {entry.source for entry in po.read(po.PLACE / "course" / "pot" / f"{page}.pot")}
    for language in ["en", *po.LANGUAGES]:
        catalogue = po.course_catalogue(language, page)
        entries = po.read(catalogue) if language != "en" and catalogue.exists() else []
        given = {entry.source: entry.texts[0] for entry in entries
                 if entry.texts.get(0) and not entry.fuzzy}
        there = shown(po.PLACE / "share" / "book" / language / f"{page}.html")
        plain = po.PLACE / "share" / "texts" / language / f"{page}.txt"
        plain = " ".join(plain.read_text(encoding="utf-8").split())
        for name, caption in uses:
            where = f"{language}/{page}: {name}"
            root = drawings[name]
            wanted = {english: given.get(english, english) for english in drawing.messages(root)}
            for english in wanted.keys() - template if language == "en" else ():
                problems.append(f"{where}: {english!r} is not offered to translators")
            labels = there.get(wanted[drawing.title(root)])
            if labels is None:
                problems.append(f"{where}: the page has no drawing of that title")
                continue
            for text in drawing.texts(root):
                words = drawing.label(text)
                if not drawing.speaks(text):
                    continue
                if wanted[words] not in labels:
                    problems.append(f"{where}: the page does not show {wanted[words]!r}")
                if drawing.overfull(root, text, wanted[words]):
                    problems.append(f"{where}: too long for its place: {wanted[words]!r}")
            if f"[{' '.join(given.get(caption, caption).split())}]" not in plain:
                problems.append(f"{where}: the plain text does not show its caption")


# ---- to scale ----
def bars(root, group=None):
    """(x, width) of the bars or rungs of a drawing, those of one group if it is named."""
    found = []
    for parent in root.iter():
        if group is None or parent.get("class") == group:
            found += [(float(e.get("x")), float(e.get("width"))) for e in parent
                      if {"bar", "rung"} & set(e.get("class", "").split())]
    return found


def near(given, wanted):
    return len(given) == len(wanted) and all(abs(a - b) < 0.01 for a, b in zip(given, wanted))


def check_memory(root):
    """16 bytes a parameter, and what each way leaves of them; 3 units of width a gigabyte. What is
    written beside the bars is checked with all numbers: numbers.tsv."""
    chips, billions, cut = 64, 7, 8
    ways = [(2, 2, 12), (2, 2, 12 / chips), (2, 2 / chips, 12 / chips),
            (2 / chips, 2 / chips, 12 / chips)] + 2 * [(2 / cut, 2 / cut, 12 / cut)]
    for kind, group in enumerate(("weights", "gradients", "optimizer")):
        if not near([width for _, width in bars(root, group)],
                    [3 * billions * way[kind] for way in ways]):
            problems.append(f"memory: the {group} are not to scale")


def check_ladder(root):
    figures = [float(label[:-5]) for label in map(drawing.label, drawing.texts(root))
               if re.fullmatch(r"[\d.]+ GB/s", label)]
    if not near([width for _, width in bars(root)], [84 * math.log10(value) for value in figures]):
        problems.append(f"ladder: the rungs are not 84 log10 of {figures}")


def one_forward_one_backward(stages, batches):
    """What each stage does, [(what, begin, length)], a backward being twice as long."""
    ran = subprocess.run([po.PLACE / "bin" / "vialata", "schedule", "1f1b", "--pp", str(stages),
                          "--micro-batches", str(batches), "--backward", "2", "--weight", "0",
                          "--format", "json"], stdout=subprocess.PIPE, check=True)
    return [[(f"{task['task'][0]}{int(task['task'][1:]) + 1}", task["begin"],
              task["end"] - task["begin"]) for task in row["tasks"] if task["task"][0] != "W"]
            for row in json.loads(ran.stdout)["rows"]]


def check_bubble(root):
    slot, top, stages, batches = 13, 52, 4, 8
    idle = Fraction(0)
    total = (batches + stages - 1) * 3
    for stage, wanted in enumerate(one_forward_one_backward(stages, batches)):
        group = next(g for g in root.iter() if g.get("class") == f"chip-{stage + 1}")
        boxes, drawn, covered = iter(group), [], []
        for box in boxes:
            kind = set(box.get("class", "").split()) & {"forward", "backward", "idle"}
            if not kind:
                continue
            begin = (Fraction(box.get("y")) - top) / slot
            length = (Fraction(box.get("height")) + 1) / slot
            covered.append((begin, length))
            if kind == {"idle"}:
                idle += length
            else:
                drawn.append((drawing.label(next(boxes)), begin, length))
                if (kind == {"forward"}) != (drawn[-1][0][0] == "F"):
                    problems.append(f"pipeline-bubble: {drawn[-1][0]} has the other's colour")
        if drawn != wanted:
            problems.append(f"pipeline-bubble: stage {stage + 1} does {drawn}, not {wanted}")
        ends = [begin + length for begin, length in covered]
        if [begin for begin, _ in covered] != [0, *ends[:-1]] or ends[-1] != total:
            problems.append(f"pipeline-bubble: stage {stage + 1} has holes, or no {total} slots")
    if idle / (stages * total) != Fraction(stages - 1, batches + stages - 1):
        problems.append(f"pipeline-bubble: {idle} slots of {stages * total} are idle")


# ---- what is refused, and said ----
GOOD = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>t</title>'
        '<text x="1" y="2" data-room="40" data-lines="3">two words</text>%s</svg>')
for inside in ("<text>", '<image href="https://example.org/x.png"/>', "<script/>",
               "<text>a<tspan>b</tspan></text>", '<rect onclick="x"/>', '<rect style="fill:red"/>',
               '<rect fill="url(#a)"/>', '<g transform="scale(2)"/>', '<text x="1">no y</text>',
               '<text x="1" y="2" data-room="wide">a</text>',
               '<text x="1" y="2" data-grow="left">a</text>'):
    try:
        drawing.load(GOOD % inside)
        problems.append(f"a drawing with {inside} is taken")
    except ValueError:
        pass
dressed = drawing.dress(GOOD % "", {"two words": "a < b & c", "t": 'say "x" & <y>'})
titled = ElementTree.fromstring(dressed).get("aria-label")
if titled != 'say "x" & <y>' or "a &lt; b" not in dressed:
    problems.append(f"translations are not put in, or not escaped: {dressed}")
for words, offered in (("two words", True), ("8 + 4", False), ("29.3", True), ("→", False)):
    text = ElementTree.fromstring(f'<text xmlns="{drawing.SPACE}">{words}</text>')
    if drawing.speaks(text) != offered:
        problems.append(f"{words!r}: offered to translators should be {offered}")

with tempfile.TemporaryDirectory() as folder:
    Path(folder, "conf.py").write_text("extensions = ['myst_parser', 'drawing']\n")
    Path(folder, "index.md").write_text("# A page\n\n```{drawing} nothing\nA caption.\n```\n")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "text", folder, f"{folder}/out"]
    ran = subprocess.run(command, capture_output=True, text=True,
                         env={**os.environ, "PYTHONPATH": str(po.ROOT / "docs"),
                              "PYTHONDONTWRITEBYTECODE": "1"})
    if ran.returncode == 0 or not re.search(r"index:\d+: drawings/nothing\.svg", ran.stderr):
        problems.append(f"an unknown drawing: exit {ran.returncode}, {ran.stderr!r}")

# ---- all of it ----
po.build_book()
pages = {page: USE.findall((po.ROOT / f"{page}.md").read_text(encoding="utf-8"))
         for page in po.pages()}
used = {name for uses in pages.values() for name, _ in uses}
for name in sorted(drawings.keys() - used):
    problems.append(f"docs/drawings/{name}.svg: no page shows it")
for name, root in drawings.items():
    check_room(name, root)
for page, uses in pages.items():
    if uses and {name for name, _ in uses} <= drawings.keys():
        check_page(page, uses)
for name, check in (("memory", check_memory), ("ladder", check_ladder),
                    ("pipeline-bubble", check_bubble)):
    if name in drawings:
        check(drawings[name])
    else:
        problems.append(f"{name}: no such drawing to measure")
sys.exit(po.report(problems, f"{len(drawings)} drawings in {1 + len(po.LANGUAGES)} languages"))
