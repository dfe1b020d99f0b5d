#!/usr/bin/env python3
"""Every catalogue is sound, complete and up to date, and no English sentence is left in it."""

import subprocess
import sys

import po
import rules

problems = []
for language in po.LANGUAGES:
    for path, template in po.catalogues(language):
        name = path.relative_to(po.ROOT)
        if not template.exists():
            problems.append(f"{template} was not built: configure with VIALATA_TEXTS=ON")
            continue
        wanted = {entry.key: entry for entry in po.read(template)}
        if not path.exists():
            problems.append(f"{name}: not there; the build's target course-update begins it")
            continue
        sound = subprocess.run(["msgfmt", "-c", "-o", "/dev/null", path],
                               capture_output=True, text=True)
        if sound.returncode != 0:
            problems.append(f"{name}: {sound.stderr.strip()}")
            continue
        entries = {entry.key: entry for entry in po.read(path)}
        for key in wanted.keys() - entries.keys():
            problems.append(f"{name}: not taken up yet: {key[1][:60]!r}")
        for key in entries.keys() - wanted.keys():
            problems.append(f"{entries[key].where}: no longer in the source: {key[1][:60]!r}")
        for entry in entries.values():
            if entry.fuzzy:
                problems.append(f"{entry.where}: fuzzy: {entry.source[:60]!r}")
            elif not entry.texts or not all(entry.texts.values()):
                problems.append(f"{entry.where}: untranslated: {entry.source[:60]!r}")
            else:
                for source, text, _ in entry.pairs():
                    left = rules.english_left(source, text, "c-format" in entry.flags)
                    if left:
                        problems.append(f"{entry.where}: English left: {left!r}")
    folder = po.ROOT / "po" / "course" / language / "LC_MESSAGES"
    for path in folder.rglob("*.po"):
        if str(path.relative_to(folder))[:-3] not in po.pages():
            problems.append(f"{path.relative_to(po.ROOT)}: its page is gone")
sys.exit(po.report(problems, "complete and up to date"))
