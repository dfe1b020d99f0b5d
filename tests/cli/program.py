"""What checks of the commands share: the program in a folder of its own. Words in; sentences and an
exit status out."""
import os
import shutil
import subprocess
import tempfile
import unittest

PLACE = os.environ["VIALATA_PLACE"]
PROGRAM = os.path.join(PLACE, "bin", "vialata")


class Case(unittest.TestCase):
    command = []  # the words before all others

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="vialata check ")  # with spaces, on purpose
        self.addCleanup(shutil.rmtree, self.folder)

    def environment(self, **more):
        return {"PATH": os.environ["PATH"], "HOME": self.folder, "VIALATA_PLACE": PLACE,
                "VIALATA_STATE": os.path.join(self.folder, "state"),
                "VIALATA_WORK": os.path.join(self.folder, "my work"), "LANG": "C",
                "COLUMNS": "80", **more}

    def run_it(self, *words, status=0, **environment):
        done = subprocess.run([PROGRAM, *self.command, *words], cwd=self.folder,
                              env=self.environment(**environment), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=300)
        out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        self.assertEqual(done.returncode, status, (words, out[-2000:], err[-2000:]))
        return out, err

    def refused(self, *words, status=2, **environment):
        """One sentence on standard error, nothing on standard output."""
        out, err = self.run_it(*words, status=status, **environment)
        self.assertEqual(out, "", words)
        self.assertEqual(len(err.splitlines()), 1, err)
        return err
