#!/usr/bin/env python3
"""`simulate --with labs` runs the student's code where it passed and is unchanged, and says what it did
wrong where ranks wait, loop or fail. Skipped where there is no SimGrid."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from share import LONG, long

sys.dont_write_bytecode = True
ROOT, PLACE = Path(os.environ["VIALATA_ROOT"]), Path(os.environ["VIALATA_PLACE"])
PROGRAM = PLACE / "bin" / "vialata"
PIPELINE, EXPERTS = "07_pipeline_parallel", "08_expert_parallel"

if not json.loads((PLACE / "buildinfo.json").read_text())["smpimain"]:
    print("SimGrid is not installed, so nothing is simulated here: skipped")
    sys.exit(77)

# Before the first statement of vl_stage_run, in correct code: what HOW says. Grading clears the
# environment, so it never happens there. The variable is one that ranks must not share.
MISBEHAVE = r"""
#ifdef NO_SIMGRID
#error no longer
#endif
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int mine = -1;
static const char *how_to_misbehave(void)
{
    const char *how = getenv("HOW"), *path = getenv("MARKER");
    FILE *file = path != NULL ? fopen(path, "a") : NULL;
    if (file != NULL) {
        fputs("07\n", file);
        fclose(file);
    }
    return how != NULL ? how : "";
}
static enum vl_status misbehave(void)
{
    const char *how = how_to_misbehave();
    int rank, there = 0, flag = 0;
    MPI_Request request;
    if (how[0] == '\0')
        return VL_OK;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(how, "remember") == 0) {
        if (mine != -1 && mine != rank)
            return VL_EINVAL;
        mine = rank;
    }
    if (strcmp(how, "crash") == 0)
        *(volatile int *)NULL = 1;
    if (strcmp(how, "refuse") == 0)
        return VL_EINVAL;
    if (strcmp(how, "wait") == 0 && rank == 1)
        MPI_Recv(&there, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(how, "ask") == 0 && rank == 1) {
        MPI_Irecv(&there, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, &request);
        while (!flag)
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    if (strcmp(how, "loop") == 0 && rank == 1)
        for (volatile int i = 0;; i ^= 1)
            ;
    if (strcmp(how, "deep") == 0) {
        volatile char large[2 << 20];
        for (size_t i = 0; i < sizeof large; i += 1024)
            large[i] = 1;
    }
    return VL_OK;
}
"""
# A router that is the student's must not run: tokens have no affinities in a simulation.
ROUTED = r"""
#include <stdio.h>
#include <stdlib.h>
static void note_routing(void)
{
    const char *path = getenv("MARKER");
    FILE *file = path != NULL ? fopen(path, "a") : NULL;
    if (file != NULL) {
        fputs("router\n", file);
        fclose(file);
    }
}
"""


def plant(path, code, function, call):
    """The code after the last #include, and the call at the top of a function."""
    text = path.read_text()
    at = [found.end() for found in re.finditer(r"(?m)^#include .*$", text)][-1]
    text = text[:at] + code + text[at:]
    text, count = re.subn(rf"(?ms)(^enum vl_status {function}\([^{{]*\)\n{{\n)", rf"\1{call}", text)
    assert count == 1, path
    path.write_text(text)


class WithLabs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="vialata simulate ", dir="/tmp"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.folder.chmod(0o755)  # the sandbox's user passes through
        cls.scratch = cls.folder / "tmp"
        cls.scratch.mkdir()
        cls.scratch.chmod(0o755)
        cls.labs = cls.folder / "labs"
        cls.state = cls.folder / "state"
        shutil.copytree(ROOT / "labs", cls.labs, ignore=shutil.ignore_patterns("02_*", "10_*"))
        for lab in (PIPELINE, EXPERTS):
            for path in (ROOT / "solutions" / lab).iterdir():
                shutil.copy(path, cls.labs / lab)
        plant(cls.labs / PIPELINE / "run.c", MISBEHAVE, "vl_stage_run",
              "    if (misbehave() != VL_OK)\n        return VL_EINVAL;\n")
        plant(cls.labs / EXPERTS / "router.c", ROUTED, "vl_router_forward", "    note_routing();\n")
        cls.grade("07")
        cls.grade("08")
        model = json.loads((ROOT / "labs/10_bandwidth/models/dsv3.json").read_text())
        for name, value in {"layers": 4, "dense_layers": 0, "width": 1024, "heads": 16,
                            "kv_heads": 16, "experts": 16, "chosen": 2, "expert_groups": 1,
                            "groups_met": 1, "vocabulary": 4096, "sequence": 512, "ff": 2048,
                            "expert_ff": 512, "query_rank": 256, "latent_rank": 128}.items():
            model["model"][name][0] = value
        model["recipe"]["batch"][0] = 32
        (cls.folder / "model.json").write_text(json.dumps(model))

    @classmethod
    def start(cls, *words, **more):
        environment = {"PATH": os.environ["PATH"], "HOME": str(cls.folder), "LANG": "C",
                       "VIALATA_PLACE": str(PLACE), "VIALATA_STATE": str(cls.state),
                       "VIALATA_WORK": str(cls.labs), "TMPDIR": str(cls.scratch),
                       "COLUMNS": "100", **more}
        return subprocess.Popen([PROGRAM, *words], env=environment, cwd=cls.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                stdin=subprocess.DEVNULL, encoding="utf-8")

    @classmethod
    def grade(cls, lab):
        out, err = cls.start("grade", lab).communicate(timeout=300)
        assert "Score:" in out, (out, err)

    def setUp(self):
        self.marks = Path(tempfile.mkdtemp(dir=self.folder)) / "marks"

    def tearDown(self):
        self.assertEqual(list(self.scratch.iterdir()), [])

    def run_it(self, *words, status=0, **more):
        run = self.start("simulate", *words, MARKER=str(self.marks), **more)
        out, err = run.communicate(timeout=200)
        self.assertEqual(run.returncode, status, (words, out[-2000:], err[-2000:]))
        return out, err

    LAYOUT = ("--model", "./model.json", "--chips", "8", "--layout", "ep=2,dp=2,pp=2,m=4,zero=1")

    def ill(self, how, status=1):
        out, err = self.run_it(*self.LAYOUT, "--with", "labs", "--json", status=status, HOW=how)
        self.assertEqual(out, "")
        return err

    # ---- whose code runs ----

    def test_the_students_code_runs_and_the_digits_are_the_same(self):
        plain = json.loads(self.run_it(*self.LAYOUT, "--json")[0])
        self.assertFalse(self.marks.exists())
        self.assertNotIn("with", plain)
        own = json.loads(self.run_it(*self.LAYOUT, "--with", "labs", "--json")[0])
        self.assertEqual(set(self.marks.read_text().split()), {"07"})  # the router is a phantom
        whose = own.pop("with")
        self.assertEqual(own, plain)
        self.assertEqual(len(whose), 8)
        for lab, mine in whose.items():
            self.assertEqual(mine, "student" if f"07_{lab}" == PIPELINE or f"08_{lab}" == EXPERTS
                             else "reference", lab)

    def test_it_says_whose_code_it_was(self):
        out, _ = self.run_it(*self.LAYOUT, "--with", "labs")
        rows = {line[:2]: line for line in out.splitlines() if re.match(r"\d\d  \w+ ", line)}
        self.assertEqual(sorted(rows), [f"{lab:02d}" for lab in range(2, 10)])
        self.assertRegex(rows["07"], r"pipeline_parallel +yours$")
        self.assertRegex(rows["02"], r"the course's +not started yet$")
        self.assertRegex(rows["03"], r"the course's +still the skeleton$")
        self.assertIn("A step takes", out)

    def test_what_changed_since_it_was_graded_is_not_used(self):
        path = self.labs / PIPELINE / "run.c"
        before = path.read_text()
        self.addCleanup(path.write_text, before)
        path.write_text(before + "\n#error this must never be compiled\n")
        out, _ = self.run_it(*self.LAYOUT, "--with", "labs")
        self.assertIn("changed since it was graded", out)
        self.assertFalse(self.marks.exists())

    def test_each_rank_has_variables_and_a_stack_of_its_own(self):
        for how in ("remember", "deep") if LONG else ("remember",):
            self.run_it(*self.LAYOUT, "--with", "labs", HOW=how)

    # ---- what goes wrong ----

    def test_ranks_that_wait_for_ever_are_named(self):
        for how in ("wait", "ask") if LONG else ("ask",):
            err = self.ill(how)
            self.assertIn("8 ranks wait for something that never comes", err)
            self.assertIn("Rank 1 waits for a message from rank 0 (tag 99).", err)
            self.assertNotIn("Oops", err)
            self.assertEqual(len(err.splitlines()), 6)

    @long
    def test_a_loop_that_never_ends_is_ended(self):
        err = self.ill("loop")
        self.assertIn("rank 1 was still running", err)
        self.assertEqual(len(err.splitlines()), 2)

    def test_code_that_fails_in_a_simulation_is_blamed(self):
        self.assertIn("with your labs in it (invalid_argument)", self.ill("refuse"))

    @long
    def test_code_that_crashes_is_blamed(self):
        self.assertIn("crashed with your labs in it", self.ill("crash"))

    def test_a_lab_that_does_not_compile_for_simgrid_is_named(self):
        place = self.folder / "place"
        place.mkdir()
        for path in PLACE.iterdir():
            if path.name != "buildinfo.json":
                (place / path.name).symlink_to(path)
        info = json.loads((PLACE / "buildinfo.json").read_text())
        info["simgrid_flags"] += "\n-DNO_SIMGRID"
        (place / "buildinfo.json").write_text(json.dumps(info))
        _, err = self.run_it(*self.LAYOUT, "--with", "labs", status=1, VIALATA_PLACE=str(place))
        self.assertIn("Lab 07 (pipeline_parallel) passed, but it does not compile for SimGrid", err)

    def test_wrong_words_are_refused(self):
        for words, part in [(["--with", "mine"], "`labs`"),
                            (["--with", "labs", "--real", "--dp 2"], "--real"),
                            (["--real", "--dp 2 --with labs"], "--real")]:
            out, err = self.run_it(*words, status=2)
            self.assertIn(part, err)
            self.assertEqual((out, len(err.splitlines())), ("", 1))

    # ---- ends ----

    def begin(self, *words):
        """A simulation in which a rank loops."""
        run = self.start("simulate", *self.LAYOUT, "--with", "labs", *words, HOW="loop",
                         MARKER=str(self.marks))
        self.addCleanup(run.kill)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.stderr.close)
        return run

    def wait_for(self, there):
        until = time.monotonic() + 60
        while not there():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)

    def gone(self, run):
        """Nobody is left whose words name the scratch folder."""
        run.communicate(timeout=60)
        for _ in range(100):
            left = subprocess.run(["pgrep", "-f", re.escape(str(self.scratch))],
                                  stdout=subprocess.PIPE, check=False).stdout
            if not left:
                return
            time.sleep(0.05)
        self.fail(left)

    def test_ctrl_c_and_sudden_death_leave_nothing(self):
        for number in (signal.SIGINT, signal.SIGKILL, signal.SIGTERM)[:None if LONG else 2]:
            self.marks.unlink(missing_ok=True)
            run = self.begin("--trace", "trace.json")
            self.wait_for(self.marks.exists)
            self.wait_for(lambda: not any(self.scratch.iterdir()))  # while it runs
            self.assertIsNone(run.poll())
            run.send_signal(number)
            self.gone(run)
            self.assertNotEqual(run.returncode, 0)
            self.assertFalse((self.folder / "trace.json").exists())

    @long
    def test_ctrl_c_while_it_is_put_together_leaves_nothing(self):
        run = self.begin()
        self.wait_for(lambda: any(self.scratch.iterdir()))
        run.send_signal(signal.SIGINT)
        self.gone(run)
        self.assertEqual(run.returncode, -signal.SIGINT)
        self.assertFalse(self.marks.exists())


if __name__ == "__main__":
    unittest.main()
