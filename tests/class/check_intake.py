#!/usr/bin/env python3
"""What one student packs, or how a file is called, costs nobody else a grade and is only ever text."""
import csv
import gzip
import io
import itertools
import lzma
import os
import pathlib
import sys
import tarfile
import unittest
import warnings
import zipfile

sys.dont_write_bytecode = True
from cli import program

LAB = "10_bandwidth"
FAR = 9_000_000_000_000_000_000  # bytes, where a file that is a hole ends


def tarred(path, *members):
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name, text, headers in members:
            info = tarfile.TarInfo(name)
            info.size, info.pax_headers = len(text), headers
            archive.addfile(info, io.BytesIO(text))


def a_hole(path):
    tarred(path, ("far.c", f"1\n{FAR}\n5\n".encode().ljust(512, b"\0") + b"hello",
                  {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "far.c",
                   "GNU.sparse.realsize": str(FAR + 5)}))


def layered(path):
    """What lies between two layers of compression counts for nothing: here 64 MiB of padding."""
    tarred(path, ("predict.c", b"int eve;", {}))
    inner = lzma.compress(gzip.decompress(path.read_bytes())) + bytes(64 << 20)
    path.write_bytes(lzma.compress(inner, preset=0))


def long_headers(path):
    """One file with a list of its parts that is longer than all that may be unpacked."""
    info = tarfile.TarInfo("big.c")
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    part = b"00000000001\0" + b"00000000000\0"
    header[156:157], header[386:410], header[482] = b"S", part, 1
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    with lzma.open(path, "wb", preset=0) as file:
        file.write(header)
        for _ in range(600):
            file.write((part * 21 + b"\1" + bytes(7)) * 2048)


class Intake(program.Case):
    def setUp(self):
        super().setUp()
        self.taken = pathlib.Path(self.folder) / "taken"
        self.results = pathlib.Path(self.folder) / "results"
        self.taken.mkdir()
        (self.taken / "ada.c").write_text("int ada;")

    def book(self, status=1, words=None, roster=None):
        self.run_it("batch", "--labs", "10", "--no-grading", *(words or [str(self.taken)]), "--out",
                    str(self.results), *(["--roster", str(roster)] if roster else []), status=status)
        return (self.results / "gradebook.csv").read_text(encoding="utf-8")

    def notes(self):
        return {row["id"]: row[LAB + "_note"] for row in csv.DictReader(io.StringIO(self.book()))}

    def test_an_archive_that_cannot_be_unpacked_costs_its_student_alone(self):
        tarred(self.taken / "file.tar.gz", ("a.c", b"1", {}), ("a.c/b.c", b"2", {}))
        tarred(self.taken / "long.tar.gz", ("/".join(["d" * 250] * 18) + "/b.c", b"1", {}))
        a_hole(self.taken / "hole.tar.gz")
        notes = self.notes()
        self.assertIn("not graded", notes["ada"])
        self.assertIn("where it belongs", notes["file"])
        self.assertIn("where it belongs", notes["long"])
        self.assertIn("more than", notes["hole"])

    def test_a_long_file_costs_the_class_nothing(self):
        path = pathlib.Path(self.folder) / "class.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr("ada.c", "int ada;")
            for name, mebibytes in (("eve.zip", 65), ("fay.c", 65), ("gus/film.mp4", 400)):
                archive.writestr(name, b"x" * (mebibytes << 20))
            archive.writestr("gus/" + "d/" * 30 + "deep.c", "int gus;")
            archive.writestr("zoe.c", "int zoe;")
        rows = csv.DictReader(io.StringIO(self.book(words=[str(path)])))
        notes = {row["id"]: row[LAB + "_note"] for row in rows}
        self.assertEqual(["ada", "eve", "fay", "zoe"], list(notes))
        self.assertEqual("not graded yet", notes["zoe"])
        self.assertIn("damaged", notes["eve"])

    def class_notes(self, path, status=1, roster=None):
        rows = csv.DictReader(io.StringIO(self.book(words=[str(path)], status=status, roster=roster)))
        return {row["id"]: row[LAB + "_note"] for row in rows}

    def test_a_bad_name_in_a_classs_archive_costs_its_student_alone(self):
        path = pathlib.Path(self.folder) / "class.zip"
        bad = {"bob": ["bob/../x.c"], "cleo": ["cleo/a\\b.c"], "dan": ["dan/a\nb.c"],
               "eve": ["eve/predict.c", "eve/predict.c"], "fay": ["fay/predict.c/x.c", "fay/predict.c"],
               "gus": ["gus.c", "gus.c/x.c"], "hal": [f"hal/{i}.o" for i in range(20001)],
               "ian": ["ian/" + "i" * 256 + ".c"], "class": ["../ada.c", "/zoe.c"]}
        with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a name twice
            archive.writestr("ada/predict.c", "int ada;")
            for name in itertools.chain(*bad.values()):
                archive.writestr(name, "int x;")
            archive.writestr("jan/predict.c", "int damaged;")
            archive.writestr("zoe.c", "int zoe;")
        path.write_bytes(path.read_bytes().replace(b"int damaged;", b"int Damaged;"))
        notes = self.class_notes(path)
        self.assertEqual([*sorted(["ada", "jan", *bad]), "zoe"], list(notes))
        for student in ("ada", "zoe"):
            self.assertEqual("not graded yet", notes[student])
        for student in ("bob", "cleo", "dan", "gus", "ian", "class"):
            self.assertIn("where it belongs", notes[student])
        for student in ("eve", "fay"):
            self.assertIn("twice", notes[student])
        self.assertIn("too many", notes["hal"])
        self.assertIn("damaged", notes["jan"])

    def test_a_link_in_a_classs_archive_costs_its_student_alone(self):
        path = pathlib.Path(self.folder) / "class.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            for number, link in ((381, "/etc/passwd"), (382, None)):
                info = tarfile.TarInfo(f"./Ada Lovelace_{number}_assignsubmission_file_/predict.c")
                info.type, info.linkname = (tarfile.SYMTYPE, link) if link else (tarfile.REGTYPE, "")
                archive.addfile(info)
        roster = pathlib.Path(self.folder) / "roster.csv"
        roster.write_text("id,name\nada1,Ada Lovelace_381\nada2,Ada Lovelace_382\n")
        notes = self.class_notes(path, roster=roster)
        self.assertIn("link", notes["ada1"])
        self.assertEqual("not graded yet", notes["ada2"])

    def test_what_nobody_needs_in_a_classs_archive_costs_the_class_nothing(self):
        path = pathlib.Path(self.folder) / "class.tar.gz"
        zeros = bytes(300 << 20)
        with tarfile.open(path, "w:gz", compresslevel=1) as archive:
            for name, text in (("ada.c", b"int ada;"), ("eve/1.mp4", zeros), ("eve/2.mp4", zeros),
                               ("fay/film.mp4", zeros), ("zoe.c", b"int zoe;")):
                info = tarfile.TarInfo(name)
                info.size = len(text)
                archive.addfile(info, io.BytesIO(text))
        notes = self.class_notes(path)
        self.assertEqual(["ada", "eve", "zoe"], list(notes))
        self.assertIn("2.mp4` is where it became too much", notes["eve"])

    def test_one_students_archive_stays_one_whatever_is_wrong_with_it(self):
        tarred(self.taken / "eve.tar.gz", ("predict.c/x.c", b"1", {}), ("predict.c/x.c", b"1", {}))
        rows = list(csv.DictReader(io.StringIO(self.book(words=[str(self.taken / "eve.tar.gz")]))))
        self.assertEqual(["eve"], [row["id"] for row in rows])
        self.assertIn("twice", rows[0][LAB + "_note"])

    def test_many_archives_do_not_fill_the_disk(self):
        for student, kept in (("fay", 15), ("eve", 20)):
            (self.taken / student).mkdir()
            with zipfile.ZipFile(self.taken / student / "1.zip", "w", zipfile.ZIP_DEFLATED) as archive:
                for i in range(kept):
                    archive.writestr(f"{i}.c", b"\0" * (1 << 20))
        notes = self.notes()
        self.assertIn("16.c` is where it became too much", notes["eve"])
        self.assertNotIn("too much", notes["fay"])

    def test_many_archives_in_a_folder_do_not_fill_it_either(self):
        (self.taken / "eve").mkdir()
        for i in range(70):
            with zipfile.ZipFile(self.taken / "eve" / f"{i:02}.zip", "w") as archive:
                archive.writestr("predict.c", "int eve;")
            os.utime(self.taken / "eve" / f"{i:02}.zip", (1e9 + i, 1e9 + i))
        notes = self.notes()
        self.assertEqual("not graded yet", notes["ada"])
        self.assertIn("64.zip` is where it became too much", notes["eve"])

    def test_an_archive_costs_no_more_than_it_may_hold(self):
        layered(self.taken / "eve.tar.xz")
        long_headers(self.taken / "fay.tar.xz")
        notes = self.notes()
        self.assertIn("damaged", notes["eve"])
        self.assertIn("too much", notes["fay"])

    def claim(self, name):
        """An archive of one student's with the folder of another in it."""
        path = self.taken / name
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("eve/predict.c", "int eve;")
            archive.writestr("bob/predict.c", "int eve_for_bob;")
        return str(path)

    def test_people_of_one_name_stay_two(self):
        for number in (381, 382):
            folder = self.taken / f"Ada Lovelace_{number}_assignsubmission_file_"
            folder.mkdir()
            (folder / "predict.c").write_text(f"int ada_{number};")
        for entry in ("bob_7_100_a.c", "bob_7_101_b.c", "eve_8_102_a.c", "eve_9_103_a.c"):
            (self.taken / entry).write_text("int b;")
        roster = pathlib.Path(self.folder) / "roster.csv"
        roster.write_text("id,name\nada1,Ada Lovelace\nada2,Ada Lovelace_382\nada,\nbob,\n")
        rows = list(csv.DictReader(io.StringIO(self.book(roster=roster))))
        ids = [row["id"] for row in rows]
        notes = {row["id"]: row[LAB + "_note"] for row in rows}
        self.assertIn("eve_8", ids)
        self.assertIn("eve_9", ids)
        self.assertEqual(ids.count("bob"), 1)
        self.assertNotIn("called", notes["ada2"])

    def test_nobody_is_taken_for_whom_the_platform_calls_otherwise(self):
        for name in ("Ada Lovelace_381", "ada1_990", "Bob_7", "Bob_7_991"):
            folder = self.taken / f"{name}_assignsubmission_file_"
            folder.mkdir()
            (folder / "predict.c").write_text("int a;")
        roster = pathlib.Path(self.folder) / "roster.csv"
        roster.write_text("id,name\nada1,Ada Lovelace\nbob,Bob_7\n")
        notes = {row["id"]: row[LAB + "_note"]
                 for row in csv.DictReader(io.StringIO(self.book(roster=roster)))}
        self.assertIn("not in the roster", notes["Ada Lovelace_381"])
        self.assertIn("not in the roster", notes["ada1_990"])
        self.assertIn("not in the roster", notes["Bob_7_991"])
        self.assertEqual("not graded yet", notes["bob"])

    def test_archives_named_one_by_one_are_one_download(self):
        words = []
        for number in (381, 382):
            words.append(str(self.taken / f"bob_{number}_7241_lab.zip"))
            with zipfile.ZipFile(words[-1], "w") as archive:
                archive.writestr("predict.c", f"int bob_{number};")
        book = self.book(status=0, words=words)
        self.assertIn("bob_381", book)
        self.assertIn("bob_382", book)

    def test_nobody_hands_in_for_others(self):
        eve, other = self.claim("eve.zip"), self.claim("fay.zip")
        roster = pathlib.Path(self.folder) / "roster.csv"
        roster.write_text("id\neve\n")
        self.assertNotIn("bob", self.book(status=0, words=[eve], roster=roster))
        self.assertIn("bob", self.book(status=0, words=[other], roster=roster))  # the class's archive
        roster.write_text("id,name\neve,Eve_381\n")
        numbered = self.claim("Eve_381_assignsubmission_file_x.zip")
        self.assertNotIn("bob", self.book(status=0, words=[numbered], roster=roster))

    def test_a_name_in_an_archive_is_no_formula(self):
        with zipfile.ZipFile(self.taken / "eve.zip", "w") as archive:
            archive.writestr("../x;=HYPERLINK(1);.c", "1")
        self.assertIn("../x;'=HYPERLINK(1);.c", self.book())

    def test_who_is_written_with_an_apostrophe_is_found_again(self):
        for name in ("@ada", "+bob"):
            (self.taken / f"{name}.c").write_text("int x;")
        self.assertIn("\"'@ada\"", self.book(status=0))
        out, _ = self.run_it("forget", "@ada", "--results", str(self.results))
        self.assertIn("row", out)
        left = (self.results / "gradebook.csv").read_text(encoding="utf-8")
        self.assertNotIn("@ada", left)
        self.assertIn("\"'+bob\"", left)

    def test_a_student_is_called_by_clean_text(self):
        for name in (b"eve\xff", b"eve\xc2\x9b31m", b"eve\xe2\x80\xae"):
            (self.taken / os.fsdecode(name + b".c")).write_text("int eve;")
        notes = self.notes()
        self.assertEqual(4, len(self.book().splitlines()[1:]))
        self.assertTrue(all("cannot be used as a student" in note for name, note in notes.items() if name != "ada"))


if __name__ == "__main__":
    unittest.main()
