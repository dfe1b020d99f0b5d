#!/usr/bin/env python3
"""A verdict in every format, exported one by one and for a class. What the formats are is written
here a second time, from the documents that src/report/verdict/formats/ names, not from our code."""
import json
import os
import pathlib
import re
import shutil
import sys
import unittest
import xml.etree.ElementTree as tree

sys.dont_write_bytecode = True
from cli import program

ROOT = pathlib.Path(os.environ["VIALATA_ROOT"])
LAB, SHORT = "01_training_step", "10_bandwidth"  # the second needs one rank only: it is graded soon
FORMATS = ("text", "json", "junit", "codegrade", "gradescope", "autolab", "prairielearn", "github-classroom",
           "exercism-v2", "exercism-v3")
NUMBER = (int, float)


def fields(value, needed, allowed=None):
    """It is an object with these fields, each of its type, and no others."""
    allowed = {**needed, **(allowed or {})}
    assert isinstance(value, dict), value
    assert needed.keys() <= value.keys(), (needed.keys() - value.keys(), value)
    for name, item in value.items():
        assert name in allowed, f"{name} is not in the format"
        assert isinstance(item, allowed[name]), (name, item)
        assert not (isinstance(item, bool) and allowed[name] == NUMBER), (name, item)


def gradescope(text):
    value = json.loads(text)
    fields(value, {"score": NUMBER, "tests": list},
           {"execution_time": NUMBER, "output": str, "output_format": str, "visibility": str,
            "stdout_visibility": str, "extra_data": dict, "leaderboard": list})
    for test in value["tests"]:
        fields(test, {"score": NUMBER, "max_score": NUMBER, "name": str},
               {"status": str, "name_format": str, "number": str, "output": str,
                "output_format": str, "tags": list, "visibility": str, "extra_data": dict})
        assert test["status"] in ("passed", "failed"), test
        assert test["visibility"] in ("hidden", "after_due_date", "after_published", "visible"), test
        assert all(isinstance(tag, str) for tag in test["tags"]), test
    for entry in value["leaderboard"]:
        fields(entry, {"name": str, "value": (int, float, str)}, {"order": str})
    return {test["name"]: (test["status"] == "passed", test["score"], test["output"])
            for test in value["tests"]}, value["score"]


def autolab(text):
    # parseFeedback and parseAutoresult of autolab/Autolab (app/controllers/assessments_controller.rb,
    # app/helpers/assessment_autograde_core.rb), and what app/views/assessments/_semantic.html.erb draws.
    *_, feedback, scores = text.rstrip().split("\n")
    assert feedback.isascii() and scores.isascii()
    # Autolab puts quotes around each word before a colon first.
    assert json.loads(re.sub(r"([a-zA-Z0-9]+):", r'"\1":', scores)) == json.loads(scores)
    scores = json.loads(scores)
    fields(scores, {"scores": dict}, {"scoreboard": list})
    feedback = json.loads(feedback)
    assert feedback["_presentation"] == "semantic"
    assert feedback.keys() == {"_presentation", "stages", *feedback["stages"]}, feedback.keys()
    cases = {}
    for stage in feedback["stages"]:
        for name, case in feedback[stage].items():
            assert name[0] != "_", name  # it would not be shown
            fields(case, {"passed": bool}, {"hint": str})
            cases[name] = (case["passed"], None, case.get("hint", ""))
    (problem, score), = scores["scores"].items()
    assert problem in (LAB, SHORT), problem
    return cases, score


def prairielearn(text):
    # makeGradingResult and processGradingResult of PrairieLearn/PrairieLearn
    # (apps/prairielearn/src/lib/externalGraderCommon.ts, externalGrader.ts), and
    # elements/pl-external-grader-results: no points are shown if one test lacks points or max_points.
    assert len(text.encode()) <= 1024 * 1024
    value = json.loads(text)
    fields(value, {"gradable": bool, "score": NUMBER},
           {"message": str, "output": str, "images": list, "tests": list, "format_errors": list})
    assert 0 <= value["score"] <= 1, value["score"]
    for test in value["tests"]:
        fields(test, {"name": str, "points": NUMBER, "max_points": NUMBER},
               {"description": str, "message": str, "output": str, "images": list})
    most = sum(test["max_points"] for test in value["tests"])
    return {test["name"]: (None, test["points"], test.get("message", "") + test.get("output", ""))
            for test in value["tests"]}, value["score"] * most


def github_classroom(text):
    value = json.loads(text)
    fields(value, {"version": int, "status": str, "max_score": NUMBER, "tests": list})
    assert value["version"] == 1 and value["status"] in ("pass", "fail", "error"), value["status"]
    for test in value["tests"]:
        fields(test, {"name": str, "status": str, "score": NUMBER, "message": (str, type(None)),
                      "test_code": str, "filename": str, "line_no": int, "duration": NUMBER})
        assert test["status"] in ("pass", "fail", "error"), test
        assert (test["test_code"] == "") == (test["status"] == "pass"), test
    # src/console-results.js of classroom-resources/autograding-grading-reporter shows of a test that
    # failed its test_code, and no message.
    return {test["name"]: (test["status"] == "pass", test["score"], test["test_code"])
            for test in value["tests"]}, sum(test["score"] for test in value["tests"])


def exercism(text, version):
    value = json.loads(text)
    fields(value, {"version": int, "status": str, "tests": list}, {"message": (str, type(None))})
    assert value["version"] == version and value["status"] in ("pass", "fail", "error")
    assert (value["status"] == "error") == isinstance(value["message"], str), value["message"]
    if value["status"] == "error":  # "no test was executed": students see the message alone
        assert value["message"] and len(value["message"]) <= 65535 and not value["tests"], value
    # MAX_OUTPUT_FILE_SIZE in lib/tooling_invoker/jobs/job.rb of exercism/tooling-invoker
    assert len(text) <= 500 * 1024
    more = {"task_id": int} if version >= 3 else {}
    for test in value["tests"]:
        fields(test, {"name": str, "status": str},
               {"test_code": str, "message": (str, type(None)), "output": str, **more})
        assert test["status"] in ("pass", "fail", "error"), test
        assert test["status"] == "pass" or test["message"], test  # required there
        assert len(test.get("output", "")) <= 500
    failed = any(test["status"] != "pass" for test in value["tests"])
    assert (value["status"] == "pass") == (not failed and value["tests"] != []), value["status"]
    if version >= 3 and value["tests"]:
        assert any("task_id" in test for test in value["tests"])
    return {test["name"]: (test["status"] == "pass", None, test["message"] or "")
            for test in value["tests"]}, None


JUNIT = {  # element: attributes that it must have, that it may have, and elements in it
    "testsuites": ("", "name time tests failures errors", "testsuite"),
    "testsuite": ("name tests failures errors",
                  "group time skipped timestamp hostname id package file log url",
                  "testsuite properties testcase system-out system-err"),
    "properties": ("", "", "property"),
    "property": ("name value", "", ""),
    "testcase": ("name", "time classname group", "skipped error failure system-out system-err"),
    "failure": ("", "type message", ""), "error": ("", "type message", ""),
    "skipped": ("", "type message", ""), "system-out": ("", "", ""), "system-err": ("", "", ""),
}


def junit(text):
    root = tree.fromstring(text)
    assert root.tag in ("testsuites", "testsuite")
    for element in root.iter():
        must, may, inside = (set(words.split()) for words in JUNIT[element.tag])
        assert must <= set(element.keys()) <= must | may, element.attrib
        assert {child.tag for child in element} <= inside, element.tag
    cases = root.findall(".//testcase")
    assert len(cases) == int(root.get("tests"))
    assert len(root.findall(".//failure")) == int(root.get("failures"))
    return {case.get("name"): (len(case) == 0, None, "".join(
        child.get("message") + (child.text or "") for child in case)) for case in cases}, None


def codegrade(text):
    """As _CGJunitSuite and _CGJunitCase read it, of cg_junit/__init__.py in CodeGrade's open source:
    a suite has cases only, the attributes have the numbers of its cases, and the points are the weights
    of cases without an element in them, out of those that are not skipped."""
    root = tree.fromstring(text)
    assert root.tag == "testsuites"
    cases, points, most = {}, 0, 0
    for suite in root:
        assert suite.tag == "testsuite" and {"name", "errors", "failures", "tests"} <= set(suite.keys())
        counts = {"error": 0, "failure": 0, "skipped": 0}
        for case in suite:
            assert case.tag == "testcase" and {"name", "classname"} <= set(case.keys()), case.tag
            assert float(case.get("time")) >= 0
            weight, name, words = float(case.get("weight", 1)), case.get("name"), ""
            if len(case) > 0:
                counts[case[0].tag] += 1
                words = case[0].attrib["message"] + (case[0].text or "")  # it must have one
            points += weight if len(case) == 0 else 0
            most += weight if len(case) == 0 or case[0].tag != "skipped" else 0
            before = cases.get(name, (True, 0, ""))  # a part of the points: twice
            cases[name] = (before[0] and len(case) == 0,
                           before[1] + (weight if len(case) == 0 else 0), before[2] + words)
        assert counts["error"] == int(suite.get("errors"))
        assert counts["failure"] == int(suite.get("failures"))
        assert counts["skipped"] == int(suite.get("skipped", 0)) == 0
        assert len(suite) == int(suite.get("tests"))
    assert most > 0
    return cases, points


READERS = {"codegrade": codegrade, "gradescope": gradescope, "autolab": autolab, "prairielearn": prairielearn,
           "github-classroom": github_classroom, "junit": junit,
           "exercism-v2": lambda text: exercism(text, 2),
           "exercism-v3": lambda text: exercism(text, 3)}


class Formats(program.Case):
    def submission(self):
        """One function wrong, one file not started, and a warning in the student's own words."""
        folder = pathlib.Path(self.folder, "in", LAB)
        shutil.copytree(ROOT / "solutions" / LAB, folder)
        shutil.copy(ROOT / "labs" / LAB / "budget.c", folder)
        right = (folder / "step.c").read_text(encoding="utf-8")
        wrong = right.replace("sqrt(", "2 * sqrt(")
        self.assertNotEqual(right, wrong)
        (folder / "step.c").write_text('#warning "Žofia: čaká <na> & žltého koňa"\n' + wrong,
                                       encoding="utf-8")
        return folder

    def verdict(self):
        path = os.path.join(self.folder, "verdict.json")
        self.run_it("grade", "01", "--lang", "sk", "--trust", "--no-speed", "--submission",
                    str(self.submission()), "--format", "json", "--out", path, status=1)
        return path

    def exported(self, name, *paths):
        out = pathlib.Path(self.folder, "out", name)
        self.run_it("export", name, *paths, "--out", str(out))
        file, = out.iterdir()
        return file.read_text(encoding="utf-8")

    def test_every_format_says_the_same_of_one_verdict(self):
        path = self.verdict()
        with open(path, encoding="utf-8") as file:
            verdict = json.load(file)
        statuses = {case["status"] for case in verdict["cases"]}
        self.assertLessEqual({"passed", "failed", "not_started"}, statuses)
        told = {}
        for name, read in READERS.items():
            with self.subTest(format=name):
                told[name], score = read(self.exported(name, path))
                if score is not None:
                    self.assertAlmostEqual(score, verdict["score"], places=6)
                for case in verdict["cases"]:
                    if case["group"] == "bonus" and name.startswith("exercism"):
                        continue
                    passed, points, words = told[name][case["id"]]
                    self.assertIn(passed, (None, case["status"] == "passed"), case)
                    self.assertIn(points, (None, case["points"]), case)
                    if case["status"] != "passed" and case["message"] is not None:
                        self.assertIn(case["message"], words)
        self.assertIn("Žofia", self.exported("gradescope", path))
        self.assertIn("Žofia", self.exported("prairielearn", path))
        self.assertEqual(json.loads(self.exported("json", path)), verdict)

    def test_every_format_has_the_compilers_words(self):
        folder = pathlib.Path(self.folder, "in", SHORT)
        shutil.copytree(ROOT / "solutions" / SHORT, folder)
        for some in ("memory.c", None):  # one file, then all of them
            for file in folder.glob(some or "*.c"):
                file.write_text(file.read_text(encoding="utf-8") + "\nint broken(\n")
            self.run_it("grade", "10", "--trust", "--no-speed", "--submission", str(folder), "--format",
                        "json", "--out", "verdict.json", status=1)
            for name, read in READERS.items():
                with self.subTest(format=name, some=some):
                    text = self.exported(name, "verdict.json")
                    shutil.rmtree(os.path.join(self.folder, "out", name))
                    read(text)
                    self.assertTrue(re.search("memory.c:[0-9]+:[0-9]+: error: ", text), name)
                    if name.startswith("exercism"):
                        self.assertEqual(json.loads(text)["status"], "fail" if some else "error")

    def test_help_and_refusals_name_every_format(self):
        shown, _ = self.run_it("grade", "--help")
        refused = self.refused("export", "yaml", "x", "--out", "y")
        for name in FORMATS:
            self.assertIn(name, shown)
            self.assertIn(name, refused)

    def test_a_class_is_exported_student_by_student(self):
        folder, results = pathlib.Path(self.folder, "in"), pathlib.Path(self.folder, "results")
        for student in ("ada", "boris.k"):
            (folder / student).mkdir(parents=True)
            shutil.copy(ROOT / "solutions" / SHORT / "memory.c", folder / student)
        batch = ("batch", str(folder), "--labs", "10", "--out", str(results), "--trust",
                 "--no-speed")
        self.run_it(*batch)
        (folder / "ada" / "memory.c").write_text("int broken(", encoding="utf-8")
        self.run_it(*batch)
        self.run_it("export", "gradescope", str(results), "--out", "out", "--labs", "10")
        points = {}
        for student in ("ada", "boris.k"):
            path = pathlib.Path(self.folder, "out", student, "results.json")
            points[student] = gradescope(path.read_text(encoding="utf-8"))[1]
        self.assertLess(points["ada"], points["boris.k"])  # the newer one counts
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, "out"))), ["ada", "boris.k"])
        self.assertIn("results", self.refused("export", "junit", str(results), "--out", "none",
                                              "--labs", "01"))
        self.assertFalse(os.path.exists(os.path.join(self.folder, "none")))

    def test_what_cannot_be_exported_is_said(self):
        other = os.path.join(self.folder, "other.json")
        with open(other, "w", encoding="utf-8") as file:
            file.write('{"schema": "vialata.verdict/9"}')
        self.run_it("grade", "10", "--reference", "--only", "vl_planned_flops", "--format", "json",
                    "--out", "one.json")
        shutil.copy(os.path.join(self.folder, "one.json"), os.path.join(self.folder, "two.json"))
        for words, part in [(["junit", "one.json"], "--out"),
                            (["junit", "none.json", "--out", "x"], "none.json"),
                            (["junit", "other.json", "--out", "x"], "other.json"),
                            (["junit", self.folder, "--out", "x"], self.folder),
                            (["junit", "one.json", "two.json", "--out", "x"], "two.json"),
                            (["junit", "one.json", "--out", "other.json"], "other.json"),
                            (["junit"], "export")]:
            with self.subTest(words=words):
                self.assertIn(part, self.refused("export", *words))


if __name__ == "__main__":
    unittest.main()
