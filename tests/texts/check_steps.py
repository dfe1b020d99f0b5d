#!/usr/bin/env python3
"""The figures to step through: what is in them is what the program and the course say (step_data.py), and in every
language all their frames are in the page, translated, with room for each label. What would make this check blind is
looked for first: each kind of fault is planted in a copy, and must be seen there.

With --write it puts the derived cells and marks into docs/steps/*.json, and leaves the words there as they are."""

import copy
import html
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import figures
import po
from step_data import FIGURES

sys.dont_write_bytecode = True
sys.path.insert(0, str(po.ROOT / "docs"))
import drawing  # noqa: E402
import steps  # noqa: E402
from interface import STEPS  # noqa: E402

USE = re.compile(r"^```\{steps\} +(\S+)\n(.+)\n```$", re.M)
FIGURE = re.compile(r'<figure class="steps drawing" (.*?)>(.*?)</figure>', re.S)


# ---- the data ----
def write(path, data):
    """One line for each row of cells: what a change of the data did is seen in a diff."""
    def line(value):
        return json.dumps(value, ensure_ascii=False)

    frames = []
    for frame in data["frames"]:
        cells = ",\n       ".join(map(line, frame["cells"]))
        frames.append(f'    {{"sentence": {line(frame["sentence"])},\n     "cells": [\n       {cells}],\n'
                      f'     "marks": {line(frame["marks"])}}}')
    text = path.read_text(encoding="utf-8")
    head = text[:text.index('  "frames": [')]
    path.write_text(f'{head}  "frames": [\n' + ",\n".join(frames) + "\n  ]\n}\n", encoding="utf-8")


def numbers_differ(text, wanted):
    """The numbers of a sentence are these, in this order, to half of their last digit."""
    shown = figures.figures(text)
    return len(shown) != len(wanted) or not all(map(figures.shows, shown, wanted))


def check_data(name, data, derived):
    (title, frames), made = derived, data["frames"]
    if numbers_differ(data["title"], title):
        yield f"{name}: the numbers of its title should be {title}"
    if len(made) != len(frames):
        yield f"{name}: {len(made)} frames, not {len(frames)}"
    for number, (frame, wanted) in enumerate(zip(made, frames), 1):
        if frame.get("cells") != wanted.cells or frame.get("marks") != wanted.marks:
            yield f"{name}: frame {number} shows something else than what is derived (--write puts that in)"
        if numbers_differ(frame["sentence"], wanted.numbers):
            yield f"{name}: the numbers of sentence {number} should be {wanted.numbers}"
        for word in wanted.words:
            if word not in frame["sentence"]:
                yield f"{name}: sentence {number} should say {word!r}"
    if not 1 <= data["still"] <= len(made):
        yield f"{name}: frame {data['still']} cannot be printed, there are {len(made)}"


def check_picture(name, data):
    """As many boxes as items; bars and the columns of zero to scale; texts inside of their boxes."""
    rows, columns, bottom = steps.table(data)
    if columns[-1][1] + columns[-1][2]["width"] > steps.WIDTH:
        yield f"{name}: the columns are wider than the drawing"
    for number, frame in enumerate(data["frames"], 1):
        root = drawing.load(steps.picture(data, number - 1))
        drawn = sum(path.get("d").count("z") for path in root.iter() if drawing.kind(path) == "path")
        there = [(r, c, slot, kind, text) for r, row in enumerate(frame["cells"]) for c, cell in enumerate(row)
                 for slot, (kind, text) in enumerate(steps.items(cell))]
        boxes = [item for item in there if data["kinds"][item[3]]["class"]]
        marks = len(frame["marks"]) if steps.MARK in data["kinds"] else 0
        if drawn != len(boxes) + marks:
            yield f"{name}: frame {number} draws {drawn} boxes, not {len(boxes) + marks}"
        for r, c, slot, _, text in there:
            column = columns[c]
            x, y, wide, high = steps.box(data, rows[r], column, slot, text)
            room = drawing.width("W" if column[2].get("stack") else text, column[2].get("font", steps.FONT))
            right, limit = (x + wide + 4 + room, steps.WIDTH) if "bar" in column[2] else (x + room, x + wide)
            if right > limit or y + high > bottom:
                yield f"{name}: {text!r} has no room in frame {number}"
    if name == "zero":
        widths = [(group["width"] - group["gap"]) / float(label) for label, _, group in columns[:3]]
        if max(widths) - min(widths) > 0.01 or any(group["slots"] != len(rows) for _, _, group in columns[:3]):
            yield f"{name}: what the ranks hold is not to scale"


# ---- in every language ----
def check_room(where, data, given):
    for number in (0, len(data["frames"]) - 1):
        root = drawing.load(steps.picture(data, number))
        for text in drawing.texts(root):
            english = drawing.label(text)
            if drawing.size(root, text) < 11:
                yield f"{where}: {english!r} is too small for a telephone"
            if drawing.speaks(text) and drawing.overfull(root, text, given.get(english, english)):
                yield f"{where}: too long for its place: {given.get(english, english)!r}"


def plain(text):
    """Without marks, and with the characters that a keyboard has."""
    return " ".join(re.sub(r"\\[()]|[$`*]", "", text).replace("’", "'").replace("\u00a0", " ").split())


def heard(sentence):
    """A sentence of a page, without its tags."""
    return plain(html.unescape(re.sub(r"<[^>]+>", "", sentence)))


def check_page(where, data, given, language, page):
    """A built page has the figure, whole and in its language."""
    wanted = [steps.dress(data, number, given, language) for number in range(len(data["frames"]))]
    for words, figure in FIGURE.findall(page):
        shown = re.findall(r"<li[^>]*>(<svg.*?</svg>)\s*<p>(.*?)</p>", figure, re.S)
        if not any(svg in wanted for svg, _ in shown):
            continue
        if [svg for svg, _ in shown] != wanted:
            yield f"{where}: the page has not all frames as they should be, or not in their order"
        for number, (frame, (_, sentence)) in enumerate(zip(data["frames"], shown), 1):
            if heard(sentence) != plain(given.get(frame["sentence"], frame["sentence"])):
                yield f"{where}: sentence {number} is {heard(sentence)!r}"
        if re.findall(r'<li class="still">', figure) != ['<li class="still">']:
            yield f"{where}: not one frame is for paper"
        for told in STEPS.values():
            if f'"{html.escape(told[language])}"' not in words:
                yield f"{where}: no button {told[language]!r}"
        for _, label in steps.legend(data):
            if html.escape(given.get(label, label)) not in figure:
                yield f"{where}: the legend has no {given.get(label, label)!r}"
        return
    yield f"{where}: the page does not show this figure"


def check_text(where, data, given, caption, text):
    listed = " ".join(f"{number}. {given.get(frame['sentence'], frame['sentence'])}"
                      for number, frame in enumerate(data["frames"], 1))
    if f"[{plain(given.get(caption, caption))}] {plain(listed)}" not in plain(text):
        yield f"{where}: the plain text does not have its caption and all its sentences"


def catalogue(language, page):
    """What translators gave for a page."""
    path = po.course_catalogue(language, page)
    return {entry.source: steps.curled(entry.texts[0]) for entry in (po.read(path) if path.exists() else ())
            if entry.texts.get(0) and not entry.fuzzy} if language != "en" else {}


def check_languages(name, data, page, caption):
    offered = {entry.source for entry in po.read(po.PLACE / "course" / "pot" / f"{page}.pot")}
    words = [*steps.messages(data), *(frame["sentence"] for frame in data["frames"]), caption]
    for message in words:
        if message not in offered:
            yield f"{page}: {name}: {message!r} is not offered to translators"
    for language in ["en", *po.LANGUAGES]:
        where, given = f"{language}/{page}: {name}", catalogue(language, page)
        missing = [message for message in words if language != "en" and message not in given]
        if missing:
            yield f"{where}: {len(missing)} of {len(words)} messages are in English, such as {missing[0]!r}"
        share = po.PLACE / "share"
        yield from check_room(where, data, given)
        yield from check_page(where, data, given, language,
                              (share / "book" / language / f"{page}.html").read_text(encoding="utf-8"))
        yield from check_text(where, data, given, caption,
                              (share / "texts" / language / f"{page}.txt").read_text(encoding="utf-8"))


# ---- what is refused, and seen ----
def check_planted(name, data, derived):
    """Each fault in a copy must be seen."""
    def change(act):
        other = copy.deepcopy(data)
        act(other)
        return other

    first, label = data["frames"][0], data["rows"][0]["labels"][0]
    cell = next(cell for row in first["cells"] for cell in row if cell)
    faults = {
        "a cell": lambda other: other["frames"][-1]["cells"][0].__setitem__(0, cell + "9"),
        "a mark": lambda other: other["frames"][0]["marks"].append([0, 0, 0]),
        "a frame left out": lambda other: other["frames"].pop(1),
        "a number": lambda other: other["frames"][-1].update(
            sentence=re.sub(r"\d+(?= \w)", "77", other["frames"][-1]["sentence"])),
        "a title": lambda other: other.update(title=other["title"] + " 5"),
    }
    for what, act in faults.items():
        if not list(check_data(name, change(act), derived)):
            yield f"planted in {name}, but not seen: {what}"
    if name == "crossover":
        wrong = change(lambda other: other["frames"][0].update(
            sentence=other["frames"][0]["sentence"].replace("expert", "tensor")))
        if not list(check_data(name, wrong, derived)):
            yield f"planted in {name}, but not seen: another layout"
    long = "999" if "bar" in data["columns"][0] else "1234567890123"
    wide = change(lambda other: other["frames"][-1]["cells"][0].__setitem__(-1, f"{steps.items(cell)[0][0]} {long}"))
    if not list(check_picture(name, wide)):
        yield f"planted in {name}, but not seen: a text that is too wide"
    spoken = next((one for one in [label, data["columns"][-1]["labels"][0]] if re.search("[a-z]", one)), None)
    if not list(check_room(name, data, {spoken: "Donaudampfschifffahrtsgesellschaftskapitänspatentprüfung"})):
        yield f"planted in {name}, but not seen: a label that is too long"

    given = {message: f"«{message[:4]}»" for message in steps.messages(data)}
    given |= {frame["sentence"]: f"Phrase {number}." for number, frame in enumerate(data["frames"])}
    words = " ".join(f'data-{key}="{told["fr"]}"' for key, told in STEPS.items())

    def page(act):
        frames = [f"<li>{steps.dress(data, number, given, 'fr')}\n<p>{given[frame['sentence']]}</p>\n</li>"
                  for number, frame in enumerate(data["frames"])]
        frames[data["still"] - 1] = frames[data["still"] - 1].replace("<li>", '<li class="still">')
        act(frames)
        body = steps.put_legend(data, given) + "<ol>" + "\n".join(frames) + "</ol>"
        return f'<figure class="steps drawing" {words}>{body}</figure>'

    english = steps.dress(data, 0, {}, "fr")
    french = steps.dress(data, 0, given, "fr")
    faults = {
        "a frame left out": lambda frames: frames.pop(0),
        "an English drawing": lambda frames: frames.__setitem__(0, frames[0].replace(french, english)),
        "an English sentence": lambda frames: frames.__setitem__(0, frames[0].replace("Phrase", "Sentence")),
        "nothing for paper": lambda frames: frames.__setitem__(slice(None), [f.replace("still", "") for f in frames]),
    }
    if list(check_page(name, data, given, "fr", page(lambda frames: None))):
        yield f"{name}: a good page is found wrong: {list(check_page(name, data, given, 'fr', page(len)))}"
    for what, act in faults.items():
        if not list(check_page(name, data, given, "fr", page(act))):
            yield f"planted in the page of {name}, but not seen: {what}"
    if not list(check_text(name, data, given, "C", "[C] 1. Phrase 1.")):
        yield f"planted in the text of {name}, but not seen: sentences left out"


def check_refused():
    """A directive that cannot be followed ends the build, and says where."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "conf.py").write_text("extensions = ['myst_parser', 'steps']\n")
        Path(folder, "index.md").write_text("# A page\n\n```{steps} nothing\nA caption.\n```\n")
        command = [sys.executable, "-m", "sphinx", "-q", "-b", "text", folder, f"{folder}/out"]
        ran = subprocess.run(command, capture_output=True, text=True,
                             env={**os.environ, "PYTHONPATH": str(po.ROOT / "docs"), "PYTHONDONTWRITEBYTECODE": "1"})
        if ran.returncode == 0 or not re.search(r"index:\d+: steps/nothing\.json", ran.stderr):
            yield f"unknown steps: exit {ran.returncode}, {ran.stderr!r}"
    if steps.local("5.5", "sk") != "5,5" or steps.local("5.5", "en") != "5.5":
        yield "a number has not the decimal mark of its language"


def main():
    try:
        derived = {name: derive() for name, derive in FIGURES.items()}
    except ValueError as error:  # sources that do not agree with each other
        return po.report([str(error)], "")
    data = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(steps.FOLDER.glob("*.json"))}
    if "--write" in sys.argv:
        for name, (_, frames) in derived.items():
            for frame, wanted in zip(data[name]["frames"], frames, strict=True):
                frame.update(cells=wanted.cells, marks=wanted.marks)
            write(steps.FOLDER / f"{name}.json", data[name])
        return 0
    if data.keys() != derived.keys():
        return po.report([f"in docs/steps: {sorted(data)}, derived: {sorted(derived)}"], "")
    problems = list(check_refused())
    for name in data:
        problems += check_data(name, data[name], derived[name])
        problems += check_picture(name, data[name])
        problems += check_planted(name, data[name], derived[name])
    po.build_book()
    used = [(page, name, caption) for page in po.pages()
            for name, caption in USE.findall((po.ROOT / f"{page}.md").read_text(encoding="utf-8"))]
    problems += [f"docs/steps/{name}.json: no page shows it" for name in data.keys() - {name for _, name, _ in used}]
    for page, name, caption in used:
        problems += check_languages(name, data[name], page, caption)
    return po.report(problems, f"{len(data)} figures in {1 + len(po.LANGUAGES)} languages")


if __name__ == "__main__":
    sys.exit(main())
