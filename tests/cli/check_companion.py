#!/usr/bin/env python3
"""What a student meets every day: where they are, what comes next, a short report, solutions once earned."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import program

ROOT = os.environ["VIALATA_ROOT"]
LAB, FUNCTION = "01_training_step", "vl_rmsnorm_forward"


class Companion(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        case = cls("run_it")
        case.setUp()
        case.run_it("grade", "01", "--reference", "--format", "json", "--out", "right.json", "--no-speed", status=0)
        with open(os.path.join(case.folder, "right.json"), encoding="utf-8") as file:
            cls.right = json.load(file)["cases"]
        case.doCleanups()

    def setUp(self):
        super().setUp()
        self.work = os.path.join(self.folder, "work")

    def environment(self, **more):
        return super().environment(**{"VIALATA_WORK": os.path.join(self.folder, "work"), "COLUMNS": "100", **more})

    def solve(self, lab=LAB, *files):
        solutions = os.path.join(ROOT, "solutions", lab)
        for name in os.listdir(solutions):
            if files and name not in files and not name.endswith(".h"):
                continue
            shutil.copy(os.path.join(solutions, name), os.path.join(self.work, lab))

    def standing(self, lab=LAB):
        return os.path.join(self.work, ".vialata", "standing", f"{lab}.json")

    def know(self, points, lab=LAB, fingerprint="0", **more):
        """As if every case had been graded: points(case) of each."""
        os.makedirs(os.path.dirname(self.standing(lab)), exist_ok=True)
        cases = {one["id"]: {"status": "passed", "points": points(one), "max_points": one["max_points"],
                             "fingerprint": fingerprint} for one in self.right}
        with open(self.standing(lab), "w", encoding="utf-8") as file:
            json.dump({"schema": "vialata.standing/1", "cases": cases, **more}, file)

    def row(self, out, lab="01"):
        return " ".join(next(line for line in out.splitlines() if line.startswith(lab)).split())

    # ---- where I am ----

    def test_without_a_workspace_the_help_is_shown_and_with_one_the_next_step(self):
        out, _ = self.run_it()
        self.assertIn("vialata COMMAND", out)
        self.run_it("start", "01")
        out, _ = self.run_it()
        self.assertIn("01 training_step", self.row(out))
        self.assertIn(f"Next: {FUNCTION}, in ", out)
        self.assertIn("vialata watch 01", out)
        self.assertNotIn("vialata COMMAND", out)

    def test_next_goes_through_the_functions_and_then_starts_the_next_lab(self):
        self.run_it("start", "01")
        self.know(lambda one: one["max_points"] * (one["function"] == FUNCTION))
        out, _ = self.run_it("next")
        self.assertRegex(out, "Next: (?!vl_rmsnorm_forward)vl_[a-z_]+, in ")
        self.know(lambda one: one["max_points"])
        out, _ = self.run_it("next")
        self.assertIn("Lab 02, collectives, is in", out)
        self.assertTrue(os.path.isdir(os.path.join(self.work, "02_collectives")))
        out, _ = self.run_it("next")  # numbers before speed: the new lab, not the old one's last points
        self.assertNotIn("01_training_step", out)

    def test_the_lab_that_was_worked_on_last_comes_first(self):
        self.run_it("start", "01")
        self.run_it("start", "03")
        for name in os.listdir(os.path.join(self.work, "03_data_parallel")):
            os.utime(os.path.join(self.work, "03_data_parallel", name), (1, 1))
        out, _ = self.run_it("next")
        self.assertIn("01_training_step", out)
        os.utime(os.path.join(self.work, "03_data_parallel", "replicas.c"))
        out, _ = self.run_it("next")
        self.assertIn("03_data_parallel", out)

    def test_a_given_function_that_was_broken_is_not_right(self):
        self.run_it("start", "01")
        self.know(lambda one: one["max_points"])
        given = next(one for one in self.right if one["max_points"] == 0)
        with open(self.standing(), encoding="utf-8") as file:
            known = json.load(file)
        known["cases"][given["id"]]["status"] = "failed"
        with open(self.standing(), "w", encoding="utf-8") as file:
            json.dump(known, file)
        out, _ = self.run_it("next")
        self.assertIn(f"Next: {given['function']}, in ", out)

    def test_what_asks_for_several_functions_is_graded_by_name(self):
        self.run_it("start", "01")
        self.know(lambda one: one["max_points"] * (one["function"] != "ten_steps"))
        out, _ = self.run_it("next")
        self.assertIn("Next: ten_steps, where your functions work together", out)
        self.assertIn("vialata grade 01 --only ten_steps", out)
        self.assertNotIn("hint", out)

    def test_a_state_that_is_damaged_foreign_or_too_good_is_not_believed(self):
        self.run_it("start", "01")
        for text in ("", "\xff{", "[1]", '{"schema": "vialata.standing/2", "cases": {"x": 1}}',
                     '{"schema": "vialata.standing/1", "cases": 3, "best": [], "hints": "x", "last": null}'):
            os.makedirs(os.path.dirname(self.standing()), exist_ok=True)
            with open(self.standing(), "w", encoding="latin-1") as file:
                file.write(text)
            out, _ = self.run_it("list")
            self.assertTrue(self.row(out).endswith("started"), text)
            self.run_it("next")
            self.run_it("hint", "01")
        self.know(lambda one: 1e300, best={"score": 1e308}, last={"status": "passed", "score": -5})
        row = self.row(self.run_it("list")[0])
        most = sum(one["max_points"] for one in self.right)
        self.assertIn(f"{most:g} out of 100 (best: 100)", row)

    # ---- what is remembered ----

    def test_points_of_one_function_count_and_the_best_stays(self):
        self.run_it("start", "01")
        self.assertTrue(self.row(self.run_it("list")[0]).endswith("started"))
        self.solve(LAB, "forward.c")
        self.run_it("grade", "01", "--only", FUNCTION[3:], "--no-speed", status=0)
        points = sum(one["max_points"] for one in self.right if one["function"] == FUNCTION)
        self.assertIn(f" {points:g} out of 100", self.row(self.run_it("list")[0]))
        with open(self.standing(), encoding="utf-8") as file:
            known = json.load(file)
        self.run_it("grade", "01", "--only", "swiglu_forward.odd", "--no-speed", status=0)  # alone it says too little
        self.run_it("grade", "01", "--only", "swiglu_forward", "--no-speed", "--asan")
        with open(self.standing(), encoding="utf-8") as file:
            self.assertEqual(json.load(file), known)
        self.assertEqual({name for name, one in known["cases"].items() if one["points"] > 0},
                         {one["id"] for one in self.right if one["function"] == FUNCTION})
        self.know(lambda one: 0, best={"score": 61})
        self.assertIn("0 out of 100 (best: 61)", self.row(self.run_it("list")[0]))
        self.run_it("reset", "01")
        self.assertTrue(self.row(self.run_it("list")[0]).endswith("started"))

    def test_two_workspaces_know_nothing_of_each_other(self):
        other = os.path.join(self.folder, "other")
        self.run_it("start", "01")
        self.run_it("start", "01", VIALATA_WORK=other)
        self.know(lambda one: one["max_points"])
        self.assertIn("out of 100", self.row(self.run_it("list")[0]))
        self.assertTrue(self.row(self.run_it("list", VIALATA_WORK=other)[0]).endswith("started"))

    def test_hints_that_were_shown_are_noted(self):
        self.run_it("start", "01")
        self.run_it("hint", "01", "2", "--function", FUNCTION)
        self.run_it("hint", "01", "1", "--function", FUNCTION)
        with open(self.standing(), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["hints"], {FUNCTION: 2})

    def test_a_workspace_that_cannot_be_written_to_is_said_and_no_obstacle(self):
        self.run_it("start", "01")
        with open(os.path.dirname(self.standing()), "w", encoding="utf-8"):
            pass  # a file where the folder would be
        _, err = self.run_it("grade", "01", "--only", "rmsnorm_forward", "--no-speed", status=1)
        self.assertIn("could not be remembered", " ".join(err.split()))
        self.run_it("list")

    # ---- the report ----

    def test_a_report_is_short_unless_all_is_asked_for(self):
        self.run_it("start", "05")
        self.solve("05_recompute")
        brief, _ = self.run_it("grade", "05", "--no-speed", status=0)
        whole, _ = self.run_it("grade", "05", "--no-speed", "--verbose", status=0)
        ids = re.findall(r"[a-z_]+\.[a-z_0-9]+", whole)
        self.assertGreater(len(ids), 5)
        self.assertEqual([one for one in ids if one in brief], [])
        self.assertLess(len(brief.splitlines()), len(whole.splitlines()) - len(set(ids)) + 3)
        self.assertIn("Score:", brief)

    def test_what_is_wrong_is_in_the_short_report(self):
        self.run_it("start", "01")
        self.solve()
        path = os.path.join(self.work, LAB, "forward.c")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        at = text.index("{", text.index(FUNCTION + "("))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text[:at + 1] + "\n    return VL_EINVAL;" + text[at + 1:])
        out, _ = self.run_it("grade", "01", "--no-speed", status=1)
        self.assertIn("rmsnorm_forward.odd", out)
        self.assertNotIn("swiglu_forward.odd ", out)
        self.assertIn(f"Next: {FUNCTION}", out)

    def place_after_a_class(self, lab):
        """The build, as a handout that knows what an earlier class found hard."""
        place, share = os.path.join(self.folder, "place"), os.path.join(self.folder, "share")
        for folder, at in ((place, program.PLACE), (share, os.path.join(program.PLACE, "share"))):
            os.mkdir(folder)
            for name in os.listdir(at):
                os.symlink(os.path.join(at, name), os.path.join(folder, name))
        os.mkdir(os.path.join(share, "hard"))
        with open(os.path.join(share, "hard", f"{lab}.json"), "w", encoding="utf-8") as file:
            json.dump({"schema": "vialata.hard/1", "lab": lab, "students": 34,
                       "functions": [{"name": "vl_recompute_restore", "students": 12}]}, file)
        with open(os.path.join(place, "buildinfo.json"), encoding="utf-8") as file:
            info = {**json.load(file), "share": share}
        os.unlink(os.path.join(place, "buildinfo.json"))
        with open(os.path.join(place, "buildinfo.json"), "w", encoding="utf-8") as file:
            json.dump(info, file)
        return place

    def test_a_finished_lab_is_said_and_leads_on(self):
        self.run_it("start", "05")
        self.solve("05_recompute")
        out, _ = self.run_it("grade", "05", status=0, VIALATA_PLACE=self.place_after_a_class("05_recompute"))
        words = " ".join(out.split())
        self.assertIn("Lab 05 is finished", words)
        self.assertIn("of 34 students who handed in this lab, so many still had a mistake in 12 vl_recompute_restore "
                      "Train", words)
        self.assertRegex(words, r"vialata train --with labs --recompute full --steps 100 ")
        self.assertIn("Next: lab 06", words)
        out, _ = self.run_it("train", "--with", "labs", "--recompute", "full", "--steps", "2")
        self.assertRegex(out, r"05 +recompute +yours")

    def test_the_training_that_each_lab_leads_to_runs(self):
        found = {}
        for folder in sorted(os.listdir(os.path.join(ROOT, "src", "grade", "labs"))):
            path = os.path.join(ROOT, "src", "grade", "labs", folder, "lab.c")
            with open(path, encoding="utf-8") as file:
                found.update({folder: words for words in re.findall(r'\.train = "([^"]*)"', file.read())})
        self.assertEqual(len(found), 9)
        for folder, words in found.items():
            with self.subTest(folder):
                self.run_it("train", *words.replace("--steps 100", "--steps 1").split())

    # ---- what is printed ----

    def plant(self, lab, file, function, line):
        self.run_it("start", lab[:2])
        self.solve(lab)
        path = os.path.join(self.work, lab, file)
        with open(path, encoding="utf-8") as source:
            text = source.read()
        at = text.index("{", text.index(function + "(")) + 1
        with open(path, "w", encoding="utf-8") as source:
            source.write("#include <stdio.h>\n" + text[:at] + "\n    " + line + text[at:])

    def graded(self, lab, function):
        out, _ = self.run_it("grade", lab, "--only", function, "--no-speed", "--format", "json")
        return {one["id"].split(".")[1]: one for one in json.loads(out)["cases"]}

    def test_what_is_printed_stays_with_its_case(self):
        self.plant(LAB, "forward.c", FUNCTION, 'printf("%zu rows\\n", n);')
        cases = self.graded("01", FUNCTION)
        self.assertEqual({one["status"] for one in cases.values()}, {"passed"})
        self.assertEqual((cases["one_row"]["detail"], cases["empty"]["detail"]), ("1 rows\n", "0 rows\n"))
        self.assertTrue(all(re.fullmatch("[0-9]+ rows\n", one["detail"]) for one in cases.values()), cases)
        out, _ = self.run_it("grade", "01", "--no-speed", status=0)
        self.assertIn("1 rows", out)

    def test_a_rank_is_told_with_what_it_prints(self):
        self.plant("02_collectives", "exchange.c", "vl_exchange",
                   'fprintf(stderr, "to %d,", peer); printf("n %zu\\n", n); fputs(" done\\n", stderr);')
        cases = self.graded("02", "vl_exchange")
        for one in cases.values():
            lines = one["detail"].splitlines()
            ranks = range(one["ranks"])
            self.assertEqual([line for line in lines if not re.fullmatch(r"(rank \d: )?(to \d, done|n \d+)", line)], [])
            self.assertEqual({line.split(":")[0] for line in lines if ":" in line},
                             {f"rank {rank}" for rank in ranks if len(ranks) > 1})
            self.assertEqual(len(lines), 2 * len(ranks), lines)
        self.assertIn("n 0", cases["p2_empty"]["detail"])
        self.assertIn("n 262144", cases["p2_mib"]["detail"])
        self.assertNotIn("n 536870912", cases["p1_self"]["detail"])  # what the next case prints

    def test_what_a_rank_printed_before_it_waits_for_ever_is_told(self):
        self.plant("02_collectives", "exchange.c", "vl_exchange",
                   'printf("to %d\\n", peer); fprintf(stderr, "half a line");\n    if (peer == 1)\n        return VL_OK;')
        out, _ = self.run_it("grade", "02", "--only", "exchange.p2_kib", "--no-speed", "--format", "json", status=1)
        case = json.loads(out)["cases"][0]
        self.assertEqual(case["status"], "hung", case)
        for line in ("rank 0: to 1", "rank 1: to 0", "rank 1: half a line"):
            self.assertIn(line, case["detail"])

    def test_much_that_is_printed_costs_nothing(self):
        self.plant(LAB, "forward.c", FUNCTION, 'for (int i = 0; i < 20000; i++)\n        puts("0123456789");')
        cases = self.graded("01", FUNCTION)
        self.assertEqual({one["status"] for one in cases.values()}, {"passed"})
        self.assertIn("0123456789", next(iter(cases.values()))["detail"])

    def test_printing_without_end_is_still_ended(self):
        self.plant(LAB, "forward.c", FUNCTION, 'for (;;)\n        puts("more");')
        out, _ = self.run_it("grade", "01", "--only", "rmsnorm_forward.odd", "--no-speed", status=1)
        self.assertIn("printed without end", out)

    # ---- solutions ----

    def test_a_solution_is_shown_once_it_is_earned_or_given_up(self):
        self.run_it("start", "01")
        err = self.refused("solution", "01", FUNCTION)
        self.assertIn("--give-up", err)
        out, _ = self.run_it("solution", "01", FUNCTION[3:], "--give-up")
        self.assertTrue(out.startswith("enum vl_status vl_rmsnorm_forward("), out[:80])
        self.assertTrue(out.endswith("}\n"))
        self.assertEqual(out.count(" vl_"), out.count("vl_status vl_") + out.count(" vl_") - 1)
        with open(self.standing(), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["gave_up"], {FUNCTION: True})
        self.know(lambda one: one["max_points"])
        earned, _ = self.run_it("solution", "01", FUNCTION)
        self.assertEqual(earned, out)
        self.assertIn(FUNCTION, self.refused("solution", "01", "vl_rmsnorm_forwart"))

    def test_every_solution_is_found_and_compiles_to_a_function(self):
        out, _ = self.run_it("explain", "01", "--all")
        names = [name for name in re.findall(r"^\| `(vl_[a-z_]+)` +\| `[a-z_]+\.c`", out, re.M)]
        self.assertGreater(len(names), 10)
        for name in names:
            text, _ = self.run_it("solution", "01", name, "--give-up")
            self.assertEqual((text.count("{"), text.rstrip()[-1]), (text.count("}"), "}"), name)

    # ---- words ----

    def test_mistyped_help_is_understood(self):
        self.assertIn("--help", self.refused("grade", "01", "--hlep"))

    def test_narrow_terminals_keep_a_lab_on_a_line(self):
        out, _ = self.run_it("list", COLUMNS="40")
        self.assertTrue(all(len(line) <= 40 for line in out.splitlines()[:10]), out)


if __name__ == "__main__":
    unittest.main()
