"""A class's submissions graded: folders, archives, exports of platforms, a roster; what cannot be
graded is told; a killed batch goes on where it stopped."""
import csv
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

from share import LONG

root = pathlib.Path(os.environ["VIALATA_ROOT"])
program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
LAB = "10_bandwidth"  # without several ranks: its gradings are short
ONE, BROKEN = "compute.c", "int broken(\n"  # the shortest: nothing is left to be run
problems = []


def expect(holds, what):
    if not holds:
        problems.append(what)


def command(*words):
    return [program, "batch", "--lang", "en", "--trust", "--labs", "10", "--no-speed", *words]


def batch(*words, code=None):
    run = subprocess.run(command(*words), text=True, capture_output=True)
    expect(code is None or run.returncode == code,
           f"{words}: exit {run.returncode}: {run.stdout} {run.stderr}")
    return run


def book(results):
    with open(results / "gradebook.csv", newline="", encoding="utf-8") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def score(row):
    return float(row[LAB] or "nan")


def verdicts(results):
    return {path.name: path.stat().st_mtime_ns for path in (results / "verdicts" / LAB).glob("*.json")}


def reference(folder):
    shutil.copytree(root / "solutions" / LAB, folder)


def zipped(path, names):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in names.items():
            archive.writestr(name, text)


def tarred(path, members):
    with tarfile.open(path, "w:gz") as archive:
        for member, text in members:
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))


def member(name, **fields):
    info = tarfile.TarInfo(name)
    for field, value in fields.items():
        setattr(info, field, value)
    return info


def hand_in(folder):
    """Every form that a submission can have, and what somebody may try."""
    source = {path.name: path.read_text() for path in (root / "solutions" / LAB).glob("*.[ch]")}
    one = sorted(name for name in source if name.endswith(".c"))[0]
    folder.mkdir()
    reference(folder / "ada")
    (folder / "bob").mkdir()
    reference(folder / "bob" / LAB)
    short = {ONE: source[ONE]}  # as good as all of it, and soon compiled
    zipped(folder / "Cyd Charisse_381_assignsubmission_file_.zip",
           {f"my work/{LAB}/{name}": text for name, text in short.items()}
           | {"__MACOSX/._x.c": "?", "notes.pdf": "%PDF"})
    zipped(folder / "dahlroald_LATE_12_345_lab10.zip", short)
    shutil.copy(root / "labs" / LAB / one, folder / "eve.c")
    (folder / "fay.zip").write_bytes(b"PK\x03\x04 nothing of the kind")
    zipped(folder / "gus.zip", {"../../escaped.c": "int x;"})
    tarred(folder / "hal.tar.gz", [(member(one, type=tarfile.SYMTYPE, linkname="/etc/passwd"), b"")])
    zipped(folder / "ida.zip", {"readme.c": "int nothing_of_this_lab;"})
    with zipfile.ZipFile(folder / "jan.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as bomb:
        with bomb.open("bomb.c", "w", force_zip64=True) as file:
            for _ in range(520):  # MiB: more than a submission may have
                file.write(bytes(1 << 20))
    (folder / "kim").mkdir()  # empty
    zipped(folder / "Žofia Ľ.zip", short)
    zipped(folder / "lee.zip", {name: text + "int broken(\n" for name, text in source.items()})
    (folder / "grades.csv").write_text("a,b\n")
    os.utime(folder / "ada", (0, 0))
    with zipfile.ZipFile(folder / "ada.zip", "w") as archive:  # handed in again, and later
        archive.writestr(one, "int later(")
    roster = folder.parent / "roster.csv"
    roster.write_text("id,name,language,late_days,extra_time,group,,e-mail\nada,Ada,fr,1,\nbob,Bob,,,2,7,,b@x\n"
                      "cyd,Cyd Charisse,sk,,\ndahlroald,Roald Dahl,,,\nzofia,Žofia Ľ,,,\n"
                      "zoe,=cmd|x,,,\n", encoding="utf-8")
    return roster


def whole_class(scratch):
    roster, results = hand_in(scratch / "in"), scratch / "results"
    run = batch(scratch / "in", "--out", results, "--roster", roster, code=1)
    expect(results.stat().st_mode & 0o077 == 0, "others can open the results")
    rows = book(results)
    expect(score(rows["bob"]) == 100, f"bob: {rows.get('bob')}")
    points = {student: score(rows[student]) for student in ("cyd", "dahlroald", "zofia")}
    expect(0 < points["cyd"] < 100 and len(set(points.values())) == 1, f"one file: {points}")
    expect(score(rows["ada"]) == 0, f"the later submission did not count: {rows['ada']}")
    expect("late" in rows["dahlroald"][LAB + "_note"], f"late: {rows['dahlroald']}")
    expect(rows["zoe"][LAB] == "" and "handed in" in rows["zoe"][LAB + "_note"], f"{rows['zoe']}")
    expect(rows["zoe"]["name"] == "'=cmd|x", f"a formula: {rows['zoe']}")
    for student, told in (("ada", "a part of it does not compile"), ("lee", "does not compile"),
                          ("bob", "")):
        expect(rows[student][LAB + "_note"].split(";")[0] == told, f"{student}: {rows[student]}")
    told = "The roster has columns that nothing here knows or uses: group, e-mail.\n"
    expect(run.stdout.count(told) == 1, f"columns that mean nothing: {run.stdout}")
    for student, told in (("fay", "damaged"), ("gus", "escaped.c"), ("hal", "link"),
                          ("ida", "no file"), ("jan", "more than"), ("kim", "no file")):
        row = rows.get(student)
        expect(row is not None and row[LAB] == "" and told in row[LAB + "_note"], f"{student}: {row}")
    expect(not (scratch / "escaped.c").exists() and not (results / "escaped.c").exists(), "escaped")
    expect(not (results / ".unpacked").exists(), "what was unpacked is still there")
    verdict = next((results / "verdicts" / LAB).glob("cyd.*.json"))
    expect(json.loads(verdict.read_text())["language"] == "sk", "not in the student's language")
    before = verdicts(results)
    page = (results / "pages" / LAB / "cyd.html").read_text(encoding="utf-8")
    expect('lang="sk"' in page and "Cyd Charisse" in page and f"{points['cyd']:g}/100" in page, "the page of cyd")
    glance = (results / "class.html").read_text(encoding="utf-8")
    expect("7 submissions were graded" in glance and "<script" not in glance, "the class page")
    again = batch(scratch / "in", "--out", results, "--roster", roster, code=1)
    expect(verdicts(results) == before, "graded again")
    expect("Numbers" not in again.stdout, again.stdout)
    (scratch / "in" / "eve.c").write_text("int changed;")
    batch(scratch / "in", "--out", results, "--roster", roster, code=1)
    expect(len(set(verdicts(results)) - set(before)) == 1, "what was changed is not graded alone")
    return run


def renamed(scratch):
    """An entry that is called otherwise than a student, and what it was called before."""
    folder, results, roster = scratch / "named", scratch / "renamed", scratch / "two.csv"
    folder.mkdir()
    roster.write_text("id\nada\neva\n")
    shutil.copytree(root / "labs" / LAB, folder / "ada")
    shutil.copytree(root / "labs" / LAB, folder / "evva")
    words = (folder, "--out", results, "--roster", roster)
    run = batch(*words, code=0)
    expect("Not in the roster: evva.\n" in run.stdout, f"nobody is told of evva: {run.stdout}")
    expect("not handed in now" not in run.stdout, run.stdout)
    rows, note = book(results), LAB + "_note"
    expect(rows["evva"][note] == "not started; not in the roster"
           and rows["ada"][note] == "not started", f"{rows}")
    expect("Not in the roster: evva." in (results / "class.html").read_text(), "the class page")
    expect("roster" not in batch(folder, "--out", results, code=0).stdout, "there is no roster")
    (folder / "evva").rename(folder / "eva")
    run = batch(*words, code=0)
    expect("several at a time: 1 grading.\n" in run.stdout, run.stdout)
    expect("not handed in now: evva." in run.stdout and f"--results {results}`" in run.stdout
           and "Not in the roster" not in run.stdout, f"what is left over: {run.stdout}")
    subprocess.run([program, "forget", "evva", "--results", results], check=True,
                   capture_output=True)
    run = batch(*words, code=0)
    expect("evva" not in run.stdout, f"forgotten, and told: {run.stdout}")


def without_verdict(scratch):
    """A machine's failure is told to whoever teaches, in their language, and does not count as a score."""
    folder, results, roster = scratch / "lacking", scratch / "failed", scratch / "french.csv"
    roster.write_text("id,language\nada,fr\nbob,en\n")
    for student in ("ada", "bob"):
        (folder / student).mkdir(parents=True)
        (folder / student / ONE).write_text(BROKEN)
    words = (folder, "--out", results, "--roster", roster)
    for _ in range(2):  # the second time nothing counts either
        run = subprocess.run(command(*words), env={**os.environ, "TMPDIR": "/nowhere"}, text=True,
                             capture_output=True)
        expect(run.returncode == 1 and "Not graded: 2" in run.stdout and "2 of 2" in run.stdout
               and run.stdout.count("No folder for temporary files") == 2, f"{run}")
        for row in book(results).values():
            expect(row[LAB] == "" and row[LAB + "_note"].startswith("No folder for temporary"), f"{row}")
        expect(verdicts(results) == {}, "a failure was kept as a verdict")
    batch(*words, code=0)
    expect(json.loads(next((results / "verdicts" / LAB).glob("ada.*.json")).read_text())["language"]
           == "fr", "graded at last, but not in the student's language")


def killed(scratch):
    """Killed or interrupted again and again: nothing is lost, nothing is graded twice."""
    folder, results = scratch / "many", scratch / "killed"
    folder.mkdir()
    students = 8 if LONG else 3
    for i in range(students):
        reference(folder / f"student{i}")
    seen = {}
    for ending in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGKILL)[::1 if LONG else 2]:
        run = subprocess.Popen(command(folder, "--out", results), stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
        time.sleep(2.5)
        run.send_signal(ending)
        run.wait()
        now = verdicts(results)
        expect(all(now.get(name) == when for name, when in seen.items()), "a verdict was lost")
        seen = now
    batch(folder, "--out", results, code=0)
    now = verdicts(results)
    expect(all(now.get(name) == when for name, when in seen.items()), "a verdict was made again")
    rows = book(results)
    expect(len(rows) == students and all(score(row) == 100 for row in rows.values()), f"{rows}")


def by_content(scratch):
    """What an archive holds is unpacked anew each time, and graded again only once it has changed."""
    handed_in, results, secret = scratch / "export.zip", scratch / "unpacked", scratch / "secret"
    zipped(handed_in, {"lea.c": BROKEN, "max.c": BROKEN + "\n"})
    words = (handed_in, "--out", results, "--secret", secret)
    secret.write_bytes(32 * b"1")
    secret.chmod(0o600)
    batch(*words, code=0)
    before = verdicts(results)
    expect(len(before) == 2, f"an archive of two files: {sorted(before)}")
    batch(*words, code=0)
    expect(verdicts(results) == before, "graded again, though nothing has changed")
    secret.write_bytes(32 * b"2")
    batch(*words, code=0)
    expect(len(set(verdicts(results)) - set(before)) == 2, "another secret, but the old verdicts")
    secret.chmod(0o644)
    run = batch(*words, code=2)
    expect(run.stderr.count("chmod 600") == 1, f"a secret that others may read: {run.stderr}")


def refusals(scratch):
    (scratch / "empty").mkdir()
    (scratch / "other").mkdir()
    (scratch / "other" / "thesis.txt").write_text("precious")
    roster = scratch / "bad.csv"
    roster.write_text("id\na\na\n")
    good = scratch / "in"
    for words, told in (([good], "--out"), ([good, "--out", scratch / "other"], "other files"),
                        ([scratch / "nothing", "--out", scratch / "r1"], "nothing"),
                        ([scratch / "empty", "--out", scratch / "r2"], "Nothing was handed in"),
                        ([good, "--out", scratch / "r3", "--roster", roster], "Line 3"),
                        ([good, "--out", scratch / "r4", "--roster", scratch / "no.csv"], "no.csv"),
                        ([good, "--out", scratch / "r5", "--jobs", "0"], "--jobs"),
                        ([good, "--out", "/proc/nowhere"], "/proc/nowhere")):
        said = batch(*words, code=2).stderr
        expect(told in said and said.count("\n") == 1, f"{words}: {said}")
    expect((scratch / "other" / "thesis.txt").read_text() == "precious", "other files changed")
    busy = subprocess.Popen(command(scratch / "many", "--out", scratch / "busy"),
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1)
    expect("wait" in batch(good, "--out", scratch / "busy", code=2).stderr, "two at once")
    busy.send_signal(signal.SIGTERM)
    busy.wait()


with tempfile.TemporaryDirectory() as name:
    scratch = pathlib.Path(name)
    scratch.chmod(0o755)
    whole_class(scratch)
    if LONG:
        renamed(scratch)
    without_verdict(scratch)
    killed(scratch)
    by_content(scratch)
    refusals(scratch)
print("\n".join(problems) or "a class is graded, whatever it hands in")
sys.exit(bool(problems))
