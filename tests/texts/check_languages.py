#!/usr/bin/env python3
"""The built program and texts speak every language, on a machine without locales and elsewhere."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import po
import rules

problems = []
program = po.PLACE / "bin" / "vialata"


def output(*words, **environment):
    """As under env -i: only what a program needs to run."""
    with tempfile.TemporaryDirectory() as home:
        ran = subprocess.run([program, *words], capture_output=True, text=True, timeout=60,
                             stdin=subprocess.DEVNULL,
                             env={"PATH": os.environ["PATH"], "HOME": home, **environment})
    if ran.returncode != 0:
        problems.append(f"vialata {' '.join(words)} with {environment}: {ran.stderr.strip()}")
    return ran.stdout


# What each language says for one sentence of `list`'s, straight from its catalogue.
english = output("--help")
titles = {}
for language in po.LANGUAGES:
    for entry in po.read(po.ROOT / "po" / f"{language}.po"):
        if entry.source == "The training step":
            titles[language] = entry.texts[0]
if sorted(titles) != sorted(po.LANGUAGES):
    sys.exit("the catalogues have no title of lab 01: this check sees nothing")

for language in po.LANGUAGES:
    wish = "pt" if language == "pt_BR" else language
    expected = output("list", "--lang", wish)
    if titles[language] not in expected:
        problems.append(f"--lang {wish} in an empty environment speaks another language")
    for environment in ({"LANGUAGE": language}, {"LANG": f"{language}.UTF-8"},
                        {"LANG": "C", "LANGUAGE": language}, {"LC_ALL": f"{language}.UTF-8"},
                        {"LANG": "xx_YY.UTF-8", "LC_MESSAGES": language}):
        if output("list", **environment) != expected:
            problems.append(f"{environment} does not speak {language}")
    for setting in ("C", "POSIX", "C.UTF-8", "xx_YY", "de_DE.UTF-8"):
        if output("list", "--lang", wish, LANG=setting, LC_ALL=setting) != expected:
            problems.append(f"--lang {wish} under LC_ALL={setting} does not speak {language}")
for setting in ("", "C", "xx_YY.UTF-8"):
    if output("--help", LANG=setting) != english:
        problems.append(f"LANG={setting} does not speak English")

# ---- the pages as explain and hint show them ----
for page in po.pages():
    built = {language: po.PLACE / "share" / "texts" / language / f"{page}.txt"
             for language in ["en", *po.LANGUAGES]}
    for language, path in built.items():
        if not path.exists():
            problems.append(f"{path} was not built")
    if not built["en"].exists():
        continue
    # Paragraphs of code look alike everywhere; those of prose must not.
    source = [" ".join(p.split()) for p in built["en"].read_text("utf-8").split("\n\n")
              if not p.startswith("   ")]
    for language in po.LANGUAGES:
        if not built[language].exists():
            continue
        given = {" ".join(p.split()) for p in built[language].read_text("utf-8").split("\n\n")}
        for paragraph in source:
            prose = [w for w in rules.words(rules.prose(paragraph)) if len(w) > 1]
            if paragraph in given and len(prose) >= 4:
                problems.append(f"{page} in {language}: English: {paragraph[:80]}")
sys.exit(po.report(problems, f"{len(po.LANGUAGES) + 1} languages, with and without locales"))
