#!/usr/bin/env python3
"""The checks of the texts see what they should and let good texts pass: small examples of both."""

import unittest

import po
import rules

GLOSSARY = [
    {"en": "pipeline bubble", "fr": "bulle (de pipeline)", "sk": "bublina (v pipeline)"},
    {"en": "bubble", "fr": "bulle", "sk": "bublina"},
    {"en": "rank", "fr": "rang", "sk": "rank (poradové číslo procesu)"},
    {"en": "attention head", "fr": "tête d'attention", "sk": "hlava pozornosti"},
    {"en": "MFU", "fr": "MFU, taux d'utilisation", "sk": "MFU, využitie"},
]

CATALOGUE = r'''
msgid ""
msgstr "Language: fr\n"

#: src/a.c
#, c-format
msgid "one"
msgstr "un"

#, fuzzy, c-format
#| msgid "old"
msgctxt "pipeline"
msgid "stage"
msgstr ""
"é"
"tage"

msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d fichier"
msgstr[1] ""

#~ msgid "gone"
#~ msgstr "parti"
'''


class Catalogues(unittest.TestCase):
    def test_entries_flags_contexts_and_plurals_are_read(self):
        one, stage, files = po.parse(CATALOGUE)
        self.assertEqual((one.source, one.texts, one.fuzzy), ("one", {0: "un"}, False))
        self.assertEqual((stage.context, stage.texts, stage.fuzzy), ("pipeline", {0: "étage"}, True))
        self.assertEqual((files.plural, files.texts), ("%d files", {0: "%d fichier", 1: ""}))

    def test_what_is_no_catalogue_is_refused(self):
        with self.assertRaises((ValueError, SyntaxError)):
            po.parse('msgid "a"\nmsgstr "b"\nnonsense\n')


class Tokens(unittest.TestCase):
    def assert_kept(self, source, text, formatted=False):
        self.assertEqual(rules.tokens(source, text, formatted), [])

    def assert_broken(self, source, text, formatted=False):
        self.assertNotEqual(rules.tokens(source, text, formatted), [])

    def test_order_may_change(self):
        self.assert_kept("Set `a` and $b$.", "$b$ et `a`.")
        self.assert_kept("%d of %s", "%2$s: %1$d", True)
        self.assert_kept("100%% of %s", "%s: 100 %%", True)

    def test_a_changed_or_lost_token_is_seen(self):
        self.assert_broken("Set `a`.", "Mettez `b`.")
        self.assert_broken("Row $x_i$.", "Ligne $x_j$.")
        self.assert_broken("See [this](a.md).", "Voir [ceci](b.md).")
        self.assert_broken("See https://a.org/x", "Voir https://a.org/y")
        self.assert_broken("Call vl_norm.", "Appelez vl_norme.")
        self.assert_broken("Use --lang.", "Utilisez --langue.")
        self.assert_broken("Su, RoFormer, arXiv:2104.09864", "Su, Roformeur, arXiv:2104.09864")
        self.assert_broken("**Bold** word", "Mot gras")
        self.assert_broken(" y = x ", " y = z ")
        self.assert_broken(" s b h (5 a s / h) ", " s b h (5 a s / b) ")

    def test_the_words_of_a_formula_are_translated_and_nothing_else_of_it(self):
        self.assert_kept(" time = α + β · bytes ", " temps = α + β · octets ")
        self.assert_broken(" time = α + β · bytes ", " temps = α + 2 β · octets ")
        self.assert_broken(" time = α + β · bytes ", " time = α + β · octets ")
        self.assert_kept(" y = silu(g) · u ", " y = silu(g) · u ")
        self.assert_broken(" idle = (p - 1) F ", " inactivité = (p - 1) ")
        self.assert_broken(" loss = \\log x ", " perte = log x ")

    def test_a_drawing_keeps_its_lines(self):
        self.assert_kept("rank 0  x\nrank 1  y", "rang 0  x\nrang 1  y")
        self.assert_broken("a\nb\nc\nd", "a b c d")

    def test_swapped_lost_and_invented_placeholders_are_seen(self):
        self.assert_broken("%d of %s", "%s: %d", True)
        self.assert_broken("%d of %s", "%d", True)
        self.assert_broken("%s", "%s %s", True)
        self.assert_broken("%1$s and %2$s", "%1$s et %1$s", True)

    def test_the_form_for_one_may_drop_its_number(self):
        self.assertEqual(rules.tokens("%d files", "jeden súbor", True, True), [])
        self.assertNotEqual(rules.tokens("%d files", "%s súbor", True, True), [])


class English(unittest.TestCase):
    def test_a_sentence_left_over_is_seen_in_the_midst_of_others(self):
        source = "Open the file. The row of the matrix is written once. Close it."
        self.assertTrue(rules.english_left(source, "Ouvrez. The row of the matrix is. Fermez."))
        self.assertTrue(rules.english_left("Add the two sides.", "Add the two sides."))

    def test_names_code_titles_and_formulas_are_no_sentence(self):
        for text in (
            "`put the row in the cell`",
            "Llama, DeepSeek",
            "Vaswani et al., Attention Is All You Need, arXiv:1706.03762.",
            " a = b and c then d or e ",
        ):
            self.assertIsNone(rules.english_left(text, text))


class Typography(unittest.TestCase):
    def assert_good(self, language, *texts):
        for text in texts:
            self.assertEqual(rules.typography(language, rules.prose(text)), [], text)

    def assert_bad(self, language, *texts):
        for text in texts:
            self.assertNotEqual(rules.typography(language, rules.prose(text)), [], text)

    def test_french(self):
        self.assert_good("fr", "Quoi\u202f?", "Ceci\u00a0: «\u00a0cela\u00a0»\u202f; 2,5\u00a0%",
                         "`a: b; c`", "https://a.org/?x", "à 12:30", "cmake (3.25)", "4.1.4",
                         "Vrai\u202f!?")
        self.assert_bad("fr", "Quoi?", "Quoi ?", "Quoi\u00a0?", "Ceci : cela", "Ceci: cela",
                        "« cela »", "“cela”", 'dit "non"', "2.5 fois", "50 %", "50%", "Ceci:")

    def test_spanish(self):
        self.assert_good("es", "¿Qué?", "Dijo: «sí, “casi”».", "¡Bien!", "2,5\u00a0%")
        self.assert_bad("es", "Qué?", "¡Bien", "“sí”", 'dijo "sí"', "2.5", "50%", "Dijo : sí")

    def test_portuguese(self):
        self.assert_good("pt_BR", "“Sim”, disse.", "1.234,5 e 50%", "12.345.678")
        self.assert_bad("pt_BR", "«Sim»", '"Sim"', "“Sim", "2.5", "50 %", "Sim ?")

    def test_slovak(self):
        self.assert_good("sk", "„Áno“", "v\u00a0kóde", "a b", "50\u00a0%", "2,5", "K“" "„ k",
                         "z\u00a0`a`")
        self.assert_bad("sk", "“Áno”", "„Áno”", '"Áno"', "v kóde", "Z kódu", "50 %", "2.5", "z `a`")


class Terms(unittest.TestCase):
    def found(self, language, source, text, formatted=False):
        return [english for english, _ in rules.terms(GLOSSARY, language, source, text, formatted)]

    def test_inflected_terms_alternatives_and_glosses_are_good(self):
        self.assertEqual(self.found("sk", "Pipeline bubbles cost time.", "Bubliny stoja čas."), [])
        self.assertEqual(self.found("sk", "the number of attention heads", "počet hláv pozornosti"), [])
        self.assertEqual(self.found("fr", "The MFU is high.", "Le MFU est élevé."), [])
        self.assertEqual(self.found("fr", "`rank` and ranked", "`rank` et classé"), [])

    def test_another_word_is_seen_once(self):
        self.assertEqual(self.found("sk", "A pipeline bubble.", "Bubon v rade."), ["pipeline bubble"])
        self.assertEqual(self.found("fr", "Each rank waits.", "Chaque numéro attend."), ["rank"])

    def test_what_stands_between_placeholders_counts(self):
        sides = "In %2$s, rank %1$d waits.", "Dans %2$s, le rang %1$d attend."
        self.assertEqual(self.found("fr", *sides, formatted=True), [])
        self.assertEqual(self.found("fr", sides[0], sides[1].replace("rang", "numéro"), formatted=True), ["rank"])


if __name__ == "__main__":
    unittest.main()
