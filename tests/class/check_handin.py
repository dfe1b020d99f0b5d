#!/usr/bin/env python3
"""`handin` makes an archive with a receipt, and `batch` takes it: the verdict has the receipt's hash,
labs may come one by one, and what was changed afterwards is noted."""
import csv
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import zipfile

sys.dont_write_bytecode = True
from cli import program
from share import long

ROOT = pathlib.Path(os.environ["VIALATA_ROOT"])
LAB, OTHER = "10_bandwidth", "01_training_step"  # the first needs one rank only: it is graded soon
LATER = 1900000000


class Handin(program.Case):
    def setUp(self):
        super().setUp()
        self.work = pathlib.Path(self.folder) / "my work"
        self.own = self.work / LAB
        self.kept = self.work / "handed-in"
        self.taken = pathlib.Path(self.folder) / "taken in"
        self.results = pathlib.Path(self.folder) / "results"

    def start(self, *words, lab="10", solved=True):
        self.run_it("start", lab, *words)
        if solved:
            for path in (ROOT / "solutions" / LAB).glob("*.c"):
                shutil.copy(path, self.own)

    def receipts(self):
        return sorted(self.kept.glob("*.json"))

    def batch(self, *words, status=0, labs="10"):
        self.run_it("batch", "--trust", "--no-speed", "--labs", labs, str(self.taken), "--out",
                    str(self.results), *words, status=status)
        with open(self.results / "gradebook.csv", newline="", encoding="utf-8") as file:
            return {row["id"]: row for row in csv.DictReader(file)}

    def verdict(self, student, lab=LAB):
        path, = (self.results / "verdicts" / lab).glob(f"{student}.*.json")
        return json.loads(path.read_text())

    def hand_over(self, archive, name):
        self.taken.mkdir(exist_ok=True)
        shutil.copy(archive, self.taken / name)

    # ---- the student's side ----

    def test_the_archive_holds_the_lab_and_its_receipt(self):
        self.start("--student", "ada")
        (self.own / "mine.h").write_text("#define MINE 1\n")
        (self.own / "notes.txt").write_text("not for grading\n")
        out, err = self.run_it("handin", "10")
        self.assertEqual(err, "")
        archive = self.kept / f"ada-{LAB}.zip"
        self.assertIn(archive.name, out)
        with zipfile.ZipFile(archive) as held:
            names = [name.removeprefix(LAB + "/") for name in held.namelist()]
            receipt = held.read(f"{LAB}/receipt.json")
            times = {info.date_time for info in held.infolist() if info.filename.endswith("c")}
            for name in names[:-1]:
                self.assertEqual(held.read(f"{LAB}/{name}"), (self.own / name).read_bytes())
        sources = sorted(path.name for path in self.own.glob("*.[ch]"))
        self.assertEqual(names, sources + ["receipt.json"])
        self.assertEqual(len(times), 1, times)
        kept, = self.receipts()
        self.assertEqual(kept.read_bytes(), receipt)
        receipt = json.loads(receipt)
        lines = ""
        for entry in receipt["files"]:
            text = (self.own / entry["name"]).read_bytes()
            self.assertEqual(entry["bytes"], len(text))
            self.assertEqual(entry["sha256"], hashlib.sha256(text).hexdigest())
            lines += f"{entry['sha256']}  {entry['name']}\n"
        self.assertEqual(receipt["hash"], hashlib.sha256(lines.encode()).hexdigest())
        self.assertEqual((receipt["student"], receipt["lab"]), ("ada", LAB))
        for part in (receipt["hash"], receipt["handed_in_at"]):
            self.assertIn(part, out)

    def test_the_same_files_have_the_same_hash_and_a_change_has_another(self):
        self.start("--student", "ada")
        hashes = []
        for name in ("one.zip", "two.zip", "three.zip"):
            if name == "three.zip":
                with open(self.own / "step.c", "a", encoding="utf-8") as file:
                    file.write("\n")
            self.run_it("handin", "10", "--out", name)
            with zipfile.ZipFile(os.path.join(self.folder, name)) as held:
                hashes.append(json.loads(held.read(f"{LAB}/receipt.json"))["hash"])
            os.utime(self.own / "step.c", (1, 1))
        self.assertEqual(hashes[0], hashes[1])
        self.assertNotEqual(hashes[0], hashes[2])

    def test_the_commit_is_in_the_receipt(self):
        self.start("--student", "ada")
        git = ["git", "-C", str(self.work), "-c", "user.name=a", "-c", "user.email=a@b.c"]
        self.run_it("handin", "10", "--out", "one.zip")
        subprocess.run([*git, "commit", "-qam", "solved"], env=self.environment(), check=True)
        head = subprocess.run([*git, "rev-parse", "HEAD"], env=self.environment(), check=True,
                              capture_output=True, text=True).stdout.strip()
        self.run_it("handin", "10", "--out", "two.zip")
        said = []
        for name in ("one.zip", "two.zip"):
            with zipfile.ZipFile(os.path.join(self.folder, name)) as held:
                said.append(json.loads(held.read(f"{LAB}/receipt.json"))["git"])
        self.assertFalse(said[0]["committed"])
        self.assertEqual(said[1], {"commit": head, "committed": True})

    def test_what_cannot_be_meant_is_refused(self):
        self.assertIn("start 10", self.refused("handin", "10", "--student", "ada"))
        self.start(solved=False)
        self.assertIn("--student NAME", self.refused("handin", "10"))
        self.assertIn("as it was given", self.refused("handin", "10", "--student", "ada"))
        self.start()
        for words, told in ((["--out", "x.rar"], "x.rar"), (["--student", ""], "--student")):
            said = self.refused("handin", "10", *(words if "--student" in words else
                                                  ["--student", "ada", *words]))
            self.assertIn(told, said)
        (self.own / "step.c").unlink()
        self.assertIn("step.c", self.refused("handin", "10", "--student", "ada"))
        (self.own / "step.c").symlink_to(self.own / "roads.c")
        self.assertIn("not a link", self.refused("handin", "10", "--student", "ada", "--anyway"))
        (self.own / "step.c").unlink()
        (self.own / "step.c").write_text("/*" + 1100000 * " " + "*/")
        self.assertIn("1 MiB", self.refused("handin", "10", "--student", "ada"))
        (self.own / "step.c").unlink()
        self.assertFalse(self.kept.exists())
        err = self.run_it("handin", "10", "--student", "ada", "--anyway")[1]
        self.assertIn("step.c", err)
        self.run_it("start", "10", "--student", "bob")
        self.assertIn("bob", self.refused("handin", "10", "--student", "ada"))
        self.assertIn("cannot be written", self.run_it("handin", "10", "--out", "no/such/x.zip",
                                                       status=3)[1])

    def test_a_file_that_does_not_compile_is_told(self):
        self.start("--student", "ada")
        (self.own / "step.c").write_text("int broken(\n")
        err = self.run_it("handin", "10")[1]
        self.assertIn("do not compile", err)
        self.assertIn("step.c:1", err)
        self.assertTrue((self.kept / f"ada-{LAB}.zip").exists())

    # ---- the instructor's side ----

    def test_the_verdict_has_the_hash_of_the_receipt(self):
        self.start("--student", "ada")
        self.run_it("handin", "10")
        archive, receipt = self.kept / f"ada-{LAB}.zip", json.loads(self.receipts()[0].read_text())
        self.hand_over(archive, archive.name)
        row = self.batch()["ada"]
        self.assertEqual((float(row[LAB]), row[LAB + "_note"]), (100, ""))
        verdict = self.verdict("ada")
        self.assertEqual(verdict["submission_hash"], receipt["hash"])
        self.assertRegex(verdict["graded_at"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        page = (self.results / "pages" / LAB / "ada.html").read_text(encoding="utf-8")
        self.assertIn(receipt["hash"], page)
        # The reference's predict.c has the usual shapes, not those of ada.
        graded = json.loads(self.run_it("grade", "10", "--no-speed", "--format", "json",
                                        status=1)[0])
        self.assertEqual(graded["submission_hash"], receipt["hash"])

    @long
    def test_with_names_the_shapes_are_each_students_own(self):
        self.start("--student", "ada", solved=False)
        own = dict(re.findall(r"^    ([A-Z_]+) = (\d+)", (self.own / "predict.c").read_text(), re.M))
        self.assertTrue(own)
        for path in (ROOT / "solutions" / LAB).glob("*.c"):
            solved = re.sub(r"^(    ([A-Z_]+) = )\d+",
                            lambda m: m[1] + own.get(m[2], m[0][len(m[1]):]), path.read_text(), flags=re.M)
            (self.own / path.name).write_text(solved)
        self.run_it("handin", "10")
        self.hand_over(self.kept / f"ada-{LAB}.zip", f"ada-{LAB}.zip")
        for words, code in ((["--named"], None), ([], "other_shapes")):
            shutil.rmtree(self.results, ignore_errors=True)
            self.batch(*words)
            codes = {case["code"] for case in self.verdict("ada")["cases"]
                     if case["id"].startswith("predict_plan.")}
            self.assertIn(code, codes, words)
            self.assertEqual("other_shapes" in codes, code is not None, words)

    @long
    def test_labs_come_one_by_one_and_under_the_names_of_platforms(self):
        self.start("--student", "ada")
        self.start("--student", "ada", lab="01", solved=False)
        self.run_it("handin", "10")
        self.run_it("handin", "01", "--anyway")
        first, second = self.kept / f"ada-{LAB}.zip", self.kept / f"ada-{OTHER}.zip"
        self.hand_over(first, first.name)
        self.hand_over(second, second.name)
        os.utime(self.taken / second.name, (LATER, LATER))
        self.hand_over(first, f"bobby_381_7241_x-{LAB}-1.zip")       # Canvas, handed in again
        self.hand_over(first, f"fay-{LAB} (2).zip")                  # a browser's copy
        moodle = self.taken / "Cyd_381_assignsubmission_file_"
        moodle.mkdir()
        shutil.copy(first, moodle)
        shutil.copy(second, moodle)
        rows = self.batch(labs="01,10", status=0)
        self.assertEqual(set(rows), {"ada", "bobby", "fay", "Cyd"})
        for row in rows.values():
            self.assertEqual(float(row[LAB]), 100, row)
        for name in ("ada", "Cyd"):
            self.assertEqual(float(rows[name][OTHER]), 0, rows[name])
        self.assertEqual(rows["bobby"][OTHER], "")
        self.assertIn("handed in", rows["bobby"][OTHER + "_note"])

    @long
    def test_of_two_archives_of_one_lab_the_newer_counts(self):
        self.start("--student", "ada")
        self.run_it("handin", "10", "--out", "good.zip")
        (self.own / "step.c").write_text("int broken(\n")
        self.run_it("handin", "10", "--out", "bad.zip")
        self.hand_over(os.path.join(self.folder, "good.zip"), f"ada-{LAB}.zip")
        self.hand_over(os.path.join(self.folder, "bad.zip"), f"ada-{LAB}-1.zip")
        os.utime(self.taken / f"ada-{LAB}.zip", (LATER, LATER))
        self.assertEqual(float(self.batch(status=1)["ada"][LAB]), 100)
        os.utime(self.taken / f"ada-{LAB}-1.zip", (LATER + 9, LATER + 9))
        self.assertLess(float(self.batch(status=1)["ada"][LAB]), 100)

    @long
    def test_one_archive_may_be_named_itself(self):
        self.start("--student", "ada")
        self.run_it("handin", "10")
        self.taken = self.kept / f"ada-{LAB}.zip"
        self.assertEqual(list(self.batch()), ["ada"])

    @long
    def test_what_was_changed_after_the_receipt_is_noted(self):
        self.start("--student", "ada")
        self.run_it("handin", "10")
        with zipfile.ZipFile(self.kept / f"ada-{LAB}.zip") as held:
            files = {name: held.read(name) for name in held.namelist()}
        step, receipt = f"{LAB}/step.c", f"{LAB}/receipt.json"
        self.taken.mkdir()
        for name, changes in (("same", {}), ("changed", {step: files[step] + b"\n"}),
                              ("added", {f"{LAB}/more.h": b"\n"}), ("removed", {step: None}),
                              ("broken", {receipt: b'{"schema": "vialata.receipt/1"'}),
                              ("without", {receipt: None})):
            with zipfile.ZipFile(self.taken / f"{name}-{LAB}.zip", "w") as archive:
                for path, text in {**files, **changes}.items():
                    if text is not None:
                        archive.writestr(path, text)
        notes = {name: row[LAB + "_note"] for name, row in self.batch().items()}
        changed = "changed after the receipt"
        self.assertEqual(notes, {"same": "", "without": "", "changed": changed, "added": changed,
                                 "removed": changed, "broken": "its receipt cannot be read"})


    # ---- archives one by one ----

    def graded(self, path, status=0):
        place = pathlib.Path(self.folder) / "scratch"
        place.mkdir(exist_ok=True)
        place.chmod(0o755)
        os.chmod(self.folder, 0o755)
        out, err = self.run_it("grade", "10", "--submission", str(path), "--trust", "--no-speed",
                               "--format", "json", status=status, TMPDIR=str(place))
        self.assertEqual(os.listdir(place), [])
        return json.loads(out) if status < 2 else err

    def test_grade_takes_the_archive(self):
        self.start("--student", "ada")
        self.run_it("handin", "10")
        archive = self.kept / f"ada-{LAB}.zip"
        verdict = self.graded(archive)
        self.assertEqual((verdict["score"], verdict["submission"]),
                         (verdict["max_score"], str(archive)))
        receipt, = self.receipts()
        self.assertEqual(verdict["submission_hash"], json.loads(receipt.read_text())["hash"])

    def test_grade_says_what_is_wrong_with_an_archive(self):
        folder = pathlib.Path(self.folder)
        (folder / "broken.zip").write_bytes(b"PK\x03\x04 nothing of the kind")
        for name, entry, told in (("out.zip", "../x.c", "../x.c"),
                                  ("other.zip", f"{OTHER}/step.c", "no file of this lab")):
            with zipfile.ZipFile(folder / name, "w") as archive:
                archive.writestr(entry, "int x;")
            said = self.graded(folder / name, status=2)
            self.assertIn(told, said)
            self.assertIn(name, said)
        self.assertIn("damaged", self.graded(folder / "broken.zip", status=2))

    @long
    def test_batch_takes_single_archives_whatever_they_are_called(self):
        self.start("--student", "ada")
        self.run_it("handin", "10")
        made = self.kept / f"ada-{LAB}.zip"
        self.taken.mkdir()
        shutil.copy(made, self.taken / made.name)
        shutil.copy(made, self.taken / "bob.zip")  # with a receipt in the lab's folder
        with zipfile.ZipFile(self.taken / "eve.zip", "w") as archive:  # the files alone
            for path in self.own.glob("*.c"):
                archive.write(path, path.name)
        with zipfile.ZipFile(self.taken / "class.zip", "w") as archive:  # two students
            for student in ("fay", "gus"):
                archive.write(made, f"{student}.zip")
        archives = sorted(map(str, self.taken.iterdir()))
        self.run_it("batch", "--trust", "--no-speed", "--labs", "10", *archives, "--out",
                    str(self.results))
        with open(self.results / "gradebook.csv", newline="", encoding="utf-8") as file:
            rows = {row["id"]: row[LAB] for row in csv.DictReader(file)}
        self.assertEqual(rows, dict.fromkeys(("ada", "bob", "eve", "fay", "gus"), "100.00"))


if __name__ == "__main__":
    unittest.main()
