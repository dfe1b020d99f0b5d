#!/usr/bin/env python3
"""What students are given: no solution in it, and it grades, explains and trains where the course is not."""
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

from share import LONG, long

ROOT = pathlib.Path(os.environ["VIALATA_ROOT"])
PLACE = pathlib.Path(os.environ["VIALATA_PLACE"])
PROGRAM = PLACE / "bin" / "vialata"
LAB, SECOND = "01_training_step", "02_collectives"
MISTAKE = "vl_rmsnorm_forward/missing_epsilon"
LANGUAGES = ("fr", "pt_BR", "es", "sk")
TRANSLATED = (PLACE / "share" / "locale" / "sk").exists()
TELLING = 30  # characters from which a line tells something


def hides():
    """Can the course be hidden from what we start?"""
    return shutil.which("bwrap") is not None and subprocess.run(
        ["bwrap", "--dev-bind", "/", "/", "true"], capture_output=True).returncode == 0


HIDES = hides()
SIMGRID = json.loads((PLACE / "buildinfo.json").read_text())["smpimain"]


def lines_of(path):
    return {line.strip() for line in path.read_text(encoding="utf-8", errors="replace").splitlines()}


def telling_lines():
    """Lines of solutions and of mistakes that students cannot know from elsewhere in the course."""
    known = "\n".join(path.read_text(encoding="utf-8") for folder in ("labs", "include", "docs", "src")
                      for path in (ROOT / folder).rglob("*") if path.suffix in (".c", ".h", ".md"))
    told = set()
    for path in [*(ROOT / "solutions").rglob("*.[ch]"), *(ROOT / "src/grade/labs").rglob("*.mistake")]:
        told |= {line for line in lines_of(path) if not line.startswith("sentence:")}
    return {line.encode() for line in told if len(line) >= TELLING and line not in known}


def mistaken(folder):
    """The reference of the lab with one mistake in it, as a student might write it."""
    text = (ROOT / "src/grade/labs" / LAB / "mistakes" / f"{MISTAKE}.mistake").read_text()
    old, new = re.search(r"^--- .*?\n(.*?)^\+\+\+\n(.*)\Z", text, re.S | re.M).groups()
    shutil.copytree(ROOT / "solutions" / LAB, folder)
    changed = 0
    for path in folder.glob("*.c"):
        source = path.read_text()
        changed += source.count(old)
        path.write_text(source.replace(old, new))
    assert changed == 1, changed


def results_of_a_class(folder):
    """Four students, one of them with a right function, and another lab that nobody handed in."""
    (folder / "results/points").mkdir(parents=True)
    (folder / "results/class.json").write_text("{}")
    cases = [[{"id": "rmsnorm_forward.odd", "points": 0, "max_points": 1, "code": "wrong_values"}]] * 3 + [[]]
    (folder / "results/points" / f"{LAB}.json").write_text(json.dumps({
        "schema": "vialata.points/1", "lab": LAB, "students": [
            {"student": f"student-{i}", "score": 1, "max_score": 100, "cases": own} for i, own in enumerate(cases)]}))
    return folder / "results"


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vialata check "))
        self.addCleanup(shutil.rmtree, self.folder)

    def make(self, *words, status=0, **how):
        done = subprocess.run([PROGRAM, "handout", "--lang", "en", *map(str, words)], text=True,
                              capture_output=True, cwd=self.folder, **how)
        self.assertEqual(done.returncode, status, (words, done.stdout, done.stderr))
        return done.stdout + done.stderr

    def refused(self, *words, says):
        self.assertIn(says, self.make(*words, status=2))


class Handout(Case):
    """One handout for all of these."""

    @classmethod
    def setUpClass(cls):
        cls.above = pathlib.Path(tempfile.mkdtemp(prefix="vialata handout "))
        cls.addClassCleanup(shutil.rmtree, cls.above)
        made = subprocess.run([PROGRAM, "handout", "--labs", "01-02", "--out", cls.above / "first", "--hard",
                               results_of_a_class(cls.above)], text=True, capture_output=True)
        assert made.returncode == 0, made.stdout + made.stderr
        cls.kit = cls.above / "a kit"
        (cls.above / "first").rename(cls.kit)  # it may be moved

    def run_it(self, *words, status=0, entrance="bin/vialata", without=None, **environment):
        """As a student would: another home, and a machine without the course, and without one more file."""
        hidden = ["bwrap", "--dev-bind", "/", "/", "--tmpfs", ROOT, "--tmpfs", PLACE] if HIDES else []
        hidden += ["--ro-bind", "/dev/null", without] if without else []
        done = subprocess.run(
            [*hidden, self.kit / entrance, *words], text=True, stdin=subprocess.DEVNULL,
            capture_output=True, cwd=self.folder,
            env={"PATH": os.environ["PATH"], "HOME": str(self.folder), "COLUMNS": "80",
                 "VIALATA_STATE": str(self.folder / "state"), **environment})
        self.assertEqual(done.returncode, status, (words, done.stdout[-3000:], done.stderr[-3000:]))
        return done.stdout + done.stderr

    def verdict(self, *words, status):
        text = self.run_it("grade", *words, "--no-speed", "--trust", "--format", "json",
                           status=status)
        return json.loads(text[text.index("{"):])

    # ---- what is in it ----

    def test_it_holds_no_line_of_a_solution(self):
        lines = telling_lines()
        self.assertGreater(len(lines), 500)
        looked_for = self.folder / "lines"
        looked_for.write_bytes(b"\n".join(lines))
        found = subprocess.run(["grep", "-raoFf", looked_for, self.kit], env={**os.environ, "LC_ALL": "C"},
                               capture_output=True)
        self.assertEqual((found.returncode, found.stdout, found.stderr), (1, b"", b""))

    def test_it_has_no_source_but_the_labs_handed_out(self):
        sources = {str(path.relative_to(self.kit)) for path in self.kit.rglob("*.[ch]")}
        given = {f"share/vialata/labs/{path.relative_to(ROOT / 'labs')}"
                 for lab in (LAB, SECOND, "clinic") for path in (ROOT / "labs" / lab).glob("*.[ch]")}
        given |= {str(path.relative_to(ROOT)) for path in (ROOT / "include").rglob("*.h")}
        self.assertEqual(sources, given)
        self.assertEqual(list(self.kit.rglob("*.mistake")), [])

    def test_objects_are_stripped(self):
        stripped = [*self.kit.rglob("libvl_solution_*.a"), *self.kit.rglob("*.c.o"),
                    *(self.kit / "bin").iterdir(), *(self.kit / "share").rglob("*.o")]
        self.assertGreater(len(stripped), 50)
        for path in stripped:
            sections = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True,
                                      env={**os.environ, "LC_ALL": "C"}).stdout
            self.assertIn(".text", sections, path)
            self.assertNotIn(".debug_", sections, path)
            self.assertNotIn(str(ROOT).encode(), path.read_bytes(), path)

    def test_nothing_tells_where_it_was_built(self):
        place = [str(path).encode() for path in (ROOT, PLACE) if len(path.parts) > 2]
        for path in self.kit.rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                self.assertEqual([text for text in place if text in content], [], path)

    def test_it_says_where_it_works(self):
        lines = dict(line.split("=", 1) for line in
                     (self.kit / "libexec/vialata/made-for").read_text().splitlines())
        self.assertEqual(lines["machine"], os.uname().machine)
        self.assertIn(lines["system"], (self.kit / "README.md").read_text())

    def test_it_has_what_the_class_before_found_hard(self):
        told = list((self.kit / "share/vialata/hard").iterdir())
        self.assertEqual([path.name for path in told], [f"{LAB}.json"])
        self.assertEqual(json.loads(told[0].read_text()),
                         {"schema": "vialata.hard/1", "lab": LAB, "students": 4,
                          "functions": [{"name": "vl_rmsnorm_forward", "students": 3}]})

    # ---- what it does ----

    def test_it_lists_its_labs_in_two_languages(self):
        for language in ("en", "fr"):
            listed = self.run_it("list", "--lang", language)
            self.assertEqual(re.findall(r"^\d\d", listed, re.M), ["01", "02"])
            self.assertEqual("Collectives" in listed, language == "en" or not TRANSLATED, listed)

    def test_other_labs_are_refused(self):
        for words in (("grade", "05"), ("start", "05"), ("explain", "tensor_parallel")):
            self.assertIn("was not handed out yet", self.run_it(*words, status=2))
        self.assertIn("is a handout itself", self.run_it("handout", "--labs", "01", "--out", "x",
                                                         status=2))

    def test_a_lab_is_started_and_graded(self):
        self.run_it("start", "01")
        own = self.folder / "vialata-work" / LAB
        skeleton = self.verdict("01", status=1)
        self.assertEqual(skeleton["status"], "not_started")
        (own / "worked.c").unlink()  # a given file that nobody hands in
        for path in (ROOT / "solutions" / LAB).iterdir():
            shutil.copy(path, own)
        whole = self.verdict("01", status=0)
        self.assertEqual((whole["status"], whole["score"]), ("passed", whole["max_score"]))

    def test_the_next_lab_is_started_and_no_other(self):
        for lab in (LAB, SECOND):
            self.assertIn(lab, self.run_it("start"))
        self.assertIn("All labs are started", self.run_it("start"))

    def test_a_mistake_is_still_recognised(self):
        mistaken(self.folder / "mine")
        for student in ([], ["--student", "ada"]) if LONG else (["--student", "ada"],):
            verdict = self.verdict("01", "--submission", str(self.folder / "mine"), "--only",
                                   "vl_rmsnorm_forward", *student, status=1)
            codes = {case["code"] for case in verdict["cases"] if case["status"] == "failed"}
            self.assertEqual(codes, {"missing_epsilon"})

    def test_the_reference_is_graded_from_its_objects(self):
        verdict = self.verdict("01", "--reference", "--only", "vl_training_step", status=0)
        self.assertEqual(verdict["status"], "passed")
        self.assertIn("only as compiled files",
                      self.run_it("grade", "01", "--mistake", MISTAKE, status=2))

    def test_the_engine_trains(self):
        said = self.run_it("train", "--steps", "2", "--width", "16", "--heads", "2", "--layers", "1",
                           "--sequence", "16", "--dp", "2", OMPI_ALLOW_RUN_AS_ROOT="1",
                           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        self.assertIn("2", said)
        self.assertIn("stages", self.run_it("plan", "--model", "dsv3", "--machine", "h800-ib"))

    def test_the_clinic_is_open_and_programs_are_watched(self):
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        self.assertIn("all weights", self.run_it("clinic", "26", "--run", "--lang", "en", **root))
        self.assertIn("--rank", self.run_it("clinic", "26", "--give-up", **root))
        self.assertIn("what they compute", " ".join(self.run_it("clinic", "26", "--run", "--report", "--lang", "en",
                                                               **root).split()))

    @long
    @unittest.skipUnless(SIMGRID, "SimGrid is not installed")
    def test_it_simulates_and_with_own_labs_too(self):
        self.assertIn("A step takes", self.run_it("simulate", "--chips", "8"))
        self.run_it("simulate", "--real", "--dp 2 --batch 2 --steps 1")
        shutil.copytree(ROOT / "labs" / SECOND, self.folder / "vialata-work" / SECOND)
        for path in (ROOT / "solutions" / SECOND).iterdir():
            shutil.copy(path, self.folder / "vialata-work" / SECOND)
        self.run_it("grade", "02", "--trust")
        said = self.run_it("simulate", "--chips", "8", "--with", "labs")
        self.assertRegex(said, r"(?m)^02 .*yours$")
        self.assertIn("A step takes", said)

    @unittest.skipUnless(SIMGRID and HIDES, "SimGrid cannot be hidden")
    def test_without_simgrid_it_says_how_to_get_it(self):
        said = self.run_it("simulate", status=3, without=SIMGRID)
        self.assertIn("apt-get install libsimgrid-dev", said)
        self.assertEqual(len(said.splitlines()), 1)

    # ---- the entrance ----

    def test_the_entrance_starts_it(self):
        self.assertIn("01  training_step", self.run_it("list", "--lang", "en", entrance="vialata"))
        self.assertNotIn("CMake", self.run_it("doctor", "--lang", "en", entrance="vialata"))

    def test_the_entrance_refuses_another_machine(self):
        made_for = self.kit / "libexec/vialata/made-for"
        right = made_for.read_text()
        self.addCleanup(made_for.write_text, right)
        for key, wrong in (("system", "plan9 4"), ("machine", "pdp11"), ("processor", "telepathy")):
            made_for.write_text(re.sub(f"^{key}=.*", f"{key}={wrong}", right, flags=re.M))
            said = self.run_it("list", "--lang", "sk", entrance="vialata", status=3)
            self.assertIn("Tento priečinok bol pripravený pre iný počítač", said)
            self.assertIn(wrong, said)


class Making(Case):
    def test_an_archive_for_one_language_that_asks_for_a_name(self):
        self.make("--labs", "03", "--out", "kit.zip", "--language", "fr", "--named")  # it has the fewest mistakes
        with zipfile.ZipFile(self.folder / "kit.zip") as archive:
            names = archive.namelist()
            for info in archive.infolist():
                path = archive.extract(info, self.folder)
                os.chmod(path, info.external_attr >> 16)
        self.assertTrue(all(name.startswith("kit/") for name in names))
        for other in ("es", "pt_BR", "sk"):
            parts = (f"/{other}/", f"/{other}.")
            self.assertEqual([name for name in names if any(part in name for part in parts)], [])
        if TRANSLATED:
            self.assertIn("kit/share/vialata/locale/fr/LC_MESSAGES/vialata.mo", names)
            self.assertIn("deux commandes", (self.folder / "kit/README.md").read_text())
        start = [self.folder / "kit" / "vialata", "start", "--lang", "en"]
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        run = subprocess.run(start, text=True, capture_output=True, env=environment)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("vialata start 03 --student NAME", run.stderr)
        run = subprocess.run([*start, "--student", "ada"], text=True, capture_output=True,
                             env=environment)
        self.assertEqual(run.returncode, 0, run.stderr)
        run = subprocess.run(start, text=True, capture_output=True, env=environment)
        self.assertEqual(run.returncode, 0, "the name is known by now: " + run.stderr)

    @long
    def test_one_made_without_simgrid_says_so(self):
        info = json.loads((PLACE / "buildinfo.json").read_text())
        info.update({name: "" for name in info if name.startswith(("simgrid", "simulator"))},
                    smpimain="", phantoms="")
        self.make("--labs", "10", "--out", "kit", env={**os.environ, "VIALATA_PLACE": self.place(info)})
        self.assertEqual(list((self.folder / "kit").rglob("*simulator*")), [])
        run = subprocess.run([self.folder / "kit" / "vialata", "--no-install", "simulate", "--lang",
                              "en"], text=True, capture_output=True,
                             env={"PATH": os.environ["PATH"], "HOME": str(self.folder)})
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertIn("This handout was made without SimGrid", run.stderr)

    def place(self, info):
        """The same build with another buildinfo.json."""
        place = self.folder / "place"
        place.mkdir()
        for path in PLACE.iterdir():
            (place / path.name).symlink_to(path)
        (place / "buildinfo.json").unlink()
        (place / "buildinfo.json").write_text(json.dumps(info))
        return str(place)

    @long
    def test_backups_of_the_lab_stay_at_home(self):
        """A course of links: its own lab folder alone has what an editor has left there."""
        labs = self.folder / "labs"
        labs.mkdir()
        for path in (ROOT / "labs").iterdir():
            (labs / path.name).symlink_to(path)
        (labs / "10_bandwidth").unlink()
        shutil.copytree(ROOT / "labs" / "10_bandwidth", labs / "10_bandwidth")
        before = sorted(os.listdir(labs / "10_bandwidth"))
        for name in ("memory.c~", "memory.c.orig", "memory.c.rej", "memory.c.bak", ".#memory.c",
                     ".memory.c.swp"):
            (labs / "10_bandwidth" / name).write_text("the solution")
        info = json.loads((PLACE / "buildinfo.json").read_text())
        info["labs"] = str(labs)
        self.make("--labs", "10", "--out", "kit", env={**os.environ, "VIALATA_PLACE": self.place(info)})
        self.assertEqual(sorted(os.listdir(self.folder / "kit/share/vialata/labs/10_bandwidth")), before)

    @long
    def test_solutions_are_given_out_apart(self):
        (self.folder / "late/solutions").mkdir(parents=True)  # an empty folder is in nobody's way
        self.make("--labs", "01,03", "--solutions", "--out", "late/solutions")
        for lab in (LAB, "03_data_parallel"):
            for path in (ROOT / "solutions" / lab).iterdir():
                copied = self.folder / "late/solutions" / lab / path.name
                self.assertEqual(copied.read_bytes(), path.read_bytes())
        self.assertEqual(len(list((self.folder / "late/solutions").iterdir())), 2)

    def test_what_cannot_be_meant_is_refused(self):
        (self.folder / "full").mkdir()
        (self.folder / "full" / "mine").write_text("mine")
        (self.folder / "kit.zip").write_text("mine")
        self.refused("--labs", "01", "--out", "x", "--hard", "full", says="full has no results of a class")
        self.refused("--labs", "01", says="where to put them")
        self.refused("--out", "kit", says="which labs")
        self.refused("--labs", "01-99", "--out", "kit", says="no lab `99`")
        self.refused("--labs", "04-01", "--out", "kit", says="names no lab")
        self.refused("--labs", "01", "--out", "kit", "--language", "tlh", says="`tlh` is not a language")
        self.refused("--labs", "01", "--out", "full", says="is already there")
        self.refused("--labs", "01", "--out", "kit.zip", says="is already there")
        self.assertEqual((self.folder / "full" / "mine").read_text(), "mine")
        self.assertIn("could not be written",
                      self.make("--labs", "10", "--out", "kit.zip/inside", status=3))
        self.assertEqual(sorted(os.listdir(self.folder)), ["full", "kit.zip"])

    @long
    def test_without_room_nothing_is_left(self):
        def little_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))

        for name in ("kit", "kit.zip"):
            said = self.make("--labs", "10", "--out", name, status=3, preexec_fn=little_room)
            self.assertIn("could not be written", said)
            self.assertEqual(os.listdir(self.folder), [])

    @long
    def test_ctrl_c_leaves_nothing(self):
        for name in ("kit", "kit.zip"):
            run = subprocess.Popen([PROGRAM, "handout", "--labs", "01-10", "--out", name],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            while run.poll() is None and not os.listdir(self.folder):
                time.sleep(0.01)
            run.send_signal(signal.SIGINT)
            run.communicate()
            self.assertEqual(run.returncode, -signal.SIGINT)
            self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
