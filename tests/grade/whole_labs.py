"""What check_skeleton.py and check_reference.py share: a lab graded whole, and what is expected of its verdict."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(os.environ["VIALATA_ROOT"])
program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
folders = sorted((root / "labs").glob("[0-9][0-9]_*"))
failures = 0


def grade(lab, *more):
    """The exit status, the verdict, and what is left of temporary files."""
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        run = subprocess.run([program, "grade", lab, "--format", "json", "--lang", "en", *more],
                             env=dict(os.environ, TMPDIR=scratch), text=True,
                             capture_output=True)
        left = os.listdir(scratch)
    if run.returncode > 1:
        sys.exit(f"grade {lab}: exit status {run.returncode}: {run.stderr}")
    return run.returncode, json.loads(run.stdout), left


def expect(what, got, wanted):
    global failures
    failures += got != wanted
    print(f"{'ok' if got == wanted else 'FAILED':7}{what}: {got}"
          + ("" if got == wanted else f" instead of {wanted}"), flush=True)


def finish():
    sys.exit(1 if failures or not folders else 0)
