#!/usr/bin/env python3
"""Kits for learning platforms: what is in them, and a grading with one, in folders laid out as the
platform's documents say."""
import io
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import unittest
import uuid
import zipfile

sys.dont_write_bytecode = True
from cli import program

ROOT = pathlib.Path(os.environ["VIALATA_ROOT"])
LAB = "10_bandwidth"  # without several ranks: its gradings are short
GRADING = ["grade.sh", "settings.sh"]
SECRET = bytes(range(32))


def mode(info):
    return stat.S_IMODE(info.external_attr >> 16)


class Kits(program.Case):
    def secret(self):
        path = os.path.join(self.folder, "secret")
        with open(path, "wb") as file:
            file.write(SECRET)
        os.chmod(path, 0o600)
        return path

    def kit(self, platform, *words, labs="10", name="kit.zip"):
        path = os.path.join(self.folder, name)
        out, err = self.run_it("platform", platform, "--labs", labs, "--out", path, *words)
        self.assertIn(path, out)
        self.assertEqual("secret" in err, "--secret" in words, err)
        return path

    def names(self, archive):
        """Those of the kit itself; of the course, only that grading has what it needs."""
        names = archive.namelist()
        course = [name for name in names if "course/" in name]
        if course:
            top = course[0].split("course/")[0] + "course/"
            for needed in ("vialata", "CMakeLists.txt", "po/sk.po", "LICENSE",
                           f"solutions/{LAB}/memory.c", f"labs/{LAB}/memory.c",
                           "src/cli/main.c", "include/vialata/planner.h"):
                self.assertIn(top + needed, course)
            for other in ("docs/", "tests/", "build/", ".git"):
                self.assertFalse([name for name in course if name.startswith(top + other)])
            self.assertEqual(mode(archive.getinfo(top + "vialata")), 0o755)
        return sorted(set(names) - set(course))

    # ---- what is in them ----

    def test_gradescope_has_its_two_scripts_at_the_top(self):
        with zipfile.ZipFile(self.kit("gradescope", "--lang", "pt", "--no-speed", "--budget", "90",
                                      labs="09-10")) as kit:
            self.assertEqual(self.names(kit), sorted(["build.sh", "run_autograder", "setup.sh",
                                                      *GRADING]))
            for script in ("run_autograder", "setup.sh"):
                self.assertEqual(mode(kit.getinfo(script)), 0o755)
                self.assertTrue(kit.read(script).startswith(b"#!/bin/sh\n"))
            for path in ("/autograder/submission", "/autograder/results", "/autograder/source"):
                self.assertIn(path, kit.read("run_autograder").decode())
            settings = kit.read("settings.sh").decode()
        for words in ("09_expert_balancing 10_bandwidth", "language=pt_BR", "--no-speed",
                      "--budget 90"):
            self.assertIn(words, settings)

    def test_autolab_has_a_makefile_and_an_archive(self):
        with zipfile.ZipFile(self.kit("autolab", "--secret", self.secret(), "--student",
                                      "it's spring")) as kit:
            self.assertEqual(self.names(kit), ["autograde-Makefile", "autograde.tar",
                                               "image/Dockerfile", "image/build.sh"])
            with tarfile.open(fileobj=io.BytesIO(kit.read("autograde.tar"))) as tar:
                self.assertEqual(sorted(tar.getnames()), sorted(["course.secret", *GRADING]))
                self.assertEqual(tar.getmember("course.secret").mode, 0o600)
                self.assertEqual(tar.extractfile("course.secret").read(), SECRET)
                settings = tar.extractfile("settings.sh").read().decode()
        said = subprocess.run(["sh", "-c", settings + 'printf %s "$student"'], capture_output=True)
        self.assertEqual(said.stdout, b"it's spring")

    def test_prairielearn_has_a_question_for_each_lab(self):
        infos = []
        with zipfile.ZipFile(self.kit("prairielearn", "--image", "us/vialata:1",
                                      labs="01,10")) as kit:
            names = self.names(kit)
            for lab in ("01_training_step", LAB):
                place = f"questions/{lab}"
                for name in ("info.json", "question.html", "tests/run.sh", "tests/grade.sh",
                             "tests/settings.sh"):
                    self.assertIn(f"{place}/{name}", names)
                self.assertEqual(mode(kit.getinfo(f"{place}/tests/run.sh")), 0o755)
                self.assertIn(f" {lab}'", kit.read(f"{place}/tests/settings.sh").decode())
                infos.append(json.loads(kit.read(f"{place}/info.json")))
                page = kit.read(f"{place}/question.html").decode()
                files = re.search(r'<pl-file-upload file-names="([^"]+)">', page)[1].split(",")
                wanted = {path.name for path in (ROOT / "solutions" / lab).glob("*.c")}
                self.assertLessEqual(wanted, set(files))
                self.assertIn("<pl-external-grader-results>", page)
        for info in infos:
            self.assertEqual(str(uuid.UUID(info["uuid"])), info["uuid"])
            # Of infoQuestion.json, the schema of PrairieLearn/PrairieLearn: needed, and used by us.
            self.assertLessEqual({"uuid", "type", "title", "topic"}, info.keys())
            self.assertEqual(set(info) - {"uuid", "type", "title", "topic"},
                             {"tags", "singleVariant", "gradingMethod", "externalGradingOptions"})
            self.assertEqual((info["type"], info["gradingMethod"]), ("v3", "External"))
            options = info["externalGradingOptions"]
            self.assertEqual(set(options), {"enabled", "image", "entrypoint", "timeout"})
            self.assertEqual((options["image"], options["entrypoint"]),
                             ("us/vialata:1", "/grade/tests/run.sh"))
            self.assertLessEqual(options["timeout"], 600)
        self.assertNotEqual(infos[0]["uuid"], infos[1]["uuid"])

    def test_github_classroom_keeps_the_names_that_are_read(self):
        with zipfile.ZipFile(self.kit("github-classroom")) as kit:
            self.assertEqual(self.names(kit), sorted(
                [".github/workflows/classroom.yml", ".github/classroom/build.sh",
                 *(f".github/classroom/{name}" for name in GRADING)]))
            workflow = kit.read(".github/workflows/classroom.yml").decode()
        for line in ("name: Autograding Tests", "  run-autograding-tests:",
                     "        uses: classroom-resources/autograding-grading-reporter@v1",
                     "          VIALATA_RESULTS: \"${{ steps.vialata.outputs.result }}\"",
                     "          runners: vialata", "        id: vialata"):
            self.assertIn(line + "\n", workflow)

    def test_the_same_kit_has_the_same_bytes_and_a_secret_stays_ours(self):
        words = ("--secret", self.secret(), "--student", "spring")
        one, two = (self.kit("gradescope", *words, name=name) for name in ("one.zip", "two.zip"))
        with open(one, "rb") as left, open(two, "rb") as right:
            bytes_of_one = left.read()
            self.assertEqual(bytes_of_one, right.read())
        self.assertEqual(bytes_of_one[-22:-18], b"PK\x05\x06")  # nothing follows the last record
        self.assertEqual(stat.S_IMODE(os.stat(one).st_mode) & 0o077, 0)

    def test_what_cannot_be_made_is_said(self):
        out = ("--labs", "10", "--out", os.path.join(self.folder, "kit.zip"))
        secret = ("--secret", self.secret())
        for words, part in [(["moodle", *out], "prairielearn"), (["gradescope"], "--labs"),
                            (["gradescope", "--labs", "10"], "--out"),
                            (["gradescope", "--labs", "11", "--out", "x"], "11"),
                            (["gradescope", *out, *secret], "--student"),
                            (["gradescope", *out, "--student", "ada"], "--secret"),
                            (["github-classroom", *out, *secret, "--student", "a"], "--secret"),
                            (["gradescope", *out, "--budget", "1"], "--budget"),
                            (["autolab", "--labs", "10", "--out", "/nowhere/x.zip"], "/nowhere/x")]:
            with self.subTest(words=words):
                self.assertIn(part, self.refused("platform", *words))
        self.assertEqual(os.listdir(self.folder), ["secret"])

    def test_an_installed_course_has_no_sources_to_pack(self):
        with open(os.path.join(program.PLACE, "buildinfo.json"), encoding="utf-8") as file:
            info = json.load(file)
        del info["root"]
        with open(os.path.join(self.folder, "buildinfo.json"), "w", encoding="utf-8") as file:
            json.dump(info, file)
        self.assertIn("repository", self.refused("platform", "gradescope", "--labs", "10", "--out",
                                                 "x.zip", status=3, VIALATA_PLACE=self.folder))

    # ---- a grading with one ----

    def unpacked(self, *words):
        """The kit as the platform unpacks it; its course is the one that is built here already."""
        place = pathlib.Path(self.folder, "source")
        with zipfile.ZipFile(self.kit("gradescope", "--no-speed", *words)) as kit:
            for name in self.names(kit):
                kit.extract(name, place)
        (place / "course" / "build").mkdir(parents=True)
        (place / "course" / "build" / "release").symlink_to(program.PLACE)
        return place

    def graded(self, place, submission):
        done = subprocess.run(["sh", place / "grade.sh", place / "course", submission, "gradescope",
                               os.path.join(self.folder, "results")], cwd=self.folder,
                              env=self.environment(), capture_output=True, text=True)
        path = pathlib.Path(self.folder, "results", "results.json")
        return done, json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    def test_a_submission_is_found_and_graded(self):
        submission = pathlib.Path(self.folder, "submission")
        shutil.copytree(ROOT / "solutions" / LAB, submission / "my work" / LAB)
        done, results = self.graded(self.unpacked(), submission)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"isolation": ', done.stdout)
        self.assertGreater(results["score"], 0)
        self.assertAlmostEqual(results["score"],
                               sum(test["max_score"] for test in results["tests"]))

    def test_a_name_of_two_lines_is_one_name(self):
        submission = pathlib.Path(self.folder, "submission")
        (submission / "x\n" / LAB).mkdir(parents=True)
        (submission / "x").symlink_to(ROOT / "solutions" / LAB)
        done, results = self.graded(self.unpacked(), submission)
        self.assertEqual((done.returncode, results["score"]), (0, 0), done.stderr)

    def test_who_hands_nothing_in_reads_why(self):
        submission = pathlib.Path(self.folder, "submission")
        submission.mkdir()
        done, results = self.graded(self.unpacked(), submission)
        self.assertEqual((done.returncode, results["score"]), (0, 0), done.stderr)
        self.assertIn("memory.c", results["output"])

    def test_a_fault_of_ours_gives_no_points_at_all(self):
        place = self.unpacked()
        release = place / "course" / "build" / "release"
        release.unlink()
        self.assertNotEqual(self.graded(place, self.folder)[0].returncode, 0)
        (release / "bin").mkdir(parents=True)
        lacking = release / "bin" / "vialata"  # writes a verdict, and says that there is none
        lacking.write_text('#!/bin/sh\nfor last; do :; done\n[ "$1" = export ] || echo {} >"$last"\n'
                           '[ "$1" = export ] && mkdir "$last" && echo {} >"$last/results.json"\n'
                           'exit 3\n', encoding="utf-8")
        lacking.chmod(0o755)
        done, results = self.graded(place, self.folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertIsNone(results)

    def test_a_submission_cannot_enter_the_course(self):
        place = self.unpacked()
        (place / "course").chmod(0o755)
        submission = pathlib.Path(self.folder, "submission")
        submission.mkdir()
        self.assertEqual(self.graded(place, submission)[0].returncode, 0)
        if os.getuid() == 0:  # else it runs as whoever grades
            self.assertEqual((place / "course").stat().st_mode & 0o077, 0)

    def test_a_secret_is_used_and_not_told(self):
        submission = pathlib.Path(self.folder, "submission")
        shutil.copytree(ROOT / "solutions" / LAB, submission)
        place = self.unpacked("--secret", self.secret(), "--student", "spring")
        os.chmod(place / "course.secret", 0o644)  # unpacked by a tool that keeps no modes
        done, results = self.graded(place, submission)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(results["score"], 0)
        self.assertNotIn("seed", json.dumps(results) + done.stdout)


if __name__ == "__main__":
    unittest.main()
