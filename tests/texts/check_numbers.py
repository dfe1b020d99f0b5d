#!/usr/bin/env python3
"""Every number of the two chapters and of their drawings is computed or cited.

numbers.tsv has a row for each: where it is (a claim's id; before the first claim, the page's
name; a drawing's name), a snippet of the text with the number in ⟦ ⟧, and where it is from:

  computed  a key that the program chapter_numbers prints, from the labs' references
  given     a key as well: taken for granted in an example that other numbers are computed from
  file      a file of lab 10 and a field in it
  measured  a record of a study in docs/measured and a figure in it
  cited     a source that the page names; "= key" after it if something is computed from it
  plain     counts no quantity that could be wrong: why

and how it is shown, if not to its last digit: "~2" two digits count, "±5%", ">" it is more than
that, "*1e9" the unit stands elsewhere; for a word that is no number, "<=1e9" or ">=1e9", its
range. A number without a row fails, and so does a row or a key that nothing uses any more. --list
prints rows for what has none.
"""

import csv
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as tree

import figures
import po

PAGES = ("bandwidth", "scaling")
KINDS = ("computed", "given", "file", "measured", "cited", "plain")
LAB = po.ROOT / "labs" / "10_bandwidth"
SOURCES = {  # what a page calls it
    "the scaling book": "How to Scale Your Model",
}
REGISTRY = po.ROOT / "tests" / "texts" / "numbers.tsv"


def sections():
    """{where: (text, page)}: claims, the text before them, and the drawings' labels."""
    found = {}
    for page in PAGES:
        text = (po.ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
        where = page
        for part in re.split(r"^(?=\([\w-]+\)=$)", text, flags=re.M):
            anchor = re.match(r"\(([\w-]+)\)=\n", part)
            if anchor:
                where = anchor[1].removeprefix("claim-")
            body = part[anchor.end() :] if anchor else part
            found[where] = (re.sub(r"\s+", " ", body), page)
    for path in sorted((po.ROOT / "docs" / "drawings").glob("*.svg")):
        labels = ["".join(e.itertext()) for e in tree.parse(path).iter()
                  if re.search(r"\}(?:title|text)$", e.tag) and e.get("translate") != "no"]
        found[path.stem] = (re.sub(r"\s+", " ", " | ".join(labels)), "drawing")
    return found


def registry():
    with open(REGISTRY, encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def computed():
    program = po.PLACE / "tests" / "chapter_numbers"
    if not program.exists():
        sys.exit(f"{program} is not built: ./vialata selftest builds it")
    ran = subprocess.run([program], env=os.environ | {"VIALATA_PLACE": str(po.PLACE)},
                         capture_output=True, text=True, timeout=300)
    if ran.returncode != 0:
        sys.exit(f"{program.name} ended with {ran.returncode}: {ran.stderr}{ran.stdout[-200:]}")
    lines = ran.stdout.splitlines()
    return {key: float(value) for key, value in (line.split("\t") for line in lines)}


def places(text, snippet):
    """Every place in the text where the number of a snippet is."""
    before, number, after = re.fullmatch(r"(.*)⟦(.+)⟧(.*)", snippet).groups()
    whole = before + number + after
    return {found.start() + len(before)
            for found in re.finditer(f"(?={re.escape(whole)})", text)}, number


def field(what):
    """A figure of lab 10's files: machines/h100-ib cluster.peak"""
    path, name = what.split()
    found = json.loads((LAB / f"{path}.json").read_text(encoding="utf-8"))
    for part in name.split("."):
        found = found[part]
    return float(found[0])


def recorded(what):
    """A figure of a study's record: study-bandwidth roads.0.rate"""
    path, name = what.split()
    found = json.loads((po.ROOT / "docs" / "measured" / f"{path}.json").read_text(encoding="utf-8"))
    for part in name.split("."):
        found = found[int(part)] if isinstance(found, list) else found[part]
    return float(found)


def value_of(row, values, page):
    """What the number should be, or None where only its source counts; ValueError says why not."""
    kind, what = row["kind"], row["what"]
    if kind in ("computed", "given"):
        if what not in values:
            raise ValueError(f"nothing computes {what}")
        return values[what]
    if kind == "file":
        return field(what)
    if kind == "measured":
        return recorded(what)
    if kind == "cited":
        source, _, key = what.partition(" = ")
        name = re.match(r"arXiv:[\w.]+", source)
        named = name[0] if name else SOURCES.get(source, source)
        if named not in page:
            raise ValueError(f"the page does not name {named}")
        if key and key not in values:
            raise ValueError(f"nothing computes {key}")
        return values[key] if key else None
    if kind == "plain" and what:
        return None
    raise ValueError(f"not understood: {kind} {what}")


def shows(figure, value, how):
    return figure.worth < value if how == ">" else figures.shows(figure, value, how)


def within(value, how):
    return value <= float(how[2:]) if how[0] == "<" else value >= float(how[2:])


def suggestion(text, figure):
    """The shortest snippet around a number that occurs only once."""
    end = figure.start + len(figure.text)
    left, right = text[: figure.start].split(" "), text[end:].split(" ")
    for words in range(2, 9):
        before, after = " ".join(left[-words:]), " ".join(right[:words])
        snippet = f"{before}⟦{figure.text}⟧{after}".strip()
        if len(places(text, snippet)[0]) == 1:
            return snippet
    return snippet


def compare(texts, rows, values):
    """(problems, {where: figures without a row})"""
    problems, missing = [], {}
    found = {where: {f.start: f for f in figures.figures(text)}
             for where, (text, _) in texts.items()}
    pages = {page: "".join(text for text, of in texts.values() if of == page) for page in PAGES}
    shown = {where: set() for where in texts}
    for number, row in enumerate(rows, 2):
        name = f"numbers.tsv:{number}: {row['where']}: {row['snippet']}"
        if row["where"] not in texts:
            problems.append(f"{name}: no such place")
            continue
        text, page = texts[row["where"]]
        starts, printed = places(text, row["snippet"])
        if not starts:
            problems.append(f"{name}: stands there no more")
        try:
            value = value_of(row, values, pages.get(page, "".join(pages.values())))
        except (ValueError, LookupError, OSError) as error:
            problems.append(f"{name}: {error}")
            continue
        if re.match("[<>]=", row["as"] or ""):
            if value is None or not within(value, row["as"]):
                problems.append(f"{name}: is {value}, not {row['as']}")
            continue
        for start in sorted(starts):
            figure = found[row["where"]].get(start)
            if figure is None or figure.text != printed:
                problems.append(f"{name}: the number there is {figure and figure.text}")
                continue
            if start in shown[row["where"]]:
                problems.append(f"{name}: has two rows")
            shown[row["where"]].add(start)
            if value is not None and not shows(figure, value, row["as"] or ""):
                problems.append(f"{name}: is {value:.6g}, not {figure.worth:.6g}")
    used = {row["what"].rpartition(" = ")[2] for row in rows}
    for key in sorted(values.keys() - used):
        problems.append(f"chapter_numbers: {key} is in no chapter")
    for where, (text, _) in texts.items():
        missing[where] = [f for start, f in found[where].items() if start not in shown[where]]
    return problems, missing


def main():
    texts = sections()
    problems, missing = compare(texts, registry(), computed())
    for where, unknown in missing.items():
        text = texts[where][0]
        for figure in unknown:
            snippet = suggestion(text, figure)
            if "--list" in sys.argv:
                print(where, snippet, "", "", "", sep="\t")
            problems.append(f"{where}: {snippet}: not in numbers.tsv")
    if "--list" in sys.argv:
        return 0
    return po.report(problems, "every number is computed or cited")


if __name__ == "__main__":
    sys.exit(main())
