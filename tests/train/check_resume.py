"""A run that is stopped, killed or given a spoilt checkpoint: nothing is lost that was saved, and
what goes on goes on bit for bit. Through mpirun, as a person's run would."""
import json
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import checkpoint_reader
from share import LONG

TRAINER = os.path.join(os.environ["VIALATA_PLACE"], "bin", "vialata-trainer")
# mpirun gives a job that failed two seconds to end; ours has ended by then.
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-q",
          "--mca", "odls_base_sigkill_timeout", "0", "-n", "1"]
TINY = ["--layers", "1", "--width", "16", "--heads", "2", "--sequence", "16", "--batch", "2"]

random.seed(20260101)
folder = tempfile.mkdtemp(prefix="vialata-resume-")
os.environ["VIALATA_LANG"] = "en"
# In a build under AddressSanitizer MPI's own leaks would fail every run.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"


def path(name):
    return os.path.join(folder, name)


def start(*words):
    return subprocess.Popen(MPIRUN + [TRAINER, *words, "--events"], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def run(*words, status=0):
    job = start(*words)
    out, err = job.communicate(timeout=120)
    assert job.returncode == status, (words, job.returncode, out[-2000:], err[-2000:])
    return [json.loads(line) for line in out.splitlines()]


def steps(log):
    """The lines of all steps, in order; each step must be there once."""
    with open(log) as file:
        lines = [json.loads(line) for line in file]
    assert "run" in lines[0], lines[0]
    found = [line for line in lines if "loss" in line]
    assert [line["step"] for line in found] == list(range(1, len(found) + 1)), log
    return found


def losses(log):
    return [struct.pack("<d", line["loss"]) for line in steps(log)]


def bytes_of(name):
    with open(path(name), "rb") as file:
        return file.read()


def rank_of(job):
    """The process of the one rank below this mpirun."""
    with open(f"/proc/{job.pid}/task/{job.pid}/children") as file:
        children = [int(word) for word in file.read().split()]
    for child in children:
        if os.readlink(f"/proc/{child}/exe") == os.path.realpath(TRAINER):
            return child
    raise AssertionError(f"no rank below {job.pid}")


def wait_for_step(job, step):
    for line in job.stdout:
        event = json.loads(line)
        if event.get("step", 0) >= step and "loss" in event:
            return
    raise AssertionError("the run ended too early: " + job.stderr.read())


def stopped_and_resumed_run_repeats_the_whole_one():
    run("train", *TINY, "--steps", "40", "--log", path("whole"), "--save", path("whole.st"))
    run("train", *TINY, "--steps", "20", "--log", path("parts"), "--save", path("parts.st"))
    events = run("train", "--steps", "40", "--resume", path("parts.st"), "--log", path("parts"),
                 "--save", path("parts.st"))
    assert events[0]["run"]["resumed_from"] == 20
    assert len(losses(path("whole"))) == 40
    assert losses(path("whole")) == losses(path("parts"))
    assert bytes_of("whole.st") == bytes_of("parts.st")
    assert losses(path("whole"))[0] != losses(path("whole"))[39]


def killed_run_loses_at_most_the_steps_since_its_last_save():
    total, every, most = ("1200", 25, 10) if LONG else ("500", 25, 4)
    words = ["--steps", total, "--save", path("k.st"), "--save-every", str(every), "--log", path("k")]
    kills = 0
    while kills < most:
        resumed = os.path.exists(path("k.st"))
        job = start("train", *(["--resume", path("k.st")] if resumed else TINY), *words)
        first = json.loads(job.stdout.readline())["run"]["resumed_from"]
        wait_for_step(job, first + random.randint(1, 4 * every // 2))
        time.sleep(random.random() * 0.02)
        os.kill(rank_of(job), signal.SIGKILL)
        job.communicate()
        assert job.returncode != 0
        kills += 1
        with open(path("k")) as file:
            done = sum('"loss"' in line for line in file)
        kept = 0
        if os.path.exists(path("k.st")):
            (kept,) = checkpoint_reader.read(path("k.st"))[0]["optimizer.step"][1]
            assert kept % every == 0 and kept >= first
        assert done - kept <= every + 1, (done, kept)
    run("train", "--resume", path("k.st"), *words)
    run("train", *TINY, "--steps", total, "--log", path("unhurt"), "--save", path("unhurt.st"))
    assert losses(path("k")) == losses(path("unhurt"))
    assert bytes_of("k.st") == bytes_of("unhurt.st")
    left = [name for name in os.listdir(folder) if name.startswith(".")]
    assert left == [], left


def signal_saves_and_ends_cleanly():
    for number, target in ((signal.SIGUSR1, "mpirun"), (signal.SIGINT, "rank"),
                           (signal.SIGTERM, "rank")):
        job = start("train", *TINY, "--steps", "1000000", "--save", path("s.st"))
        wait_for_step(job, 5)
        os.kill(job.pid if target == "mpirun" else rank_of(job), number)
        out, err = job.communicate(timeout=30)
        assert job.returncode == 0, err
        last = json.loads(out.splitlines()[-1])
        assert last["stopped"] == "signal" and last["step"] < 1000000
        assert checkpoint_reader.read(path("s.st"))[0]["optimizer.step"][1] == (last["step"],)


def spoilt_checkpoint_is_refused_in_one_sentence():
    good = bytes_of("parts.st")
    (length,) = struct.unpack_from("<Q", good)
    spoilt = {
        "cut in its length": good[:5],
        "cut in its header": good[:8 + length // 2],
        "cut in its data": good[:-1],
        "header damaged": good[:20] + b"\xff" + good[21:],
        "one size changed": good.replace(b'"hidden_size":"16"', b'"hidden_size":"32"'),
        "no shape": good.replace(b'"hidden_size"', b'"hidden_sise"'),
        "another angle": good.replace(b'"rope_theta":"10000.0"', b'"rope_theta":"50000.0"'),
        "a tensor renamed": good.replace(b'"model.norm.weight"', b'"model.norm.weighs"'),
        "m renamed": good.replace(b'"optimizer.m.lm_head.weight"', b'"optimizer.m.lm_head.weighs"'),
        "empty": b"",
    }
    for what, content in spoilt.items():
        assert content != good, what
        with open(path("bad.st"), "wb") as file:
            file.write(content)
        events = run("train", "--steps", "50", "--resume", path("bad.st"), "--save", path("bad.st"),
                     status=2)
        assert len(events) == 1, (what, events)
        error = events[0]["error"]
        assert error["code"] == "checkpoint_damaged" and path("bad.st") in error["message"], what
        assert error["detail"], what
        assert bytes_of("bad.st") == content, what
    for command in (["eval"], ["sample"]):
        assert "error" in run(*command, "--checkpoint", path("bad.st"), status=2)[0]
    events = run("train", "--steps", "50", "--resume", path("nothing.st"), status=2)
    assert events[0]["error"]["code"] == "file_missing"


def contradictions_are_refused_and_agreement_is_not():
    for words in (["--batch", "3"], ["--seed", "2"], ["--horizon", "77"], ["--width", "32"],
                  ["--lr", "0.5"], ["--warmup", "3"]):
        (event,) = run("train", "--steps", "50", "--resume", path("parts.st"), *words, status=2)
        assert event["error"]["code"] == "resume_contradiction", event
        assert words[0] in event["error"]["message"]
    run("train", "--steps", "41", "--resume", path("parts.st"), *TINY, "--seed", "1")
    (event,) = run("train", "--steps", "39", "--resume", path("parts.st"), status=2)
    assert event["error"]["code"] == "resume_past_end"
    with open(path("other"), "w") as file:
        file.write("another text " * 20)
    run("train", "--steps", "41", "--resume", path("parts.st"), "--data", path("other"),
        "--save", path("other.st"))
    (event,) = run("train", "--steps", "42", "--resume", path("other.st"), status=2)
    assert event["error"]["code"] == "resume_text"


def spoilt_weights_end_the_run_and_keep_the_file():
    places = checkpoint_reader.read(path("parts.st"))[2]
    content = bytearray(bytes_of("parts.st"))
    struct.pack_into("<f", content, places["lm_head.weight"], float("nan"))
    with open(path("nan.st"), "wb") as file:
        file.write(content)
    events = run("train", "--steps", "50", "--resume", path("nan.st"), "--save", path("nan.st"),
                 status=2)
    assert events[-1]["error"]["code"] == "loss_not_finite" and not any("loss" in e for e in events)
    assert bytes_of("nan.st") == bytes(content)
    assert run("eval", "--checkpoint", path("nan.st"), status=2)[0]["error"]["code"] == \
        "loss_not_finite"


def unwritable_outputs_are_known_before_the_first_step():
    for option, code in (("--save", "file_unwritable"), ("--log", "file_unwritable")):
        for target in ("/no/such/folder/file", folder):
            (event,) = run("train", *TINY, "--steps", "3", option, target, status=2)
            assert event["error"]["code"] == code and target in event["error"]["message"]


def config_of_others_is_left_alone():
    os.mkdir(path("theirs"))
    with open(path("theirs/config.json"), "w") as file:
        file.write('{"model_type": "theirs"}')
    events = run("train", *TINY, "--steps", "2", "--save", path("theirs/model.st"))
    assert [e for e in events if "warning" in e][0]["warning"]["code"] == "config_foreign"
    assert bytes_of("theirs/config.json") == b'{"model_type": "theirs"}'
    assert os.path.exists(path("theirs/model.st"))
    ours = json.loads(bytes_of("config.json"))
    assert ours["architectures"] == ["LlamaForCausalLM"] and ours["hidden_size"] == 16
    assert ours["rms_norm_eps"] == 1e-5 and ours["rope_theta"] == 10000.0
    assert ours["tie_word_embeddings"] is False and "vialata_version" in ours


def another_reader_opens_the_file_and_finds_the_same_loss():
    os.mkdir(path("eight"))
    run("train", "--layers", "2", "--width", "8", "--heads", "2", "--sequence", "8", "--steps", "60",
        "--lr", "0.02", "--save", path("eight/model.st"))
    tensors, metadata, _ = checkpoint_reader.read(path("eight/model.st"))
    assert metadata["format"] == "pt" and metadata["num_key_value_heads"] == "2"
    names = [name for name in tensors if not name.startswith("optimizer.")]
    assert names[0] == "model.embed_tokens.weight" and names[-1] == "lm_head.weight"
    assert len(names) == 3 + 2 * 9
    assert tensors["model.layers.1.mlp.down_proj.weight"][0] == [8, 32]
    assert tensors["model.norm.weight"][0] == [8]
    assert tensors["optimizer.step"][1] == (60,)
    for name in names:
        for moment in "mv":
            assert tensors[f"optimizer.{moment}.{name}"][0] == tensors[name][0]
    text = ("Bytes of every kind: \u00e9, \u013e, \u00f1. " * 6).encode() + bytes(range(256))
    with open(path("text"), "wb") as file:
        file.write(text)
    (event,) = run("eval", "--checkpoint", path("eight/model.st"), "--data", path("text"), "--json")
    windows = (len(text) - 1) // 8
    assert event["windows"] == windows and event["bytes"] == 8 * windows
    expected = checkpoint_reader.mean_loss(tensors, metadata, text)
    assert abs(event["loss"] - expected) < 1e-5, (event["loss"], expected)


def sample_is_valid_text_and_repeats_with_its_seed():
    words = ["sample", "--checkpoint", path("eight/model.st"), "--prompt", "caf\u00e9 ", "--bytes", "60"]
    once = "".join(event["text"] for event in run(*words, "--seed", "3"))
    assert once.startswith("caf\u00e9 ") and len(once.encode()) >= 60
    assert once == "".join(event["text"] for event in run(*words, "--seed", "3"))
    assert once != "".join(event["text"] for event in run(*words, "--seed", "4"))


def main():
    only = sys.argv[1:]
    checks = [stopped_and_resumed_run_repeats_the_whole_one,
              killed_run_loses_at_most_the_steps_since_its_last_save,
              signal_saves_and_ends_cleanly,
              spoilt_checkpoint_is_refused_in_one_sentence,
              contradictions_are_refused_and_agreement_is_not,
              spoilt_weights_end_the_run_and_keep_the_file,
              unwritable_outputs_are_known_before_the_first_step,
              config_of_others_is_left_alone,
              another_reader_opens_the_file_and_finds_the_same_loss,
              sample_is_valid_text_and_repeats_with_its_seed]
    for check in checks:
        if only and check.__name__ not in only:
            continue
        before = time.time()
        check()
        print(f"{check.__name__}: {time.time() - before:.1f} s")


if __name__ == "__main__":
    if shutil.which("mpirun") is None or not os.path.exists(TRAINER):
        print("no mpirun, or the trainer is not built")
        sys.exit(77)
    try:
        main()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
