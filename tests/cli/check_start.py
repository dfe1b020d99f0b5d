#!/usr/bin/env python3
"""`start` makes a student's workspace and takes nothing from them; `grade`, `reset` and `list` use
it."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import program
from program import PLACE

ROOT = os.environ["VIALATA_ROOT"]
LABS = sorted(name for name in os.listdir(os.path.join(ROOT, "labs")) if name[:2].isdigit())
FIRST = LABS[0]
TRANSLATED = os.path.exists(os.path.join(PLACE, "share", "locale", "sk"))
RECORD = os.path.join(".vialata", "workspace.json")


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def write(text, *path):
    os.makedirs(os.path.dirname(os.path.join(*path)), exist_ok=True)
    with open(os.path.join(*path), "w", encoding="utf-8") as file:
        file.write(text)


def given(lab):
    folder = os.path.join(ROOT, "labs", lab)
    return {name: read(folder, name) for name in os.listdir(folder) if name.endswith(".c")}


def held(folder):
    """Every file below a folder, except what git and Vialata keep for themselves."""
    found = {}
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".git", ".vialata")]
        for name in files:
            path = os.path.join(here, name)
            found[os.path.relpath(path, folder)] = read(path)
    return found


class Start(program.Case):
    def setUp(self):
        super().setUp()
        self.work = os.path.join(self.folder, "my work")
        self.own = os.path.join(self.work, FIRST)

    def git(self, *words, folder=None):
        done = subprocess.run(["git", *words], cwd=folder or self.work, env=self.environment(),
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def place(self, root, **changes):
        """The same build, for a course in another folder; an installed one if root is ''."""
        place = os.path.join(self.folder, "place")
        os.makedirs(place, exist_ok=True)
        info = json.loads(read(PLACE, "buildinfo.json"))
        info.update({"root": root, "share": os.path.join(PLACE, "share"),
                     "bin": os.path.join(PLACE, "bin"), **changes})
        write(json.dumps(info), place, "buildinfo.json")
        return {"VIALATA_PLACE": place}

    def course(self, checkout=True):
        """A copy of the course's labs, as a checkout of its own."""
        root = os.path.join(self.folder, "the course")
        shutil.copytree(os.path.join(ROOT, "labs"), os.path.join(root, "labs"))
        if checkout:
            write("/work\n", root, ".gitignore")
            self.git("init", "-q", folder=root)
            self.git("add", "-A", folder=root)
            self.git("-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "x", folder=root)
        return root, self.place(root, labs=os.path.join(root, "labs"))

    # ---- what it makes ----

    def test_the_first_lab_then_the_next_then_all(self):
        out, err = self.run_it("start")
        self.assertEqual(err, "")
        self.assertIn("vl_rmsnorm_forward, in my work/01_training_step/forward.c", out)
        self.assertEqual({name for name in os.listdir(self.work) if name[0] != "."},
                         {FIRST, "compile_commands.json"})
        self.assertEqual(held(self.own), given(FIRST))
        self.run_it("start")
        self.assertEqual(held(os.path.join(self.work, LABS[1])), given(LABS[1]))
        self.run_it("start", "4")
        self.assertFalse(os.path.exists(os.path.join(self.work, LABS[2])))
        self.run_it("start")
        self.assertTrue(os.path.exists(os.path.join(self.work, LABS[2])))
        out, _ = self.run_it("start", "all")
        for lab in LABS:
            self.assertEqual(held(os.path.join(self.work, lab)), given(lab))
        self.assertIn("my work", self.run_it("start")[0])
        files = [(os.path.basename(entry["directory"]), entry["file"])
                 for entry in json.loads(read(self.work, "compile_commands.json"))]
        self.assertEqual(sorted(files), sorted((lab, name) for lab in LABS for name in given(lab)))

    def test_what_the_student_has_is_never_overwritten(self):
        write("mine", self.work, ".clangd")
        write("mine", self.own, "forward.c")
        write("mine", self.own, "mine.h")
        out, _ = self.run_it("start", "01")
        self.assertIn("backward.c", out)  # an interrupted start, completed
        self.assertNotIn("forward.c", out.replace("backward.c", ""))
        write("mine", self.work, ".vscode", "tasks.json")
        write("mine", self.own, "step.c")
        before = held(self.work)
        out, _ = self.run_it("start", "01")
        self.assertIn("nothing was changed", out)
        self.assertEqual(held(self.work), before)
        self.assertEqual({name for name, text in before.items() if text == "mine"},
                         {".clangd", ".vscode/tasks.json", *(os.path.join(FIRST, name) for name in (
                             "forward.c", "mine.h", "step.c"))})

    def test_what_an_editor_reads_follows_the_course(self):
        self.run_it("start", "01")
        before = read(self.work, "compile_commands.json")
        self.run_it("start", "01", **self.place("", include="/elsewhere"))
        self.assertNotEqual(read(self.work, "compile_commands.json"), before)
        self.assertIn("-I/elsewhere", read(self.work, "compile_commands.json"))

    # ---- git ----

    def test_each_lab_is_a_commit_and_the_students_changes_are_not(self):
        self.run_it("start", "01")  # no user.name anywhere: HOME is empty
        write("mine", self.own, "forward.c")
        self.git("add", "-A")
        self.run_it("start", "02")
        log = self.git("log", "--format=%s").splitlines()
        self.assertEqual(len(log), 2)
        self.assertIn("02", log[0])
        self.assertEqual(self.git("status", "--short"), f"M  {FIRST}/forward.c\n")

    def test_it_works_without_git(self):
        out, err = self.run_it("start", "01", PATH="/nowhere")
        self.assertEqual(err, "")
        self.assertEqual(held(self.own), given(FIRST))
        self.assertFalse(os.path.exists(os.path.join(self.work, ".git")))

    def test_somebodys_own_repository_stays_theirs(self):
        os.mkdir(self.work)
        self.git("init", "-q")
        self.run_it("start", "01")
        self.assertIn("No commits", self.git("status").replace("No commits yet", "No commits"))
        inside = os.path.join(self.work, "deeper")
        self.run_it("start", "01", VIALATA_WORK=inside)
        self.assertFalse(os.path.exists(os.path.join(inside, ".git")))

    # ---- where it is ----

    @unittest.skipIf(os.geteuid() != 0, "needs a repository of another user's")
    def test_a_repository_of_others_above_starts_nothing(self):
        """Where many have their folders, one may put a repository above them all."""
        ran, hook = os.path.join(self.folder, "ran"), os.path.join(self.folder, ".git", "hook")
        self.git("init", "-q", folder=self.folder)
        write(f"#!/bin/sh\necho ran >> '{ran}'\n", hook)
        os.chmod(hook, 0o755)
        self.git("config", "core.fsmonitor", f"'{hook}'", folder=self.folder)
        for here, _, files in os.walk(os.path.join(self.folder, ".git")):
            for name in (here, *(os.path.join(here, name) for name in files)):
                os.chown(name, 54321, 54321)
        self.run_it("start", FIRST)
        self.run_it("handin", FIRST[:2], "--student", "ada", "--anyway")
        self.assertFalse(os.path.exists(ran))
        self.assertTrue(os.path.exists(os.path.join(self.work, ".git")))

    def test_the_folder_around_us_counts(self):
        self.run_it("start", "01")
        environment = self.environment()
        del environment["VIALATA_WORK"]
        done = subprocess.run([program.PROGRAM, "reset", "01"], cwd=self.own, env=environment,
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    @unittest.skipIf(os.geteuid() != 0, "needs a folder of another user's")
    def test_a_workspace_of_others_above_does_not_count(self):
        write('{"schema": "vialata.workspace/1"}', self.folder, RECORD)
        write("int theirs;", self.folder, FIRST, "forward.c")
        os.chown(os.path.join(self.folder, ".vialata"), 54321, 54321)
        home = os.path.join(self.folder, "home")
        os.makedirs(home)
        for theirs, status in ((False, 2), (True, 0)):  # whoever goes there means it
            if theirs:
                os.chown(home, 54321, 54321)
            done = subprocess.run([program.PROGRAM, "reset", FIRST[:2]],
                                  cwd=home, env={**self.environment(HOME=home), **self.place(""),
                                                  "VIALATA_WORK": ""},
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)

    def test_a_chosen_folder_is_remembered_for_this_course(self):
        chosen = os.path.join(self.folder, "chosen")
        self.run_it("start", "01", "--in", "chosen", VIALATA_WORK="")
        self.assertEqual(held(os.path.join(chosen, FIRST)), given(FIRST))
        self.run_it("start", "02", VIALATA_WORK="")
        self.assertTrue(os.path.exists(os.path.join(chosen, LABS[1])))
        _, other = self.course()
        self.assertIn("not started", self.refused("reset", "01", VIALATA_WORK="", **other))
        shutil.rmtree(chosen)
        for words in (["start", "01"], ["reset", "01"], ["grade", "01"], ["grade", "all"]):
            self.assertIn("--in", self.refused(*words, status=3, VIALATA_WORK=""))
        self.assertFalse(os.path.exists(chosen))
        _, err = self.run_it("start", "01", "--in", "chosen")  # and VIALATA_WORK elsewhere
        self.assertIn("VIALATA_WORK", err)

    def test_the_default_is_beside_the_course_or_at_home(self):
        root, course = self.course()
        self.run_it("start", "01", VIALATA_WORK="", **course)
        self.assertEqual(held(os.path.join(root, "work", FIRST)), given(FIRST))
        self.assertTrue(os.path.exists(os.path.join(root, "work", ".git")))
        self.assertEqual(self.git("status", "--short", folder=root), "")
        self.run_it("start", "01", VIALATA_WORK="", **self.place(""))
        self.assertTrue(os.path.exists(os.path.join(self.folder, "vialata-work", FIRST)))
        self.assertIn("HOME", self.refused("start", status=3, VIALATA_WORK="", HOME="",
                                           **self.place("")))

    # ---- the commands that use it ----

    def test_what_is_not_started_is_said_with_the_way_to_start(self):
        for words in (["grade", "01"], ["reset", "01"]):
            self.assertIn("vialata start 01", self.refused(*words))
        self.assertIn("vialata start", self.refused("grade", "all"))
        self.assertFalse(os.path.exists(self.work))

    def test_list_and_training_know_what_is_started(self):
        self.run_it("start", "01")
        rows = self.run_it("list")[0].splitlines()
        self.assertIn("started", rows[0])
        self.assertNotIn("started", rows[1])

    def test_grading_names_the_file_in_the_workspace_and_all_is_what_is_started(self):
        self.run_it("start", "09")
        out, err = self.run_it("grade", "all", status=1)
        self.assertIn("01, 02", err)
        self.assertIn(f"in my work/{LABS[8]}/", out)
        self.assertIn("vialata hint 09", out)
        for file in os.listdir(os.path.join(ROOT, "solutions", LABS[8])):
            shutil.copy(os.path.join(ROOT, "solutions", LABS[8], file),
                        os.path.join(self.work, LABS[8]))
        os.remove(os.path.join(self.work, LABS[8], "worked.c"))  # given: the course's is taken
        out, _ = self.run_it("grade", "09", "--format", "json")
        self.assertEqual(json.loads(out)["score"], 100)
        self.assertIn("09", "".join(row for row in self.run_it("list")[0].splitlines()
                                    if "100" in row))
        self.run_it("grade", "all", status=1)  # full points in all that is started, and that is one

    def backups(self):
        return [name for name in os.listdir(self.own) if name.startswith("backup-")]

    def test_reset_keeps_a_backup_and_restores_the_lab(self):
        self.run_it("start", "01")
        write("my own work\n", self.own, "forward.c")
        os.remove(os.path.join(self.own, "step.c"))
        out, _ = self.run_it("reset", "01")
        self.assertEqual(len(self.backups()), 1)
        self.assertIn(self.backups()[0], out)
        self.assertEqual(read(self.own, self.backups()[0], "forward.c"), "my own work\n")
        shutil.rmtree(os.path.join(self.own, self.backups()[0]))
        self.assertEqual(held(self.own), given(FIRST))
        self.run_it("reset", "01")  # nothing left to do: no second backup
        self.assertEqual(self.backups(), [])

    def test_nothing_is_changed_if_the_course_lacks_a_file(self):
        root, course = self.course(checkout=False)
        self.run_it("start", "01")
        write("my own work\n", self.own, "forward.c")
        os.remove(os.path.join(root, "labs", FIRST, "step.c"))
        before = held(self.work)
        self.assertIn("step.c", self.refused("reset", "01", status=3, **course))
        self.assertIn("step.c", self.refused("start", "01", status=3, **course))
        self.assertEqual(held(self.work), before)
        os.remove(os.path.join(root, "labs", LABS[1], "tree.c"))
        self.refused("start", "02", status=3, **course)
        self.assertFalse(os.path.exists(os.path.join(self.work, LABS[1])))

    # ---- who worked in labs/ before ----

    def test_what_was_written_in_labs_comes_along(self):
        root, course = self.course()
        old = os.path.join(root, "labs", FIRST)
        write("written before\n", old, "forward.c")
        write("older still\n", old, "backup-20250101-120000", "forward.c")
        err = self.refused("grade", "01", **course)
        self.assertIn(f"labs/{FIRST}", err)
        out, err = self.run_it("start", "01", **course)
        self.assertIn(f"git checkout HEAD labs/{FIRST}", err)
        self.assertEqual(read(self.own, "forward.c"), "written before\n")
        self.assertEqual(read(self.own, "backup-20250101-120000", "forward.c"), "older still\n")
        self.assertEqual(read(old, "forward.c"), "written before\n")  # nothing is taken away there
        _, err = self.run_it("start", "02", **course)
        self.assertEqual(err, "")
        self.run_it("reset", "01", **course)  # the course's own, all the same
        self.assertEqual(read(self.own, "forward.c"), given(FIRST)["forward.c"])

    # ---- bad input ----

    def test_what_cannot_be_a_workspace_is_refused_in_every_language(self):
        write("", self.folder, "a file")
        newer = os.path.join(self.folder, "newer")
        write('{"schema": "vialata.workspace/2", "version": "9.9"}', newer, RECORD)
        for words, status, part in [
                (["start", "--in", "a file"], 3, "a file"),
                (["start", "--in", "a file/below"], 3, "a file/below"),
                (["start", "--in", "/proc/vialata"], 3, "/proc/vialata"),
                (["start", "--in", os.path.join(ROOT, "labs")], 2, "labs"),
                (["start", "--in", os.path.join(ROOT, "solutions", "new")], 2, "solutions"),
                (["start", "--in", ROOT], 2, ROOT),
                (["start", "--in", newer], 3, "9.9"),
                (["start", "--in", ""], 2, "--in"), (["start", "--in"], 2, "FOLDER"),
                (["start", "99"], 2, "99"), (["start", "01", "02"], 2, "02")]:
            told = set()
            for language in ("en", "fr", "pt", "es", "sk"):
                err = self.refused(*words, "--lang", language, status=status)
                self.assertIn(part, err)
                told.add(err)
            if TRANSLATED:
                self.assertEqual(len(told), 5, told)
        self.assertEqual(os.listdir(newer), [".vialata"])
        self.assertFalse(os.path.exists(self.work))

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_read_only_workspace_is_said(self):
        self.run_it("start", "01")
        os.chmod(self.work, 0o555)
        self.addCleanup(os.chmod, self.work, 0o755)
        self.assertIn("my work", self.refused("start", "02", status=3))

    def test_a_damaged_record_costs_nothing(self):
        self.run_it("start", "01")
        write("mine", self.own, "forward.c")
        for text in ("", "{", "[]", '{"schema": 1}', '{"schema": "other/1"}'):
            write(text, self.work, RECORD)
            _, err = self.run_it("start", "01")
            self.assertIn("damaged", err)
            self.assertEqual(read(self.own, "forward.c"), "mine")
            self.assertEqual(self.run_it("start", "01")[1], "")

    def test_another_version_is_said_once(self):
        self.run_it("start", "01")
        record = json.loads(read(self.work, RECORD))
        record["version"] = "0.0.1"
        write(json.dumps(record), self.work, RECORD)
        self.assertIn("0.0.1", self.run_it("start", "01")[1])
        self.assertEqual(self.run_it("start", "01")[1], "")

    def test_two_starts_at_once_keep_one_record(self):
        os.makedirs(os.path.join(self.work, ".vialata"))
        with open(os.path.join(self.work, ".vialata", "lock"), "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # both wait here
            runs = [subprocess.Popen([program.PROGRAM, "start", lab], cwd=self.folder,
                                     env=self.environment(), stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE) for lab in ("01", "02")]
            time.sleep(0.5)
        for run in runs:
            self.assertEqual((run.communicate()[1], run.returncode), (b"", 0))
        record = json.loads(read(self.work, RECORD))
        self.assertEqual((record["repository"], len(record["written"])), (True, 5))
        self.assertEqual(len(self.git("log", "--format=%s").splitlines()), 2)

    def test_an_interrupted_start_is_completed(self):
        write("half", self.work, ".vialata", "begun", "forward.c")
        self.run_it("start", "01")
        self.assertEqual(held(self.own), given(FIRST))
        self.assertFalse(os.path.exists(os.path.join(self.work, ".vialata", "begun")))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
