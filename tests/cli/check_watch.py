#!/usr/bin/env python3
"""`vialata watch`: what is saved is graded, on a terminal and elsewhere, and nothing is left behind."""

import os
import shutil
import signal
import subprocess
import sys
import termios
import time
import unittest

sys.dont_write_bytecode = True
import program
import terminal
from program import PROGRAM

ROOT = os.environ["VIALATA_ROOT"]
LAB, FUNCTION, OTHER = "01_training_step", "vl_rmsnorm_forward", "vl_rmsnorm_backward_input"


class Watch(program.Case):
    def setUp(self):
        super().setUp()
        self.lab = os.path.join(self.folder, "work", LAB)
        self.scratch = os.path.join(self.folder, "tmp")
        os.mkdir(self.scratch)
        os.chmod(self.folder, 0o755)  # else the sandbox's user could not pass, and another folder would be taken
        self.run_it("start", "01")
        shutil.copy(os.path.join(ROOT, "solutions", LAB, "fast_exp.h"), self.lab)
        with open(os.path.join(ROOT, "solutions", LAB, "forward.c"), encoding="utf-8") as file:
            self.right = file.read()
        self.terminals = []

    def tearDown(self):
        for one in self.terminals:
            one.close()
        self.assertEqual([name for name in os.listdir(self.scratch) if name.startswith("vialata")], [])

    def environment(self, **more):
        return super().environment(**{"VIALATA_WORK": os.path.join(self.folder, "work"),
                                      "TMPDIR": os.path.join(self.folder, "tmp"), **more})

    def sit(self, *words, **more):
        found = terminal.Terminal([PROGRAM, "watch", *words], self.environment(**more), self.folder)
        self.terminals.append(found)
        return found

    def save(self, text, name="forward.c", renamed=False):
        path = os.path.join(self.lab, name)
        for one in self.terminals:
            one.forget()
        with open(path + "~" if renamed else path, "w", encoding="utf-8") as file:
            file.write(text)
        if renamed:
            os.rename(path + "~", path)

    def broken(self, line, function=FUNCTION):
        at = self.right.index("{", self.right.index(function + "(")) + 1
        return self.right[:at] + "\n    " + line + self.right[at:]

    def only(self, *functions):
        """The skeleton with these functions written."""
        with open(os.path.join(ROOT, "labs", LAB, "forward.c"), encoding="utf-8") as file:
            text = file.read()
        for name in functions:
            body = self.right[self.right.index("{", self.right.index(name + "(")):]
            body = body[:body.index("\n}") + 2]
            at = text.index("{", text.index(name + "("))
            text = text[:at] + body + text[text.index("\n}", at) + 2:]
        return text

    def graders(self):
        done = subprocess.run(["pgrep", "-f", f"grade 1 --format json --out {self.scratch}"], capture_output=True,
                              text=True)
        return done.stdout.split()

    # ---- on a terminal ----

    def test_a_day_of_a_student(self):
        sits = self.sit()
        sits.wait(r"training_step is graded\. Keys: q ends")
        sits.wait(f"Next: {FUNCTION}")
        self.save(self.broken("int x = ;"))
        sits.wait("forward.c was saved at")
        sits.wait("The compiler says: .*forward.c:[0-9]+.*int x = ;", 30)
        self.save(self.broken("return VL_EINVAL;"), renamed=True)
        screen = sits.wait(r"rmsnorm_forward\.odd .*Next: " + FUNCTION)
        self.assertNotIn("The compiler says", screen)
        self.save(self.only(FUNCTION))
        sits.wait(rf"{FUNCTION} [0-9]+/[0-9]+ .* Lab 01: [0-9]+ out of 100 points\. Next: (?!{FUNCTION},)vl_")
        sits.forget()
        sits.press("\n")
        sits.wait(rf"{FUNCTION} [0-9]+/[0-9]+ .* Lab 01: [0-9]+ out")
        self.assertNotEqual(termios.tcgetattr(sits.descriptor)[3], sits.modes[3])
        sits.press("q")
        self.assertEqual(sits.end(), 0)
        self.assertEqual(termios.tcgetattr(sits.descriptor), sits.modes)

    def test_what_was_wrong_before_follows_what_was_edited(self):
        sits = self.sit("01")
        sits.wait("Next: ")
        self.save(self.broken("return VL_EINVAL;", "vl_swiglu_forward"))
        sits.wait("swiglu_forward.odd")
        whole = self.broken("return VL_EINVAL;", "vl_swiglu_forward")
        at = whole.index("{", whole.index(FUNCTION + "(")) + 1
        self.save(whole[:at] + "\n    (void)0;" + whole[at:])
        sits.wait(rf"{FUNCTION} [0-9]+/[0-9]+ .*swiglu_forward\.odd")

    def test_a_header_of_ones_own_counts(self):
        self.save(self.only(FUNCTION).replace("#include", '#include "mine.h"\n#include', 1))
        self.save("#error not yet\n", "mine.h")
        sits = self.sit()
        sits.wait("not yet")
        self.save("/* better */\n", "mine.h")
        sits.wait(rf"saved at .*{FUNCTION} [0-9]+/[0-9]+ .* Lab 01: [0-9]+ out")

    def test_a_grading_that_is_given_up_is_no_failure(self):
        sits = self.sit()
        sits.wait("Next: ")
        sits.press("a")
        sits.wait("Grading the whole lab")
        sits.forget()
        sits.press("\n\n")
        sits.wait("Lab 01: 0 out of 100")
        time.sleep(0.5)
        sits.take()
        self.assertNotIn("without a verdict", sits.text)
        self.assertEqual(self.graders(), [])

    def test_a_save_ends_the_grading_of_what_was_there_before(self):
        sits = self.sit()
        sits.wait("Next: ")
        self.save(self.broken("for (;;)\n        ;"))
        sits.wait("Grading vl_")
        time.sleep(1)
        self.assertEqual(len(self.graders()), 1)
        self.save(self.only(FUNCTION))
        sits.wait(rf"{FUNCTION} [0-9]+/[0-9]+ .* Lab 01: [0-9]+ out")
        self.assertEqual(self.graders(), [])

    def test_ctrl_z_and_a_terminal_that_vanishes(self):
        sits = self.sit()
        sits.wait("Next: ")
        os.kill(sits.pid, signal.SIGTSTP)
        os.waitpid(sits.pid, os.WUNTRACED)
        self.assertEqual(termios.tcgetattr(sits.descriptor)[3], sits.modes[3])
        os.kill(sits.pid, signal.SIGCONT)
        time.sleep(0.5)
        self.assertNotEqual(termios.tcgetattr(sits.descriptor)[3], sits.modes[3])
        self.terminals.remove(sits)
        os.close(sits.descriptor)
        until = time.monotonic() + 20
        while os.waitpid(sits.pid, os.WNOHANG)[0] == 0:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
        self.assertEqual(self.graders(), [])

    def test_ctrl_c_leaves_the_terminal_as_it_was(self):
        sits = self.sit()
        sits.wait("Next: ")
        self.save(self.broken("for (;;)\n        ;"))
        sits.wait("Grading vl_")
        sits.press("\x03")
        self.assertEqual(sits.end(), -signal.SIGINT)
        self.assertEqual(termios.tcgetattr(sits.descriptor), sits.modes)
        self.assertEqual(self.graders(), [])

    def test_a_simple_terminal_gets_plain_lines(self):
        sits = self.sit(TERM="dumb")
        sits.wait("Ctrl-C ends.* Next: ")
        self.save(self.only(FUNCTION))
        sits.wait(rf"saved at .*{FUNCTION} [0-9]+/[0-9]+ .* Lab 01: [0-9]+ out")
        self.assertNotIn("\x1b", sits.text)
        self.assertEqual(termios.tcgetattr(sits.descriptor), sits.modes)
        sits.press("\x03")
        self.assertEqual(sits.end(), -signal.SIGINT)

    # ---- elsewhere ----

    def test_without_a_terminal_the_lines_follow_one_another(self):
        run = subprocess.Popen([PROGRAM, "watch", "--poll"], cwd=self.folder, env=self.environment(),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        said = ""
        while "Next: " not in said:
            said += run.stdout.readline()
        self.save(self.only(FUNCTION))
        while "out of 100 points" not in said:
            said += run.stdout.readline()
        self.assertIn(FUNCTION, said)
        self.assertNotIn("\x1b", said)
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(20), -signal.SIGTERM)
        run.communicate()
        self.assertEqual(self.graders(), [])

    def test_a_lab_that_goes_away_ends_it(self):
        sits = self.sit()
        sits.wait("Next: ")
        shutil.rmtree(self.lab)
        sits.wait("not started")
        self.assertEqual(sits.end(), 2)

    def test_what_is_not_started_is_refused(self):
        self.assertIn("vialata start 02", self.refused("watch", "02"))


if __name__ == "__main__":
    unittest.main()
