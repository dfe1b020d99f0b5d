"""A language that nobody speaks: the letters of English in disguise. What still reads as plain letters was never
offered to translators, or is a name."""

import re

import rules

PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
DISGUISED = "ȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑȦƁƇḒḖƑƓĦĪĴĶĿḾȠǾƤɊŘŞŦŬṼẆẊẎẐ"
DISGUISE = str.maketrans(PLAIN, DISGUISED)


def disguised(text, kept):
    """The text in disguise, but for what the pattern 'kept' finds."""
    out, at = [], 0
    for found in kept.finditer(text):
        out += [text[at : found.start()].translate(DISGUISE), found.group()]
        at = found.end()
    return "".join(out) + text[at:].translate(DISGUISE)


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def catalogue(entries, kept_in):
    """Its text; kept_in(source) is the pattern of what stays as it is in a sentence."""
    lines = ['msgid ""', 'msgstr ""', '"Content-Type: text/plain; charset=UTF-8\\n"',
             '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"', ""]
    for entry in entries:
        if entry.context is not None:
            lines.append(f"msgctxt {quoted(entry.context)}")
        lines.append(f"msgid {quoted(entry.source)}")
        shown = quoted(disguised(entry.source, kept_in(entry.source)))
        if entry.plural is None:
            lines.append(f"msgstr {shown}")
        else:
            many = quoted(disguised(entry.plural, kept_in(entry.plural)))
            lines += [f"msgid_plural {quoted(entry.plural)}", f"msgstr[0] {shown}", f"msgstr[1] {many}"]
        lines.append("")
    return "\n".join(lines)


def plain_words(text):
    """Words of two letters or more without an accent, a digit or a sign in them."""
    bare = rules.TOKENS[False].sub(" ", text)
    bare = re.sub(r"\S*[_/\\@=.|]\w\S*|\b[A-Z][A-Z0-9_|-]*\b|\S*\d\S*", " ", bare)
    return re.findall(r"(?<!\w)[A-Za-z]{2,}(?!\w)", bare)
