"""The two ends of the scale, for every lab that is graded.

The untouched skeleton compiles without a warning, is "not started" and earns nothing; the
reference earns everything.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(os.environ["VIALATA_ROOT"])
program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
failures = 0


def grade(lab, *more):
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        run = subprocess.run([program, "grade", lab, "--format", "json", "--lang", "en", *more],
                             env=dict(os.environ, TMPDIR=scratch), text=True,
                             capture_output=True)
        left = os.listdir(scratch)
    if run.returncode > 1:
        sys.exit(f"grade {lab}: exit status {run.returncode}: {run.stderr}")
    return run.returncode, json.loads(run.stdout), left


def grade_reference(lab):
    """Grade it, and once or twice more if only its speed is wrong: something else on the machine
    may have disturbed that, and what is really slow is slow each time."""
    for _ in range(3):
        status, verdict, left = grade(lab, "--reference")
        lost = [(c["id"], c["code"], c["measured"]) for c in verdict["cases"]
                if c["status"] != "passed"]
        if not lost or any(code not in ("too_slow", "unsteady_times") for _, code, _ in lost):
            break
    return status, verdict, left, lost


def expect(what, got, wanted):
    global failures
    failures += got != wanted
    print(f"{'ok' if got == wanted else 'FAILED':7}{what}: {got}"
          + ("" if got == wanted else f" instead of {wanted}"), flush=True)


for folder in sorted((root / "labs").glob("[0-9][0-9]_*")):
    lab = folder.name[:2]
    status, verdict, left = grade(lab, "--submission", folder)
    expect(f"{lab} skeleton status", verdict["status"], "not_started")
    expect(f"{lab} skeleton score", verdict["score"], 0)
    expect(f"{lab} skeleton of", verdict["max_score"], 100)
    expect(f"{lab} skeleton exit", status, 1)
    expect(f"{lab} skeleton compiler", verdict["compiler"], None)
    expect(f"{lab} skeleton leaves", left, [])
    started = [c["id"] for c in verdict["cases"]
               if c["max_points"] > 0 and c["status"] not in ("not_started", "skipped")]
    expect(f"{lab} skeleton started", started, [])

    status, verdict, left, lost = grade_reference(lab)
    expect(f"{lab} reference status", verdict["status"], "passed")
    expect(f"{lab} reference score", verdict["score"], 100)
    expect(f"{lab} reference exit", status, 0)
    expect(f"{lab} reference compiler", verdict["compiler"], None)
    expect(f"{lab} reference leaves", left, [])
    expect(f"{lab} reference lost", lost, [])
sys.exit(1 if failures else 0)
