#!/usr/bin/env python3
"""`update` brings a corrected lab into a started workspace, and nothing that the student wrote is
lost, whatever interrupts it."""
import json
import os
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import program
from program import PLACE

ROOT = os.environ["VIALATA_ROOT"]
LAB = "01_training_step"
GIVEN = os.path.join(".vialata", "given", LAB)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def write(text, *path):
    with open(os.path.join(*path), "w", encoding="utf-8") as file:
        file.write(text)


def held(folder):
    """Every file below a folder, except what git keeps for itself."""
    found = {}
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        for name in files:
            path = os.path.join(here, name)
            found[os.path.relpath(path, folder)] = read(path)
    return found


class Update(program.Case):
    def setUp(self):
        super().setUp()
        self.work = os.path.join(self.folder, "my work")
        self.own = os.path.join(self.work, LAB)
        self.course = os.path.join(self.folder, "the course", "labs", LAB)
        shutil.copytree(os.path.join(ROOT, "labs"), os.path.dirname(self.course))
        place = os.path.join(self.folder, "place")
        os.makedirs(place)
        info = json.loads(read(PLACE, "buildinfo.json"))
        info.update({"root": os.path.join(self.folder, "the course"), "labs": "labs",
                     "share": os.path.join(PLACE, "share"), "bin": os.path.join(PLACE, "bin")})
        info["labs"] = os.path.dirname(self.course)
        write(json.dumps(info), place, "buildinfo.json")
        self.place = {"VIALATA_PLACE": place}

    def vialata(self, *words, status=0, **environment):
        return self.run_it(*words, status=status, **self.place, **environment)

    def start(self, *words):
        self.vialata("start", "01", *words)

    def correct(self, name, before=None, after="", end=""):
        """A new version of one of the course's files."""
        text = read(self.course, name)
        if before is not None:
            self.assertEqual(text.count(before), 1, before)
            text = text.replace(before, after)
        write(text + end, self.course, name)
        return text + end

    def edit(self, name, end="/* the student's */\n"):
        text = read(self.own, name) + end
        write(text, self.own, name)
        return text

    def backups(self):
        return sorted(name for name in os.listdir(self.own) if name.startswith("backup-"))

    def test_nothing_new_changes_nothing(self):
        self.start()
        mine = self.edit("forward.c")
        before = held(self.work)
        out = self.vialata("update", "01")[0]
        self.assertIn("nothing to update", out)
        self.assertEqual(read(self.own, "forward.c"), mine)
        self.assertEqual(held(self.work), before)

    def test_what_the_student_never_changed_is_replaced(self):
        self.start()
        mine = self.edit("backward.c")
        new = self.correct("forward.c", end="/* corrected */\n")
        out = self.vialata("update")[0]
        self.assertIn("forward.c is replaced", out)
        self.assertIn("grade 01", out)
        self.assertEqual(read(self.own, "forward.c"), new)
        self.assertEqual(read(self.own, "backward.c"), mine)
        self.assertEqual(self.backups(), [])
        self.assertIn("nothing to update", self.vialata("update", "all")[0])

    def test_two_changes_that_agree_are_merged_and_the_old_file_is_kept(self):
        self.start()
        mine = self.edit("forward.c")
        first = read(self.course, "forward.c").splitlines(keepends=True)[0]
        write("/* corrected */\n" + read(self.course, "forward.c"), self.course, "forward.c")
        out = self.vialata("update", "01")[0]
        backup, = self.backups()
        self.assertIn(backup, out)
        merged = read(self.own, "forward.c")
        self.assertTrue(merged.startswith("/* corrected */\n" + first), merged[:80])
        self.assertTrue(merged.endswith("/* the student's */\n"))
        self.assertNotIn("<<<<", merged)
        self.assertEqual(read(self.own, backup, "forward.c"), mine)

    def test_two_changes_that_contradict_stay_side_by_side(self):
        self.start()
        mine = self.edit("forward.c")
        new = self.correct("forward.c", end="/* the course's */\n")
        out = self.vialata("update", "01")[0]
        self.assertIn("forward.c.new", out)
        self.assertEqual(read(self.own, "forward.c"), mine)
        self.assertEqual(read(self.own, "forward.c.new"), new)
        self.assertIn("nothing to update", self.vialata("update", "01")[0])
        write("precious", self.own, "forward.c.new")
        newer = self.correct("forward.c", end="/* and again */\n")
        self.assertIn("forward.c.new.2", self.vialata("update", "01")[0])
        self.assertEqual(read(self.own, "forward.c.new"), "precious")
        self.assertEqual(read(self.own, "forward.c.new.2"), newer)
        self.assertEqual(read(self.own, "forward.c"), mine)

    def test_without_git_they_stay_side_by_side(self):
        self.start()
        mine = self.edit("forward.c")
        write("/* corrected */\n" + read(self.course, "forward.c"), self.course, "forward.c")
        programs = os.path.join(self.folder, "programs")
        os.makedirs(programs)
        out = self.vialata("update", "01", PATH=programs)[0]
        self.assertIn("forward.c.new", out)
        self.assertEqual(read(self.own, "forward.c"), mine)

    def test_missing_files_are_added_and_others_left(self):
        self.start()
        os.unlink(os.path.join(self.own, "step.c"))
        write("int x;\n", self.own, "mine.c")
        write("int old;\n", self.own, "old.c")
        write("int old;\n", self.work, GIVEN, "old.c")  # a file that an older lab had
        out = self.vialata("update", "01")[0]
        self.assertIn("step.c is added", out)
        self.assertIn("old.c no longer belongs", out)
        self.assertNotIn("mine.c", out)
        self.assertEqual(read(self.own, "step.c"), read(self.course, "step.c"))
        self.assertEqual(read(self.own, "old.c"), "int old;\n")
        self.assertIn("nothing to update", self.vialata("update", "01")[0])

    def test_a_dry_run_tells_the_same_and_changes_nothing(self):
        self.start()
        self.edit("forward.c")
        self.edit("step.c")
        self.correct("step.c", end="/* the course's */\n")
        self.correct("backward.c", end="/* corrected */\n")
        write("/* corrected */\n" + read(self.course, "forward.c"), self.course, "forward.c")
        before = held(self.work)
        dry = self.vialata("update", "01", "--dry-run")[0]
        self.assertEqual(held(self.work), before)
        done = self.vialata("update", "01")[0]
        for told in ("step.c.new", "backward.c is replaced", "merged"):
            self.assertIn(told, dry)
            self.assertIn(told, done)
        self.assertIn("Nothing was changed", dry)

    def test_an_interrupted_update_is_completed(self):
        """As it is found after a kill between a file and the memory of what was given."""
        self.start()
        self.edit("forward.c")
        old = {name: read(self.work, GIVEN, name) for name in ("forward.c", "backward.c")}
        write("/* corrected */\n" + read(self.course, "forward.c"), self.course, "forward.c")
        self.correct("backward.c", end="/* corrected */\n")
        self.vialata("update", "01")
        before = held(self.own)
        for name, text in old.items():
            write(text, self.work, GIVEN, name)
        self.assertIn("nothing to update", self.vialata("update", "01")[0])
        self.assertEqual(held(self.own), before)
        for name in old:
            self.assertEqual(read(self.work, GIVEN, name), read(self.course, name))

    def test_a_workspace_of_an_older_vialata_asks_git(self):
        self.start()
        shutil.rmtree(os.path.join(self.work, ".vialata", "given"))
        mine = self.edit("backward.c")
        new = self.correct("forward.c", end="/* corrected */\n")
        self.vialata("update", "01")
        self.assertEqual(read(self.own, "forward.c"), new)
        self.assertEqual(read(self.own, "backward.c"), mine)
        shutil.rmtree(os.path.join(self.work, ".vialata", "given"))
        shutil.rmtree(os.path.join(self.work, ".git"))
        newer = self.correct("forward.c", end="/* and again */\n")
        self.assertIn("forward.c.new", self.vialata("update", "01")[0])
        self.assertEqual(read(self.own, "forward.c"), new)
        self.assertEqual(read(self.own, "forward.c.new"), newer)

    def test_reset_counts_as_given_anew(self):
        self.start()
        self.edit("forward.c")
        self.correct("forward.c", end="/* corrected */\n")
        self.vialata("reset", "01")
        newer = self.correct("forward.c", end="/* and again */\n")
        self.assertIn("forward.c is replaced", self.vialata("update", "01")[0])
        self.assertEqual(read(self.own, "forward.c"), newer)

    def test_the_shapes_of_a_student_stay(self):
        self.start("--student", "ada")
        shapes = read(self.own, "predict.c")
        self.assertNotEqual(shapes, read(self.course, "predict.c"))
        self.assertIn("nothing to update", self.vialata("update", "01")[0])
        self.correct("predict.c", end="/* corrected */\n")
        self.vialata("update", "01")
        self.assertEqual(read(self.own, "predict.c"), shapes + "/* corrected */\n")

    def test_links_and_damage_lose_nothing(self):
        self.start()
        elsewhere = os.path.join(self.folder, "elsewhere.c")
        write("int precious;\n", elsewhere)
        os.unlink(os.path.join(self.own, "forward.c"))
        os.symlink(elsewhere, os.path.join(self.own, "forward.c"))
        self.correct("forward.c", end="/* corrected */\n")
        self.vialata("update", "01")
        self.assertTrue(os.path.islink(os.path.join(self.own, "forward.c")))
        self.assertEqual(read(elsewhere), "int precious;\n")
        write("{", self.work, ".vialata", "workspace.json")
        before = held(self.own)
        self.assertIn("--student", self.vialata("update", "01", status=3)[1])
        self.assertEqual(held(self.own), before)
        os.unlink(os.path.join(self.course, "step.c"))
        self.vialata("start", "02")  # writes the record again
        self.assertIn("step.c", self.vialata("update", "01", status=3)[1])

    def test_what_is_not_started_is_refused(self):
        self.assertIn("start 01", self.refused("update", **self.place))
        self.assertIn("start 01", self.refused("update", "01", **self.place))
        self.assertIn("nosuch", self.refused("update", "nosuch", **self.place))
        self.assertFalse(os.path.exists(self.work))


if __name__ == "__main__":
    unittest.main()
