"""What a translation must keep, and how each language is written. Pure functions on texts, tried on
small examples by check_rules.py."""

import re
import unicodedata
from collections import Counter
from unicodedata import combining

import po

# ---- what is not prose ----
CODE = r"``.+?``|`[^`\n]+`"
MATH = r"\$\$.+?\$\$|\$[^$\n]+\$"
URL = r"https?://[^\s)>\"»“”]+|\b(?:[a-z][\w-]*\.)+(?:com|io)/[\w/-]*\w"
TARGET = r"(?<=\])\([^)\s]+\)"
ANCHOR = r"\{#[\w-]+\}"
CITED = r"arXiv:[\w./]+"
TITLE = r"(?<=, )[A-Z][^,\n]*(?=, arXiv:)"  # a paper keeps its own
WORKS = "|".join(map(re.escape, (  # titles that no identifier follows, or with a comma in them
    "Optimization of Collective Communication Operations in MPICH",
    "Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations",
    "The Communication Challenge for MPP: Intel Paragon and Meiko CS-2, Parallel Computing 20",
    "MPI: A Message-Passing Interface Standard",
    "How to Scale Your Model",
    "Language Modeling from Scratch",
    "Accurate, Large Minibatch SGD",
)))
NAME = r"\b(?:vl|VL|MPI|OMPI|OPENBLAS|VIALATA)_\w+"
FLAG = r"(?<![\w-])--[a-z][a-z-]*"
MACHINES = (path.stem for path in (po.ROOT / "labs/10_bandwidth/machines").glob("*.json"))
MACHINE = rf"\b(?:{'|'.join(map(re.escape, MACHINES))})\b"
FILE = r"\b[\w-]+\.(?:html|json|jsonl|safetensors)\b"
COMMAND = r"\./vialata(?: (?:tour|list|start|explain|hint|grade|reset|train|eval|sample|bench|schedule|plan|study|timeline|book|doctor)\b)?"
# What stands for a value in a command: the same in every language, as the command itself is.
METAVARIABLE = r"(?<![\w-])(?:CASE|COMMAND|FILE|FOLDER|FUNCTION|LAB|NAME|PART|RESULTS|SECONDS|STUDENT|WORD)(?![\w-])"
EVERYWHERE = (METAVARIABLE, CODE, URL, TARGET, ANCHOR, TITLE, WORKS, CITED, NAME, FLAG, MACHINE, FILE, COMMAND)
TOKENS = {  # a dollar sign in a format belongs to a placeholder, "%1$s"
    False: re.compile("|".join((MATH, *EVERYWHERE)), re.S),
    True: re.compile("|".join(EVERYWHERE), re.S),
}
FORMAT = re.compile(
    r"%(?:(\d+)\$)?([-+ #0']*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|ll|[hlzjtL])?[diouxXeEfFgGaAcspn])"
)


def is_diagram(text):
    """A drawing made of characters (docs/blocks.py): the only entry with several lines."""
    return "\n" in text.strip()


def is_formula(text):
    """A displayed formula comes out of a page as an entry of its own, without dollar signs. Only those with words in
    them do (docs/blocks.py), and their words are translated."""
    return (re.match(r"\s", text) is not None and not is_diagram(text) and
            re.search(r"[=←·∑≤]|\w / \w", text) is not None)


# What is the same in every language: symbols, numbers, and names of one letter, with what stands at their feet.
SYMBOLS = re.compile(r"\\[a-z]+|\d+(?:\.\d+)?|(?<![^\W\d_])[^\W\d_](?![^\W\d_])|[-+*/=←·∑≤|(){}\[\]^_]")


# Names of functions and of code, abbreviations, and words that several languages share.
IN_FORMULAS = set("silu scale exp log min max sign logit dlogit MFU MaxVio token tokens bytes chips factor".split())


def formula_words(text):
    """The names in a displayed formula, without TeX's own: "time", "loss"."""
    return re.findall(r"(?<!\\)(?<![^\W\d_])[^\W\d_]{3,}", text) if is_formula(text) else []


def prose(text, formatted=False):
    """The text with everything that is not prose replaced by one object character."""
    if is_formula(text):
        return ""
    text = TOKENS[formatted].sub("\ufffc", text)
    if formatted:
        text = FORMAT.sub("\ufffc", text.replace("%%", "\0")).replace("\0", "%")
    return re.sub(r"\*\*|(?<!\w)[*_]|[*_](?!\w)", "", text)


# ---- tokens ----
def placeholders(text):
    """{position: conversion}: "%d of %s" and "%2$s: %1$d" have the same."""
    found = {}
    for at, (position, conversion) in enumerate(FORMAT.findall(text.replace("%%", "")), 1):
        found[int(position or at)] = conversion
    return found


def tokens(source, text, formatted, may_drop_number=False):
    """What the translation lost or added of code, formulas, addresses, names, placeholders."""
    problems = []
    if is_formula(source) and Counter(SYMBOLS.findall(source)) != Counter(SYMBOLS.findall(text)):
        problems.append("a formula changed")
    left = set(formula_words(source)) & set(formula_words(text)) - IN_FORMULAS
    if left:
        problems.append(f"English in a formula: {', '.join(sorted(left))}")
    if abs(source.count("\n") - text.count("\n")) > 2:
        problems.append("a drawing has other lines")
    before, after = (Counter(TOKENS[formatted].findall(t)) for t in (source, text))
    for token in before - after:
        problems.append(f"lost {token}")
    for token in after - before:
        problems.append(f"added {token}")
    if source.count("**") != text.count("**"):
        problems.append("bold marks differ")
    if formatted:
        wanted, given = placeholders(source), placeholders(text)
        for position in sorted(wanted.keys() | given.keys()):
            if wanted.get(position) == given.get(position):
                continue
            if may_drop_number and position not in given:
                continue  # "one file" needs no number
            problems.append(
                f"placeholder {position}: {wanted.get(position)} became {given.get(position)}"
            )
    return problems


# ---- English left over ----
def words(text):
    return re.findall(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*", text)


SAME = set("all-gather all-reduce all-to-all broadcast reduce-scatter et al dsv gpt llama palm silu gate".split())


def english_left(source, text, formatted=False, run=5):
    """A run of English words that is in the translation as it was in the source. Single
    letters are mostly variables, and count as no word; nor do abbreviations, and what is called the
    same in every language. In a drawing names stand alone; what is English there, no dictionary of the language knows
    (check_spelling.py)."""
    if is_diagram(source):
        return None

    def counted(side):
        plain = [word for word in words(prose(side, formatted)) if len(word) > 1]
        return [word.lower() for word in plain if not word.isupper() and word.lower() not in SAME]

    given, wanted = counted(text), counted(source)
    there = {tuple(given[i : i + run]) for i in range(len(given) - run + 1)}
    for i in range(len(wanted) - run + 1):
        if tuple(wanted[i : i + run]) in there:
            return " ".join(wanted[i : i + run])
    return " ".join(wanted) if wanted == given and len(wanted) >= 4 else None


# ---- typography ----
NO_BREAK, NARROW = "\u00a0", "\u202f"
SECTION = r"\b(?:section|seção|sección|časť|oddiel) \d+\.\d+"  # of a paper, as it counts them
VERSION = r"\d+(?:\.\d+){2,}|(?:Linux|SimGrid)[ \u00a0]\d+\.\d+"  # 4.1.4 is no decimal number
# What parts the thousands, and from how many digits on: as src/base/number.c has it.
GROUPS = {"en": (",", 5), "fr": (NARROW, 4), "pt_BR": (".", 4), "es": (NARROW, 5), "sk": (NO_BREAK, 5)}
YEAR = r"(?:19|20)\d\d"


def grouping(language, text):
    """Numbers whose thousands are parted in another way than the language does, or not at all."""
    mark, least = GROUPS[language]
    found = re.findall(r"(?<![\w.,:/=-])\d{4,}(?![\w/=-])", text)
    wrong = [number for number in found if len(number) >= least and not re.fullmatch(YEAR, number)]
    marks = " \u00a0\u202f" + (mark if mark in ",." else "")
    for whole in re.finditer(rf"(?<![\d.,])\d{{1,3}}(?:[{marks}]\d{{3}})+(?![\d])", text):
        digits = re.sub(r"\D", "", whole[0])
        if len(digits) < least or set(re.sub(r"\d", "", whole[0])) != {mark}:
            wrong.append(whole[0])
    return [f"thousands: {number}" for number in wrong]



def typography(language, text):
    """How 'text' (prose) breaks the usage of its language, as a list of sentences."""
    problems = []

    def say(pattern, what, where=text):
        found = re.search(pattern, where)
        if found:
            around = where[max(0, found.start() - 12) : found.end() + 8].replace("\n", " ")
            problems.append(f"{what}: …{around}…")

    say(r'"', "straight quotation mark")
    numbers = re.sub(f"{VERSION}|{SECTION}", "", text)
    if language in ("pt_BR",):
        numbers = re.sub(r"(?<!\()\b\d{1,3}(?:\.\d{3})+\b", "", numbers)
    # Versions and values to type in brackets, "(0.8)", "(0.1,0.2)", keep their point.
    say(r"(?<![\w.(])(?<!\d,)\d+\.\d+(?![\w.])", "decimal point", numbers)
    if language in ("fr", "es", "sk"):
        say(r"[\d\ufffc](?:%| %)", "no-break space before %")
    if language == "pt_BR":
        say(r"\d\s%", "no space before %")
    {"fr": french, "es": spanish, "pt_BR": portuguese, "sk": slovak}.get(language, lambda *_: 0)(
        text, say
    )
    return problems


def french(text, say):
    say(rf"(?<![{NARROW}!?\s(;])[;!?]", "U+202F before ; ! ?")
    say(r"[ \u00a0][;!?](?!\w)", "U+202F, not another space, before ; ! ?")
    say(rf"(?<![{NO_BREAK}:\d]):(?=[\s»]|$)", "U+00A0 before :")
    say(rf"«(?![{NO_BREAK}{NARROW}])|(?<![{NO_BREAK}{NARROW}])»", "no-break space inside « »")
    say(r"[„“”]", "quotation marks are « »")


def spanish(text, say):
    for closing, opening in ("?¿", "!¡"):
        if text.count(closing) != text.count(opening):
            say(re.escape(closing if closing in text else opening), f"{opening} … {closing}")
    if "«" not in text:
        say(r"[“”„]", "quotation marks are « »")
    say(r"\s[;:!?](?!\w)", "no space before ; : ! ?")


def portuguese(text, say):
    say(r"[«»„]", "quotation marks are “ ”")
    if text.count("“") != text.count("”"):
        say(r"[“”]", "“ … ”")
    say(r"\s[;:!?](?!\w)", "no space before ; : ! ?")


def slovak(text, say):
    say(r"[«»”]", "quotation marks are „ “")
    if text.count("„") != text.count("“"):
        say(r"[„“]", "„ … “")
    say(r"(?<![\w.'’\ufffc-])[kosuvzKOSUVZ] (?=[\w\ufffc„(])", "no-break space after a one-letter preposition")
    say(r"\s[;:!?](?!\w)", "no space before ; : ! ?")


# ---- terms ----
def plain(text):
    """Without case and accents, which inflection changes: hlava, hláv."""
    return "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not combining(c))


def stems(term):
    return [
        word[: 2 if len(word) <= 4 else 3 if len(word) <= 6 else min(len(word) - 3, 5)]
        for word in re.findall(r"[\w-]+", plain(term))
    ]


def without_gloss(term):
    return re.sub(r"\s*\([^)]*\)", "", term).strip().lower()


def choices(term):
    """All that a glossary cell allows: alternatives, and the word in its brackets."""
    for choice in re.split(r" / |[,;] (?![^(]*\))", term):
        yield without_gloss(choice)
        for gloss in re.findall(r"\(([^)]*)\)", choice):
            yield gloss.lower()


def terms(glossary, language, source, text, formatted=False):
    """Glossary terms of the source that the translation translates in another way. A longer term
    hides the shorter ones inside it."""
    missing = []
    left, text = prose(source, formatted).lower(), plain(prose(text, formatted))
    for term in sorted(glossary, key=lambda term: -len(without_gloss(term["en"]))):
        english = without_gloss(term["en"])
        pattern = rf"(?<![\w-]){re.escape(english)}(?:s|es)?(?![\w-])"
        if not english or not re.search(pattern, left):
            continue
        left = re.sub(pattern, "\ufffc", left)
        if not any(all(stem in text for stem in stems(c)) for c in choices(term[language]) if c):
            missing.append((english, term[language]))
    return missing
