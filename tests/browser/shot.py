#!/usr/bin/env python3
"""A picture of a page of the built book: shot.py PAGE LANGUAGE WIDTH OUT.png [HEIGHT]

PAGE is as in the tree (docs/index, labs/01_training_step/README), or a file. Without HEIGHT the
whole page is in the picture. VIALATA_PLACE is the build folder (build/release)."""

import base64
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from chromium import Browser  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
TALLEST = 16000  # more than that no picture holds


def main():
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    page, language, width, out = sys.argv[1:5]
    place = Path(os.environ.get("VIALATA_PLACE", ROOT / "build" / "release"))
    path = Path(page)
    if not path.is_file():
        path = place / "share" / "book" / language / f"{page.removesuffix('.html')}.html"
    if not path.is_file():
        sys.exit(f"There is no {path}: build the target book first.")
    with Browser() as browser:
        browser.screen(int(width), int(sys.argv[5]) if len(sys.argv) > 5 else 800)
        browser.go(path.resolve().as_uri())
        browser.ask("document.fonts.ready.then(() => true)")
        if len(sys.argv) < 6:
            tall = browser.ask("document.scrollingElement.scrollHeight")
            browser.screen(int(width), min(TALLEST, tall))
        picture = browser.call("Page.captureScreenshot")["data"]
        Path(out).write_bytes(base64.b64decode(picture))
        for kind, sentence in browser.take_faults():
            print(f"{kind}: {sentence}", file=sys.stderr)


if __name__ == "__main__":
    main()
