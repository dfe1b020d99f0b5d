#!/usr/bin/env python3
"""`grade --show`: what a case was given, what came back and what was expected, as tables that agree with the
verdict; and nothing where it would give an answer away."""
import json
import re
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/cli")
import program

WRONG = "vl_rmsnorm_forward/epsilon_outside"
TINY = ["01", "--mistake", WRONG, "--only", "rmsnorm_forward.tiny"]


def table_of(shown, name):
    """{place: (is marked, expected, got)} of one result."""
    rows = {}
    inside = False
    for line in shown.splitlines():
        if not line.startswith(" "):
            inside = line.startswith(name + " ")
        elif inside and (found := re.match(r" +(\*?) *(\[\d+, \d+\]) +(\S+) +(\S+)$", line)):
            rows[found[2]] = (found[1] == "*", float(found[3].replace(",", "")), float(found[4].replace(",", "")))
    return rows


class Show(program.Case):
    command = ["grade"]

    def case(self, *words, status=1):
        out, _ = self.run_it(*words, "--no-speed", "--format", "json", status=status)
        return json.loads(out)["cases"][0]

    def test_the_tables_agree_with_the_verdict(self):
        case = self.case(*TINY, "--show")
        rows = table_of(case["shown"], "inv_rms")
        self.assertEqual(len(rows), 7)
        self.assertTrue(all(marked for marked, _, _ in rows.values()))
        for _, expected, got in rows.values():  # 1 / sqrt(mean + eps), and 1 / (sqrt(mean) + eps)
            mean = expected ** -2 - 1e-5
            if mean > 1e-6:  # else six digits are too few to take it back
                self.assertAlmostEqual(got, 1 / (mean ** 0.5 + 1e-5), delta=0.001 * got)
        place, expected, got = re.search(r"inv_rms(\[.*?\]): expected (\S+), got (\S+)\.", case["message"]).groups()
        self.assertEqual(rows[place][1:], (float(expected.replace(",", "")), float(got.replace(",", ""))))
        self.assertEqual(len(table_of(case["shown"], "y")), 8, "of a large result the furthest")
        self.assertRegex(case["shown"], r"x \(7 x 11\), input\n +77 numbers, from -\S+ to \S+\n")
        self.assertRegex(case["shown"], r"gain \(1 x 11\), input\n(?: +\S+){5}\n(?: +\S+){5}\n +\S+\n")

    def test_the_sizes_are_told_in_any_case(self):
        self.assertIn("In this call: `n = 7`, `d = 11`.", self.case(*TINY)["message"])

    def test_nothing_is_shown_that_was_not_asked_for(self):
        self.assertIsNone(self.case(*TINY)["shown"])
        good = ["01", "--reference", "--only"]
        self.assertIsNone(self.case(*good, "vl_rmsnorm_forward", "--show", status=0)["shown"])
        shown = self.case(*good, "rmsnorm_forward.tiny", "--show", status=0)["shown"]
        rows = table_of(shown, "inv_rms")
        self.assertEqual([marked for marked, _, _ in rows.values()], [False] * 7, "whoever names a case sees it")

    def test_a_person_reads_it_in_their_language(self):
        out, _ = self.run_it(*TINY, "--show", "--no-speed", "--lang", "fr", status=1)
        self.assertRegex(out, r"\n +\* \[0, 0\] +316,228 +100[\u00a0\u202f]000\n")
        self.assertTrue(all(len(line) <= 90 for line in out.splitlines() if "./vialata" not in line))

    def test_ranks_are_told_apart(self):
        shown = self.case("02", "--mistake", "vl_all_gather_start/bytes_forgotten", "--only",
                          "all_gather_start.p2_uneven", "--show")["shown"]
        for rank in (0, 1):
            self.assertTrue(table_of(shown, f"data (rank {rank})"))

    def test_a_prediction_is_never_shown(self):
        out, _ = self.run_it("01", "--mistake", "vl_predict_training/attention_halved", "--only", "vl_predict_training", "--show",
                             "--format", "json", status=1)
        cases = json.loads(out)["cases"]
        self.assertIn("failed", [case["status"] for case in cases])
        self.assertTrue(all(case["shown"] is None for case in cases))

    def test_a_secret_seed_keeps_its_inputs(self):
        self.assertIn("leave out one of them", self.refused(
            "01", "--reference", "--show", "--student", "Ada", "--secret", "nowhere"))


if __name__ == "__main__":
    unittest.main()
