#!/usr/bin/env python3
"""`train --with labs` runs the student's code where it passed and is unchanged, and says whose the
rest is; `--page` keeps the run."""

import html.parser
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree

from share import long

PLACE = os.environ["VIALATA_PLACE"]
ROOT = os.environ["VIALATA_ROOT"]
PROGRAM = os.path.join(PLACE, "bin", "vialata")
MODEL = ["--steps", "3", "--pp", "2", "--layers", "2", "--width", "32", "--sequence", "32",
         "--experts", "4"]

# Added to correct code: it leaves a mark in the file that a variable names; grading clears the
# environment. Both labs get a helper of the same name, which is allowed. (Neither lab is timed.)
MARKER = r"""
#include <stdio.h>
#include <stdlib.h>
int times_called = %d;
void leave_a_mark(void);
void leave_a_mark(void)
{
    const char *path = getenv("MARKER");
    FILE *file = path != NULL && times_called++ == %d ? fopen(path, "a") : NULL;
    if (file != NULL) {
        fputs("%s\n", file);
        fclose(file);
    }
}
"""
PLANTED = {"07_pipeline_parallel": "run.c", "09_expert_balancing": "bias.c"}


def plant(path, name, start):
    """The marker before the first function of a file, and a call at the top of every one."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text, calls = re.subn(r"(?m)^\{$", "{\n    leave_a_mark();", text)
    assert calls > 0, path
    includes = [found.end() for found in re.finditer(r"(?m)^#include .*$", text)]
    text = text[:includes[-1]] + MARKER % (start, start, name) + text[includes[-1]:]
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Page(html.parser.HTMLParser):
    """Checks that tags open and close, and collects what would have to be fetched."""

    def __init__(self):
        super().__init__()
        self.open, self.fetched, self.text = [], [], []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.fetched += [value for name, value in attributes if name in ("href", "src")]

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text.append(data)


class WithLabs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="vialata with labs ", dir="/tmp")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        os.chmod(cls.folder, 0o755)  # the sandbox's user passes through
        cls.scratch = os.path.join(cls.folder, "tmp")
        os.mkdir(cls.scratch)
        os.chmod(cls.scratch, 0o755)
        cls.finished = os.path.join(cls.folder, "finished")
        shutil.copytree(os.path.join(ROOT, "labs"), cls.finished,
                        ignore=shutil.ignore_patterns("02_*", "10_*"))  # two are not started
        for start, (lab, file) in enumerate(PLANTED.items()):
            cls.take_solution(cls.finished, lab)
            plant(os.path.join(cls.finished, lab, file), lab, start)
        for lab in ("07", "09"):
            done = cls.start(["grade", lab], cls.finished, cls.scratch)
            out, err = done.communicate(timeout=300)
            assert done.returncode == 0, (out, err)

    @staticmethod
    def take_solution(labs, lab):
        for file in os.listdir(os.path.join(ROOT, "solutions", lab)):
            shutil.copy(os.path.join(ROOT, "solutions", lab, file), os.path.join(labs, lab))

    @classmethod
    def start(cls, words, labs, state, **more):
        environment = {"PATH": os.environ["PATH"], "HOME": cls.folder, "VIALATA_PLACE": PLACE,
                       "VIALATA_STATE": state, "VIALATA_WORK": labs, "TMPDIR": cls.scratch,
                       "LANG": "C", "OPENBLAS_NUM_THREADS": "1", **more}
        return subprocess.Popen([PROGRAM, *words], env=environment, cwd=cls.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                stdin=subprocess.DEVNULL, encoding="utf-8")

    def setUp(self):
        """Labs and state of this test's own, as they were when all was graded."""
        self.labs = tempfile.mkdtemp(prefix="labs", dir=self.folder)
        self.state = os.path.join(self.labs, "state")
        os.chmod(self.labs, 0o755)
        shutil.copytree(self.finished, self.labs, dirs_exist_ok=True)
        self.mark = os.path.join(self.labs, "mark")
        os.makedirs(self.mark)
        self.marks = os.path.join(self.mark, "marks")

    def tearDown(self):
        self.assertEqual(self.left_over(), [])

    def left_over(self):
        return [name for name in os.listdir(self.scratch) if name.startswith("vialata")]

    def run_it(self, *words, status=0, **more):
        done = self.start(words, self.labs, self.state, MARKER=self.marks, **more)
        out, err = done.communicate(timeout=300)
        self.assertEqual(done.returncode, status, (words, out[-2000:], err[-2000:]))
        return out, err

    def train(self, *words, **more):
        """What is said, the run as the log has it, and its losses with all their digits."""
        log = os.path.join(self.labs, "run.jsonl")
        out, _ = self.run_it("train", *MODEL, "--log", log, *words, **more)
        with open(log, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        return out, lines[0]["run"], [line["loss"] for line in lines if "loss" in line]

    def marked(self):
        if not os.path.exists(self.marks):
            return set()
        with open(self.marks, encoding="utf-8") as file:
            return set(file.read().split())

    def row(self, out, lab):
        return next(line for line in out.splitlines() if re.match(rf"{lab} +\w+ ", line))

    def remembered(self, lab):
        return os.path.join(self.labs, ".vialata", "standing", f"{lab}.json")

    # ---- whose code runs ----

    def test_finished_labs_are_the_students_and_the_losses_the_same(self):
        _, plain_run, plain = self.train()
        self.assertNotIn("with", plain_run)
        self.assertEqual(self.marked(), set())
        out, run, losses = self.train("--with", "labs")
        self.assertEqual(self.marked(), set(PLANTED))
        self.assertEqual(losses, plain)
        self.assertEqual(len(run["with"]), 9)
        for lab, whose in run["with"].items():
            mine = lab in ("pipeline_parallel", "expert_balancing")
            self.assertEqual(whose, "student" if mine else "reference", lab)
        self.assertRegex(self.row(out, "07"), r"pipeline_parallel +yours$")
        self.assertRegex(self.row(out, "01"), r"the course's +still the skeleton$")
        self.assertRegex(self.row(out, "02"), r"the course's +not started yet$")

    def test_what_changed_since_it_was_graded_is_not_used(self):
        with open(os.path.join(self.labs, "09_expert_balancing", "bias.c"), "a") as file:
            file.write("\n#error this must never be compiled\n")
        out, run, _ = self.train("--with", "labs")
        self.assertIn("changed since it was graded", self.row(out, "09"))
        self.assertEqual(run["with"]["expert_balancing"], "reference")
        self.assertEqual(self.marked(), {"07_pipeline_parallel"})

    @long
    def test_a_changed_header_of_its_own_counts_too(self):
        with open(os.path.join(self.labs, "09_expert_balancing", "mine.h"), "w") as file:
            file.write("/* new */\n")
        out, _, _ = self.train("--with", "labs")
        self.assertIn("changed since it was graded", self.row(out, "09"))

    @long
    def test_a_verdict_without_a_fingerprint_counts_as_changed(self):
        with open(self.remembered("09_expert_balancing"), encoding="utf-8") as file:
            verdict = json.load(file)
        for case in verdict["cases"].values():
            del case["fingerprint"]
        with open(self.remembered("09_expert_balancing"), "w", encoding="utf-8") as file:
            json.dump(verdict, file)
        out, _, _ = self.train("--with", "labs")
        self.assertIn("changed since it was graded", self.row(out, "09"))

    def test_what_did_not_pass_or_was_not_graded_is_the_courses(self):
        with open(self.remembered("09_expert_balancing"), encoding="utf-8") as file:
            verdict = json.load(file)
        case = next(case for name, case in verdict["cases"].items() if name.startswith("balance_bias_update"))
        now = sum(case["points"] for case in verdict["cases"].values()) - case["points"]
        case.update(status="failed", points=0)
        with open(self.remembered("09_expert_balancing"), "w", encoding="utf-8") as file:
            json.dump(verdict, file)
        os.unlink(self.remembered("07_pipeline_parallel"))
        out, run, _ = self.train("--with", "labs")
        self.assertRegex(self.row(out, "07"), "the course's +not graded yet$")
        self.assertRegex(self.row(out, "09"), f"the course's +last grade: {now:g} out of 100$")
        self.assertEqual(set(run["with"].values()), {"reference"})
        self.assertEqual(self.marked(), set())

    @long
    def test_a_reset_lab_is_a_skeleton_again(self):
        self.run_it("reset", "09")
        out, _, _ = self.train("--with", "labs")
        self.assertRegex(self.row(out, "09"), "the course's +still the skeleton$")

    @long
    def test_grading_something_else_does_not_count(self):
        os.unlink(self.remembered("09_expert_balancing"))
        self.run_it("grade", "09", "--reference")
        self.run_it("grade", "09", "--submission", os.path.join(self.labs, "09_expert_balancing"))
        out, _, _ = self.train("--with", "labs")
        self.assertRegex(self.row(out, "09"), "the course's +not graded yet$")

    def other_place(self, lab_flags="", **changes):
        """The same build with a changed buildinfo.json."""
        place = os.path.join(self.labs, "place")
        os.mkdir(place)
        with open(os.path.join(PLACE, "buildinfo.json"), encoding="utf-8") as file:
            info = json.load(file)
        info["lab_flags"] += "\n" + lab_flags
        info["bin"] = os.path.join(PLACE, "bin")
        for key in ("runner_objects", "runner_names", "trainer_objects"):
            info[key] = "\n".join(os.path.join(PLACE, name) for name in info[key].split("\n"))
        info.update(changes)
        with open(os.path.join(place, "buildinfo.json"), "w", encoding="utf-8") as file:
            json.dump(info, file)
        return place

    def test_a_labs_own_reference_is_not_on_the_link_line(self):
        with open(os.path.join(PLACE, "buildinfo.json"), encoding="utf-8") as file:
            real = json.load(file)["compiler"]
        seen, compiler = os.path.join(self.labs, "seen"), os.path.join(self.labs, "compiler")
        with open(seen, "w", encoding="utf-8"):
            os.chmod(seen, 0o666)
        with open(compiler, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\necho "$@" >>"{seen}"\nexec "{real}" "$@"\n')
        os.chmod(compiler, 0o755)
        self.train("--with", "labs", VIALATA_PLACE=self.other_place(compiler=compiler))
        with open(seen, encoding="utf-8") as file:
            line = next(line for line in file if "--start-group" in line)
        others = {lab[:2] for lab in os.listdir(os.path.join(ROOT, "solutions"))} - {"07", "09"}
        self.assertEqual(sorted(re.findall(r"libvl_solution_(\d\d)", line)), sorted(others))
        self.assertIn("--wrap=vl_adamw_update", line)
        self.assertIn("--wrap=vl_all_reduce_start", line)

    # ---- what cannot be built ----

    @long
    def test_labs_that_do_not_link_are_said_and_nothing_is_replaced(self):
        for lab, file in PLANTED.items():
            with open(os.path.join(self.labs, lab, file), "a", encoding="utf-8") as source:
                source.write("int vl_mine(void);\nint vl_mine(void)\n{\n    return 1;\n}\n")
            self.run_it("grade", lab[:2])
        out, err = self.run_it("train", *MODEL, "--with", "labs", status=1)
        self.assertIn("vl_mine", err)
        self.assertIn("could not be linked together", err)
        self.assertNotIn("Training", out)

    @long
    def test_a_lab_that_no_longer_compiles_is_named(self):
        with open(os.path.join(self.labs, "09_expert_balancing", "bias.c"), "a") as source:
            source.write("#ifdef NEWER_COURSE\n#error no longer\n#endif\n")
        self.run_it("grade", "09")
        place = self.other_place(lab_flags="-DNEWER_COURSE")
        out, err = self.run_it("train", *MODEL, "--with", "labs", status=1, VIALATA_PLACE=place)
        self.assertIn("no longer", err)
        self.assertIn("Lab 09 (expert_balancing)", err)
        self.assertNotIn("Training", out)

    def test_wrong_words_are_refused(self):
        for words, part in [(["--with"], "--with"), (["--with", "mine"], "`labs`"),
                            (["--labs-from", "{}"], "--labs-from"), (["--page"], "--page")]:
            self.assertIn(part, self.run_it("train", *words, status=2)[1])
        for option in ("--log", "--save", "--trace", "--data"):
            path = os.path.join(self.labs, "one file")
            if option == "--data":
                shutil.copy(os.path.join(ROOT, "README.md"), path)
            _, err = self.run_it("train", *MODEL, "--page", path, option, path, status=2)
            self.assertIn("--page", err)
        _, err = self.run_it("train", *MODEL, "--page", "/nowhere/p.html", status=2)
        self.assertIn("/nowhere/p.html", err)

    # ---- ends ----

    def wait_for(self, run, pattern):
        for line in run.stdout:
            if re.search(pattern, line):
                return
        self.fail(f"never said {pattern}: {run.stderr.read()}")

    def begin(self, pattern):
        self.page = os.path.join(self.labs, "page.html")
        run = self.start(["train", *MODEL, "--with", "labs", "--steps", "100000", "--page",
                          self.page], self.labs, self.state)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.stderr.close)
        self.wait_for(run, pattern)
        return run

    def test_ctrl_c_ends_with_a_page_and_leaves_nothing(self):
        run = self.begin("loss ")
        self.assertEqual(self.left_over(), [])  # not even while it runs
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0)
        self.assertIn("asked to end early", self.read_page(self.page))

    def test_ctrl_c_while_it_is_put_together_leaves_nothing(self):
        run = self.begin("09 ")
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=60)
        self.assertNotEqual(run.returncode, 0)
        self.assertFalse(os.path.exists(self.page))

    @long
    def test_sudden_death_leaves_nothing_either(self):
        run = self.begin("loss ")
        run.kill()
        run.wait(timeout=60)
        time.sleep(0.2)
        self.assertEqual(self.left_over(), [])

    # ---- the page ----

    def read_page(self, path):
        with open(path, encoding="utf-8") as file:
            source = file.read()
        page = Page()
        page.feed(source)
        page.close()
        self.assertEqual(page.open, [])
        self.assertEqual(page.fetched, [])
        self.assertNotRegex(source, r"https?://|@import|url\(|<script")
        xml.etree.ElementTree.fromstring(source.replace("<!DOCTYPE html>", ""))
        return "".join(page.text)

    def test_the_page_tells_the_run(self):
        name = "a <b> & 'c'.html"
        _, run, losses = self.train("--with", "labs", "--ep", "2", "--dp", "2", "--meter",
                                    "--page", name)
        path = os.path.join(self.folder, name)
        text = self.read_page(path)
        for part in [run["version"], run["commit"], "Pipeline parallelism", "yours", "the course's",
                     "still the skeleton", "rank 7", "stage 1", "MaxVio", "tokens per second",
                     "sent between the ranks", f"{losses[0]:.4f}", f"{losses[-1]:.4f}",
                     "./vialata train --steps 3 --pp 2", r"'a <b> & '\''c'\''.html'"]:
            self.assertIn(part, text)
        with open(path, encoding="utf-8") as file:
            source = file.read()
        self.assertEqual(source.count("<svg"), 3)  # mesh, loss, load
        self.assertEqual(len(re.findall(r">rank \d+<", source)), 8)

    @long
    def test_the_page_draws_the_auxiliary_loss_and_what_it_disturbs(self):
        page = os.path.join(self.labs, "aux.html")
        self.train("--balance", "aux", "--aux-scope", "micro-batch", "--interference",
                   "--page", page)
        text = self.read_page(page)
        self.assertIn("Auxiliary loss", text)
        self.assertIn("Size of the interference", text)
        self.train("--balance", "bias", "--page", page)
        text = self.read_page(page)
        self.assertIn("MaxVio", text)
        self.assertNotIn("Auxiliary loss", text)
        self.assertNotIn("Size of the interference", text)

    def test_a_page_of_a_plain_run(self):
        page = os.path.join(self.labs, "page.html")
        self.train("--page", page)
        text = self.read_page(page)
        self.assertIn("All of it was the course's", text)

    def test_a_run_that_is_refused_writes_no_page(self):
        page = os.path.join(self.labs, "page.html")
        self.run_it("train", *MODEL, "--data", "/nowhere", "--page", page, status=2)
        self.assertFalse(os.path.exists(page))


if __name__ == "__main__":
    unittest.main()
