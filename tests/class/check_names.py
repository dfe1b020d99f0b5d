#!/usr/bin/env python3
"""Results under pseudonyms name nobody, and `forget` deletes everything about one student."""
import csv
import os
import pathlib
import shutil
import sys
import unittest
import zipfile

sys.dont_write_bytecode = True
from cli import program
from share import long

ROOT = pathlib.Path(os.environ["VIALATA_ROOT"])
LAB = "10_bandwidth"
STUDENTS = ["ada", "ada.b", "Zoe-Example"]


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Names(program.Case):
    def setUp(self):
        super().setUp()
        self.taken = pathlib.Path(self.folder) / "taken"
        self.results = pathlib.Path(self.folder) / "results"
        self.names = pathlib.Path(self.folder) / "results-names"
        self.taken.mkdir()
        source = (ROOT / "labs" / LAB / "step.c").read_text()  # a single file: graded soon
        for name in STUDENTS[:2]:
            (self.taken / name).mkdir()
            (self.taken / name / "step.c").write_text(source)
        (self.taken / f"{STUDENTS[2]}.c").write_text(source)
        self.roster = pathlib.Path(self.folder) / "roster.csv"
        self.roster.write_text("id,name,language\nada,Ada Lovelace,\nada.b,Ada Byron,sk\n"
                               "Zoe-Example,Zoe,\nabsent,Nobody Here,\n", encoding="utf-8")

    def batch(self, *words, status=0, roster=True):
        known = ["--roster", str(self.roster)] if roster else []
        return self.run_it("batch", "--trust", "--labs", "10", str(self.taken), "--out",
                           str(self.results), *known, *words, status=status)

    def held(self):
        return {path.relative_to(self.results): path for path in self.results.rglob("*")
                if path.is_file()}

    def secret(self, byte=b"1"):
        path = pathlib.Path(self.folder) / "secret"
        path.write_bytes(32 * byte)
        path.chmod(0o600)
        return str(path)

    def expect_nobody_named(self):
        for name, path in self.held().items():
            text = str(name) + path.read_text(encoding="utf-8", errors="replace")
            for word in (*STUDENTS[1:], "ada", "Lovelace", "Byron", "Nobody Here", "absent"):
                self.assertNotRegex(text, rf"(?i)\b{word}\b", name)

    def test_why_something_was_not_taken_names_nobody(self):
        for name in ("Ada Lovelace_381", "Ada Lovelace_382"):
            (self.taken / f"{name}_assignsubmission_file_").mkdir()
        (self.taken / "absent.zip").write_bytes(b"no archive")
        with zipfile.ZipFile(self.taken / "Byron.zip", "w") as archive:
            archive.writestr("Byron/../step.c", "1")
        out, _ = self.batch("--pseudonyms", "--no-grading", status=1)
        self.expect_nobody_named()
        self.assertIn("Several people are called Ada Lovelace", out)
        self.assertIn("`Byron/../step.c`", out)

    def test_results_under_pseudonyms_name_nobody_and_forget_a_pseudonym_with_its_name(self):
        huge = self.taken / "absent.c"
        huge.write_text("/*" + 1100000 * " " + "*/")
        out = self.batch("--no-speed", "--pseudonyms", status=1)[0]
        for name in STUDENTS:
            self.assertNotIn(name, out)
        self.expect_nobody_named()
        self.assertEqual(os.stat(self.names / "names.csv").st_mode & 0o777, 0o600)
        self.assertEqual(os.stat(self.names).st_mode & 0o777, 0o700)
        who = {row["id"]: row["pseudonym"] for row in table(self.names / "names.csv")}
        self.assertEqual(set(who), {*STUDENTS, "absent"})
        rows = {row["id"]: row for row in table(self.results / "gradebook.csv")}
        self.assertEqual(set(rows), set(who.values()))
        self.assertEqual(list(rows), sorted(rows), "the order tells who is who")
        self.assertTrue(all(rows[who[name]][LAB] != "" for name in STUDENTS))
        before = {path: path.stat().st_mtime_ns for path in (self.results / "verdicts").rglob("*")}
        self.assertIn("1 MiB", rows[who["absent"]][LAB + "_note"])
        huge.unlink()
        self.batch("--no-speed", "--pseudonyms")
        after = {path: path.stat().st_mtime_ns for path in (self.results / "verdicts").rglob("*")}
        self.assertEqual(before, after, "graded again")
        self.forget("Ada Byron")  # and her pseudonym with her name
        self.assertNotIn("ada.b", {row["id"] for row in table(self.names / "names.csv")})
        for name, path in self.held().items():
            self.assertNotIn(who["ada.b"], str(name) + path.read_text(encoding="utf-8"))
        self.assertTrue(any(who["ada"] in str(name) for name in self.held()))

    def test_a_secret_gives_the_same_pseudonyms_everywhere(self):
        self.batch("--pseudonyms", "--secret", self.secret(), roster=False)  # and its timed part
        self.expect_nobody_named()
        order = [row["id"] for row in table(self.results / "gradebook.csv")]
        self.assertEqual(order, sorted(order), "the order tells who is who")
        self.assertFalse((self.names / "key").exists())
        first = table(self.names / "names.csv")
        shutil.rmtree(self.results)
        shutil.rmtree(self.names)
        self.batch("--no-grading", "--pseudonyms", "--secret", self.secret(), roster=False)
        again = table(self.names / "names.csv")
        self.assertEqual(len(again), len(STUDENTS))
        self.assertEqual(first, again)
        said = self.batch("--no-speed", "--pseudonyms", "--secret", self.secret(b"2"), status=2)[1]
        self.assertIn("another key", said)

    @long
    def test_names_and_pseudonyms_are_never_mixed(self):
        self.batch("--no-speed")
        self.assertIn("under names", self.batch("--no-speed", "--pseudonyms", status=2)[1])
        self.assertFalse(self.names.exists())
        shutil.rmtree(self.results)
        self.batch("--no-speed", "--pseudonyms")
        self.assertIn("--pseudonyms", self.batch("--no-speed", status=2)[1])
        self.names.rename(pathlib.Path(self.folder) / "elsewhere")
        self.assertIn("key", self.batch("--no-speed", "--pseudonyms", status=2)[1])

    @long
    def test_forgetting_leaves_whose_id_ends_like_a_key(self):
        (self.taken / "ada.0123456789abcdef.c").write_text("int x;")
        self.batch("--no-speed", roster=False, status=0)
        held = {str(name) for name in self.held() if "0123456789abcdef" in str(name)}
        self.assertTrue(held)
        self.forget("ada")
        self.assertLessEqual(held, {str(name) for name in self.held()})

    def forget(self, student, status=0):
        return self.run_it("forget", student, "--results", str(self.results), status=status)

    def test_a_student_is_forgotten_and_nobody_else(self):
        self.batch("--no-speed")
        before = set(self.held())
        out = self.forget("ADA")[0]
        gone = before - set(self.held())
        self.assertTrue(all(path.name.startswith("ada.") and not path.name.startswith("ada.b.")
                            or str(path) in ("class.html", "points/10_bandwidth.json")
                            for path in gone), gone)
        self.assertEqual(len(gone), 5, gone)  # verdict, what was said, the page; the class page, its points
        for path in gone:
            self.assertIn(str(path), out)
        self.assertEqual([row["id"] for row in table(self.results / "gradebook.csv")],
                         ["ada.b", "Zoe-Example", "absent"])
        self.assertIn("nothing about", self.forget("ada", status=2)[1])
        self.assertTrue((self.taken / "ada").exists())
        shutil.rmtree(self.taken / "ada")
        self.batch("--no-grading")
        self.assertTrue((self.results / "class.html").exists())

    @long
    def test_what_others_wrote_is_only_told(self):
        self.batch("--no-speed")
        (self.results / "notes.txt").write_text("ada asked for more time")
        (self.results / "other.txt").write_text("adaptive")
        out = self.forget("ada")[0]
        self.assertIn("notes.txt", out)
        self.assertNotIn("other.txt", out)
        self.assertTrue((self.results / "notes.txt").exists())

    def test_other_folders_are_left_alone(self):
        (pathlib.Path(self.folder) / "thesis").mkdir()
        self.assertIn("thesis", self.refused("forget", "ada", "--results", "thesis"))
        self.assertIn("--results", self.refused("forget", "ada"))


if __name__ == "__main__":
    unittest.main()
