#!/usr/bin/env python3
"""Every sentence the program shows passes through _().

The program runs with a catalogue in a language that nobody speaks, the letters of English in
disguise: what still reads as plain letters was never translated, or is a name.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import po
import pseudo
import rules

KEPT = re.compile(f"{rules.TOKENS[True].pattern}|{rules.FORMAT.pattern}", re.S)

# Names, not words: what one types, what a file or a function is called, what machines read.
COMMANDS = "tour list start explain hint watch grade solution next handin reset update handout batch compare export platform forget train eval sample bench timeline schedule plan study simulate mpi clinic book doctor".split()
NAMES = set("vialata version step labs balance NaN KiB MiB GiB ms".split())
NAMES |= set(COMMANDS) | {"work"}  # the workspace of these runs
NAMES |= {lab.name.partition("_")[2] for lab in (po.ROOT / "labs").iterdir()}
NAMES |= set(re.findall(r'"\d\d_([a-z_]+)"', (po.ROOT / "src/grade/catalogue/lab.c").read_text("utf-8")))


def write_catalogue(folder):
    target = folder / "sk" / "LC_MESSAGES"
    target.mkdir(parents=True)
    entries = po.read(po.PLACE / "po" / "vialata.pot")
    (folder / "pseudo.po").write_text(pseudo.catalogue(entries, lambda source: KEPT), encoding="utf-8")
    subprocess.run(["msgfmt", "-o", target / "vialata.mo", folder / "pseudo.po"], check=True)


def left_plain(output, columns=None):
    """The words in the output's first columns that read as plain English, with their lines."""
    for line in output.splitlines():
        line = line[:columns].replace(f"{po.ROOT}/vialata", "./vialata")
        bare = rules.TOKENS[True].sub(" ", line.replace(str(po.ROOT), " "))  # it may hold spaces
        bare = re.sub(r"\S*[_/\\@=.|]\w\S*|\b[A-Z][A-Z0-9_|-]*\b|\S*\d\S*", " ", bare)
        words = [w for w in re.findall(r"(?<!\w)[A-Za-z]{2,}(?!\w)", bare)
                 if w not in NAMES]
        if words:
            yield words, line.strip()


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write_catalogue(folder)
        wrong = folder / "wrong"
        shutil.copytree(po.ROOT / "solutions" / "01_training_step", wrong)
        forward = (wrong / "forward.c").read_text(encoding="utf-8")
        (wrong / "forward.c").write_text(forward.replace("VL_RMSNORM_EPS", "0.0f"),
                                         encoding="utf-8")
        broken = folder / "broken"
        shutil.copytree(po.ROOT / "labs" / "01_training_step", broken)
        (broken / "step.c").write_text("int this is no C;\n", encoding="utf-8")
        waiting = folder / "waiting"  # ranks that wait for one another
        shutil.copytree(po.ROOT / "labs" / "02_collectives", waiting)
        exchange = (waiting / "exchange.c").read_text(encoding="utf-8")
        (waiting / "exchange.c").write_text(exchange.replace("    return VL_TODO;", "", 1),
                                            encoding="utf-8")
        (folder / "empty.txt").write_text("")
        trace = str(folder / "trace.json")
        stages = str(folder / "stages.json")
        (folder / "late.txt").write_text("F0 B0 W0 F1 B1 W1\nF1 F0 B0 W0 B1 W1\n")
        runs = [["start", "01"], ["start", "01"], ["start"], ["start", "--in", str(po.ROOT)],
                ["grade", "10"], ["reset", "01"], ["list"], ["next"], ["watch", "07"],
                ["solution", "01", "vl_rmsnorm_forward"], ["--help"], ["doctor"], [], ["nonsense"], ["grade"],
                ["grade", "99"], ["hint", "01", "9"],
                ["grade", "01", "--format", "nonsense"], ["grade", "01", "--nonsense"],
                ["grade", "01", "--only", "nonsense"], ["grade", "01", "--submission", "/nowhere"],
                ["grade", "01", "--reference", "--only", "vl_rmsnorm_forward"],
                ["grade", "01", "--only", "vl_rmsnorm_forward"],
                ["grade", "01", "--submission", str(wrong), "--only", "vl_rmsnorm_forward"],
                ["grade", "01", "--submission", str(broken), "--only", "vl_adamw_step"],
                ["grade", "02", "--submission", str(waiting), "--only", "vl_exchange"],
                ["train", "--dp", "2", "--steps", "2", "--layers", "1", "--trace", trace],
                ["timeline", trace], ["timeline", str(folder / "empty.txt")],
                ["train", "--pp", "2", "--micro-batches", "2", "--steps", "2", "--layers", "2",
                 "--trace", stages], ["timeline", stages],
                ["schedule", "1f1b", "--pp", "2", "--micro-batches", "3"],
                ["schedule", str(folder / "late.txt")],
                ["train", "--with", "labs", "--page", str(folder / "page.html"), "--steps", "2",
                 "--layers", "1"], ["train", "--with", "nonsense"],
                ["train", "--tp", "3"], ["train", "--pp", "9"], ["train", "--sequence-parallel"],
                ["train", "--dp", "9"], ["train", "--zero", "1", "--flat"],
                ["bench", "step", "--two-hosts"], ["bench", "roads", "--operators"],
                ["train", "--steps", "nonsense"], ["train", "--data", "/nowhere"],
                ["train", "--data", str(folder / "empty.txt")],
                ["train", "--resume", str(folder / "empty.txt")],
                ["eval"], ["eval", "--checkpoint", "/nowhere", "--data", "/nowhere"],
                ["sample", "--checkpoint", "/nowhere"], ["bench", "nonsense"], ["batch", "x"],
                ["batch", "/nowhere", "--labs", "01", "--out", str(folder / "class")],
                ["batch", "/nowhere", "--labs", "01", "--out", str(folder / "class"), "--due", "x"],
                ["compare", "/nowhere", "/nowhere"],
                ["export", "nonsense", "x", "--out", "y"], ["export", "junit", "x"],
                ["export", "junit", str(folder / "empty.txt"), "--out", str(folder / "class")],
                ["platform", "gradescope"], ["platform", "nonsense", "--labs", "01", "--out", "x"],
                ["platform", "github-classroom", "--labs", "01", "--out", str(folder / "x.zip")],
                ["plan"], ["plan", "--model", "nonsense", "--machine", "h800-ib"],
                ["plan", "--model", "dsv3", "--machine", "h800-ib", "--chips", "16"],
                ["plan", "--model", "small", "--machine", "h800-ib", "--chips", "4096"],
                ["plan", "--model", "small", "--machine", "h800-ib", "--layout", "dp=2,pp=9"],
                ["study", "nonsense"], ["study", "balance", "--alphas", "nonsense"],
                *([command, "--help"] for command in COMMANDS)]
        environment = {"PATH": os.environ["PATH"], "HOME": scratch, "VIALATA_LOCALEDIR": scratch,
                       "VIALATA_PLACE": str(po.PLACE), "VIALATA_STATE": str(folder / "state"),
                       "VIALATA_WORK": str(folder / "work"),
                       "LANGUAGE": "sk", "COLUMNS": "200", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                       "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        problems, seen = [], 0
        for words in runs:
            ran = subprocess.run([po.PLACE / "bin" / "vialata", *words], env=environment,
                                 capture_output=True, encoding="utf-8", timeout=300, cwd=scratch,
                                 stdin=subprocess.DEVNULL)
            output = ran.stdout + ran.stderr
            # The reason comes from the C library, in whatever language that has.
            if ran.returncode > 2 and words != ["doctor"]:
                sys.exit(f"vialata {' '.join(words)}: exit {ran.returncode}; this machine lacks "
                         f"something, so sentences were not looked at:\n{output[-2000:]}")
            seen += sum(c in pseudo.DISGUISED for c in output)
            if not any(c in pseudo.DISGUISED for c in output):
                problems.append(f"vialata {' '.join(words)}: said nothing translated")
            # The last column of doctor has what tools print about themselves.
            for left, line in left_plain(output, 38 if words == ["doctor"] else None):
                problems.append(f"vialata {' '.join(words)}: {' '.join(left)}   | {line[:110]}")
        return po.report(problems, f"{len(runs)} commands, {seen} letters, all translated")


if __name__ == "__main__":
    sys.exit(main())
