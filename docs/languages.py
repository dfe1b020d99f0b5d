"""The languages of the book: which, what they are called, and in which order their words stand."""

import unicodedata
from pathlib import Path

from babel import Locale

LANGUAGES = ["en"] + [
    code
    for line in (Path(__file__).resolve().parents[1] / "po" / "LINGUAS")
    .read_text(encoding="utf-8")
    .splitlines()
    if not line.startswith("#")
    for code in line.split()
]
# Letters of their own, behind the one they look like. All other accents count only between words
# that are else the same.
LETTERS = {
    "es": {"ñ": "n"},
    "sk": {"ä": "a", "č": "c", "ch": "h", "ô": "o", "š": "s", "ž": "z"},
}
LAST = "\U0010ffff"


def language_tag(code):
    """The code as HTML wants it: pt-BR."""
    return code.replace("_", "-")


def language_name(code):
    """The language's name in itself."""
    return Locale.parse(code).get_language_name(code).capitalize()


def dictionary_order(text, code):
    """A key that sorts as a dictionary of the language does."""
    text = unicodedata.normalize("NFC", text.lower())
    plain = text
    for letter, before in LETTERS.get(code, {}).items():
        plain = plain.replace(letter, before + LAST)
    plain = unicodedata.normalize("NFD", plain)
    return "".join(c for c in plain if not unicodedata.combining(c)), text
