#!/usr/bin/env python3
"""The figures to step through, with a keyboard, a mouse and a phone's width: one frame at a time, a sentence that a
screen reader is told of, buttons with names and a visible focus; all frames where no script runs, one on paper."""

import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "texts"))
import po  # noqa: E402
from book import NARROW  # noqa: E402
from chromium import Browser, program  # noqa: E402

sys.path.insert(0, str(po.ROOT / "docs"))
from interface import STEPS  # noqa: E402

BOOK = po.PLACE / "share" / "book"
LANGUAGES = ("en", "sk")
KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "Tab": 9, "Enter": 13}

# What a reader finds in the figure. Only what is visible counts: a frame or a sentence that is only in the page has
# not been shown. The name of a button is what it says, for it has no label besides.
LOOK = """(() => {
    const figure = document.querySelector("figure.steps");
    const seen = (e) => e.checkVisibility({ checkVisibilityCSS: true });
    const frames = [...figure.querySelectorAll("ol > li")];
    const focus = document.activeElement, style = getComputedStyle(focus);
    const sentences = [...figure.querySelectorAll("p")].filter((p) => seen(p) && !p.closest("figcaption"));
    return {
        frames: frames.length,
        still: frames.flatMap((frame, i) => frame.classList.contains("still") ? [i] : []),
        shown: frames.flatMap((frame, i) => seen(frame.querySelector("svg")) ? [i] : []),
        sentences: sentences.map((p) => p.textContent),
        live: sentences.every((p) => p.closest("[aria-live=polite]")),
        named: frames.every((f) => f.querySelector("svg[role=img]").getAttribute("aria-label")),
        count: figure.querySelector(".count")?.textContent,
        buttons: [...figure.querySelectorAll("button")].filter(seen).map((b) => b.textContent),
        off: [...figure.querySelectorAll("button")].map((b) => b.ariaDisabled),
        focus: focus.tagName === "BUTTON" && focus.matches(":focus-visible")
            && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 ? focus.textContent : null,
        height: figure.getBoundingClientRect().height,
        width: document.scrollingElement.scrollWidth,
        least: Math.min(...[...figure.querySelectorAll("svg[role=img] text")].filter(seen)
            .map((t) => t.getBoundingClientRect().height)),
    };
})()"""


class Reader:
    """Goes through one figure and collects what is wrong."""

    def __init__(self, browser, language, page):
        self.browser, self.language, self.page, self.problems = browser, language, page, []
        self.address = (BOOK / language / f"{page}.html").as_uri()

    def expect(self, good, sentence):
        if not good:
            self.problems.append(f"{self.language}/{self.page}: {sentence}")

    def look(self):
        return self.browser.ask(LOOK)

    def key(self, name, **more):
        fields = {"key": name, "code": name, "windowsVirtualKeyCode": KEYS[name], **more}
        if name == "Enter":
            fields["text"] = "\r"
        self.browser.call("Input.dispatchKeyEvent", type="keyDown" if "text" in fields else "rawKeyDown", **fields)
        self.browser.call("Input.dispatchKeyEvent", type="keyUp", **fields)

    def at(self, number, what):
        """The figure shows this frame, and nothing else."""
        seen = self.look()
        last = seen["frames"] - 1
        number = last if number is None else number
        self.expect(seen["shown"] == [number], f"{what}: frames {seen['shown']} are shown, not {number}")
        self.expect(len(seen["sentences"]) == 1, f"{what}: {len(seen['sentences'])} sentences are visible")
        self.expect(seen["live"], f"{what}: the sentence is in no live region")
        self.expect(seen["count"] == f"{number + 1} / {last + 1}", f"{what}: the number says {seen['count']}")
        self.expect(seen["off"] == [str(number == end).lower() for end in (0, last)],
                    f"{what}: the buttons that lead nowhere are {seen['off']}")
        return seen

    def with_keys(self):
        self.browser.ask("document.querySelector('.steps').scrollIntoView({ block: 'center', behavior: 'instant' })")
        self.browser.press(".steps .legend")
        self.key("Tab")
        first = self.at(0, "at the beginning")
        names = [told[self.language] for told in STEPS.values()]
        self.expect(first["buttons"] == names, f"the buttons are called {first['buttons']}, not {names}")
        self.expect(first["focus"] in names, "the Tab key does not lead to a button with a visible focus")
        self.expect(first["named"], "a drawing has no name")
        self.key("ArrowLeft")
        self.at(0, "left of the first")
        self.key("ArrowRight")
        second = self.at(1, "after the right arrow")
        self.expect(first["sentences"] != second["sentences"], "the sentence does not change")
        self.expect(first["height"] == second["height"], "the page jumps from one frame to the next")
        self.key("End")
        self.expect(self.at(None, "after End")["focus"], "the focus is lost at the end")
        self.key("ArrowRight")
        self.at(None, "right of the last")
        self.key("ArrowLeft")
        self.at(first["frames"] - 2, "back from the last")
        self.key("Home")
        self.at(0, "after Home")
        self.key("ArrowRight", modifiers=1)  # with Alt it goes forward in the browser's history
        self.at(0, "after Alt and an arrow")
        self.key("Tab")
        self.key("Enter")
        self.at(1, "after Enter on the second button")

    def with_mouse(self):
        for selector, number in ((".steps .ArrowRight", 2), (".steps .ArrowLeft", 1)):
            self.expect(self.browser.press(selector), f"{selector} cannot be pressed")
            self.at(number, f"after a click on {selector}")
        self.browser.press(".steps li:not([hidden]) svg")
        self.key("ArrowRight")
        self.at(2, "after a click on the drawing and an arrow")

    def on_paper(self):
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        seen = self.look()
        self.browser.call("Emulation.setEmulatedMedia", media="")
        self.expect(len(seen["still"]) == 1 and seen["shown"] == seen["still"],
                    f"on paper: frames {seen['shown']}, not {seen['still']}")
        self.expect(len(seen["sentences"]) == 1, f"on paper: {len(seen['sentences'])} sentences")
        self.expect(seen["buttons"] == [], "buttons are printed")

    def without_scripts(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.browser.go(self.address)
            seen = self.look()
            self.expect(seen["shown"] == list(range(seen["frames"])) and seen["frames"] > 1,
                        f"without scripts only {seen['shown']} of {seen['frames']} frames are shown")
            self.expect(len(seen["sentences"]) == seen["frames"], "without scripts sentences are missing")
            self.expect(seen["buttons"] == [], "without scripts there are buttons that do nothing")
            self.on_paper()
        finally:
            self.browser.call("Emulation.setScriptExecutionDisabled", value=False)

    def read(self):
        self.browser.go(self.address)
        self.with_keys()
        self.with_mouse()
        seen = self.look()
        self.expect(seen["width"] <= NARROW, f"the page is {seen['width']} wide at {NARROW}")
        self.expect(seen["least"] >= 9, f"a label is only {seen['least']:.1f} pixels high")
        self.on_paper()
        self.without_scripts()
        for kind, sentence in self.browser.take_faults():
            self.expect(False, f"{kind}: {sentence}")
        return self.problems


def main():
    program()
    po.build_book()
    pages = [page for page in po.pages()
             if re.search(r"^```\{steps\}", (po.ROOT / f"{page}.md").read_text(encoding="utf-8"), re.M)]
    problems = [] if pages else ["no page has a figure to step through"]
    with Browser() as browser:
        browser.screen(NARROW)
        for page in pages:
            for language in LANGUAGES:
                problems += Reader(browser, language, page).read()
    return po.report(problems, f"{len(pages)} figures in {len(LANGUAGES)} languages")


if __name__ == "__main__":
    sys.exit(main())
