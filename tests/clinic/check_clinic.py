#!/usr/bin/env python3
"""`vialata clinic`: a case is told, run, diagnosed and repaired. Every broken program shows what its story says
and fails its test, and passes it when it is repaired; a few of the thirty, with --long all (share.py).

  check_clinic.py [N ...]    these cases
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import program
from share import share

ROOT = pathlib.Path(os.environ["VIALATA_ROOT"])
REPAIRED = pathlib.Path(program.PLACE) / "tests" / "clinic_repaired"
SAYS = {"standstill": "stands still", "numbers": "It prints “", "error": "with status 0", "left": "something undone"}
GIVEN = sorted((ROOT / "labs" / "clinic").glob("[0-9][0-9]_*.c"))
HERE = [p for p in GIVEN if p.name[:2].lstrip("0") in sys.argv[1:]] if sys.argv[1:] else \
    [ROOT / "labs" / "clinic" / name for name in share([p.name for p in GIVEN], few=15, long=1)]


class Clinic(program.Case):
    command = ["clinic"]

    def environment(self, **more):
        kept = {name: value for name, value in os.environ.items() if name.startswith(("OMPI_", "HWLOC_"))}
        return super().environment(**kept, **more)

    def own(self, name):
        return pathlib.Path(self.folder) / "my work" / "clinic" / name

    def answer(self, number):
        """The right words, as --give-up of another student shows them."""
        with_other = os.path.join(self.folder, "other state")
        out, _ = self.run_it(number, "--give-up", VIALATA_STATE=with_other)
        return out.splitlines()[0].split()

    def chart(self, number):
        path = os.path.join(self.folder, "report.json")
        self.run_it("--json", path)
        with open(path, encoding="utf-8") as file:
            return next(c for c in json.load(file)["cases"] if c["number"] == number)

    # ---- diagnoses ----

    def test_a_case_is_told_and_put_into_the_workspace(self):
        out, _ = self.run_it("1")
        self.assertIn("clinic 1 --run", out)
        self.assertTrue(self.own("01_blocks_around.c").exists() and self.own("clinic.h").exists())
        self.own("01_blocks_around.c").write_text("mine")
        self.run_it("1")
        self.assertEqual(self.own("01_blocks_around.c").read_text(), "mine")

    def test_the_right_diagnosis_earns_everything_at_once(self):
        out, _ = self.run_it("26", *self.answer("26"))
        self.assertIn("60 points of 60", out)
        self.assertIn("753", out)  # the explanation
        self.assertEqual(self.chart(26)["score"], 60)

    def test_what_is_nearly_right_earns_a_part_and_every_try_costs(self):
        _, _, _, line, _, _ = words = self.answer("26")
        self.assertEqual(words[:2] + words[4:], ["--rank", "3", "--cause", "wrong_share"])
        out, _ = self.run_it("26", "--rank", "2,3", "--line", str(int(line) + 1), "--cause", "wrong-count", status=1)
        self.assertIn("29 points of 60", " ".join(out.split()))
        out, _ = self.run_it("26", *words)
        self.assertIn("55 points of 60", " ".join(out.split()))
        self.run_it("26", "--rank", "0", "--line", "1", "--cause", "wrong_tag", status=1)
        self.assertEqual((self.chart(26)["points"], self.chart(26)["diagnoses"]), (55, 3))

    def test_a_line_is_found_where_the_student_has_it(self):
        words = self.answer("26")
        self.run_it("26")
        own = self.own("26_shards.c")
        own.write_text("/* a remark */\n\n\n\n\n" + own.read_text())
        words[3] = str(int(words[3]) + 5)
        out, _ = self.run_it("26", *words)
        self.assertIn("60 points of 60", out)

    def test_the_answer_is_shown_and_then_earns_nothing(self):
        out, _ = self.run_it("26", "--give-up")
        words = out.splitlines()[0].split()
        out, _ = self.run_it("26", *words)
        self.assertIn("no points", out)
        self.assertEqual(self.chart(26)["score"], 0)

    def test_hints_come_one_by_one(self):
        first, _ = self.run_it("26", "--hint")
        second, _ = self.run_it("26", "--hint")
        third, _ = self.run_it("26", "--hint")
        self.assertTrue(second.startswith(first) and len(second) > len(first))
        self.assertEqual(third, second)

    def test_the_report_comes_after_a_diagnosis_and_costs_points(self):
        self.assertIn("first diagnosis", self.refused("1", "--run", "--report"))
        out, _ = self.run_it("1", "--run")
        self.assertNotIn("MPI_Send", out)
        self.run_it("1", "--rank", "0", "--line", "1", "--cause", "wrong_tag", status=1)
        _, err = self.run_it("1", "--run", "--report")
        self.assertIn("MPI_Send (01_blocks_around.c:25)", " ".join(err.split()))
        out, _ = self.run_it("1", *self.answer("1"))
        self.assertIn("40 points of 60", " ".join(out.split()))

    def test_a_report_is_not_paid_for_if_there_is_none(self):
        self.run_it("26", "--rank", "0", "--line", "1", "--cause", "wrong_tag", status=1)
        self.own("26_shards.c").write_text("nonsense")
        self.run_it("26", "--report", status=1)
        self.assertFalse(self.chart(26)["report"])

    def test_the_test_does_not_tell_what_the_report_says(self):
        for case, words in (("1", "stands still"), ("22", "leaves something undone")):
            out, _ = self.run_it(case, "--check", status=1)
            self.assertIn(words, out)
            self.assertNotIn("MPI_", out.replace("in MPI.", ""))
        self.run_it("22", "--rank", "0", "--line", "1", "--cause", "wrong_tag", status=1)
        self.run_it("22", "--report")
        out, _ = self.run_it("22", "--check", status=1)
        self.assertIn("MPI_Comm_split", out)

    def test_a_line_counts_by_its_words_alone(self):
        """All in one line is not the line."""
        self.run_it("26")
        own = self.own("26_shards.c")
        text = re.sub(r"/\*.*?\*/", "", own.read_text(), flags=re.S).replace("#", "\n#").splitlines()
        own.write_text(" ".join(line for line in text if not line.startswith("#")))
        out, _ = self.run_it("26", "--rank", "3", "--line", "1", "--cause", "wrong_share", status=1)
        self.assertIn("40 points of 60", out)

    def test_what_the_report_cannot_see_is_said(self):
        self.run_it("26", "--rank", "0", "--line", "1", "--cause", "wrong_tag", status=1)
        out, err = self.run_it("26", "--report")
        self.assertIn("what they compute", " ".join(out.split()), err)

    # ---- repairs ----

    def repair(self, given):
        number = given.name[:2].lstrip("0")
        self.run_it(number)
        self.own(given.name).write_bytes(subprocess.run([REPAIRED, number], check=True,
                                                        stdout=subprocess.PIPE).stdout)
        return number

    def test_every_program_fails_as_its_story_says_until_it_is_repaired(self):
        for given in HERE:
            with self.subTest(given.name):
                number = given.name[:2].lstrip("0")
                symptom = subprocess.run([REPAIRED, number, "symptom"], check=True, text=True,
                                         stdout=subprocess.PIPE).stdout.strip()
                out, err = self.run_it(number, "--check", status=1)
                self.assertRegex(out, "On [0-9] ranks?:", err)
                self.assertIn(SAYS[symptom], out)
                out, _ = self.run_it(self.repair(given), "--check")
                self.assertIn("Repaired", out)
                self.assertEqual(self.chart(int(number))["score"], 40)

    def test_a_repair_may_leave_what_mpi_allows(self):
        given = GIVEN[16]
        self.repair(given)
        own = self.own(given.name)
        self.assertIn("    MPI_Type_free(&token);\n", own.read_text())
        own.write_text(own.read_text().replace("    MPI_Type_free(&token);\n", ""))
        self.assertIn("Repaired", self.run_it("17", "--check")[0])

    def test_a_line_of_ones_own_is_named(self):
        given = GIVEN[25]
        self.repair(given)
        own = self.own(given.name)
        own.write_text(own.read_text().replace("    free(counts);", "    clinic_say(\"%s\", \"a look\");\n    free(counts);"))
        out, _ = self.run_it("26", "--check", status=1)
        self.assertIn("It prints “rank 0: a look”, which should not be there.", " ".join(out.split()))

    def test_what_is_no_file_of_the_clinic_is_told(self):
        self.run_it("26")
        self.own("26_shards.c").write_text("x" * 100001)
        for form in ("--run", "--reset"):
            self.assertIn("Move it away", self.refused("26", form, status=3))
        self.own("26_shards.c").unlink()
        self.run_it("26", "--run")

    def test_reset_keeps_what_was_written(self):
        self.repair(GIVEN[-1])
        number, repaired = GIVEN[-1].name[:2], self.own(GIVEN[-1].name).read_text()
        out, _ = self.run_it(number, "--reset")
        self.assertEqual(self.own(GIVEN[-1].name).read_text(), GIVEN[-1].read_text())
        backup = next(self.own("").glob("backup-*"))
        self.assertEqual((backup / GIVEN[-1].name).read_text(), repaired)
        self.assertIn(backup.name, out)
        out, _ = self.run_it(number, "--reset")
        self.assertIn("not changed", out)

    def test_the_header_of_the_course_counts(self):
        self.run_it("26")
        self.own("clinic.h").write_text("#error mine\n")
        self.run_it("26", "--run")

    # ---- bad input ----

    def test_what_does_not_compile_is_shown(self):
        self.run_it("26")
        self.own("26_shards.c").write_text("int main(void) { return x; }\n")
        for form in ("--run", "--check"):
            _, err = self.run_it("26", form, status=1)
            self.assertIn("26_shards.c:1", err)

    def test_a_program_without_end_is_ended_and_so_is_one_that_prints_without_end(self):
        self.run_it("26")
        for text in ("for (;;) pause();", "for (;;) puts(\"more and more and more\");"):
            self.own("26_shards.c").write_text("#include \"clinic.h\"\n#include <unistd.h>\nint main(int argc, char "
                                               "**argv) { MPI_Init(&argc, &argv); " + text + " }\n")
            out, _ = self.run_it("26", "--check", status=1)
            self.assertIn("does not finish", out)

    def test_ctrl_c_ends_the_ranks(self):
        self.run_it("26")
        # Ranks that no standstill ends: whoever looks for them may be slow.
        self.own("26_shards.c").write_text("#include \"clinic.h\"\n#include <unistd.h>\nint main(int argc, char "
                                           "**argv) { MPI_Init(&argc, &argv); for (;;) pause(); }\n")
        temporary = os.path.join(self.folder, "temporary")
        os.mkdir(temporary)
        os.chmod(self.folder, 0o755)  # else the scratch folder would be elsewhere
        for runs in (False, True):  # while it is compiled, and while its ranks wait
            run = subprocess.Popen([program.PROGRAM, "clinic", "26", "--check"], cwd=self.folder,
                                   env=self.environment(TMPDIR=temporary), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
            # (In the background of a script Ctrl-C is ignored, and it stays so for programs that are started there.)
            time.sleep(0.1)
            until = time.monotonic() + 20
            while runs and not self.ranks_in(temporary) and time.monotonic() < until:
                time.sleep(0.02)
            os.killpg(run.pid, signal.SIGINT)
            run.communicate(timeout=30)
            self.assertEqual(run.returncode, -signal.SIGINT)
            self.assertEqual([n for n in os.listdir(temporary) if n.startswith("vialata")], [])
        left = [p for p in pathlib.Path("/proc").glob("[0-9]*/environ")
                if self.folder.encode() in self.bytes_of(p)]
        self.assertEqual(left, [])

    @staticmethod
    def ranks_in(folder):
        """Programs that run and were compiled there, other than the compiler itself."""
        found = []
        for link in pathlib.Path("/proc").glob("[0-9]*/exe"):
            try:
                found += [link] if os.readlink(link).startswith(folder + "/vialata") else []
            except OSError:
                pass
        return found

    @staticmethod
    def bytes_of(path):
        try:
            return path.read_bytes()
        except OSError:
            return b""

    def test_words_that_are_not_taken(self):
        self.assertIn("three parts", self.refused("1", "--rank", "1"))
        self.assertIn("from 0 to 3", self.refused("1", "--rank", "4", "--line", "3", "--cause", "wrong_tag"))
        for rank in ("", ",", "1,", "-1", "1 2", "99999999999999999999"):
            self.refused("1", "--rank", rank, "--line", "3", "--cause", "wrong_tag")
        self.assertIn("did you mean `wrong_tag`",
                      self.refused("1", "--rank", "1", "--line", "3", "--cause", "wrong_tg"))
        self.refused("1", "--rank", "1", "--line", "x", "--cause", "wrong_tag")
        self.assertIn("Which case", self.refused("--run"))
        self.assertIn("do not go together", self.refused("1", "--reset", "--check"))
        self.assertIn("do not go together", self.refused("1", "--json", "x.json"))
        self.refused("0")
        self.refused("31")

    def test_damaged_state_is_nothing(self):
        self.run_it("26", *self.answer("26"))
        state = pathlib.Path(self.folder) / "state" / "clinic.json"
        kept = state.read_text()
        for text in ("", "{", "[]", kept.replace("vialata.clinic/1", "other/9"), kept.replace('"cases"', '"c"')):
            state.write_text(text)
            self.assertEqual(self.chart(26)["score"], 0)
            self.run_it("26", "--hint")
            self.assertEqual(state.with_name("clinic.json.old").read_text(), text)
        state.write_text(re.sub('"points": [0-9]+', '"points": 99999', kept))
        self.assertEqual(self.chart(26)["points"], 60)

    def test_a_workspace_that_cannot_be_written_is_told(self):
        self.refused("1", status=3, VIALATA_WORK="/proc/nothing")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
