"""Whatever a submission does, grading ends, says what happened, and leaves nothing behind.

Every hostile/*.c is a submission of its own. Its first lines say what must come out:
  code:      of its first case that earned none of its points (one of those listed)
  says:      words that the message must hold
  compiler:  words that the compiler's part of the verdict must hold
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
place = pathlib.Path(os.environ["VIALATA_PLACE"])
program = place / "bin" / "vialata"
failures = 0


def users(grader):
    """The numbers that vialata, as root, picks for its jobs: they follow its own."""
    return {first + (4 * grader + i) % span for i in range(16)
            for first, span in ((300000, 100000), (20000, 40000))}


def left_by(grader, scratch):
    """Processes that this grading started and that are still there, the dead included."""
    found = set()
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
            environment = (status.parent / "environ").read_bytes()
        except OSError:
            environment = b""
        user = int(re.search(r"^Uid:\t(\d+)", text, re.M).group(1))
        if user in users(grader) or f"TMPDIR={scratch}/".encode() in environment:
            found.add((int(status.parent.name), text.splitlines()[0]))
    return found


def grade(submission, scratch, *more):
    command = [program, "grade", "01", "--submission", submission, "--format", "json",
               "--lang", "en", *more]
    environment = dict(os.environ, TMPDIR=scratch)
    return subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)


def check_clean(graders, scratch):
    left = set().union(*(left_by(grader, scratch) for grader in graders))
    problems = []
    if left:
        problems.append(f"processes are left: {sorted(left)}")
    if os.listdir(scratch):
        problems.append(f"files are left: {os.listdir(scratch)}")
    return problems


def report(name, problems, seconds):
    global failures
    failures += bool(problems)
    print(f"{'FAILED' if problems else 'ok':7}{name} ({seconds:.1f} s)", *problems, sep="\n    ")
    sys.stdout.flush()


def check_source(source, scratch):
    header = source.read_text()
    codes = re.search(r"/\* code: (.*) \*/", header).group(1).split()
    begin = time.monotonic()
    run = grade(source, scratch, "--only", "vl_rmsnorm_forward")
    out, err = run.communicate(timeout=120)
    problems = check_clean([run.pid], scratch)
    if run.returncode != 1:
        problems.append(f"exit status {run.returncode} instead of 1: {err.strip()}")
    else:
        verdict = json.loads(out)
        cases = [c for c in verdict["cases"] if c["points"] == 0]
        found = cases[0]["code"] if cases else "full points"
        words = (cases[0]["message"] or "") if cases else ""
        if found not in codes:
            problems.append(f"code {found} instead of {' or '.join(codes)}: {words}")
        for part, text in (("says", words), ("compiler", verdict["compiler"] or "")):
            wanted = re.search(rf"/\* {part}: (.*) \*/", header)
            if wanted and wanted.group(1) not in text:
                problems.append(f"{part}: no `{wanted.group(1)}` in: {text}")
        if "root:" in out:
            problems.append("a file of others came out with the verdict")
    report(source.name, problems, time.monotonic() - begin)


def check_interrupt(number, scratch):
    """Ctrl-C while a case hangs: the usual exit, and nothing is left."""
    begin = time.monotonic()
    run = grade(here / "hostile" / "loop.c", scratch, "--only", "vl_rmsnorm_forward")
    while not left_by(run.pid, scratch) and time.monotonic() < begin + 20:
        time.sleep(0.1)
    time.sleep(1)
    run.send_signal(number)
    run.communicate(timeout=30)
    problems = check_clean([run.pid], scratch)
    if run.returncode not in (-number, 128 + number):
        problems.append(f"exit status {run.returncode} after {number.name}")
    report(number.name, problems, time.monotonic() - begin)


def check_two_at_once(scratch):
    """Two gradings of one user do not kill one another's jobs."""
    begin = time.monotonic()
    sources = [here / "hostile" / name for name in ("daemons.c", "segfault.c")]
    runs = [grade(s, scratch, "--only", "vl_rmsnorm_forward") for s in sources]
    codes = [json.loads(run.communicate(timeout=120)[0])["cases"][0]["code"] for run in runs]
    problems = check_clean([run.pid for run in runs], scratch)
    if codes != ["not_started", "crashed_segfault"]:
        problems.append(f"codes {codes}")
    report("two at once", problems, time.monotonic() - begin)


def main():
    chosen = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        for source in sorted((here / "hostile").glob("*.c")):
            if not chosen or source.stem in chosen:
                check_source(source, scratch)
        if not chosen:
            check_interrupt(signal.SIGINT, scratch)
            check_interrupt(signal.SIGTERM, scratch)
            check_two_at_once(scratch)
    sys.exit(1 if failures else 0)


main()
