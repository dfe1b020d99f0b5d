"""The numbers of a text: where they are, what they are worth, and whether they are those of
another text. Pure functions, tried on small examples by check_figures.py."""

import re
from collections import Counter
from dataclasses import dataclass

# ---- what has digits and is not a number: names, each of them listed here ----
FORMAT = r"\b(?:bf16|fp16|fp32|fp8|float32|float64)\b"
CHIP = r"\b(?:[ABH]\d00|GB200|NVL72|v\d[pe])\b"
NAMES = "|".join((
    r"arXiv:[\w./]+",
    r"https?://[^\s)>\"»“”]+",
    r"(?<=\])\([^)\s]+\)",  # where a link leads
    r"^\([\w-]+\)=$",  # an anchor
    r"(?<=[A-Za-z])_\{?\d\}?|\^2\b",  # an index; a square
    r"\blabs? \d\d(?:(?:, | and )\d\d)*",
    r"\bDeepSeek-V3\b|\bDSV3\b|\bV3\b|\bK2\b|\bLlama \d\b|\bGPT-\d\b",
    r"\bCS336\b",
    CHIP,
    r"\bNVLink \d\b",
    r"\bZeRO-[0-3]\b|\b1F1B\b|\b[234]D\b|\bZB-H[12]\b|\bL\d\b",
    FORMAT,
))

# ---- numbers in words, from three on: "one" and "two" are mostly no numbers ----
UNITS = ("three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
         "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
AFTER_TENS = {"one": 1, "two": 2}  # thirty-two
WORDS = {word: 3 + i for i, word in enumerate(UNITS)}
WORDS |= {word: 20 + 10 * i for i, word in enumerate(TENS)}
WORDS |= {
    "half": 1 / 2, "twice": 2, "double": 2, "dozen": 12, "hundred": 100, "hundreds": 100,
    "thousand": 1000, "thousands": 1000, "third": 1 / 3, "thirds": 1 / 3, "quarter": 1 / 4,
    "quarters": 1 / 4, "tenth": 1 / 10, "sixteenth": 1 / 16, "million": 1e6, "billion": 1e9,
    "trillion": 1e12, "millions": 1e6, "billions": 1e9, "trillions": 1e12,
}

# ---- units and magnitudes: a number has them in its worth, so a wrong one is a wrong number ----
SCALES = {
    "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "%": 0.01, "\\%": 0.01,
    "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "pb": 1e15, "gib": 2**30, "mib": 2**20,
    "kilobytes": 1e3, "megabytes": 1e6, "gigabytes": 1e9, "terabytes": 1e12,
    "ms": 1e-3, "milliseconds": 1e-3, "microseconds": 1e-6, "minutes": 60, "hours": 3600,
    "days": 86400, "years": 365.25 * 86400, "gwh": 1e9,
}
GAP = r"[ \u00a0\u202f~]?"
DIGITS = r"\d{1,3}(?:(?:,|[ \u00a0\u202f]|\{,\})\d{3})+(?![\d,])(?:\.\d+)?|\d+(?:\.\d+)?"
POWER = r"10\^(?:\{-?\d+\}|\(-?\d+\)|\d)"
TIMES = r"\s*(?:·|×|\\cdot|\\times)\s*"
SCALE = "|".join(re.escape(s) + (r"\b" if s[-1].isalpha() else "") for s in SCALES)
NUMBER = re.compile(
    rf"(?P<name>{NAMES})"
    rf"|(?P<digits>{POWER}|(?:{DIGITS})(?:{TIMES}{POWER})?)(?:(?:{GAP}|-)(?P<scale>{SCALE}))?"
    rf"|\b(?P<word>(?:{'|'.join(TENS)})-(?:{'|'.join([*AFTER_TENS, *UNITS[:7]])})"
    rf"|{'|'.join(WORDS)})\b"
    rf"(?:(?:{GAP}|-)(?P<wordscale>{SCALE}))?",
    re.I | re.M,
)


@dataclass
class Figure:
    text: str  # as it is printed, with its unit
    start: int
    worth: float
    last: float  # worth of one in its last digit


def power(text):
    return 10.0 ** int(re.sub(r"10\^|[{}()]", "", text))


def read_digits(text):
    """(worth, worth of the last digit) of "3.3 · 10^{24}"."""
    tens = 1.0
    found = re.search(POWER + "$", text)
    if found:
        tens = power(found[0])
        text = re.sub(TIMES + "$", "", text[: found.start()])
        if not text:
            return tens, tens
    plain = re.sub(r"[^\d.]", "", text)
    decimals = len(plain.partition(".")[2])
    return float(plain) * tens, 10.0**-decimals * tens


def read_word(word):
    worth = sum((WORDS | AFTER_TENS)[part] for part in word.lower().split("-"))
    return worth, worth / 5


def figures(text):
    """All numbers of an English text, first to last."""
    found = []
    for match in NUMBER.finditer(text):
        if match["name"] is not None:
            continue
        worth, last = read_digits(match["digits"]) if match["digits"] else read_word(match["word"])
        scale = next((s for s in (match["scale"], match["wordscale"]) if s), None)
        times = SCALES[scale.lower()] if scale else 1.0
        found.append(Figure(match[0], match.start(), worth * times, last * times))
    return found


# ---- as it is shown ----
def shows(figure, value, how=""):
    """Does the figure show this value? To half of its last digit, or as 'how' says: "~2" two
    digits count, "±5%", and before either "*1e9", a unit that stands in a table's head."""
    worth, last = figure.worth, figure.last
    allowed = None
    for word in how.split():
        if word[0] == "*":
            worth, last = worth * float(word[1:]), last * float(word[1:])
        elif word[0] == "~":
            digits = int(word[1:])
            lead = float(f"{abs(worth):.0e}") if worth else 0.0
            exponent = int(f"{lead:e}".partition("e")[2])
            allowed = 10.0 ** (exponent - digits + 1) / 2
        elif word[0] == "±":
            allowed = abs(value) * float(word[1:].rstrip("%")) / 100
        else:
            raise ValueError(f"not understood: {word}")
    if allowed is None:
        allowed = last / 2
    return abs(worth - value) <= allowed * (1 + 1e-9) + 1e-12 * abs(value)


# ---- in translation ----
MARKS = {  # between thousands (src/base/number.c); a number of only digits is good everywhere
    "en": (",", "."),
    "fr": ("\u202f\u00a0", ","),
    "pt_BR": (".", ","),
    "es": ("\u202f\u00a0", ","),
    "sk": ("\u00a0", ","),
}
MAGNITUDES = {
    "en": {r"thousand": 1e3, r"million": 1e6, r"billion": 1e9, r"trillion": 1e12},
    "fr": {r"mille milliards": 1e12, r"mille": 1e3, r"millions?": 1e6, r"milliards?": 1e9,
           r"billions?": 1e12},
    "pt_BR": {r"mil": 1e3, r"milh(?:ão|ões)": 1e6, r"bilh(?:ão|ões)": 1e9,
              r"trilh(?:ão|ões)": 1e12},
    "es": {r"mil millones": 1e9, r"mil": 1e3, r"mill(?:ón|ones)": 1e6, r"bill(?:ón|ones)": 1e12},
    "sk": {r"tisíc\w*": 1e3, r"mili[óo]n\w*": 1e6, r"mili[áa]rd\w*": 1e9, r"bili[óo]n\w*": 1e12},
}
# Written with the same characters everywhere: names of formats and chips, versions, 8x7B.
ALIKE = rf"{FORMAT}|{CHIP}|\b\d+x\d+B?\b|(?<![\d.])\d+\.\d{{1,2}}\.\d+\b"
BETWEEN = {"fr": r"(?: premiers| derniers)?"}  # 14 300 premiers milliards


def reader(language):
    group, mark = MARKS[language]
    words = "|".join(MAGNITUDES[language])
    return re.compile(
        rf"(?P<alike>{ALIKE})"
        rf"|(?P<number>\d{{1,3}}(?:[{group}]\d{{3}})+(?!\d)(?:[{mark}]\d+)?|\d+(?:[{mark}.]\d+)?)"
        rf"(?:{BETWEEN.get(language, '')}[ \u00a0\u202f-](?P<magnitude>{words})\b)?"
    )


READERS = {language: reader(language) for language in MARKS}


def written(text, language):
    """The numbers in digits, in order: (worth without its magnitude, the magnitude). A version or
    a chip is itself, and the name of a format is none."""
    group, mark = MARKS[language]
    found = []
    for match in READERS[language].finditer(text):
        if match["alike"]:
            if not re.match(FORMAT, match["alike"]):
                found.append((match["alike"], 1.0))
            continue
        number = match["number"]
        if re.fullmatch(rf"\d{{1,3}}(?:[{group}]\d{{3}})+(?:{mark}\d+)?", number):
            number = re.sub(f"[{group}]", "", number)
        magnitude = next((worth for pattern, worth in MAGNITUDES[language].items()
                          if match["magnitude"] and re.fullmatch(pattern, match["magnitude"])), 1.0)
        found.append((float(number.replace(",", ".")), magnitude))
    return found


def plain(number):
    return number if isinstance(number, str) else f"{number:.12g}"


def worths(numbers, there):
    """What they are worth. In "671 billion and 37" the second has a magnitude too, that the other
    language may say: 'there' is what stands in the other text."""
    said = sorted({magnitude for _, magnitude in numbers} - {1.0})
    other = Counter(plain(n if isinstance(n, str) else n * m) for n, m in there)
    found = []
    for number, magnitude in numbers:
        worth = number if isinstance(number, str) else number * magnitude
        if magnitude == 1 and not isinstance(number, str) and not other[plain(worth)]:
            worth = next((number * m for m in said if other[plain(number * m)]), worth)
        found.append(plain(worth))
    return found


SAID = {  # small numbers in words; not one, which is an article in most of the languages
    "en": {"0": r"zero|null", "2": r"two|twice", "3": r"three", "4": r"four"},
    "fr": {"0": r"zéro|null?e?s?", "2": r"deux|double", "3": r"trois|triple", "4": r"quatre"},
    "pt_BR": {"0": r"zero|nul[ao]s?", "2": r"dois|duas|dobro", "3": r"três", "4": r"quatro"},
    "es": {"0": r"cero|nul[ao]s?", "2": r"dos|doble", "3": r"tres|triple", "4": r"cuatro"},
    "sk": {"0": r"nul\w*", "2": r"dv(?:a|e|och|oma?)|dvoj\w*", "3": r"tr(?:i|och|om|oma)|troj\w*",
           "4": r"štyr\w*|štvor\w*"},
}


def said(number, text, language):
    word = SAID[language].get(number)
    return len(re.findall(rf"\b(?:{word})\b", text, re.I)) if word else 0


def in_words(numbers, has, has_in, lacks, lacks_in):
    """Of a Counter of numbers in digits, those that the text which lacks them says in words: in
    more words than the one that has them."""
    found = Counter()
    for number, count in numbers.items():
        more = said(number, lacks, lacks_in) - said(number, has, has_in)
        found[number] = max(0, min(count, more))
    return found


def differences(source, text, language):
    """How the numbers of a translation are not those of its source: "3 4 -> 5", "order", or
    nothing."""
    before, after = written(source, "en"), written(text, language)
    before, after = worths(before, after), worths(after, before)
    names = {n for n in before + after if n[0].isalpha()}  # they stand where grammar wants
    if names & set(before) != names & set(after):
        return " ".join([*sorted(names - set(after)), "->", *sorted(names - set(before))])
    before, after = ([n for n in some if n not in names] for some in (before, after))
    lost, added = Counter(before) - Counter(after), Counter(after) - Counter(before)
    worded = in_words(lost, source, "en", text, language)
    digits = in_words(added, text, language, source, "en")
    lost, added = lost - worded, added - digits
    if lost or added:
        return " ".join([*sorted(lost.elements()), "->", *sorted(added.elements())])
    apart = +worded + +digits
    before, after = ([n for n in some if n not in apart] for some in (before, after))
    return "" if before == after else "order"
