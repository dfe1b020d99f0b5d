"""What grading takes of a submission, what it leaves out, and what it says about that.

The reference of lab 01 is the submission, with one thing wrong in it.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(os.environ["VIALATA_ROOT"])
program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
reference = root / "solutions" / "01_training_step"
failures = 0


def expect(what, holds, otherwise=""):
    global failures
    failures += not holds
    print(f"{'ok' if holds else 'FAILED':7}{what}" + ("" if holds else f": {otherwise}"), flush=True)


def run(folder, submission, *more, **environment):
    return subprocess.run([program, "grade", "01", "--submission", submission, "--lang", "en",
                           "--no-speed", *more], cwd=folder, text=True, capture_output=True,
                          env=dict(os.environ, **environment))


def grade(folder, submission, *more, **environment):
    graded = run(folder, submission, "--format", "json", *more, **environment)
    if not graded.stdout:
        sys.exit(f"no verdict: {graded.stderr}")
    return json.loads(graded.stdout)


def copy(scratch, name):
    folder = pathlib.Path(scratch, name)
    shutil.copytree(reference, folder)
    return folder


def append(path, text):
    path.write_text(path.read_text() + text)


def check_stray_main(scratch):
    folder = copy(scratch, "main")
    append(folder / "forward.c", "\nint main(void);\nint main(void)\n{\n    return 0;\n}\n")
    verdict = grade(scratch, folder)
    wanted = {f"vl_{name}_forward" for name in ("rmsnorm", "swiglu", "cross_entropy", "attention")}
    codes = {c["code"] for c in verdict["cases"] if c["function"] in wanted}
    expect("a stray main costs its file ...", codes == {"defines_main"}, codes)
    expect("... and no other", 0 < verdict["score"] < verdict["max_score"], verdict["score"])
    expect("... which the compiler's part says too",
           "forward.c was left out: it defines main" in verdict["compiler"], verdict["compiler"])


def check_without_names(scratch):
    """nm fails (in weak isolation, since behind the wall nobody can put another one there)."""
    tools = pathlib.Path(scratch, "tools")
    tools.mkdir()
    for tool in ("nm", "bwrap"):
        (tools / tool).write_text("#!/bin/sh\nexit 1\n")
        (tools / tool).chmod(0o755)
    verdict = grade(scratch, reference, "--only", "vl_rmsnorm_forward", "--trust",
                    PATH=f"{tools}:{os.environ['PATH']}")
    codes = {c["code"] for c in verdict["cases"]}
    expect("a function that nm did not list is not called missing",
           codes == {"symbols_unreadable"}, codes)


def check_what_is_not_taken(scratch):
    folder = copy(scratch, "more")
    for i in range(110):
        (folder / f"a{i:03}.h").write_text("")
    (folder / "parts").mkdir()
    (folder / "parts" / "mine.h").write_text("")
    (folder / "data").mkdir()
    (folder / "data" / "numbers.txt").write_text("1 2 3")
    (folder / ".git").mkdir()
    (folder / ".git" / "old.c").write_text("")
    (folder / "b\033.h").symlink_to("a000.h")
    said = grade(scratch, folder, "--only", "vl_rmsnorm_forward")["compiler"] or ""
    expect("headers beyond the limit are told, a few by name",
           "not taken: a100.h, a101.h, " in said and "a107.h, ..." in said, said)
    expect("so are folders, but not what holds no code", "these folders were not taken: parts. " in
           said and "data" not in said and "git" not in said, said)
    clean = copy(scratch, "clean")
    (clean / "b\033.h").symlink_to("fast_exp.h")
    said = grade(scratch, clean, "--only", "vl_rmsnorm_forward")["compiler"] or ""
    expect("a link is told, and control characters are not repeated",
           "not taken: b?.h. " in said and "folders" not in said, said)


def check_file_name(scratch):
    """A name that looks like an option of the compiler."""
    source = (reference / "forward.c").read_text()
    source = source.replace('#include "fast_exp.h"', (reference / "fast_exp.h").read_text())
    pathlib.Path(scratch, "-o.c").write_text(source)
    for name in ("-o.c", "./-o.c", f"{scratch}/-o.c"):
        verdict = grade(scratch, name, "--only", "vl_rmsnorm_forward")
        expect(f"a file called {name}", verdict["status"] == "passed",
               (verdict["status"], verdict["compiler"], verdict["message"]))


def check_one_file(scratch):
    """A submission that is one file of any name counts as every file of the lab."""
    pathlib.Path(scratch, "mine.c").write_text("int\n")
    verdict = grade(scratch, "mine.c", "--only", "rmsnorm_forward.odd")
    said = verdict["cases"][0]["message"]
    expect("what does not compile is told by its own name",
           said.startswith("mine.c does not compile"), said)


def check_no_verdict(scratch):
    verdict = grade(scratch, reference, TMPDIR="/no/such/folder")
    whole = 100 - 25  # without speed
    expect("an error keeps the lab's maximum", (verdict["status"], verdict["max_score"]) ==
           ("error", whole), (verdict["status"], verdict["max_score"]))
    expect("... and asks for space only where it is missing",
           "TMPDIR" in verdict["message"] and "space" not in verdict["message"],
           verdict["message"])
    text = run(scratch, reference, TMPDIR="/no/such/folder").stdout
    expect("... and the report has no score", "No score" in text and "out of" not in text, text)


def main():
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        check_stray_main(scratch)
        check_without_names(scratch)
        check_what_is_not_taken(scratch)
        check_file_name(scratch)
        check_one_file(scratch)
        check_no_verdict(scratch)
    sys.exit(1 if failures else 0)


main()
