"""A timed step that leaves part of its work out is wrong, whatever its loss and norm are.

The reference of lab 01 is the submission. In the model that is timed, and in no other, it makes up the
gradients of two tensors that hardly show in the norm.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(os.environ["VIALATA_ROOT"])
program = pathlib.Path(os.environ["VIALATA_PLACE"]) / "bin" / "vialata"

MEASURED = "    double norm;\n    enum vl_status status = vl_gradient_norm(&norm, "
MADE_UP = """    for (size_t t = 0; learner->count > 400000 && t < learner->tensor_count; t++) {
        const struct vl_tensor *x = &learner->tensors[t];
        if (strstr(x->name, "q_proj") == NULL && strstr(x->name, "k_proj") == NULL)
            continue;
        for (size_t i = 0; i < x->rows * x->cols; i++)
            learner->gradients[x->offset + i] =
                3e-5f * (step == 2 ? sinf(2.4f * (float)i) : cosf(2.4f * (float)i));
    }
"""

with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch, "mine")
    shutil.copytree(root / "solutions" / "01_training_step", folder)
    step = (folder / "step.c").read_text()
    if MEASURED not in step:
        sys.exit("the reference has changed: this test no longer finds where gradients are ready")
    (folder / "step.c").write_text(step.replace(MEASURED, MADE_UP + MEASURED))
    graded = subprocess.run([program, "grade", "01", "--submission", folder, "--lang", "en",
                             "--format", "json", "--only", "vl_training_step"],
                            text=True, capture_output=True)
    cases = {case["id"]: case["code"] for case in json.loads(graded.stdout)["cases"]}
    print(cases)
    sys.exit(cases["training_step.speed"] != "wrong_when_timed")
