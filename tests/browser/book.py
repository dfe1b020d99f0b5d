"""What a reader of the book must find, looked for in a browser: on every page, in every language.

The folder decides which pages and which languages there are. A fault is (page, kind, sentence).
"""

import collections
import html
import json
import re
from pathlib import Path

NARROW, WIDE = 360, 1200  # a phone held upright; a desk

# Everything that is asked of a page that has loaded, in one go.
LOOK = """(async () => {
    await document.fonts.ready;
    const page = document.scrollingElement;
    scrollTo({ top: page.scrollHeight, behavior: "instant" });  // scripts listen to that, too
    for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
    const holds = (e) => {  // does it scroll by itself, or stand outside of the page's flow?
        let free = false;  // positioned: only an ancestor that is positioned too can hold it
        for (; e && e !== document.body; e = e.parentElement) {
            const { position, overflowX } = getComputedStyle(e);
            if (position !== "static") free = false;
            if (position === "fixed" || (!free && /auto|scroll/.test(overflowX))) return true;
            if (position === "absolute") free = true;
        }
        return false;
    };
    let widest = null, right = 0;
    if (page.scrollWidth > WIDTH)
        for (const e of document.body.querySelectorAll("*")) {
            const reach = e.getBoundingClientRect().right;
            if (reach > WIDTH + 1 && reach >= right && !holds(e)) [widest, right] = [e, reach];
        }
    const maths = [...document.querySelectorAll(".math")];
    const broken = [...document.images].filter((e) => e.complete && !e.naturalWidth
        && /^(file|data):/.test(e.src));
    return {
        address: location.href,
        language: document.documentElement.lang,
        width: page.scrollWidth,
        widest: widest && `<${widest.tagName.toLowerCase()} class="${widest.className}"> reaching `
            + `${Math.round(right)}: ${widest.textContent.trim().slice(0, 60)}`,
        undrawn: maths.filter((e) => !e.querySelector(".katex, .katex-error"))
            .map((e) => e.textContent),
        // A formula that KaTeX cannot read, or a command in it: that it writes in its own red.
        wrong: [...document.querySelectorAll(".katex-error, .katex [style*='rgb(204, 0, 0)']")]
            .map((e) => e.textContent),
        broken: broken.map((e) => e.src),
        switches: [...document.querySelectorAll(".languages a")].map((e) => [e.hreflang, e.href]),
    };
})()"""
SUMMARY = 'document.querySelector(".search-summary")?.innerText'
RESULTS = '[...document.querySelectorAll("ul.search li a")].map((e) => e.href)'


def tag(language):
    return language.replace("_", "-")


def words_of(path):
    """The words of a page's own text, headings and prose; no code."""
    text = re.sub(r"(?s)^.*?<article[^>]*>|</article>.*$", "", path.read_text(encoding="utf-8"))
    text = re.sub(r"(?s)<(pre|code|script)\b.*?</\1>|<[^>]+>", " ", text)
    return re.findall(r"[^\W\d_]+", html.unescape(text))


class Site:
    def __init__(self, browser, folder, patience=15, looked=lambda pages: pages):
        self.browser, self.folder, self.faults = browser, Path(folder).resolve(), []
        self.patience = patience  # seconds for what a script does after a page has loaded
        self.languages = sorted(path.name for path in self.folder.iterdir() if path.is_dir())
        here = {language: {str(path.relative_to(self.folder / language))
                           for path in (self.folder / language).rglob("*.html")
                           if "_static" not in path.parts}
                for language in self.languages}
        everywhere = set().union(*here.values())
        for language, pages in here.items():
            for page in everywhere - pages:
                self.say(language, page, "page", "is in another language only")
        # The start page leads on at once: it is checked separately.
        self.pages = sorted(set.intersection(*here.values()) - {"index.html"})
        self.looked = looked(self.pages)

    def say(self, language, page, kind, sentence):
        self.faults.append((f"{language}/{page}", kind, sentence))

    def wait_for(self, expression):
        return self.browser.wait_for(expression, self.patience)

    def address(self, language, page):
        return (self.folder / language / page).as_uri()

    # ---- one page as it is shown ----

    def look(self, language, page):
        """Look at the page that is shown now; where its switcher leads."""
        seen = self.browser.ask(LOOK.replace("WIDTH", str(NARROW)))
        for kind, sentence in self.browser.take_faults():
            self.say(language, page, kind, sentence)
        if seen["address"].split("?")[0] != self.address(language, page):
            self.say(language, page, "switcher", f"{seen['address']} came instead")
        if seen["language"] != tag(language):
            self.say(language, page, "lang", f"lang is {seen['language']!r}")
        if seen["width"] > NARROW:
            self.say(language, page, "width",
                     f"{seen['width']} wide at {NARROW}; the widest is {seen['widest']}")
        for tex in seen["undrawn"]:
            self.say(language, page, "formula", f"a formula is not drawn: {tex}")
        for tex in seen["wrong"]:
            self.say(language, page, "formula", f"a formula is not understood: {tex}")
        for picture in seen["broken"]:
            self.say(language, page, "missing", f"a picture is not shown: {picture}")
        return dict(seen["switches"])

    def look_everywhere(self):
        """Each of these pages in every language. From one language to the next the way is a click in the
        switcher, each time in another order, so that every pair of languages has its turn."""
        self.browser.screen(NARROW)
        for number, page in enumerate(self.looked):
            turn = number % len(self.languages)
            order = self.languages[turn:] + self.languages[:turn]
            if number // len(self.languages) % 2:
                order.reverse()
            self.browser.go(self.address(order[0], page))
            for language, following in zip(order, order[1:] + [None]):
                switches = self.look(language, page)
                for other in self.languages:
                    if switches.get(tag(other)) != self.address(other, page):
                        self.say(language, page, "switcher",
                                 f"{other} leads to {switches.get(tag(other))}")
                if following is None:
                    continue
                if switches.get(tag(following)) != self.address(following, page):
                    self.browser.go(self.address(following, page))
                    continue
                self.browser.arrive(lambda to=following: self.browser.ask(
                    f'document.querySelector(".languages a[hreflang={tag(to)}]").click()'))

    def start_page(self, language):
        """A person who opens a language's folder lands on the course's first page."""
        self.browser.go(self.address(language, "index.html"))
        first = self.address(language, "docs/index.html")
        if not self.wait_for(f"location.href === {json.dumps(first)}"
                                     " && document.readyState === 'complete'"):
            self.say(language, "index.html", "start", f"does not lead to {first}")

    # ---- with mouse and keyboard ----

    def press(self, language, page, selector, what):
        pressed = self.browser.press(selector)
        if not pressed:
            self.say(language, page, "switcher", f"{what} cannot be pressed")
        return pressed

    def switch_by_hand(self, language, other, page="docs/index.html"):
        """The switcher is within reach of a mouse, and of a finger on a phone."""
        for width in (WIDE, NARROW):
            self.browser.screen(width)
            self.browser.go(self.address(language, page))
            if width == NARROW:
                if not self.press(language, page, ".mobile-header .nav-overlay-icon", "the menu"):
                    continue
                self.wait_for('document.querySelector(".sidebar-drawer")'
                                      ".getBoundingClientRect().left >= 0")
            link = f".languages a[hreflang={tag(other)}]"
            where = json.dumps(self.address(other, page))
            if self.press(language, page, link, f"{other} in the switcher, {width} wide,"):
                if not self.wait_for(f"location.href === {where}"
                                             " && document.readyState === 'complete'"):
                    self.say(language, page, "switcher", f"{other}, pressed, does not lead there")

    def word(self, language):
        """A word that is frequent in this language's pages and not in the first language's."""
        count = {other: collections.Counter(
                    word.lower() for page in self.pages
                    for word in set(words_of(self.folder / other / page)))
                 for other in {language, "en"} & set(self.languages)}
        english = count.get("en", {})
        own = [(number, word) for word, number in count[language].items()
               if len(word) >= 6 and (language == "en" or word not in english)]
        # Letters that English does not have are where a search goes wrong first.
        return max(own, key=lambda item: (language != "en" and not item[1].isascii(), *item))[1]

    def search(self, language):
        """A word typed into the field finds pages of the same language that have it."""
        start, word = "docs/index.html", self.word(language)
        self.browser.screen(WIDE)
        self.browser.go(self.address(language, start))
        if not self.browser.press("input.sidebar-search"):
            return self.say(language, start, "search", "the field cannot be pressed")
        self.browser.arrive(lambda: self.browser.write_and_enter(word))
        found = self.wait_for(f"{SUMMARY} ? {RESULTS} : null")
        inside = self.address(language, "")
        if not found or not all(address.startswith(inside) for address in found):
            return self.say(language, "search.html", "search", f"{word}: found {found}")
        said = self.browser.ask(SUMMARY)
        if language != "en" and said.startswith("Search finished"):
            self.say(language, "search.html", "search", f"says in English: {said}")
        self.browser.arrive(lambda: self.browser.press("ul.search li a"))
        shown = self.browser.ask("[location.href, document.documentElement.lang,"
                                 " document.body.innerText]")
        if not shown[0].startswith(found[0].split("#")[0]) or shown[1] != tag(language):
            self.say(language, "search.html", "search", f"{word}: {shown[0]}, lang {shown[1]}")
        elif word not in shown[2].lower():
            self.say(language, "search.html", "search", f"{shown[0]} has no {word!r}")

    # ---- all of it ----

    def check(self):
        self.look_everywhere()
        for number, language in enumerate(self.languages):
            other = self.languages[number - 1]
            for page, step in [
                ("index.html", lambda: self.start_page(language)),
                ("docs/index.html", lambda: self.switch_by_hand(language, other)),
                ("search.html", lambda: self.search(language)),
            ]:
                step()
                for kind, sentence in self.browser.take_faults():
                    self.say(language, page, kind, sentence)
        return self.faults
