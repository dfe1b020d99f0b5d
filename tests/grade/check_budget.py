"""What a submission costs in time: within its budget if everything hangs, and not called hung if it is
only slow because the machine is busy."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from busy import busy

root = pathlib.Path(os.environ["VIALATA_ROOT"])
program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
LAB = root / "labs" / "01_training_step"
OVERHEAD = 10  # seconds: the last case to end, the linker, the report

SLOW = """
#include "vialata/rmsnorm.h"
#include <time.h>

/* Works for two seconds, however long that takes. */
enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d)
{
    struct timespec before, used;
    (void)y, (void)inv_rms, (void)x, (void)gain, (void)n, (void)d;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    while ((double)(used.tv_sec - before.tv_sec) + 1e-9 * (double)(used.tv_nsec - before.tv_nsec) < 2);
    return VL_TODO;
}
"""


def grade(submission, *more):
    """The verdict, and how long it took on a machine that is as quiet as the budget assumes."""
    before = busy()
    begin = time.monotonic()
    run = subprocess.run([program, "grade", "01", "--submission", submission, "--format", "json",
                          "--lang", "en", "--no-speed", *more], text=True, capture_output=True)
    return json.loads(run.stdout), (time.monotonic() - begin) / max(before, busy())


def codes(verdict):
    return {case["code"] for case in verdict["cases"]}


def check_hangs(folder):
    """Every function that a student writes loops forever."""
    for path in LAB.glob("*.c"):
        text = path.read_text().replace("return VL_TODO;", "for (;;)\n        ;")
        (folder / path.name).write_text(text)
    verdict, seconds = grade(folder, "--budget", "10")
    problems = []
    if seconds > 10 + OVERHEAD:
        problems.append(f"{seconds:.0f} s")
    if verdict["score"] > 0 or not {"hung", "out_of_time"} <= codes(verdict):
        problems.append(f"score {verdict['score']}, codes {codes(verdict)}")
    return problems


def check_compiler(folder):
    """Every file keeps the compiler busy for minutes."""
    endless = (root / "tests/grade/hostile/compiling/endless.c").read_text().replace(
        '#include "../attack.h"\n', "")
    for path in LAB.glob("*.c"):
        (folder / path.name).write_text(endless)
    verdict, seconds = grade(folder, "--budget", "10")
    problems = []
    if seconds > 10 + OVERHEAD:
        problems.append(f"{seconds:.0f} s")
    if verdict["score"] > 0 or "hung" in codes(verdict):
        problems.append(f"score {verdict['score']}, codes {codes(verdict)}")
    return problems


def check_slow(folder):
    """Two seconds of work take more than the limit of five where many others want the cores."""
    (folder / "slow.c").write_text(SLOW)
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
              for _ in range(3 * os.cpu_count())]
    try:
        verdict, _ = grade(folder / "slow.c", "--only", "rmsnorm_forward.odd")
    finally:
        for other in others:
            other.kill()
            other.wait()
    longest = max(case["seconds"] for case in verdict["cases"])
    problems = [] if codes(verdict) == {"not_started"} else [f"{codes(verdict)} after {longest:.0f} s"]
    if longest < 5:
        problems.append(f"nothing was slow: {longest:.1f} s")
    return problems


def main():
    failures = 0
    for check in (check_hangs, check_compiler, check_slow):
        with tempfile.TemporaryDirectory() as folder:
            problems = check(pathlib.Path(folder))
        failures += bool(problems)
        print(f"{'FAILED' if problems else 'ok':7}{check.__name__}", *problems, sep="\n    ")
    sys.exit(1 if failures else 0)


main()
