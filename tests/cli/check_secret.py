#!/usr/bin/env python3
"""A class is graded with a secret seed for each submission, and with shapes of each student's own."""

import hashlib
import hmac
import json
import os
import re
import sys
import unittest

sys.dont_write_bytecode = True
import program
from program import PLACE
from share import LONG, long

ROOT = os.environ["VIALATA_ROOT"]
ATTEMPT = os.path.join(ROOT, "tests", "grade", "hostile", "reading", "prepared_answer.c")
TRANSLATED = os.path.exists(os.path.join(PLACE, "share", "locale", "sk"))
LAB = "01_training_step"
FUNCTION = "vl_predict_training"


def text_of(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def constants(text):
    return dict(re.findall(r"^    ([A-Z_]+) = (\d+)", text, re.M))


class Secret(program.Case):
    def secret(self, content=bytes(range(32)), mode=0o600, name="secret"):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, mode)
        return path

    def graded(self, *words, status=1):
        out, _ = self.run_it("grade", "01", "--trust", "--format", "json", *words, status=status)
        return json.loads(out)

    def write(self, text, *path):
        path = os.path.join(self.folder, "my work", LAB, *path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    # ---- seeds ----

    def test_the_seed_follows_from_secret_lab_and_student_and_is_not_told(self):
        asked = ("--submission", ATTEMPT, "--only", "mfu.plain", "--secret", self.secret())
        told = {form: self.run_it("grade", "01", "--trust", *asked, "--student", "ana", "--format", form, status=1)
                for form in ("json", "text")}
        ana, bob = json.loads(told["json"][0]), self.graded(*asked, "--student", "bob")
        self.assertEqual((ana["seed"], ana["secret"], ana["student"]), (None, True, "ana"))
        self.assertNotEqual(ana["cases"][0]["message"], bob["cases"][0]["message"])
        mac = hmac.new(bytes(range(32)), b"vialata-seed\0training_step\0ana", hashlib.sha256)
        seed = mac.digest()[:8]
        with open(os.path.join(self.folder, "verdict.json"), "w", encoding="utf-8") as file:
            file.write(told["json"][0])
        for form in ("junit", "gradescope"):  # written from the verdict, as `grade` does
            self.run_it("export", form, "verdict.json", "--out", form)
            name, = os.listdir(os.path.join(self.folder, form))
            told[form] = [text_of(self.folder, form, name)]
        for form, texts in told.items():
            self.assertIn("mfu.plain", texts[0], form)
            for number in (str(int.from_bytes(seed, "big")), seed.hex()):
                self.assertNotIn(number, "".join(texts), form)

    def test_a_prepared_answer_is_right_with_the_public_seed_alone(self):
        asked = ("--submission", ATTEMPT, "--only", "mfu.plain")
        public = self.graded(*asked, status=0)
        self.assertEqual((public["secret"], public["student"]), (False, None))
        self.assertGreater(public["score"], 0)
        secret = self.graded(*asked, "--secret", self.secret(), "--student", "ana")
        self.assertEqual(secret["score"], 0)

    def test_a_bad_secret_is_refused_in_every_language(self):
        good = self.secret()
        for words, part in [
                (["--secret", self.secret(b"short", name="a"), "--student", "ana"], "5"),
                (["--secret", self.secret(mode=0o640, name="b"), "--student", "ana"], "chmod"),
                (["--secret", self.secret(mode=0o604, name="c"), "--student", "ana"], "chmod"),
                (["--secret", os.path.join(self.folder, "none"), "--student", "ana"], "none"),
                (["--secret", self.folder, "--student", "ana"], "32"),
                (["--secret", self.secret(bytes(5000), name="d"), "--student", "ana"], "4"),
                (["--secret", good], "--student NAME"),
                (["--secret", good, "--student", "ana", "--seed", "3"], "--seed"),
                (["--student", "x" * 101], "--student"), (["--student", "two\nlines"], "--student")]:
            told = set()
            for language in ("en", "fr", "pt", "es", "sk"):
                err = self.refused("grade", "01", "--reference", *words, "--lang", language)
                self.assertIn(part, err)
                told.add(err)
            if TRANSLATED:
                self.assertEqual(len(told), 5, told)

    # ---- shapes ----

    def test_a_started_lab_has_the_shapes_of_its_student(self):
        self.run_it("start", "01", "--student", "Ana Nová")
        given = text_of("labs", LAB, "predict.c")
        path = os.path.join(self.folder, "my work", LAB)
        with open(os.path.join(path, "predict.c"), encoding="utf-8") as file:
            mine = file.read()
        self.assertNotEqual(constants(mine), constants(given))
        self.assertEqual(constants(mine).keys(), constants(given).keys())
        self.assertEqual(re.sub(r"\d+", "", mine), re.sub(r"\d+", "", given))
        self.refused("start", "02", "--student", "Bob")
        os.remove(os.path.join(path, "predict.c"))
        self.run_it("start", "01")
        self.run_it("reset", "01")
        with open(os.path.join(path, "predict.c"), encoding="utf-8") as file:
            self.assertEqual(file.read(), mine)
        self.run_it("start", "01", "--student", "Bob", "--in", "another")
        with open(os.path.join(self.folder, "another", LAB, "predict.c"), encoding="utf-8") as file:
            self.assertNotEqual(constants(file.read()), constants(mine))

    @long
    def test_the_answer_must_be_for_the_shapes_of_the_student(self):
        self.run_it("start", "01", "--student", "ana")
        with open(os.path.join(self.folder, "my work", LAB, "predict.c"), encoding="utf-8") as file:
            mine = constants(file.read())
        solution = text_of("solutions", LAB, "predict.c")
        right = re.sub(r"^(    ([A-Z_]+) = )\d+", lambda m: m[1] + mine[m[2]] if m[2] in mine else m[0], solution,
                       flags=re.M)
        only = ("--only", FUNCTION)

        self.assertEqual({case["status"] for case in self.graded(*only)["cases"]}, {"not_started"})
        path = self.write(right, "predict.c")
        self.assertEqual(self.graded(*only, status=0)["score"], 9)
        self.assertEqual(self.graded(*only, "--submission", path, "--student", "ana",
                                     status=0)["score"], 9)
        for words in (["--submission", path], ["--submission", path, "--student", "bob"]):
            codes = {case["code"] for case in self.graded(*only, *words)["cases"]}
            self.assertEqual(codes, {"other_shapes"}, words)

        path = self.write(solution, "predict.c")  # right for everybody else
        codes = {case["code"] for case in self.graded(*only)["cases"]}
        self.assertEqual(codes, {"other_shapes"})
        self.assertEqual(self.graded(*only, "--submission", path, status=0)["score"], 9)

        numbers = re.sub(r"= (ALL|UINT64_C\(4\) \* 4 \* ALL)|=\s*\(6\.0[^;]*",
                         lambda m: {"= ALL": "= 3475712"}.get(m[0], "= 55611392"
                                                             if "UINT" in m[0] else "= 22145925120.0"),
                         right)
        self.write(numbers, "predict.c")  # the usual numbers, under one's own constants
        self.assertEqual({case["status"] for case in self.graded(*only)["cases"]}, {"failed"})

    def test_references_and_known_mistakes_follow_the_student(self):
        for name in ("ana", "bob") if LONG else ("ana",):
            graded = self.graded("--reference", "--student", name, "--only", FUNCTION, status=0)
            self.assertEqual(graded["score"], 9)
            for code in ("two_matrices", "three_arrays", "one_sequence")[:3 if LONG else 1]:
                graded = self.graded("--mistake", f"{FUNCTION}/{code}", "--student", name, "--only",
                                     FUNCTION)
                self.assertEqual({case["code"] for case in graded["cases"]}, {None, code})


if __name__ == "__main__":
    unittest.main()
