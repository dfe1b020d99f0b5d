#!/usr/bin/env python3
"""An editor works in a fresh workspace: clangd has no complaint about any skeleton, and the tasks
grade the lab and stop in a student's function."""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import program

CASE = "rmsnorm_forward.odd"


class Editor(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for tool in ("clangd", "gdb"):
            if shutil.which(tool) is None:
                print(f"{tool} is not on this machine", file=sys.stderr)
                sys.exit(77)

    def setUp(self):
        super().setUp()
        self.work = os.path.join(self.folder, "my work")

    def complaints(self, path):
        done = subprocess.run(["clangd", "--log=error", f"--compile-commands-dir={self.work}",
                               f"--check={path}"], cwd=self.work, env=self.environment(),
                              capture_output=True, text=True)
        said = [line for line in done.stderr.splitlines() if re.match(r"E\[", line)]
        return said or ([f"{path}: status {done.returncode}"] if done.returncode else [])

    def test_clangd_has_no_complaint_about_any_skeleton(self):
        self.run_it("start", "all")
        with open(os.path.join(self.work, "compile_commands.json"), encoding="utf-8") as file:
            files = [os.path.join(entry["directory"], entry["file"]) for entry in json.load(file)]
        self.assertGreater(len(files), 50)
        mine = os.path.join(self.work, "01_training_step", "mine.c")  # flags are guessed
        with open(mine, "w", encoding="utf-8") as file:
            file.write('#include "vialata/rmsnorm.h"\n#include "vialata/collectives.h"\n')
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            self.assertEqual(sum(pool.map(self.complaints, [*files, mine]), []), [])
        with open(mine, "a", encoding="utf-8") as file:
            file.write('#include "vialata/no_such_header.h"\n')
        self.assertNotEqual(self.complaints(mine), [])  # it would have been seen

    def expanded(self, text, file):
        for name, value in (("${fileDirnameBasename}", os.path.basename(os.path.dirname(file))),
                            ("${fileDirname}", os.path.dirname(file)),
                            ("${workspaceFolder}", self.work), ("${input:case}", CASE)):
            text = text.replace(name, value)
        self.assertNotIn("${", text)
        return text

    def asked(self, name):
        """A file of .vscode, and the words or the line of shell for a file that is open."""
        with open(os.path.join(self.work, ".vscode", name), encoding="utf-8") as file:
            return json.load(file)

    def start(self, words, shell=False, talk=""):
        environment = self.environment()
        del environment["VIALATA_WORK"]  # an editor's terminal knows nothing of it
        return subprocess.run(words, shell=shell, cwd=self.work, env=environment, input=talk,
                              capture_output=True, text=True, timeout=300)

    def test_the_tasks_grade_this_lab_and_stop_in_the_students_function(self):
        self.run_it("start", "01")
        file = os.path.join(self.work, "01_training_step", "forward.c")
        tasks = {task["label"]: task for task in self.asked("tasks.json")["tasks"]}
        self.assertEqual(set(tasks), {"grade this lab", "debug this case"})
        for task in tasks.values():
            self.assertTrue(os.access(task["command"], os.X_OK), task["command"])
        # The entrance would build first; the program it runs is the same.
        words = [program.PROGRAM, *(self.expanded(word, file)
                                    for word in tasks["grade this lab"]["args"])]
        done = self.start(words)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("forward.c", done.stdout)
        words = [program.PROGRAM, *(self.expanded(word, file)
                                    for word in tasks["debug this case"]["args"])]
        done = self.start(words, talk="kill\nquit\n")
        self.assertRegex(done.stdout, r"Breakpoint 1, vl_rmsnorm_forward \(")
        self.assertRegex(done.stdout, r"forward\.c:\d+")

    def test_f5_runs_the_same(self):
        self.run_it("start", "01")
        file = os.path.join(self.work, "01_training_step", "forward.c")
        launch, = self.asked("launch.json")["configurations"]
        line = self.expanded(launch["command"], file)
        command, rest = line.split(" grade ", 1)
        self.assertEqual(rest, f'"01_training_step" --only "{CASE}" --gdb')
        done = self.start(f'"{program.PROGRAM}" grade {rest}', shell=True, talk="kill\nquit\n")
        self.assertRegex(done.stdout, r"Breakpoint 1, vl_rmsnorm_forward \(")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
