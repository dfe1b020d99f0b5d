"""Catalogues: reading them, and which ones there are."""

import ast
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(os.environ.get("VIALATA_ROOT", Path(__file__).resolve().parents[2]))
PLACE = Path(os.environ.get("VIALATA_PLACE", ROOT / "build" / "release"))
LANGUAGES = [
    code
    for line in (ROOT / "po" / "LINGUAS").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
    for code in line.split()
]


@dataclass
class Entry:
    source: str = ""
    plural: str | None = None
    context: str | None = None
    texts: dict = field(default_factory=dict)  # msgstr by number; 0 where there is no plural
    flags: set = field(default_factory=set)
    where: str = ""

    @property
    def key(self):
        return (self.context, self.source, self.plural)

    @property
    def fuzzy(self):
        return "fuzzy" in self.flags

    def pairs(self):
        """(source, translation, number of the plural form) for each translation."""
        for number, text in sorted(self.texts.items()):
            yield self.source if self.plural is None else self.plural, text, number


def parse(text, name="?"):
    """The entries of a catalogue, its header (the empty msgid) left out, as are obsolete ones."""
    entries = []
    entry = Entry()
    current = None  # the keyword that a bare string continues

    def close():
        nonlocal entry, current
        if current is not None and (entry.source or entry.context):
            entries.append(entry)
        entry, current = Entry(), None

    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            close()
        elif line.startswith("#"):
            if current is not None:
                close()
            if line.startswith("#,"):
                entry.flags |= {flag.strip() for flag in line[2:].split(",")}
        else:
            found = re.match(r'(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d+)\])?\s*(".*")$', line)
            if found:
                keyword, form, value = found.groups()
                if keyword in ("msgctxt", "msgid") and current in ("msgstr", None):
                    if current is not None:
                        close()
                    entry.where = f"{name}:{number}"
                current = keyword
                index = int(form or 0)
            else:
                value = line.strip()
            value = ast.literal_eval(value)
            if current == "msgid":
                entry.source += value
            elif current == "msgid_plural":
                entry.plural = (entry.plural or "") + value
            elif current == "msgctxt":
                entry.context = (entry.context or "") + value
            elif current == "msgstr":
                entry.texts[index] = entry.texts.get(index, "") + value
            else:
                raise ValueError(f"{name}:{number}: not understood: {line}")
    close()
    return entries


def read(path):
    path = Path(path)
    name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name
    return parse(path.read_text(encoding="utf-8"), name)


def pages():
    """The course's pages, without their suffix: docs/style, labs/01_training_step/README."""
    found = [*ROOT.glob("docs/*.md"), *ROOT.glob("labs/*/README.md"), *ROOT.glob("labs/*/hints.md")]
    return sorted(str(page.relative_to(ROOT))[:-3] for page in found)


def course_catalogue(language, page):
    return ROOT / "po" / "course" / language / "LC_MESSAGES" / f"{page}.po"


def catalogues(language):
    """(catalogue, template) of the program and of every page."""
    yield ROOT / "po" / f"{language}.po", PLACE / "po" / "vialata.pot"
    for page in pages():
        yield course_catalogue(language, page), PLACE / "course" / "pot" / f"{page}.pot"


def translated(language):
    """Every finished entry of a language."""
    for path, _ in catalogues(language):
        if path.exists():
            for entry in read(path):
                if not entry.fuzzy and any(entry.texts.values()):
                    yield entry


def build_book():
    """Bring the book, its plain texts and its sentences up to date, which is soon done if they are; end where it
    fails."""
    ran = subprocess.run(["cmake", "--build", PLACE, "--target", "book", "texts", "pages", "course-pot"],
                         capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(ran.stdout[-3000:] + ran.stderr[-3000:])


def report(problems, good):
    """Print what was found; the exit status."""
    for problem in problems:
        print(problem)
    print(good if not problems else f"{len(problems)} to repair")
    return 1 if problems else 0
