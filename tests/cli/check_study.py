#!/usr/bin/env python3
"""A small `study balance` from end to end: its numbers are those of the same runs started by hand,
bit for bit; the page is well-formed and complete in itself; Ctrl-C leaves nothing; wrong usage is
refused before anything starts.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

sys.dont_write_bytecode = True
ROOT = pathlib.Path(os.environ["VIALATA_ROOT"])
sys.path.insert(0, str(ROOT / "tests" / "train"))
from training import LONG, PROGRAM, below, expect, finish, is_alive, problems

STEPS, SEEDS, ALPHAS = 9, 2, [0.01, 2.5]
LATE = 2  # a quarter of the steps
LANGUAGES = ["en", "fr", "pt_BR", "es", "sk"]


def vialata(folder, *words):
    ran = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=600,
                         cwd=folder, env=os.environ | {"TMPDIR": str(folder), "LANGUAGE": "en"})
    return ran.returncode, ran.stdout, ran.stderr


def mean(values):
    return sum(values) / len(values)


def close(one, other):
    return abs(one - other) <= 1e-12 * max(abs(one), abs(other))


# ---- the same runs by hand ----

def by_hand(folder, way, seed):
    """The run's lines, and the model it kept."""
    words = list(way["options"])
    words[words.index("--seed") + 1] = seed
    code, _, said = vialata(folder, "train", *words, "--log", "log", "--save", "model.st")
    expect(code == 0, f"by hand, {words}: {said}")
    lines = [json.loads(line) for line in (folder / "log").read_text().splitlines()]
    return [line for line in lines if "loss" in line]


def evaluate(folder, *words):
    code, told, said = vialata(folder, "eval", "--checkpoint", "model.st", "--json", *words)
    expect(code == 0, f"eval {words}: {said}")
    return json.loads(told)


def equals_runs_by_hand(folder, study):
    for way, seed in ((study["ways"][1], 2), (study["ways"][3], 1)):
        name = f"{way['balance']}, seed {seed}"
        run, steps = way["runs"][seed - 1], by_hand(folder, way, seed)
        expect(run["seed"] == seed and run["loss"] == [s["loss"] for s in steps], f"{name}: loss")
        expect(run["max_violation"] == [s["max_violation"] for s in steps], f"{name}: MaxVio")
        for key in ("size", "cosine"):
            expect(run[f"interference_{key}"] == [s["interference"][key] for s in steps],
                   f"{name}: {key}")
        expect(run["evaluated_loss"] == evaluate(folder)["loss"], f"{name}: the whole text")
    for language in ("fr", "sk"):  # of the last one's model: the bias, seed 1
        text = ROOT / "src" / "train" / "corpus" / f"{language}.txt"
        told = evaluate(folder, "--loads", "--data", text)
        expect(way["loads"][language] == told["loads"], f"loads of {language}")


# ---- the numbers among themselves ----

def holds_together(study):
    ways = study["ways"]
    expect(study["schema"] == "vialata.study.balance/1", study["schema"])
    expect([(w["balance"], w["alpha"]) for w in ways] ==
           [("none", None), *(("aux", a) for a in ALPHAS), ("bias", None)], "the ways")
    for way in ways:
        name = f"{way['balance']} {way['alpha']}"
        expect(len(way["runs"]) == SEEDS, f"{name}: {len(way['runs'])} runs")
        expect(list(way["loads"]) == LANGUAGES, f"{name}: languages {list(way['loads'])}")
        for layer in (shares for layers in way["loads"].values() for shares in layers):
            expect(len(layer) == 8 and abs(sum(layer) - 1) < 1e-9, f"{name}: shares {layer}")
        for curve in ("loss", "max_violation", "interference_size", "interference_cosine"):
            late = [mean(run[curve][-LATE:]) for run in way["runs"]]
            expect(all(len(run[curve]) == STEPS for run in way["runs"]), f"{name}: {curve}")
            expect(all(close(run["last_quarter"][curve], l) for run, l in zip(way["runs"], late)),
                   f"{name}: last quarter of {curve}")
            spread = way["last_quarter"][curve]
            expect(close(spread["mean"], mean(late)) and close(spread["least"], min(late)) and
                   close(spread["most"], max(late)), f"{name}: {curve}: {spread}")
            zero = curve.startswith("interference") and way["balance"] != "aux"
            expect(not zero or all(x == 0 for run in way["runs"] for x in run[curve]),
                   f"{name}: {curve} is not exactly 0")
    none, bias = ([r["last_quarter"]["max_violation"] for r in ways[i]["runs"]] for i in (0, 3))
    expect(all(close(ratio, b / n) for ratio, b, n in
               zip(study["findings"]["max_violation_bias_over_none"], bias, none)), "the ratios")
    exact, lean = study["pipeline"]
    expect((exact["schedule"], lean["schedule"]) == ("afab", "1f1b"), "schedules")
    for stage in (0, 1):  # all micro-batches are alive, or as many as there are stages left
        ratio = exact["stages"][stage]["kept_bytes"] / lean["stages"][stage]["kept_bytes"]
        expect(ratio == 8 / (2 - stage), f"stage {stage}: {ratio} times the bytes")


# ---- the page ----

def is_a_page(path, study):
    text = path.read_text(encoding="utf-8")
    page = xml.etree.ElementTree.fromstring(text)  # well-formed
    tags = [element.tag for element in page.iter()]
    expect(page.tag == "html" and page.get("lang") == "en", f"{page.tag} {page.attrib}")
    expect(tags.count("h1") == 1 and tags.count("h2") == 6, "headings")
    for wanted in ("http", "//", "src=", "url(", "@import", "<script", "<link"):
        expect(wanted not in text, f"the page has {wanted}")
    for figure in page.iter("figure"):
        caption, svg = figure.find("figcaption"), figure.find("svg")
        expect(caption is not None and caption.text and svg is not None, "a figure without words")
        expect(svg.get("role") == "img" and svg.find("title").text, "a picture without a title")
    expect(tags.count("figure") == 5 + len(study["ways"]), f"{tags.count('figure')} figures")
    for table in page.iter("table"):
        widths = {len(row) for row in table.iter("tr")}
        expect(table.find("caption").text and len(widths) == 1, f"a table with rows of {widths}")
    said = " ".join("".join(page.itertext()).split())
    for way in study["ways"]:
        for number in (way["evaluated_loss"]["mean"], way["last_quarter"]["loss"]["mean"]):
            expect(f"{number:.4f}" in said, f"the page does not say {number:.4f}")
        share = 100 * way["loads"]["es"][1][3]
        expect(f"{share:.1f}" in said, f"the page does not say {share:.1f} percent")
    for words in (study["command"], study["date"], study["commit"], "2408.15664", "exactly 0",
                  "3.8 MiB", *(" ".join(way["options"]) for way in study["ways"])):
        expect(words in said, f"the page does not say {words!r}")


def whole_study(folder):
    code, told, said = vialata(folder, "study", "balance", "--steps", STEPS, "--seeds", SEEDS,
                               "--alphas", ",".join(map(str, ALPHAS)), "--out", "page.html",
                               "--json", "study.json")
    expect(code == 0 and not said, f"study: {code} {said}")
    if code != 0:
        return
    left = sorted(path.name for path in folder.iterdir())
    expect(left == ["page.html", "study.json"], f"left behind: {left}")
    study = json.loads((folder / "study.json").read_text())
    holds_together(study)
    expect(told.count(" is done: ") == SEEDS * 4, "a line a run")
    for way in study["ways"]:
        expect(f"{way['evaluated_loss']['mean']:.3f}" in told, f"the table: {told}")
    is_a_page(folder / "page.html", study)
    equals_runs_by_hand(folder, study)


# ---- ended early, and refused ----

def trainers(pid):
    names = [os.path.basename(os.path.realpath(f"/proc/{one}/exe")) for one in below(pid)]
    return names.count("vialata-trainer")


def ended_early(folder, number):
    job = subprocess.Popen([PROGRAM, "study", "balance", "--steps", "100000"], cwd=folder,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                           env=os.environ | {"TMPDIR": str(folder), "LANGUAGE": "en"})
    wanted = min(2, len(os.sched_getaffinity(0)))
    until = time.monotonic() + 60
    while trainers(job.pid) < wanted and time.monotonic() < until:
        time.sleep(0.05)
    started = below(job.pid)
    expect(len(started) >= 2 * wanted, f"{len(started)} processes of runs side by side")
    time.sleep(0.5)  # into their steps
    job.send_signal(number)
    try:
        said = job.communicate(timeout=60)[1]
    except subprocess.TimeoutExpired:
        job.kill()
        said = job.communicate()[1]
        problems.append("a study that was asked to end hangs")
    expect(job.returncode in (128 + signal.SIGINT, -number), f"exit status {job.returncode}")
    expect(said.count("\n") == 1 and "as you asked" in said, f"said {said!r}")
    until = time.monotonic() + 10
    while any(map(is_alive, started)) and time.monotonic() < until:
        time.sleep(0.05)
    expect(not any(map(is_alive, started)), "a process of a run lives on")
    expect(not list(folder.iterdir()), f"left behind: {list(folder.iterdir())}")


def refusals(folder):
    (folder / "taken").mkdir()
    for words, told in ((["nonsense"], "balance"), ([], "balance"), (["balance", "more"], "more"),
                        *((["balance", "--alphas", a], "--alphas") for a in
                          ("x", "0", "-1", "0.1,", ",0.1", "0.1,,1", "nan", "inf", "1e9", "0x1",
                           "0.1,0.10", "1 ,2", "1,2,3,4,5,6,7,8,9")),
                        (["balance", "--seeds", "0"], "--seeds"),
                        (["balance", "--seeds", "21"], "--seeds"),
                        (["balance", "--steps", "3"], "--steps"),
                        (["balance", "--steps", "many"], "--steps"),
                        (["balance", "--out", "/nowhere/page.html"], "/nowhere/page.html"),
                        (["balance", "--out", "taken"], "taken"),
                        (["balance", "--json", "/nowhere/x.json"], "/nowhere/x.json"),
                        (["balance", "--out", "one", "--json", "./one"], "--json")):
        code, said, why = vialata(folder, "study", *words)
        expect(code == 2 and not said and why.count("\n") == 1 and told in why,
               f"study {words}: {code} {said!r} {why!r}")
    expect([path.name for path in folder.iterdir()] == ["taken"], "a refused study left a file")


for check in (refusals, lambda folder: ended_early(folder, signal.SIGINT), whole_study,
              lambda folder: ended_early(folder, signal.SIGTERM))[:None if LONG else 3]:
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        check(pathlib.Path(place))
finish("a study says what its runs said, on a page that is whole")
