#!/usr/bin/env python3
"""hunspell knows every word of the translations, or words.<language>.txt does, or words.txt: the
names that are the same in all languages. Each listed word is needed somewhere."""

import re
import shutil
import subprocess
import sys

import po
import rules

DICTIONARIES = {"fr": "fr_FR", "pt_BR": "pt_BR", "es": "es_ES", "sk": "sk_SK"}

if shutil.which("hunspell") is None:
    sys.exit("hunspell is not here: ./vialata selftest installs it with its dictionaries")


def listed(name):
    path = po.ROOT / "tests" / "texts" / name
    return set(path.read_text(encoding="utf-8").split()) if path.exists() else set()


everywhere = listed("words.txt")
used = set()  # of those; a word that nobody needs would let it pass in another place, in English
problems = []
for language in po.LANGUAGES:
    own = listed(f"words.{language}.txt")
    known = own | everywhere
    where = {}
    for entry in po.translated(language):
        for _, text, _ in entry.pairs():
            plain = rules.prose(text, "c-format" in entry.flags).replace("’", "'")
            # What holds a digit, an underscore or a slash is a name; hunspell sees words only.
            plain = re.sub(r"\S*[\d_/\\=<>|{}@]\S*|\ufffc", " ", plain)
            for word in rules.words(plain) + rules.formula_words(text):
                if len(word) > 1 and not re.search("[α-ωΑ-Ω]", word):
                    where.setdefault(word, entry.where)
    asked = subprocess.run(["hunspell", "-d", DICTIONARIES[language], "-i", "utf-8", "-l"],
                           input="\n".join(where), capture_output=True, text=True,
                           env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"})
    if asked.returncode != 0 or "Can't open" in asked.stderr:
        sys.exit(f"hunspell has no dictionary {DICTIONARIES[language]}: {asked.stderr.strip()}")
    asked = set(asked.stdout.split())
    unknown = {word for word in asked if not {word, word.lower()} & known}
    needed = asked | {word.lower() for word in asked}
    problems += [f"words.{language}.txt: no longer needed: {word}" for word in sorted(own - needed)]
    used |= everywhere & needed
    for word in sorted(unknown):
        place = next((w for k, w in where.items() if word in re.split(r"[-'’]", k) or word == k), "")
        problems.append(f"{place}: {language}: {word}")
problems += [f"words.txt: no longer needed: {word}" for word in sorted(everywhere - used)]
sys.exit(po.report(problems, "every word is known"))
