"""What an instructor does after the first grading: points set by hand, dates, grading a part again,
comparing two gradings, submissions that are alike."""
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

root = pathlib.Path(os.environ["VIALATA_ROOT"])
program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
LAB = "10_bandwidth"  # without several ranks: its gradings are short
ROSTER = ("id,name,language,late_days,extra_time,board\nada,Ada,fr,3,,no\nbob,Bob,,0,,\n"
          "eve,Eve,,1,,\nfay,Fay,,,,\nzoe,Zoe,,,,\n")
problems = []


def expect(holds, what):
    if not holds:
        problems.append(what)


def vialata(*words, code=0, **more):
    run = subprocess.run([program, *words], text=True, capture_output=True, **more)
    expect(run.returncode == code, f"{words}: exit {run.returncode}: {run.stdout} {run.stderr}")
    return run


class Course:
    """A class of four: the reference, a part of it, the skeleton, the reference in other words."""

    def __init__(self, scratch):
        self.handed_in, self.results = scratch / "in", scratch / "results"
        self.roster = scratch / "roster.csv"
        self.roster.write_text(ROSTER)
        reference, skeleton = root / "solutions" / LAB, root / "labs" / LAB
        sources = {path.name: path.read_text() for path in reference.glob("*.c")}
        shutil.copytree(reference, self.handed_in / "ada")
        shutil.copytree(skeleton, self.handed_in / "bob")
        shutil.copy(reference / "crossover.c", self.handed_in / "bob")
        shutil.copytree(skeleton, self.handed_in / "eve")
        (self.handed_in / "fay").mkdir()
        for name, text in sources.items():
            text = "/* my own work */\n" + re.sub(r"\b(i|k)\b", r"my_\1", text)
            (self.handed_in / "fay" / name).write_text(text.replace("    ", "\t"))

    def batch(self, *words, **more):
        return vialata("batch", "--lang", "en", "--trust", "--labs", "10", "--no-speed",
                       self.handed_in, "--out", self.results, "--roster", self.roster, *words,
                       **more)

    def book(self):
        with open(self.results / "gradebook.csv", newline="", encoding="utf-8") as file:
            return {row["id"]: row for row in csv.DictReader(file)}

    def score(self, student):
        return float(self.book()[student][LAB] or "nan")

    def note(self, student):
        return self.book()[student][LAB + "_note"]

    def verdicts(self):
        """When each verdict was made; without the version in its name."""
        return {path.name.split(".")[0]: path.stat().st_mtime_ns
                for path in (self.results / "verdicts" / LAB).glob("*.json")}

    def verdict(self, student):
        return next((self.results / "verdicts" / LAB).glob(f"{student}.*.json"))

    def page(self, student):
        return (self.results / "pages" / LAB / f"{student}.html").read_text(encoding="utf-8")

    def glance(self):
        return (self.results / "class.html").read_text(encoding="utf-8")


def overrides(course):
    """Points and comments in a table beside the results: read at every run, never written."""
    table = course.results / "overrides.csv"
    text = ("id;lab;case;points;comment;by;bonus\n"
            "Ada;10;crossover.bad;0,5;The bound was <too> strict.;Jo;\n"
            "eve;10;;55;Shown in person.;Jo;\n"
            "zoe;10;;40;On paper.;;\n"
            "bob;10;crossover.bad;7;Too much.;;\n"
            "bob;10;crossover.bad;7;Found a mistake in the lab.;;yes\n"
            "nobody;10;;3;;;\nbob;10;no.such;3;;;\nbob;99;;3;;;\nbob;9;;3;;;\n")
    table.write_text(text)
    before, ada, bob = course.verdicts(), course.score("ada"), course.score("bob")
    run = course.batch("--no-grading", code=1)
    expect(course.verdicts() == before, "graded, although nothing was to be")
    expect(table.read_text() == text, "the table was changed")
    expect(abs(course.score("ada") - (ada - 0.5)) < 0.01, f"ada: {course.book()['ada']}")
    expect(course.score("bob") == bob, "more than the most counted")
    expect(course.score("eve") == 55 and "Shown in person" in course.note("eve"), "eve")
    expect(course.score("zoe") == 40 and "On paper" in course.note("zoe"), "zoe")
    page = course.page("zoe")  # she has handed in nothing
    expect("Zoe: 40/100" in page and "On paper." in page and "Every case" not in page, page)
    for told in ("Line 7", "nobody", "Line 8", "`no.such`", "Line 9", "`99`", "Line 6", "Line 5"):
        expect(told in run.stderr, f"{told} is not told: {run.stderr}")
    expect("Line 10" not in run.stderr, "a row about a lab that is not graded now was told")
    expect(run.stderr.count("\n") == 5, run.stderr)
    page, glance = course.page("ada"), course.glance()
    expect("The bound was &lt;too&gt; strict. (Jo)" in page, "ada's page says nothing")
    expect("The bound was &lt;too&gt; strict. (Jo)" in glance and "Line 8" in glance, "class page")
    expect("Too much." not in course.page("bob") + course.note("bob"), "the comment of a refused row")
    table.write_text("who,what\n")
    expect("`id`" in course.batch("--no-grading", code=2).stderr, "a table without its columns")
    table.write_text("id,lab,case,points,bonus\nbob,10,crossover.bad,7,yes\n")
    course.batch("--no-grading")
    expect(abs(course.score("bob") - (bob + 6)) < 0.01, f"a bonus: {course.book()['bob']}")
    table.unlink()
    course.batch("--no-grading")
    expect(course.score("ada") == ada and course.note("ada") == "", "the table is gone, not its rows")
    expect(sorted(path.stem for path in (course.results / "pages" / LAB).iterdir())
           == ["ada", "bob", "eve", "fay"], "her page is still there")


def compare(course, scratch):
    earlier = scratch / "earlier"
    shutil.copytree(course.results, earlier)
    run = vialata("compare", "--lang", "en", earlier, course.results)
    expect("As before: 4" in run.stdout, run.stdout)
    table = course.results / "overrides.csv"
    table.write_text("id,lab,case,points\nada,10,crossover.bad,0\nzoe,10,,40\n")
    course.batch("--no-grading")
    run = vialata("compare", "--lang", "en", earlier, course.results, code=1)
    expect("ada, lab 10: 100 before, 99 now" in run.stdout, run.stdout)
    expect("`crossover.bad`: 1 before (passed), 0 now" in run.stdout, run.stdout)
    expect("zoe, lab 10: not graded before, 40 now" in run.stdout, run.stdout)
    run = vialata("compare", "--json", earlier, course.results, code=1)
    changes = json.loads(run.stdout)
    expect(changes["schema"] == "vialata.changes/1" and changes["same"] == 3, changes)
    change, other = changes["changed"]
    expect(other["student"] == "zoe" and other["before"] is None, other)
    expect(change["student"] == "ada" and change["after"] == 99, change)
    expect([case["id"] for case in change["cases"]] == ["crossover.bad"], change)
    table.unlink()
    course.batch("--no-grading")
    run = vialata("compare", "--lang", "en", earlier, course.handed_in, code=2)
    expect("batch" in run.stderr and run.stderr.count("\n") == 1, run.stderr)
    (earlier / "points" / f"{LAB}.json").write_text("{}")
    run = vialata("compare", "--lang", "en", earlier, course.results, code=2)
    expect(f"{LAB}.json" in run.stderr and run.stderr.count("\n") == 1, run.stderr)


def due(course, scratch):
    for student, when in (("ada", "2026-12-04 19:00"), ("bob", "2026-12-02 17:59"),
                          ("eve", "2026-12-01 18:00"), ("fay", "2027-12-01 18:00")):
        for path in (course.handed_in / student).iterdir():
            subprocess.run(["touch", "-d", when, path], check=True,
                           env={**os.environ, "TZ": "Europe/Bratislava"})
    words = ["--no-grading", "--due", "2026-12-01T18:00"]
    zone = {**os.environ, "TZ": "Europe/Bratislava"}
    run = course.batch(*words, env=zone)
    expect("2026-12-01 18:00 CET" in run.stdout, f"the zone is not told: {run.stdout}")
    expect(course.note("ada").startswith("late by 4 days; 3 of 3 late days used; 1 day beyond"),
           course.note("ada"))
    expect(course.note("bob") == "late by 1 day" and course.note("eve") == "not started", "bob or eve")
    expect(course.score("ada") == 100, "points were taken off, although nobody asked for it")
    # Her page is in her language, where it is there.
    told = "3 of 3 late days|retard[^<]*3 utilisés sur 3"
    expect(re.search(told, course.page("ada")), "the student is not told")
    bob = course.score("bob")
    course.batch(*words, "--late-penalty", "20", env=zone)
    expect(course.score("ada") == 80 and course.score("fay") == 0, "a day beyond costs 20 %")
    expect(abs(course.score("bob") - 0.8 * bob) < 0.01, "without late days each day costs")
    for words, told in ((["--due", "soon"], "soon"), (["--due", "2026-02-30T10:00"], "02-30"),
                        (["--late-penalty", "10"], "--due"),
                        (["--due", "2026-12-01T18:00", "--late-penalty", "0"], "--late-penalty")):
        expect(told in course.batch("--no-grading", *words, code=2).stderr, f"{words}")
    archive = scratch / "export.zip"  # times are those of the entries of the platform's archive
    with zipfile.ZipFile(archive, "w") as file:
        info = zipfile.ZipInfo("bob.c", (2026, 12, 3, 12, 0, 0))
        file.writestr(info, "int x;")
    results = scratch / "export"
    vialata("batch", "--lang", "en", "--labs", "10", archive, "--out", results, "--no-grading",
            "--due", "2026-12-01T18:00", env=zone)
    expect("not graded yet" in (results / "gradebook.csv").read_text(), "graded after all")
    expect("late by 2 days" in (results / "gradebook.csv").read_text(), "an entry of an archive")
    course.batch("--no-grading")
    expect(course.note("ada") == "", course.note("ada"))


def hidden(course):
    """Students see the sum of what is hidden, until then; a word that means nothing hides nothing."""
    (course.results / "overrides.csv").write_text("id,lab,case,points,comment\n"
                                                  "bob,10,crossover.bad,0,Look here.\n")
    course.batch("--no-grading", "--hide", "crossover", "--hide", "vl_planned_flops",
                 "--hide-until", "2999-01-01T00:00")
    page = course.page("bob")
    expect(">crossover." not in page and "planned_flops." not in page and "Look" not in page, page)
    expect("planned_traffic.plain" in page and "9/18" in page.replace(",", "."), page)
    expect("Look here." in course.glance(), "hidden from whoever teaches")
    course.batch("--no-grading", "--hide-until", "2999-01-01T00:00")
    page = course.page("bob")
    expect("planned_traffic" not in page and "9/100" in page, f"not everything is hidden: {page}")
    (course.results / "overrides.csv").unlink()
    course.batch("--no-grading", "--hide", "all", "--hide-until", "2020-01-01T00:00")
    expect("crossover.bad" in course.page("bob"), "hidden for ever")
    for words, told in ((["--hide", "cross0ver"], "cross0ver"), (["--hide-until", "x"], "`x`")):
        expect(told in course.batch("--no-grading", *words, code=2).stderr, f"{words}")


def regrade(course):
    """Only who is meant is graded again; the rest stays, also from another version."""
    before = course.verdicts()
    run = course.batch("--regrade", "bob")
    now = course.verdicts()
    expect({s for s in now if now[s] != before.get(s)} == {"bob"}, "others were graded again")
    expect("Graded again: 1" in run.stdout and "As before: 1" in run.stdout, run.stdout)
    for path in (course.results / "verdicts" / LAB).glob("*.json"):  # of another version
        path.rename(path.with_name(re.sub(r"[0-9a-f]{8}\.json$", "0123abcd.json", path.name)))
    verdict = json.loads(course.verdict("ada").read_text())
    case = next(case for case in verdict["cases"] if case["id"] == "crossover.bad")
    verdict["score"] -= case["points"]
    case |= {"points": 0, "status": "failed", "code": "unexpected_status"}
    course.verdict("ada").write_text(json.dumps(verdict))
    before = course.verdicts()
    run = course.batch("--regrade", "crossover.bad", "--regrade", "fay")
    now = course.verdicts()
    expect({s for s in now if now[s] != before.get(s)} == {"ada", "bob", "fay"},
           "a case is graded again for whoever has begun it, and for nobody else")
    expect("ada, lab 10: 99 before, 100 now" in run.stdout, run.stdout)
    expect("(unexpected_status), 1 now (passed)" in run.stdout, run.stdout)
    expect("Changed: 1. As before: 2." in run.stdout, run.stdout)
    expect(course.score("eve") == 0 and course.note("eve") == "not started", "a kept verdict does not count")
    path = course.verdict("fay")  # killed when it had been put aside
    path.rename(path.with_name(path.name.replace(".json", ".before.json")))
    run = course.batch()
    expect("Graded again: 1" in run.stdout, "an interrupted one is not told")
    expect(not list((course.results / "verdicts" / LAB).glob("*.before.json")), "it was left over")
    for words, told in ((["--regrade", "nonsense"], "nonsense"),
                        (["--regrade", "bob", "--no-grading"], "--no-grading")):
        expect(told in course.batch(*words, code=2).stderr, f"{words}")
    expect(course.verdicts().keys() == now.keys(), "a refused one has lost a verdict")


def similar(course):
    run = course.batch("--no-grading", "--similar", "60", env={**os.environ, "PATH": "/nowhere"})
    expect("similarity-tester" in run.stderr and run.stderr.count("\n") == 1, run.stderr)
    if shutil.which("sim_c") is None:
        print("there is no sim_c here: similar submissions are not looked for")
        return
    pairs = '<tr><th scope="row">(ada|fay)</th><td>(ada|fay)</td>'
    course.batch("--no-grading", "--similar", "60")
    expect(re.search(pairs, course.glance()), "the same in other words was not found")
    alike = course.glance().split("alike")[1].split("</table>")[0]
    expect("bob" in alike, "a part of another submission was not found")
    expect("eve" not in alike, f"the lab's own lines are alike: {alike}")
    for hostile, told in ((b"int x;\0\xff\n" * 300000, True), (b"a;" * 40000, True),
                          (b"/* \0 \" ' \\\n", False), (b"", False)):
        (course.handed_in / "eve" / "compute.c").write_bytes(hostile)
        run = course.batch("--no-grading", "--similar", "60")
        expect(("`eve` was not compared" in run.stderr) == told and run.stderr.count("\n") == told
               and re.search(pairs, course.glance()), f"{run.stderr}")
    text = (course.handed_in / "ada" / "compute.c").read_text()
    (course.handed_in / "eve" / "own.h").write_text(text)
    (course.handed_in / "eve" / "compute.c").write_text('#include "own.h"\n')
    course.batch("--no-grading", "--similar", "60")
    expect(re.search(pairs.replace("fay", "eve"), course.glance()), "a copy in a header was not found")
    course.batch("--no-grading")
    expect("alike" not in course.glance(), "looked for, although nobody asked")
    expect("--similar" in course.batch("--similar", "5", code=2).stderr, "everything is alike")


with tempfile.TemporaryDirectory() as name:
    place = pathlib.Path(name)
    place.chmod(0o755)
    lesson = Course(place)
    lesson.batch()
    expect(lesson.score("ada") == 100 and lesson.score("fay") == 100, f"{lesson.book()}")
    overrides(lesson)
    compare(lesson, place)
    due(lesson, place)
    hidden(lesson)
    regrade(lesson)
    similar(lesson)
print("\n".join(map(str, problems)) or "what was decided counts, is told, and stays")
sys.exit(bool(problems))
