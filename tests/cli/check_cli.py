#!/usr/bin/env python3
"""Drive the built program as a person does: words in; sentences, files and exit statuses out."""

import json
import os
import pty
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
import unicodedata
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
import program
from program import PLACE, PROGRAM

ROOT = os.environ["VIALATA_ROOT"]

COMMANDS = ("tour list start explain hint watch grade solution next handin reset update handout batch compare "
            "export platform forget train eval sample bench timeline schedule plan study book doctor").split()
LANGUAGES = ["en", "fr", "pt", "es", "sk"]
TRANSLATED = os.path.exists(os.path.join(PLACE, "share", "locale", "sk"))

# Speaks like vialata-trainer, without a model: TRAINER_MODE chooses what it does.
TRAINER = r"""#!/usr/bin/env python3
import json, os, signal, sys, time
asked = []
signal.signal(signal.SIGUSR1, lambda *_: asked.append(1))
def tell(**event): print(json.dumps(event), flush=True)
with open(os.environ["TRAINER_SEEN"], "w") as seen:
    json.dump({"words": sys.argv[1:], "language": os.environ.get("VIALATA_LANG"),
               "session": os.getsid(0), "pid": os.getpid(),
               "kernels": os.environ.get("OPENBLAS_CORETYPE")}, seen)
words = sys.argv[1:]
mode = os.environ.get("TRAINER_MODE", "")
if mode == "problem":
    tell(error={"code": "data_empty", "message": "The data file is empty \x1b[31m."})
    sys.exit(2)
if mode == "crash":
    sys.exit(7)
if words[0] == "train":
    tell(run={"steps": 40, "parameters": 1234567, "resumed_from": 0,
              "peak": {"flops_per_second": 98.7e9, "measured": "sgemm", "size": 512}})
    step = 0
    while step < 40 and not asked:
        step += 1
        time.sleep(0.25 if mode == "slow" else 60 if mode == "silent" and step > 1 else 0)
        tell(step=step, loss=5.0 / step, tokens_per_second=1000.0, mfu=0.413)
    tell(saved="m.safetensors", step=step)
    tell(stopped="signal" if asked else "steps", step=step, seconds=1.5)
elif words[0] == "eval":
    tell(loss=2.3456789012345678, windows=10, bytes=1280)
elif words[0] == "sample":
    for piece in ["Aho", "j \x1b[2J", "svet"]:
        tell(text=piece)
elif words[0] == "bench-step":
    tell(shapes=[{"layers": 4, "width": 256, "heads": 4, "sequence": 128, "batch": 8,
                  "vocabulary": 512, "ff": 704, "tokens_per_second": 1234.5, "gflops": 90.1,
                  "sgemm_gflops": 98.2, "ratio": 0.9175,
                  "products_gflops": 94.4, "of_products": 0.9544}])
elif words[0] == "bench-operators":
    tell(roofline=[{"layers": 4, "width": 256, "heads": 4, "sequence": 128, "batch": 8,
                    "vocabulary": 512, "ff": 704, "seconds": 0.25, "flops": 6.0e9,
                    "counted_flops": 6.5e9, "sgemm_gflops": 98.2, "memory_gb_per_second": 12.3,
                    "operators": [
                        {"operator": "zeroing", "calls": 1, "flops": 0, "bytes": 4e6,
                         "seconds": 0.05, "intensity": 0, "roof_gflops": 0, "share": 0.4},
                        {"operator": "linear_forward", "calls": 16, "flops": 6e9, "bytes": 6e8,
                         "seconds": 0.15, "intensity": 10.0, "roof_gflops": 98.2, "share": 0.4073},
                        {"operator": "rest", "seconds": 0.05}]}])
"""


class Cli(program.Case):
    def setUp(self):
        super().setUp()
        self.state = os.path.join(self.folder, "state")
        self.seen = os.path.join(self.folder, "seen.json")

    def fake_place(self, **changes):
        """A build tree whose trainer is the script above."""
        place = os.path.join(self.folder, "place")
        os.makedirs(os.path.join(place, "bin"))
        with open(os.path.join(PLACE, "buildinfo.json"), encoding="utf-8") as file:
            info = json.load(file)
        info["share"] = os.path.join(PLACE, "share")
        info.update(changes)
        with open(os.path.join(place, "buildinfo.json"), "w", encoding="utf-8") as file:
            json.dump(info, file)
        trainer = os.path.join(place, "bin", "vialata-trainer")
        with open(trainer, "w", encoding="utf-8") as file:
            file.write(TRAINER)
        os.chmod(trainer, 0o755)
        return {"VIALATA_PLACE": place, "TRAINER_SEEN": self.seen}

    # ---- help and languages ----

    def test_every_command_has_help_in_every_language(self):
        for command in COMMANDS:
            shown = {}
            for language in LANGUAGES:
                out, err = self.run_it(command, "--help", "--lang", language)
                self.assertIn(f"vialata {command}", out)
                self.assertEqual(err, "")
                shown[language] = out
            if TRANSLATED:
                self.assertEqual(len(set(shown.values())), len(LANGUAGES), command)

    def test_help_comes_without_a_word_and_lists_every_command(self):
        for words in [(), ("help",), ("--help",), ("-h",), ("--lang", "sk")]:
            out, _ = self.run_it(*words)
            for command in COMMANDS:
                self.assertIn(f"  {command} ", out)

    def test_language_is_found_anywhere_and_in_the_environment(self):
        by_flag, _ = self.run_it("--lang", "sk", "list")
        self.assertEqual(by_flag, self.run_it("list", "--lang=sk")[0])
        self.assertEqual(by_flag, self.run_it("list", LANG="sk_SK.UTF-8")[0])
        self.assertEqual(self.run_it("list", "--lang", "pt")[0],
                         self.run_it("list", "--lang", "pt_BR")[0])
        if TRANSLATED:
            self.assertNotEqual(by_flag, self.run_it("list")[0])

    def test_an_empty_environment_is_enough(self):
        done = subprocess.run([PROGRAM, "list"], env={}, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"training_step", done.stdout)

    # ---- wrong usage: one sentence, status 2, standard error ----

    def test_wrong_usage_is_one_sentence_on_standard_error(self):
        for words, part in [
            (["lisst"], "`list`"),
            (["frobnicate"], "--help"),
            (["compare", "/nowhere"], "RESULTS RESULTS"),
            (["compare", "/nowhere", "/nowhere"], "/nowhere"),
            (["list", "--lang", "de"], "sk"),
            (["list", "--lang"], "sk"),
            (["list", "more"], "more"),
            (["grade"], "LAB"),
            (["grade", "11"], "list"),
            (["grade", "trainin_step"], "training_step"),
            (["explain", "zzz"], "zzz"),
            (["hint", "01", "4"], "3"),
            (["hint", "01", "--function", "vl_rmsnorm_forwad"], "vl_rmsnorm_forward"),
            (["grade", "01", "--format", "yaml"], "junit"),
            (["grade", "01", "--ony", "x"], "--only"),
            (["grade", "01", "--only"], "CASE"),
            (["grade", "01", "--only", "rmsnorm_forward.od"], "rmsnorm_forward.odd"),
            (["grade", "01", "--seed", "-3"], "-3"),
            (["grade", "01", "--seed", "99999999999999999999"], "--seed"),
            (["grade", "01", "--reference=1"], "--reference"),
            (["grade", "01", "--reference", "--submission", "."], "--reference"),
            (["grade", "01", "--submission", "/nowhere/at all"], "/nowhere/at all"),
            (["grade", "all", "--only", "rmsnorm_forward.odd"], "all"),
            (["grade", "01", "--gdb"], "--only"),
            (["train", "--steps", "0"], "--steps"),
            (["train", "--wat"], "--wat"),
            (["eval"], "--checkpoint"),
            (["bench", "nothing"], "step"),
            (["schedule"], "afab"),
            (["schedule", "1f1b", "--pp", "2"], "--micro-batches"),
        ]:
            with self.subTest(words=words):
                self.assertIn(part, self.refused(*words))

    def test_wrong_usage_is_told_in_the_chosen_language(self):
        if not TRANSLATED:
            self.skipTest("built without catalogues")
        self.assertNotEqual(self.refused("lisst"), self.refused("lisst", "--lang", "sk"))

    def test_without_its_tree_it_says_so(self):
        self.refused("list", status=3, VIALATA_PLACE=self.folder)

    # ---- reports ----

    def test_an_unwritable_report_is_refused_and_leaves_nothing(self):
        folder = os.path.join(self.folder, "reports")
        os.mkdir(folder)
        pipe = os.path.join(self.folder, "pipe")  # no regular file; never a device of the machine
        os.mkfifo(pipe)
        for out in [os.path.join(folder, "no", "x.json"), folder, pipe]:
            self.assertIn(out, self.refused("grade", "01", "--out", out))
        self.assertEqual(os.listdir(folder), [])
        self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))

    def test_one_case_is_told_in_every_format(self):
        grade = ["grade", "01", "--reference", "--only", "rmsnorm_forward.odd"]
        out, err = self.run_it(*grade, "--format", "json")
        verdict = json.loads(out)
        self.assertEqual(err, "")
        self.assertEqual(verdict["schema"], "vialata.verdict/1")
        self.assertEqual([case["id"] for case in verdict["cases"]], ["rmsnorm_forward.odd"])
        self.assertEqual(verdict["status"], "passed")
        path = os.path.join(self.folder, "junit.xml")
        out, _ = self.run_it(*grade, "--format", "junit", "--out", path)
        self.assertEqual(out, "")
        self.assertEqual(xml.etree.ElementTree.parse(path).getroot().get("tests"), "1")
        self.assertEqual(os.listdir(self.folder), ["junit.xml"])
        self.assertIn("rmsnorm_forward.odd", self.run_it(*grade)[0])

    def test_a_full_disk_behind_standard_output_is_no_success(self):
        for path, mode, full in (("/dev/full", "w", True), ("/dev/null", "r", False)):
            with open(path, mode, encoding="utf-8") as output:
                done = subprocess.run([PROGRAM, "list", "--lang", "en"], env=self.environment(),
                                      stdout=output, stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 3)
            self.assertIn("could not be written", done.stderr)
            self.assertEqual("Make room" in done.stderr, full)

    def test_room_is_asked_for_only_where_it_is_missing(self):
        home = os.path.join(self.folder, "home")
        os.mkdir(home)
        place = os.path.join(home, "file")
        open(place, "w").close()
        _, said = self.run_it("start", "01", "--in", os.path.join(place, "below"), "--lang", "en",
                              status=3)
        self.assertIn("Not a directory", said)
        self.assertNotIn("oom", said)

    # ---- reading ----

    def test_explain_reads_a_lab_part_by_part(self):
        for lab in range(1, 11):
            for language in ("en", "sk") if TRANSLATED else ("en",):
                read = lambda *words: self.run_it("explain", str(lab), *words, "--lang", language)[0]
                whole, first = read("--all"), read()
                titles = [line for line, under in zip(whole.splitlines(), whole.splitlines()[1:])
                          if re.fullmatch("-{3,}", under)]
                contents = first[:first.index(f"\n{titles[0]}\n---")]
                listed = re.findall(r"^ +(\d+)  (.+)$", contents, re.M)
                self.assertEqual([int(number) for number, _ in listed], list(range(1, len(titles) + 1)))
                self.assertIn(f"explain {lab:02} 2\n", first)
                self.assertIn(read("1").split("\n\n")[1], first)
                for number, title in enumerate(titles, 1):
                    part = read(str(number))
                    self.assertTrue(part.startswith(title + "\n"), part[:80])
                    self.assertEqual(f"explain {lab:02} {number + 1}\n" in part, number < len(titles))
                    body = part.split("\n\n")[1]
                    self.assertIn(body, whole)
                    self.assertLess(part.count("\n"), 300, (lab, number))
                self.assertLess(first.count("\n"), 300)

    def test_explain_has_no_part_of_another_number(self):
        for number in ("0", "99", "x", "-1"):
            _, said = self.run_it("explain", "01", number, status=2)
            self.assertIn(number, said)

    def test_explain_fits_a_narrow_terminal(self):
        texts = os.path.join(os.environ["VIALATA_PLACE"], "share", "texts", "en", "labs")
        for folder in sorted(os.listdir(texts)):
            with open(os.path.join(texts, folder, "README.txt"), encoding="utf-8") as built:
                whole = {line.rstrip() for line in built.read().split("\n") if line.endswith(" ")}
            out, _ = self.run_it("explain", folder[:2], "--all", COLUMNS="40")
            wide = [line for line in out.splitlines() if line not in whole
                    and sum(not unicodedata.combining(c) for c in line) > 40
                    and len(line.split()) > 1]
            self.assertEqual(wide, [])
            self.assertGreater(out.count("\n"), 300)

    def test_explain_says_once_what_each_function_is_worth(self):
        out, _ = self.run_it("explain", "01", "--all")
        self.assertEqual(out.count("What is graded"), 1)
        self.assertEqual(out, self.run_it("explain", "training_step", "--all")[0])
        skeleton = os.path.join(ROOT, "labs", "01_training_step")
        graded, _ = self.run_it("grade", "01", "--submission", skeleton, "--trust", "--format", "json", status=1)
        worth = {}
        for case in json.loads(graded)["cases"]:
            group = "Speed" if case["group"] == "throughput" else "Numbers"
            worth[case["function"], group] = worth.get((case["function"], group), 0) + case["max_points"]
        rows = {words[0]: words[2:] for line in out.splitlines()
                if len(words := re.sub("[|`]", " ", line).split()) >= 3 and words[0].startswith("vl_")
                and words[1].endswith(".c")}
        self.assertGreater(len(rows), 10)
        for name, points in rows.items():
            told = [float(number) for number in points if re.fullmatch(r"[\d.]+", number)]
            self.assertEqual(sum(told), round(worth[name, "Numbers"] + worth.get((name, "Speed"), 0), 6), name)

    def test_explain_uses_the_pager_on_a_terminal(self):
        mark = os.path.join(self.folder, "paged")
        reader, writer = pty.openpty()
        done = subprocess.run([PROGRAM, "explain", "01"], stdout=writer, stderr=writer,
                              stdin=writer, env=self.environment(
                                  PAGER=f"cat > '{mark}'", TERM="xterm"), timeout=60)
        os.close(writer)
        os.close(reader)
        self.assertEqual(done.returncode, 0)
        with open(mark, encoding="utf-8") as paged:
            self.assertIn("vl_rmsnorm_forward", paged.read())

    def test_hints_have_three_levels_for_each_function(self):
        levels = [self.run_it("hint", "01", level, "--function", "rmsnorm_forward")[0]
                  for level in "123"]
        self.assertEqual(len(set(levels)), 3)
        for text in levels:
            self.assertIn("vl_rmsnorm_forward", text)
            self.assertNotIn("vl_swiglu_forward", text)
        everything, _ = self.run_it("hint", "01", "1")
        self.assertIn("vl_swiglu_forward", everything)

    def test_hint_follows_what_is_left_to_write(self):
        self.remember({"rmsnorm_forward.odd": 1.2, "rmsnorm_forward.tiny": 0.6, "rmsnorm_forward.large": 0.6,
                       "rmsnorm_forward.one_row": 0.3, "rmsnorm_forward.empty": 0.3})
        out, _ = self.run_it("hint", "01")
        self.assertIn("vl_swiglu_forward", out)
        self.assertNotIn("vl_rmsnorm_forward", out)

    # ---- what is remembered ----

    def remember(self, points):
        self.run_it("start", "01")
        path = os.path.join(self.folder, "my work", ".vialata", "standing", "01_training_step.json")
        os.makedirs(os.path.dirname(path))
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"schema": "vialata.standing/1", "cases": {name: {"points": n} for name, n in points.items()}},
                      file)

    def test_list_shows_the_points(self):
        before, _ = self.run_it("list")
        self.remember({"rmsnorm_forward.odd": 1.2})
        after, _ = self.run_it("list")
        self.assertNotIn("1.2 out of 100", before)
        self.assertIn("1.2 out of 100", after)

    # ---- runs ----

    def test_train_follows_the_run_and_draws_its_loss(self):
        out, _ = self.run_it("train", "--save", "a b", "--lang", "fr", **self.fake_place())
        self.assertIn("40/40", out)
        self.assertIn("m.safetensors", out)
        self.assertNotIn("\033", out)
        with open(self.seen, encoding="utf-8") as file:
            seen = json.load(file)
        self.assertEqual(seen["words"], ["train", "--events", "--save", "a b"])
        self.assertEqual(seen["language"], "fr")
        self.assertNotEqual(seen["session"], os.getsid(0))

    def test_the_trainer_is_told_kernels_only_where_openblas_would_take_a_prescotts(self):
        ask = "import ctypes; c = ctypes.CDLL('libopenblas.so.0').openblas_get_corename; c.restype = ctypes.c_char_p; print(c().decode())"
        own = {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}
        chosen = subprocess.run([sys.executable, "-c", ask], env=own, capture_output=True, text=True).stdout.strip()
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            flags = file.read().split()
        lacks = chosen == "Prescott" and "avx2" in flags and "fma" in flags
        place = self.fake_place()
        place["OPENBLAS_CORETYPE"] = ""
        hosts = os.path.join(self.folder, "hosts")
        with open(hosts, "w", encoding="utf-8") as file:
            file.write("localhost\n")
        for words, told in (((), lacks), (("--hostfile", hosts), False)):  # another machine may not have them
            self.run_it("train", *words, **place)
            with open(self.seen, encoding="utf-8") as file:
                kernels = json.load(file)["kernels"] or None
            self.assertEqual(kernels is not None, told, (words, kernels, chosen))

    def test_results_as_json_keep_all_digits(self):
        place = self.fake_place()
        out, _ = self.run_it("eval", "--checkpoint", "x", "--json", **place)
        self.assertEqual(json.loads(out)["loss"], 2.3456789012345678)
        out, _ = self.run_it("bench", "step", "--json", **place)
        self.assertEqual(json.loads(out)["shapes"][0]["ratio"], 0.9175)
        table = self.run_it("bench", "step", **place)[0]
        for text in ("L4 D256", "90.1", "94.4", "0.95", "98.2", "0.92"):
            self.assertIn(text, table)
        self.assertIn("1280", self.run_it("eval", "--checkpoint", "x", **place)[0])

    def test_a_roofline_has_a_row_for_each_operator_and_one_for_the_rest(self):
        place = self.fake_place()
        picture = os.path.join(self.folder, "roofline.svg")
        table, _ = self.run_it("bench", "step", "--operators", "--svg", picture, **place)
        rows = {row[0]: row[1:] for row in map(str.split, table.splitlines()) if row}
        self.assertEqual(rows["zeroing"], ["50.00", "20.0%", "0.0", "4.0", "0.00", "40%"])
        self.assertEqual(rows["linear_forward"],
                         ["150.00", "60.0%", "6000.0", "600.0", "10.00", "41%"])
        self.assertEqual(rows["the"], ["rest", "50.00", "20.0%"])
        for text in ("98.2", "12.3", "8.0", "6.00", "6.50"):
            self.assertIn(text, table)
        with open(picture, encoding="utf-8") as file:
            svg = file.read()
        self.assertIn("linear_forward 41%", svg)
        self.assertNotIn("zeroing", svg)  # no FLOPs, so it has no place on logarithmic axes
        told = json.loads(self.run_it("bench", "step", "--operators", "--json", **place)[0])
        rows = told["roofline"][0]["operators"]
        self.assertAlmostEqual(sum(row["seconds"] for row in rows), 0.25)
        _, err = self.run_it("bench", "step", "--operators", "--svg", "/no/x.svg", status=2, **place)
        self.assertIn("/no/x.svg", err)

    def test_options_of_one_benchmark_are_refused_by_the_others(self):
        for words in [("step", "--svg", "x"), ("step", "--rate", "1gbit"), ("roads", "--operators"),
                      ("step", "--operators", "--two-hosts"), ("roads", "--svg", "x"),
                      ("roads", "--operators", "--two-hosts", "--rate", "1gbit")]:
            self.assertIn("--operators", self.refused("bench", *words))

    def test_a_sample_cannot_steer_the_terminal(self):
        out, _ = self.run_it("sample", "--checkpoint", "x", **self.fake_place())
        self.assertTrue(out.startswith("Ahoj "))
        self.assertNotIn("\033", out)

    def test_problems_of_the_run_are_told_with_their_status(self):
        place = self.fake_place()
        err = self.refused("train", TRAINER_MODE="problem", **place)
        self.assertIn("The data file is empty", err)
        self.assertNotIn("\033", err)
        self.assertIn("7", self.refused("train", status=4, TRAINER_MODE="crash", **place))

    def test_without_mpirun_it_says_what_to_install(self):
        place = self.fake_place(mpiexec="/nowhere/mpiexec")
        self.assertIn("Open MPI", self.refused("train", status=3, PATH="/nowhere", **place))

    def start_run(self, mode, place):
        run = subprocess.Popen([PROGRAM, "train", "--save", "x"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True,
                               env=self.environment(TRAINER_MODE=mode, **place))
        while b"1/40" not in run.stdout.readline():
            self.assertIsNone(run.poll())
        return run

    def trainer_is_alive(self):
        with open(self.seen, encoding="utf-8") as file:
            pid = json.load(file)["pid"]
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"

    def test_ctrl_c_ends_after_the_step_and_saves(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            run = self.start_run("slow", self.fake_place())
            run.send_signal(number)
            out, err = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 0, err)
            self.assertIn(b"m.safetensors", out)
            self.assertFalse(self.trainer_is_alive())
            shutil.rmtree(os.path.join(self.folder, "place"))

    def test_nothing_is_left_running_when_the_program_is_killed(self):
        # A run that prints nothing would not notice that nobody reads.
        run = self.start_run("silent", self.fake_place())
        run.kill()
        run.wait()
        deadline = time.monotonic() + 20
        while self.trainer_is_alive() and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertFalse(self.trainer_is_alive())
        run.stdout.close()
        run.stderr.close()

    # ---- the machine ----

    def test_doctor_says_what_is_missing(self):
        out, _ = self.run_it("doctor", "--json")
        checks = {check["id"]: check for check in json.loads(out)["checks"]}
        self.assertTrue(checks["mpirun"]["found"])
        place = self.fake_place(mpiexec="/nowhere/mpiexec")
        out, _ = self.run_it("doctor", "--json", status=3, PATH="/nowhere", **place)
        checks = {check["id"]: check for check in json.loads(out)["checks"]}
        self.assertFalse(checks["mpirun"]["found"])
        self.assertIn("Open MPI", checks["mpirun"]["remedy"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
