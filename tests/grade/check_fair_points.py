"""One mistake is paid once: what it costs outside of its function.

Known mistakes are graded without the clock, and a few with it. What only uses the function that is
wrong, or several that one mistake is in, keeps its points; the functions' own stay lost, and so do those
of a second mistake.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(os.environ["VIALATA_ROOT"])
sys.path.insert(0, str(root / "tests" / "unseen"))
import bugs

program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"
LONG = bool(os.environ.get("VIALATA_LONG"))
failures = 0
MOST = 10  # points that a mistake may cost elsewhere

# Lab, mistake, and cases that are judged again with a right function.
mistakes = [
    ("01", "vl_attention_forward/missing_scale", {"ten_steps.gradients", "ten_steps.losses"}),
    ("01", "vl_adamw_update/sign_flipped", {"ten_steps.losses"}),
    ("02", "vl_all_gather_start/bytes_forgotten", {"all_reduce_two_level.p8_pairs"}),
    ("03", "vl_replica_reduce/averaged", {"replica_step.p2_flat", "replicas_train.p8"}),
    ("04", "vl_zero_norm/own_shard_only", {"zero_step.p3_stage1"}),
    # Functions of the same file: the one that is replaced uses nothing else of it.
    ("05", "vl_activation_count/probs_halved", {"recompute_bytes.small", "recompute_choose.byte_short"}),
]
# Bugs of tests/unseen; which functions pay, what of the reference others are judged with, and some of these.
together = [
    # The place of a buffer, in a static function that four functions use.
    ("04/second_room_by_own_length", {"vl_zero_gradients", "vl_zero_ready"}, "gradients.c",
     {"zero_step.p4_stage2", "zero_step.p5_stage3"}),
    # Two functions that are both wrong, and fit one another.
    ("05/two_slots_in_turn", {"vl_recompute_slots", "vl_recompute_slot"}, "slots.c",
     {"peak_bytes.kept", "peak_bytes.arena"}),
    # Only bytes show it, and no function has them as a case of its own.
    ("04/all_reduce_of_every_unit", {"zero_traffic"}, "vl_zero_ready",
     {"weights_ahead.p2_stage3", "weights_ahead.p3_stage3"}),
]


def expect(what, holds, otherwise=""):
    global failures
    failures += not holds
    print(f"{'ok' if holds else 'FAILED':7}{what}" + ("" if holds else f": {otherwise}"), flush=True)


def grade(lab, *more):
    graded = subprocess.run([program, "grade", lab, "--lang", "en", "--format", "json", *more],
                            text=True, capture_output=True)
    if not graded.stdout:
        sys.exit(f"no verdict: {graded.stderr}")
    return {case["id"]: case for case in json.loads(graded.stdout)["cases"]}


def lost(cases, function, own):
    return sum(case["max_points"] - case["points"] for case in cases.values()
               if (case["function"] == function) == own)


def changed(scratch, name, lab, edits):
    """The reference with other lines in it."""
    folder = pathlib.Path(scratch, name)
    shutil.copytree(root / "solutions" / lab, folder)
    for file, old, new in edits:
        text = (folder / file).read_text()
        if text.count(old) != 1:
            sys.exit(f"{name}: the reference has changed")
        (folder / file).write_text(text.replace(old, new))
    return folder


def expect_judged_with(name, cases, again, replaced):
    for one in sorted(again):
        case = cases[one]
        expect(f"{name}: {one} is judged with a right {replaced}",
               case["status"] == "passed" and case["points"] == case["max_points"] > 0 and
               case["replaced"] == replaced and replaced in case["message"], case)


def check_mistake(lab, mistake, again):
    cases = grade(lab, "--mistake", mistake, "--no-speed")
    function = mistake.split("/")[0]
    elsewhere = lost(cases, function, False)
    expect(f"{lab} {mistake} costs {elsewhere:.2f} points elsewhere", elsewhere <= MOST, elsewhere)
    expect(f"{lab} {mistake}: its own points stay lost", lost(cases, function, True) > 0)
    expect_judged_with(f"{lab} {mistake}", cases, again, function)
    own = [c["id"] for c in cases.values() if c["function"] == function and c["replaced"]]
    expect(f"{lab} {mistake}: no case of its own is judged again", not own, own)


def check_together(scratch, bug, payers, replaced, again):
    lab, name = bug.split("/")
    facts, edits = bugs.read(root / "tests/unseen/second" / lab / f"{name}.bug")
    folder = pathlib.Path(scratch, name)
    bugs.write(folder, lab, edits)
    cases = grade(lab, "--submission", folder, "--no-speed")
    elsewhere = lost(cases, facts["function"], False)
    expect(f"{bug} costs {elsewhere:.2f} points elsewhere", elsewhere <= MOST, elsewhere)
    for payer in sorted(payers):
        expect(f"{bug}: the points of {payer} stay lost", lost(cases, payer, True) > 0)
        own = [c["id"] for c in cases.values() if c["function"] == payer and c["replaced"]]
        expect(f"{bug}: no case of {payer} is judged again with it", not own, own)
    expect_judged_with(bug, cases, again, replaced)


# A kernel that is wrong.
SCALE = ("forward.c", "const float scale = 1.0f / sqrtf((float)head_width);",
         "const float scale = 1.0f / (float)head_width;")
# Another one in the same file.
RMS = ("forward.c", "        inv_rms[i] = inverse;\n", "        inv_rms[i] = 2.0f * inverse;\n")
# A step whose numbers are right, and whose update is not.
STEP = ("step.c", "float scale = 1.0f;\n", "float scale = 0.5f;\n")


def check_two_mistakes(scratch, name, edits, also):
    """Whoever has two functions wrong that have nothing to do with each other is not helped."""
    cases = grade("01", "--submission", changed(scratch, name, "01_training_step", edits), "--no-speed")
    wrong = [c for c in cases.values() if c["function"] == "ten_steps"]
    expect(f"{name}: the whole model earns nothing",
           all(c["points"] == 0 and c["replaced"] is None for c in wrong), wrong)
    for function in ("vl_attention_forward", also):
        expect(f"{name}: the points of {function} stay lost", lost(cases, function, True) > 0)


# A sum that is wrong, and a step that only says that all went well.
HALVED = ("replicas.c", "    return vl_all_reduce(comm, gradients, n);",
          "    for (size_t i = 0; i < n; i++)\n        gradients[i] *= 0.5f;\n"
          "    return vl_all_reduce(comm, gradients, n);")
GARBAGE = ("step.c", "result == NULL || step == 0)\n        return VL_EINVAL;",
           "result == NULL || step == 0)\n        return VL_EINVAL;\n"
           "    *result = (struct vl_step_result){0};\n    if (step > 0)\n        return VL_OK;")


def check_garbage(scratch):
    folder = changed(scratch, "garbage", "03_data_parallel", [HALVED, GARBAGE])
    cases = grade("03", "--submission", folder, "--no-speed")
    users = [c for c in cases.values()
             if c["function"] in ("vl_replica_step", "replicas_train", "accumulation_traffic")]
    earned = [(c["id"], c["points"], c["replaced"]) for c in users if c["points"] or c["replaced"]]
    expect("a step that does nothing, beside a sum that is wrong, earns nothing",
           len(users) > 10 and not earned, earned)


# The same attention, 25 times.
SLOW = ("forward.c", "        for (size_t first = 0; first < sequence; first += QUERY_BLOCK) {",
        "        for (int again = 0; again < 25; again++)\n"
        "        for (size_t first = 0; first < sequence; first += QUERY_BLOCK) {")


def check_speed(scratch):
    step = grade("01", "--mistake", mistakes[0][1])["training_step.speed"]
    expect("a whole step is timed with a right function",
           step["replaced"] == "vl_attention_forward" and step["measured"] > 0, step)
    cases = grade("01", "--submission", changed(scratch, "slow", "01_training_step", [SLOW]))
    codes = [cases[name]["code"] for name in ("attention_forward.speed", "training_step.speed")]
    expect("a kernel that is far too slow stops the clock of the whole step",
           codes == ["too_slow", "needs_speed"], codes)


with tempfile.TemporaryDirectory() as scratch:
    os.chmod(scratch, 0o755)
    for one in mistakes if LONG else mistakes[-1:]:
        check_mistake(*one)
    for one in together if LONG else []:
        check_together(scratch, *one)
    check_two_mistakes(scratch, "two_files", [SCALE, STEP], "vl_training_step")
    if LONG:
        check_garbage(scratch)
        check_two_mistakes(scratch, "one_file", [SCALE, RMS], "vl_rmsnorm_forward")
        check_speed(scratch)
sys.exit(failures > 0)
