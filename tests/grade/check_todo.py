#!/usr/bin/env python3
"""A function that has code and still returns VL_TODO is told so; a skeleton, whatever comments it has, is not."""
import json
import os
import pathlib
import re
import shutil
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/cli")
import program

ROOT = pathlib.Path(os.environ["VIALATA_ROOT"])
NAME, FILE = "vl_rmsnorm_forward", "forward.c"


class Todo(program.Case):
    command = ["grade", "01", "--only", NAME, "--no-speed", "--format", "json", "--trust", "--submission"]

    def codes(self, change):
        folder = os.path.join(self.folder, "mine")
        shutil.copytree(ROOT / "labs/01_training_step", folder)
        path = pathlib.Path(folder, FILE)
        text = path.read_text(encoding="utf-8")
        found = re.search(NAME + r"\(.*?^}\n", text, re.S | re.M)
        body = change(found.group())
        self.assertNotEqual(body, found.group())
        path.write_text(text.replace(found.group(), body), encoding="utf-8")
        out, _ = self.run_it(folder, status=1)
        shutil.rmtree(folder)
        return {case["code"] for case in json.loads(out)["cases"]}

    def test_written_code_with_the_skeletons_last_line(self):
        self.assertEqual(self.codes(lambda body: body.replace(
            "    return VL_TODO;", "    for (size_t i = 0; i < n * d; i++)\n        y[i] = x[i];\n    return VL_TODO;")),
            {"todo_left"})

    def test_a_comment_is_no_code(self):
        self.assertEqual(self.codes(lambda body: body.replace(
            "    return VL_TODO;", "    /* TODO: the mean of squares */\n\n    return   VL_TODO; // later")),
            {"not_started"})

    def test_another_status_is_a_wrong_one(self):
        self.assertNotIn("todo_left", self.codes(lambda body: body.replace("return VL_TODO", "return VL_EINVAL")))


if __name__ == "__main__":
    unittest.main()
