"""The lower end of the scale, for every lab that is graded: the untouched skeleton compiles without a warning, is
"not started" and earns nothing. (The upper end, which takes the machine for itself: check_reference.py.) In the
short suite a share of the labs; cli/check_editor.py has clangd read every skeleton."""
import sys

sys.dont_write_bytecode = True
from share import share
from whole_labs import expect, finish, folders, grade

chosen = share([folder.name for folder in folders], few=3, long=1)
for folder in folders:
    if folder.name not in chosen:
        continue
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
finish()
