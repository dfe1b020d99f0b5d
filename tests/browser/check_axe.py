#!/usr/bin/env python3
"""axe-core finds nothing serious on the pages of the book: a third of those in one language, and some in the others;
in the long suite all, in light and in dark. What would make it blind is planted first: each kind must be seen.

axe-core comes from npm (axe/package.json), once, into the build folder. Where it cannot be had, this is skipped."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "texts"))
import po  # noqa: E402
from chromium import Browser, program  # noqa: E402
from share import LONG, share  # noqa: E402

BOOK = po.PLACE / "share" / "book"
HERE = Path(__file__).resolve().parent
SERIOUS = {"serious", "critical"}
# Formulas are KaTeX's, which brings MathML along for those who listen.
OPTIONS = {"exclude": [[".katex"]]}
RUN = """(async () => {
    const found = await axe.run(%s, {resultTypes: ["violations"]});
    return found.violations.map((v) => [v.id, v.impact, v.help,
        v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120) + " | " + (n.any[0]?.message ?? ""))]);
})()"""
PLANTED = {
    "image-alt": "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>",
    "color-contrast": "<p style='color: #bbb; background: #fff'>hardly to be seen</p>",
    "button-name": "<button></button>",
    "label": "<input type='text'>",
    "link-name": "<a href='#x'></a>",
}


def axe():
    """Its script; None if it cannot be had."""
    folder = po.PLACE / "tests" / "axe"
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists() and shutil.which("npm"):
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / "axe" / name, folder)
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=folder,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
    return script.read_text(encoding="utf-8") if script.exists() else None


def look(browser, script, address):
    """[(what, sentence)] of a page."""
    browser.go(address)
    browser.take_faults()
    browser.ask(script + "; 0")
    return [(kind, f"{kind} ({impact}): {told}; {'; '.join(where)}")
            for kind, impact, told, where in browser.ask(RUN % json.dumps(OPTIONS)) if impact in SERIOUS]


def check_planted(browser, script):
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "planted.html"
        page.write_text("<!doctype html><html lang=en><title>planted</title><body><main><h1>planted</h1>"
                        + "".join(PLANTED.values()) + "</main></body></html>", encoding="utf-8")
        found = {kind for kind, _ in look(browser, script, page.as_uri())}
    return [f"planted, but not seen: {kind}" for kind in sorted(set(PLANTED) - found)]


def pages():
    for language in ["en", *po.LANGUAGES]:
        found = sorted(str(path.relative_to(BOOK)) for path in (BOOK / language).rglob("*.html")
                       if "_static" not in path.parts and path.parent != BOOK / language)
        yield from share(found, 3 if language == "fr" else 24, 1)


def main():
    program()
    script = axe()
    if script is None:
        print("axe-core cannot be had: npm is not here, or reaches nothing")
        return 77
    po.build_book()
    problems, looked = [], 0
    with Browser() as browser:
        browser.screen(1200)
        problems += check_planted(browser, script)
        for scheme in ("light", "dark") if LONG else ("light",):
            browser.call("Emulation.setEmulatedMedia",
                         features=[{"name": "prefers-color-scheme", "value": scheme}])
            for page in pages():
                looked += 1
                problems += [f"{page} ({scheme}): {told}" for _, told in look(browser, script, (BOOK / page).as_uri())]
    return po.report(problems, f"{looked} pages: nothing serious")


if __name__ == "__main__":
    sys.exit(main())
