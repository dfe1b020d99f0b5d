"""Every planted bug must earn the code it names: that is how the grader itself is graded.

NN/*.patch is a unified diff against solutions/NN_*/, with the files beside it that labs/ alone has,
headed by two lines:
  # case: a case or a function, given to --only
  # code: the diagnosis that one of its cases must get
A mutant that passes, gets another code, or no longer applies fails the suite.
Arguments choose mutants by name, or labs by number.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
root = pathlib.Path(os.environ["VIALATA_ROOT"])
program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
LEAST = 12  # mutants a lab
AT_ONCE = 2


def apply(patch, folder):
    """Strictly: a diff that has to guess where it belongs is out of date."""
    tools = (["patch", "-p1", "--fuzz=0", "--batch", "-i", patch], ["git", "apply", "-p1", patch])
    tool = next((t for t in tools if shutil.which(t[0])), None)
    if tool is None:
        sys.exit("neither patch nor git is on this machine")
    run = subprocess.run(tool, cwd=folder, text=True, capture_output=True,
                         env=dict(os.environ, GIT_CEILING_DIRECTORIES=str(folder.parent)))
    return "" if run.returncode == 0 else (run.stdout + run.stderr).strip()


def grade(lab, case, submission):
    run = subprocess.run([program, "grade", lab, "--submission", submission, "--only", case,
                          "--format", "json", "--lang", "en"], text=True, capture_output=True)
    if run.returncode > 1:
        return None, f"exit status {run.returncode}: {run.stderr.strip()}"
    return json.loads(run.stdout), ""


def check(patch):
    """What is wrong with this mutant; empty if it is caught as it should be."""
    lab, text = patch.parent.name, patch.read_text()
    case = re.search(r"^# case: (\S+)$", text, re.M)
    code = re.search(r"^# code: (\S+)$", text, re.M)
    if not case or not code:
        return "has no `# case:` or no `# code:` line"
    with tempfile.TemporaryDirectory() as scratch:
        reference = next((root / "solutions").glob(f"{lab}_*"))
        copy = pathlib.Path(scratch) / "solutions" / reference.name
        shutil.copytree(reference, copy)
        for given in (root / "labs" / reference.name).glob("*.c"):  # in labs/ alone
            if not (copy / given.name).exists():
                shutil.copy(given, copy)
        problem = apply(patch, pathlib.Path(scratch))
        if problem:
            return f"does not apply any more: {problem}"
        verdict, problem = grade(lab, case.group(1), copy)
    if problem:
        return problem
    lost = [c for c in verdict["cases"] if c["status"] != "passed"]
    if not lost:
        return "gets full points"
    if verdict["score"] >= verdict["max_score"] and any(c["group"] != "bonus" for c in lost):
        return "loses no points"  # a bonus has none to lose
    codes = [c["code"] for c in lost]
    if code.group(1) not in codes:
        return f"code {', '.join(map(str, codes))} instead of {code.group(1)}: {lost[0]['message']}"
    return ""


def main():
    chosen = sys.argv[1:]
    patches = [p for p in sorted(here.glob("[0-9][0-9]/*.patch"))
               if not chosen or p.stem in chosen or p.parent.name in chosen]
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for patch, problem in zip(patches, pool.map(check, patches)):
            failures += bool(problem)
            print(f"{'FAILED' if problem else 'ok':7}{patch.parent.name}/{patch.stem}  {problem}",
                  flush=True)
    for lab in sorted({p.parent for p in patches}):
        count = sum(p.parent == lab for p in patches)
        if not chosen and count < LEAST:
            failures += 1
            print(f"FAILED {lab.name} has {count} mutants, fewer than {LEAST}")
    print(f"{len(patches) - failures} of {len(patches)} mutants are caught")
    sys.exit(1 if failures or not patches else 0)


main()
