"""For tests of `vialata mpi`: a program whose first argument chooses a case, and what is said of it."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import program

HERE = pathlib.Path(__file__).resolve().parent
MPICC, MPIRUN = shutil.which("mpicc"), shutil.which("mpirun")


class Case(program.Case):
    """'source' is compiled once. A line of it that ends in the name of a case is the one to be named."""
    command = ["mpi"]
    source = None

    @classmethod
    def setUpClass(cls):
        cls.built = program.tempfile.mkdtemp(prefix="vialata mpi ")
        cls.addClassCleanup(shutil.rmtree, cls.built)
        cls.program = os.path.join(cls.built, "cases")
        subprocess.run([MPICC, "-g", "-o", cls.program, HERE / cls.source], check=True)
        lines = (HERE / cls.source).read_text(encoding="utf-8").splitlines()
        cls.lines = {line.rsplit("/* ", 1)[1].split(" */")[0]: number for number, line in enumerate(lines, 1)
                     if line.endswith(" */") and "; /* " in line}

    def environment(self, **more):
        kept = {name: value for name, value in os.environ.items() if name.startswith(("OMPI_", "HWLOC_"))}
        return super().environment(**{**kept, **more})

    def watch(self, case, *flags, ranks=3, status=1):
        """The report of one case, as JSON; and what the program printed."""
        report = os.path.join(self.folder, "report.json")
        out, _ = self.run_it("-n", str(ranks), "--json", report, *flags, "--", self.program, case, status=status)
        with open(report, encoding="utf-8") as file:
            return json.load(file), out

    def found(self, case, code, *flags, end="ended"):
        report, _ = self.watch(case, *flags)
        finding = report["finding"]
        self.assertEqual((report["end"], finding["code"]), (end, code))
        self.assertIn(f"({self.source}:{self.lines[case]})", finding["message"])
        return finding

    def plain(self, case, ranks=3):
        """What the program prints without being watched."""
        return subprocess.run([MPIRUN, "--oversubscribe", "-n", str(ranks), self.program, case], check=True,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                              env=self.environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1"),
                              ).stdout
