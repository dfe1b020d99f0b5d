#!/usr/bin/env python3
"""A case saved as a program of its own: it compiles with the student's code, and says what the grader would."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
import program
from share import LONG

ROOT = Path(os.environ["VIALATA_ROOT"])
LAB = "01_training_step"
FEW = ("rmsnorm_forward.odd", "rmsnorm_forward.empty", "cross_entropy_forward.odd", "attention_backward_input.odd",
       "linear_backward_weight.accumulate", "gradient_norm.odd", "adamw_update.late", "adamw_update.step_zero", "mfu.plain")


class Programs(program.Case):
    def setUp(self):
        super().setUp()
        self.run_it("start", "01")
        self.work = Path(self.folder) / "my work" / LAB
        for path in (ROOT / "solutions" / LAB).iterdir():
            shutil.copy(path, self.work)

    def save(self, case, name="a case.c"):
        """The command that compiles it, as it is printed."""
        (Path(self.folder) / name).unlink(missing_ok=True)
        out, _ = self.run_it("grade", "01", "--only", case, "--program", name)
        return re.search(r"^    (cc .*)$", out, re.M)[1]

    def compile_and_run(self, line, status):
        built = subprocess.run(["bash", "-c", line + " -Werror -Wall -Wno-unused-function"], cwd=self.folder,
                               capture_output=True, text=True)
        self.assertEqual((built.returncode, built.stderr), (0, ""), line)
        ran = subprocess.run(["./a case"], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(ran.returncode, status, ran.stdout)
        return ran.stdout

    def cases(self):
        out, _ = self.run_it("grade", "01", "--reference", "--no-speed", "--format", "json")
        return [case["id"] for case in json.loads(out)["cases"]]

    def test_the_reference_is_right_in_each_of_them(self):
        saved = 0
        for case in self.cases() if LONG else FEW:
            with self.subTest(case):
                (Path(self.folder) / "a case.c").unlink(missing_ok=True)
                asked = subprocess.run([program.PROGRAM, "grade", "01", "--only", case, "--program", "a case.c"],
                                       cwd=self.folder, env=self.environment(), capture_output=True, text=True)
                if LONG and asked.returncode == 2:
                    self.assertIn("cannot be a small program of its own", asked.stderr)
                    continue
                line = re.search(r"^    (cc .*)$", asked.stdout, re.M)[1]
                self.assertTrue(self.compile_and_run(line, 0).endswith("right\n"))
                saved += 1
        self.assertGreaterEqual(saved, 50 if LONG else len(FEW))

    def test_a_mistake_shows_in_it(self):
        forward = self.work / "forward.c"
        forward.write_text(forward.read_text().replace("VL_RMSNORM_EPS", "0.5f"))
        said = self.compile_and_run(self.save("rmsnorm_forward.odd"), 1)
        self.assertRegex(said, r"(?m)^inv_rms\[0\] is \S+, expected \S+$")
        self.assertTrue(said.endswith("wrong\n"))

    def test_it_says_the_expected_status(self):
        step = self.work / "step.c"
        step.write_text(re.sub(r"VL_EINVAL", "VL_OK", step.read_text()))
        self.assertIn("returned VL_OK, expected VL_EINVAL", self.compile_and_run(self.save("adamw_update.step_zero"), 1))

    def test_the_seed_decides_what_is_in_it(self):
        texts = []
        for seed in ("1", "2"):
            self.run_it("grade", "01", "--only", "swiglu_forward.odd", "--program", f"{seed}.c", "--seed", seed)
            texts.append((Path(self.folder) / f"{seed}.c").read_text())
        self.assertNotEqual(*texts)

    def test_no_work_is_overwritten(self):
        mine = Path(self.folder) / "mine.c"
        mine.write_text("mine")
        self.assertIn("already there", self.refused("grade", "01", "--only", "swiglu_forward.odd", "--program", "mine.c"))
        self.assertEqual(mine.read_text(), "mine")

    def test_what_cannot_be_one_is_refused_and_nothing_is_left(self):
        for lab, case in (("01", "ten_steps.losses"), ("01", "predict_training.parameters"),
                          ("01", "cross_entropy_forward.in_place")):
            self.assertIn("--gdb", self.refused("grade", lab, "--only", case, "--program", "x.c"))
        self.assertIn("--only CASE", self.refused("grade", "01", "--program", "x.c"))
        self.assertIn("ends in .c", self.refused("grade", "01", "--only", "swiglu_forward.odd", "--program", "x"))
        self.run_it("grade", "01", "--only", "swiglu_forward.odd", "--program", "no/folder/x.c", status=2)
        self.assertFalse((Path(self.folder) / "x.c").exists())


if __name__ == "__main__":
    unittest.main()
