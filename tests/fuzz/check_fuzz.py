#!/usr/bin/env python3
"""Every parser of untrusted bytes survives a few seconds of libFuzzer; with VIALATA_LONG=1 ten
times as long. A crash is kept, and the line that shows it again is printed."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

root = Path(os.environ["VIALATA_ROOT"])
place = Path(os.environ["VIALATA_PLACE"])
SECONDS = 30 if os.environ.get("VIALATA_LONG") else 2
# In addition to the seeds that a target makes itself.
MORE_SEEDS = {"plan": ["labs/*/models/*.json", "labs/*/machines/*.json"]}
LARGEST = {"board": 40000}  # bytes of an input; libFuzzer's own guess is the largest seed

targets = sorted(path.stem for path in (root / "tests/fuzz").glob("fuzz_*.c"))
if shutil.which("clang") is None:
    print("there is no clang, and fuzz targets need it")
    sys.exit(77)
built = subprocess.run(["cmake", "--build", place, "--target", "fuzz"], capture_output=True,
                       text=True)
if built.returncode != 0:
    print(built.stdout[-8000:])
    sys.exit(1)
for target in targets:
    if not (place / "tests/fuzz" / target).exists():
        sys.exit(f"{target} is not built: enter it in tests/fuzz/fuzz.cmake")


def start(target, scratch):
    """Start fuzzing a target in a folder of its own."""
    name = target.removeprefix("fuzz_")
    corpus = scratch / name
    corpus.mkdir()
    for pattern in MORE_SEEDS.get(name, []):
        for path in root.glob(pattern):
            shutil.copy(path, corpus)
    kept = place / "tests/fuzz" / f"{name}-"
    return subprocess.Popen(
        [place / "tests/fuzz" / target, f"-max_total_time={SECONDS}", "-timeout=10",
         "-rss_limit_mb=1024", f"-max_len={LARGEST.get(name, 8192)}", f"-artifact_prefix={kept}",
         corpus], env={**os.environ, "VIALATA_SEEDS": str(corpus)}, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace")


failures = 0
with tempfile.TemporaryDirectory() as scratch:
    for target in targets:
        fuzzing = start(target, Path(scratch))
        output = fuzzing.communicate()[0]
        last = next((line for line in reversed(output.splitlines()) if "cov:" in line), "")
        print(f"{target}: {last}")
        if fuzzing.returncode != 0:
            failures += 1
            print(output[-6000:])
        elif "cov:" not in last:
            failures += 1
            print(f"{target} ran without a word of its coverage:\n{output[-2000:]}")
sys.exit(failures != 0)
