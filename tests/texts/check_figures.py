#!/usr/bin/env python3
"""Numbers are found in texts, worth what they say, and compared as they should: small examples."""

import unittest

import check_numbers
import figures


def found(text):
    return [figure.text for figure in figures.figures(text)]


def worth(text):
    (figure,) = figures.figures(text)
    return figure.worth


class Found(unittest.TestCase):
    def test_numbers_of_all_kinds_are_found_whole(self):
        self.assertEqual(found("$3.3 · 10^{24}$, 19,800 and $10^{15}$ of 14.8 trillion"),
                         ["3.3 · 10^{24}", "19,800", "10^{15}", "14.8 trillion"])
        self.assertEqual(found("| 450 GB/s | 27.3%, sixteen or thirty-two |"),
                         ["450 GB", "27.3%", "sixteen", "thirty-two"])
        self.assertEqual(found("16-bit numbers on 8,192 chips, 512, 256"),
                         ["16", "8,192", "512", "256"])

    def test_names_are_no_numbers(self):
        for text in ("an H100, NVL72 and TPU v5p", "arXiv:2412.19437", "labs 03 and 04",
                     "ZeRO-3 in 3D, 1F1B", "$A_1 + x^2$", "[here](../labs/01/README.md)"):
            self.assertEqual(found(text), [], text)

    def test_a_name_nobody_wrote_down_is_a_number(self):
        self.assertEqual(found("an X900 of 405B"), ["900", "405"])

    def test_magnitudes_and_units_belong_to_the_worth(self):
        self.assertEqual(worth("14.8 trillion"), 14.8e12)
        self.assertEqual(worth("27.3%"), 0.273)
        self.assertEqual(worth("9.4 ms"), 9.4e-3)
        self.assertEqual(worth("seven billion"), 7e9)
        self.assertEqual(worth("$3.3 · 10^{24}$"), 3.3e24)


class Shown(unittest.TestCase):
    def assert_shows(self, text, value, how=""):
        (figure,) = figures.figures(text)
        self.assertTrue(figures.shows(figure, value, how), (text, value, how))

    def assert_hides(self, text, value, how=""):
        (figure,) = figures.figures(text)
        self.assertFalse(figures.shows(figure, value, how), (text, value, how))

    def test_half_of_the_last_digit_is_allowed(self):
        self.assert_shows("29.3 GB", 29.3125e9)
        self.assert_hides("29.3 GB", 29.36e9)
        self.assert_hides("17.5", 17.448)
        self.assert_shows("3.3 · 10^{24}", 3.2856e24)
        self.assert_hides("7000", 7022)

    def test_a_row_may_say_how_it_is_shown(self):
        self.assert_shows("7000", 7022, "~1")
        self.assert_hides("7000", 7522, "~1")
        self.assert_shows("seven", 7.44, "±10%")
        self.assert_shows("43.75", 43.75e9, "*1e9")
        self.assert_hides("43.75", 43.75e6, "*1e9")


class Translated(unittest.TestCase):
    def assert_same(self, language, source, text):
        self.assertEqual(figures.differences(source, text, language), "")

    def assert_differs(self, language, source, text):
        self.assertNotEqual(figures.differences(source, text, language), "")

    def test_each_language_has_its_marks_and_magnitudes(self):
        source = "19,800 of 671 billion, 2.5 and 50%"
        self.assert_same("fr", source, "19\u202f800 sur 671 milliards, 2,5 et 50\u00a0%")
        self.assert_same("pt_BR", source, "19.800 de 671 bilhões, 2,5 e 50%")
        self.assert_same("es", source, "19\u202f800 de 671\u202f000 millones, 2,5 y 50\u00a0%")
        self.assert_same("sk", source, "19\u00a0800 zo 671 miliárd, 2,5 a 50\u00a0%")
        self.assert_same("es", "14.8 trillion", "14,8 billones")

    def test_a_changed_lost_swapped_or_misplaced_number_is_seen(self):
        for text in ("8 und 46", "8", "64 et 8", "8 et 64 et 2", "8 et 6,4"):
            self.assert_differs("fr", "8 and 64", text)
        self.assert_differs("fr", "37 billion", "37 billions")
        self.assert_differs("pt_BR", "16,777,216", "16.777.261")

    def test_a_magnitude_said_once_may_be_said_twice(self):
        self.assert_same("pt_BR", "671 billion and 37", "671 bilhões e 37 bilhões")
        self.assert_same("fr", "671 and 37 billion", "671 milliards et 37")

    def test_a_chip_keeps_its_name_anywhere_in_the_sentence(self):
        self.assert_same("sk", "450 GB/s for an H100", "pri H100 450 GB/s")
        self.assert_differs("sk", "450 GB/s for an H100", "pri H800 450 GB/s")


class Registry(unittest.TestCase):
    TEXTS = {"a1": ("Six of 8 chips, 8 of 12 (arXiv:1.2).", "bandwidth")}

    def problems(self, *rows, values=None):
        table = [dict(zip(("where", "snippet", "kind", "what", "as"), row)) for row in rows]
        found, missing = check_numbers.compare(self.TEXTS, table, values or {})
        return found, [figure.text for figure in missing.get("a1", [])]

    def test_every_number_needs_a_row_of_its_own(self):
        six = ("a1", "⟦Six⟧ of", "plain", "a word", "")
        self.assertEqual(self.problems(six), ([], ["8", "8", "12"]))
        self.assertEqual(len(self.problems(six, six)[0]), 1)

    def test_rows_and_keys_that_nothing_uses_are_seen(self):
        self.assertEqual(len(self.problems(("a1", "⟦7⟧ chips", "plain", "why", ""))[0]), 1)
        self.assertEqual(len(self.problems(("b9", "⟦8⟧", "plain", "why", ""))[0]), 1)
        self.assertEqual(len(self.problems(values={"x": 1.0})[0]), 1)

    def test_a_snippet_covers_whole_numbers(self):
        self.assertEqual(len(self.problems(("a1", "of 1⟦2⟧", "plain", "why", ""))[0]), 1)

    def test_values_sources_and_reasons_are_asked_for(self):
        def row(*rest):
            return ("a1", "⟦12⟧", *rest)
        self.assertEqual(self.problems(row("computed", "x", ""), values={"x": 12.4})[0], [])
        self.assertEqual(len(self.problems(row("computed", "x", ""), values={"x": 13.0})[0]), 1)
        self.assertEqual(len(self.problems(row("computed", "y", ""))[0]), 1)
        self.assertEqual(self.problems(row("cited", "arXiv:1.2", ""))[0], [])
        self.assertEqual(len(self.problems(row("cited", "arXiv:3.4", ""))[0]), 1)
        self.assertEqual(len(self.problems(row("plain", "", ""))[0]), 1)
        self.assertEqual(len(self.problems(row("guessed", "x", ""))[0]), 1)


if __name__ == "__main__":
    unittest.main()
