#!/usr/bin/env python3
"""The first day of a new student, in Slovak and in Portuguese: what they type, what they see, all of it in their
language. Only code, names and what the compiler says stay English."""

import os
import re
import shutil
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "texts"))
import po
import program
import terminal
from program import PLACE, PROGRAM

ROOT = os.environ["VIALATA_ROOT"]
FORWARD, EXCHANGE = "vl_rmsnorm_forward", "vl_exchange"
LABS = {FORWARD: "01_training_step/forward.c", EXCHANGE: "02_collectives/exchange.c"}
PLACEHOLDER = re.compile(r"%(?:\d+\$)?[-+ #0]*[\d.*]*(?:hh|h|ll|l|z|j)?[a-zA-Z%]")


def translations(catalogue):
    """source -> translation, of sentences."""
    with open(os.path.join(ROOT, "po", f"{catalogue}.po"), encoding="utf-8") as file:
        return {entry.source: entry.texts[0] for entry in po.parse(file.read())
                if " " in entry.source and entry.texts.get(0)}


def squeezed(text):
    return " ".join(text.replace("\u00a0", " ").split())


class Session:
    """Of both languages; 'catalogue' and 'language' are set."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not os.path.exists(os.path.join(PLACE, "share", "locale", cls.catalogue)):
            sys.exit(77)
        cls.told = translations(cls.catalogue)

    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)
        self.seen = []
        self.terminals = []

    def tearDown(self):
        for one in self.terminals:
            one.close()

    def environment(self, **more):
        return super().environment(**{"LANG": "C", "LANGUAGE": self.language, "PAGER": "cat", "COLUMNS": "100",
                                      "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                                      "VIALATA_WORK": os.path.join(self.folder, "work"), **more})

    def sit(self, *words):
        one = terminal.Terminal([PROGRAM, *words], self.environment(), self.folder, columns=100)
        self.terminals.append(one)
        return one

    def type(self, *words, status=0):
        one = self.sit(*words)
        self.assertEqual(one.end(120), status, one.screen())
        self.seen.append(one.screen())
        return squeezed(one.screen())

    def sees(self, where, source, *values):
        """Is this sentence there, in the student's language?"""
        parts = [squeezed(part) for part in PLACEHOLDER.split(self.told[source])]
        self.assertNotEqual(self.told[source], source)
        self.assertRegex(where, ".*?".join(re.escape(part) for part in parts if part))
        for value in values:
            self.assertIn(value, where)

    def wait(self, sits, source, seconds=60):
        parts = [squeezed(part) for part in PLACEHOLDER.split(self.told[source])]
        sits.wait(".*?".join(re.escape(part).replace(r"\ ", r"[\s\u00a0]+") for part in parts if part), seconds)
        self.seen.append(sits.screen())
        return squeezed(sits.screen())

    def write(self, function, body=None):
        """The course's function into the student's file; 'body' at its start."""
        path = os.path.join(self.folder, "work", LABS[function])
        folder, name = os.path.split(LABS[function])
        solutions = os.path.join(ROOT, "solutions", folder)
        for header in os.listdir(solutions):
            if header.endswith(".h"):
                shutil.copy(os.path.join(solutions, header), os.path.dirname(path))
        with open(os.path.join(solutions, name), encoding="utf-8") as file:
            text = file.read()
        at = text.index("{", text.index(function + "(")) + 1
        text = text[:at] + (f"\n    {body}" if body else "") + text[at:]
        for one in self.terminals:
            if one.pid:
                one.forget()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("#include", "#include <stdio.h>\n#include", 1))

    def solve(self, lab):
        solutions = os.path.join(ROOT, "solutions", lab)
        for name in os.listdir(solutions):
            shutil.copy(os.path.join(solutions, name), os.path.join(self.folder, "work", lab))

    def test_first_day(self):
        shown = self.type("start", "01")
        self.sees(shown, "Begin with %1$s, in %2$s/%3$s/%4$s:\n", FORWARD)
        self.type("explain", "01")
        self.type("hint", "01")
        sits = self.sit("watch", "01")
        self.wait(sits, "Next: %1$s, in %2$s.")
        self.write(FORWARD, "int x = ;")
        sits.wait("int x = ;")
        self.wait(sits, "The compiler says:")
        self.write(FORWARD, 'printf("rows %zu\\n", (size_t)3); return VL_EINVAL;')
        sits.wait("rows 3")
        self.wait(sits, "Next: %1$s, in %2$s. A hint costs nothing:")
        self.write(FORWARD)
        shown = self.wait(sits, "Lab %1$02d: %2$s out of %3$s points.")
        self.assertRegex(shown, FORWARD + " 3/3 ")
        sits.press("q")
        self.assertEqual(sits.end(), 0)
        self.sees(self.type(), "Your labs, in %s")

        self.type("start", "02")
        self.write(EXCHANGE, "MPI_Recv(received, (int)n, MPI_FLOAT, peer, tag, comm, MPI_STATUS_IGNORE);")
        shown = self.type("grade", "02", "--only", EXCHANGE, status=1)
        self.sees(shown, "Next: %1$s, in %2$s. A hint costs nothing:", "exchange.c:", "MPI_Recv")
        self.write(EXCHANGE, 'printf("peer %d\\n", peer);')
        self.assertRegex(self.type("grade", "02", "--only", "exchange"), "rank 1: peer 0")

        self.type("start", "05")
        self.solve("05_recompute")
        shown = self.type("grade", "05")
        self.sees(shown, "Lab %1$02d is finished: %2$s.", "train --with labs --recompute full")
        shown = self.type("next")
        self.assertIn("06_tensor_parallel", shown)
        shown = self.type("train", "--with", "labs", "--recompute", "full", "--steps", "2", "--layers", "1")
        self.assertIn("recompute", shown)
        self.look_for_english()

    def look_for_english(self):
        """No sentence of the program, or a long part of one, is on any screen in its source language."""
        parts = {squeezed(part) for source, text in self.told.items() if squeezed(text) != squeezed(source)
                 for part in PLACEHOLDER.split(source)}
        translated = squeezed(" ".join(self.told.values()))
        parts = [part for part in parts if len(part) >= 12 and " " in part and part not in translated]
        screens = squeezed(" ".join(self.seen))
        self.assertGreater(len(parts), 1000)
        self.assertEqual([part for part in parts if part in screens], [])


class Slovak(Session, program.Case):
    catalogue, language = "sk", "sk"


class Portuguese(Session, program.Case):
    catalogue, language = "pt_BR", "pt"


if __name__ == "__main__":
    unittest.main()
