#!/usr/bin/env python3
"""README in the other languages: the same commands, headings, tables and names; no sentence left in English; each
leads to the others. The last line of a translation has the fingerprint of the English page that it was read against.
"""

import hashlib
import re
import sys

import po

FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
NAMED = {"fr": "Français", "es": "Español", "pt_BR": "Português", "sk": "Slovenčina"}


def parts(text):
    """What must be the same in all languages."""
    fences = FENCE.findall(text)
    prose = FENCE.sub("", text)
    commands = [line.split(" # ")[0].split("  #")[0].rstrip() for fence in fences
                for line in fence.splitlines() if line.startswith(("./vialata", "$EDITOR"))]
    return {"headings": re.findall(r"^#+(?= )", prose, re.M), "commands": commands, "fences": len(fences),
            "rows": len(re.findall(r"^\|", prose, re.M)), "paragraphs": len(re.findall(r"\n\n(?=\S)", prose)),
            "names": sorted(name for name in re.findall(r"`([^`\n]+)`", prose))}


def sentences(text):
    prose = re.sub("`[^`\n]*`", "", FENCE.sub("", text))
    comments = [line.split("#", 1)[1] for fence in FENCE.findall(text) for line in fence.splitlines() if " # " in line]
    return {part.strip() for part in re.split(r"[.:;|\n]", prose) + comments if len(part.split()) > 3}


def main():
    english = (po.ROOT / "README.md").read_text(encoding="utf-8")
    problems, wanted = [], parts(english)
    read = f"<!-- README.md: {hashlib.sha256(english.encode()).hexdigest()[:12]} -->"
    for language in po.LANGUAGES:
        path = po.ROOT / "docs" / "readme" / f"README.{language}.md"
        text = path.read_text(encoding="utf-8")
        for kind, found in parts(text.rsplit("\n\n<!--", 1)[0]).items():
            if found != wanted[kind]:
                problems.append(f"{path.name}: {kind}: {found} instead of {wanted[kind]}")
        problems += [f"{path.name}: still English: {part}" for part in sentences(english) & sentences(text)]
        if f"[{NAMED[language]}](docs/readme/{path.name})" not in english:
            problems.append(f"README.md does not lead to {path.name}")
        for other in po.LANGUAGES:
            if other != language and f"[{NAMED[other]}](README.{other}.md)" not in text:
                problems.append(f"{path.name} does not lead to README.{other}.md")
        if text.splitlines()[-1] != read:
            problems.append(f"{path.name}: README.md has changed: read both, and end this one with {read}")
        if "[English](../../README.md)" not in text:
            problems.append(f"{path.name} does not lead to README.md")
    return po.report(problems, f"README in {len(po.LANGUAGES)} other languages")


if __name__ == "__main__":
    sys.exit(main())
