#!/usr/bin/env python3
"""A schedule is looked at without a run: drawn and priced if it holds, explained if it does not."""

import json
import os
import sys
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
import program

SIZES = ["--pp", "2", "--micro-batches", "3"]
GOOD = "# 1F1B\nF0 F1 B0 W0 F2 B1 W1 B2 W2\n\nF0 B0 W0 F1 B1 W1 F2 B2 W2\n"
NAMES = ["afab", "1f1b", "interleaved", "zb-h1"]


class Schedule(program.Case):
    command = ["schedule"]

    def priced(self, *words):
        return json.loads(self.run_it(*words, "--format", "json")[0])

    def write(self, text, name="mine.txt"):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    # ---- schedules that hold ----

    def test_one_backward_one_forward_is_drawn_and_priced(self):
        out, err = self.run_it("1f1b", *SIZES)
        self.assertEqual(err, "")
        rows = [line for line in out.splitlines() if line.startswith("stage ")]
        for task in "F0 F1 B0 W0 F2 B1 W1 B2 W2".split():
            self.assertIn(task, rows[0])
            self.assertIn(task, rows[1])
        self.assertIn("Makespan: 11, of which the busiest stage works 9", out)
        self.assertIn("Bubble: 22.2% of ideal time", out)
        self.assertIn("Idle: 18.2% of total time", out)

    def test_each_task_stands_in_its_place(self):
        out, _ = self.run_it("1f1b", *SIZES, COLUMNS=str(8 + 3 * 11))  # three cells a task
        rows = [line[8:] for line in out.splitlines()[:2]]
        self.assertEqual([[row[3 * i:3 * i + 2] for i in range(11)] for row in rows],
                         ["F0 F1 \u00b7\u00b7 B0 W0 F2 B1 W1 \u00b7\u00b7 B2 W2".split(),
                          "\u00b7\u00b7 F0 B0 W0 F1 B1 W1 F2 B2 W2 \u00b7\u00b7".split()])
        self.assertEqual(out.splitlines()[3].split(), ["0", "5", "10"])

    def test_backward_in_one_piece_is_the_paper_bubble(self):
        priced = self.priced("1f1b", "--pp", "4", "--micro-batches", "8", "--backward", "2",
                             "--weight", "0")
        self.assertAlmostEqual(priced["bubble_of_ideal"], 3 / 8)
        self.assertAlmostEqual(priced["idle_of_total"], 3 / 11)
        self.assertEqual([row["alive_at_most"] for row in priced["rows"]], [4, 3, 2, 1])
        self.assertEqual(priced["makespan"], 33)
        self.assertEqual(priced["rows"][0]["tasks"][0], {"task": "F0", "begin": 0, "end": 1})
        chunked = self.priced("interleaved", "--pp", "4", "--micro-batches", "8", "--chunks", "2",
                              "--backward", "2", "--weight", "0")
        self.assertAlmostEqual(chunked["bubble_of_ideal"], 3 / 16)
        self.assertEqual(self.priced("1f1b", *SIZES, "--message", "0.25")["makespan"], 11.5)

    def test_every_name_fits_wide_and_narrow_terminals(self):
        for name in NAMES:
            for columns in (40, 60, 80, 120):
                words = ["--pp", "4", "--micro-batches", "16"]
                words += ["--chunks", "2"] if name == "interleaved" else []
                out, _ = self.run_it(name, *words, COLUMNS=str(columns))
                for line in out.splitlines():
                    self.assertLessEqual(len(line), columns, out)
                    self.assertEqual(line, line.rstrip())

    def test_a_file_says_its_sizes_and_comes_back_as_it_was_written(self):
        name = self.write(GOOD)
        priced = self.priced(name)
        self.assertEqual((priced["stages"], priced["chunks"], priced["micro_batches"]), (2, 1, 3))
        self.assertEqual(priced["makespan"], 11)
        self.run_it(name, *SIZES, "--out", "again.txt")
        with open(os.path.join(self.folder, "again.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read().split(), GOOD.split()[2:])
        self.run_it("interleaved", "--pp", "2", "--micro-batches", "4", "--chunks", "3", "--out",
                    "chunks.txt")
        self.assertEqual(self.priced("chunks.txt")["chunks"], 3)

    def test_a_name_may_hold_any_bytes(self):
        name = self.write(GOOD, os.fsdecode(b"mine\xff.txt"))
        self.assertTrue(self.priced(name, "--svg", "plan.svg")["schedule"].startswith("mine"))
        xml.etree.ElementTree.parse(os.path.join(self.folder, "plan.svg"))

    def test_a_picture_is_whole(self):
        self.run_it("zb-h1", *SIZES, "--svg", "plan.svg")
        space = "{http://www.w3.org/2000/svg}"
        root = xml.etree.ElementTree.parse(os.path.join(self.folder, "plan.svg")).getroot()
        tips = [title.text for title in root.iter(space + "title")]
        self.assertIn("schedule on paper", tips[0])
        self.assertEqual(len([tip for tip in tips if ": at " in tip]), 2 * 9)
        self.assertIn("stage 1", [text.text for text in root.iter(space + "text")])

    # ---- schedules that do not hold: status 1 and one sentence ----

    def test_what_does_not_hold_is_told_in_a_sentence(self):
        for text, part, fault in [
            (GOOD.replace("F1 B0", "F0 B0", 1), "Stage 0 does F0 twice", "twice"),
            (GOOD.replace(" W2\n\n", "\n\n"), "Stage 0 never does W2", "missing"),
            (GOOD.replace("\nF0 B0 W0 F1", "\nB0 F0 W0 F1"), "Stage 1 has B0 before F0",
             "too_early"),
            ("F0 B0 W0 F1 B1 W1\nF0 F1 B0 W0 B1 W1\n", "Before B0, stage 0 waits for B0 of stage 1",
             "deadlock"),
        ]:
            with self.subTest(fault=fault):
                name = self.write(text)
                self.assertIn(part, self.refused(name, status=1))
                out, _ = self.run_it(name, "--format", "json", status=1)
                told = json.loads(out)
                self.assertIs(told["sound"], False)
                self.assertEqual(told["fault"], fault)
                self.assertIn(part, told["message"])

    # ---- wrong usage: status 2 and one sentence ----

    def test_a_text_that_is_no_schedule_is_told_with_its_place(self):
        for text, part in [
            ("F0 B0 W0\nF0 Q0 W0\n", "line 2, column 4: `Q0`"),
            ("F0 B0 W0 F0\n", "line 1, column 10: with `F0` this stage"),
            ("", "no tasks"),
            ("F0\x00B0", "`F0?B0`"),
            ("F\u00e9", "`F??`"),
        ]:
            with self.subTest(text=text):
                self.assertIn(part, self.refused(self.write(text)))
        self.assertIn("give a text file", self.refused("."))
        name = self.write(GOOD)
        self.assertIn("--pp", self.refused(name, "--pp", "3"))
        self.assertIn("line 4, column 1", self.refused(name, "--pp", "1"))
        self.assertIn("line 2, column 13: `F2`", self.refused(name, "--micro-batches", "2"))

    def test_wrong_usage_is_refused(self):
        for words, part in [
            (["1f1b"], "--pp"),
            (["1f2b", *SIZES], "zb-h1"),
            ([".", *SIZES], "`.`"),
            (["zb-h1", *SIZES, "--chunks", "2"], "interleaved"),
            (["interleaved", *SIZES, "--chunks", "2"], "multiple of 2"),
            (["1f1b", "--pp", "65", "--micro-batches", "3"], "64"),
            (["1f1b", "--pp", "0", "--micro-batches", "3"], "--pp"),
            (["1f1b", "--pp", "2", "--micro-batches", "9000"], "8192"),
            (["interleaved", "--pp", "2", "--micro-batches", "8192", "--chunks", "2"], "8192"),
            (["1f1b", *SIZES, "--forward", "-1"], "--forward"),
            (["1f1b", *SIZES, "--weight", "nan"], "--weight"),
            (["1f1b", *SIZES, "--message", "1x"], "--message"),
            (["1f1b", *SIZES, "--format", "xml"], "json"),
            (["1f1b", *SIZES, "--svg", "none/a.svg"], "none/a.svg"),
            (["1f1b", *SIZES, "--out", "none/a.txt"], "none/a.txt"),
        ]:
            with self.subTest(words=words):
                self.assertIn(part, self.refused(*words))
        self.assertEqual(os.listdir(self.folder), [])

    def test_costs_of_nothing_can_be_drawn(self):
        out, _ = self.run_it("1f1b", *SIZES, "--forward", "0", "--backward", "0", "--weight", "0")
        self.assertIn("Makespan: 0", out)
        self.run_it("1f1b", *SIZES, "--forward", "1e9", "--backward", "1e-9", "--svg", "a.svg")
        with open(os.path.join(self.folder, "a.svg"), encoding="utf-8") as file:
            self.assertNotIn("nan", file.read())


if __name__ == "__main__":
    unittest.main(verbosity=2)
