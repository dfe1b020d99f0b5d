#!/usr/bin/env python3
"""`vialata mpi` watches a program in Fortran as it does one in C, whichever way that calls MPI: mpif.h, `use mpi`,
`use mpi_f08` (fortran/, compiled three times)."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import watched
from share import LONG

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = [HERE / "fortran" / f"{name}.F90"
           for name in ("binding", "messages", "collectives", "making", "wrong", "beyond", "main")]
COMPILER, MPIRUN = shutil.which("mpifort"), watched.MPIRUN
WAYS = {"mpif.h": ["-DOLD", "-fallow-argument-mismatch", "-w"], "mpi": [], "mpi_f08": ["-DF08"]}
WRONG = (HERE / "fortran" / "wrong.F90").read_text(encoding="utf-8").splitlines()
LINES = {found.group(1): number for number, line in enumerate(WRONG, 1) if (found := re.search(r"\) ! (\w+)$", line))}


def can_compile():
    """mpifort may be here without the compiler that it starts."""
    return COMPILER is not None and subprocess.run(
        [COMPILER, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


@unittest.skipUnless(can_compile(), "mpifort is not here")
class Fortran(watched.Case):
    @classmethod
    def setUpClass(cls):
        cls.built = tempfile.mkdtemp(prefix="vialata fortran ")
        cls.addClassCleanup(shutil.rmtree, cls.built)
        for way, flags in WAYS.items():
            folder = os.path.join(cls.built, way)
            os.mkdir(folder)
            subprocess.run([COMPILER, "-g", *flags, "-o", "cases", *SOURCES], cwd=folder, check=True)

    def watch(self, way, case, *flags, status=1):
        """The report of one case, as JSON; and what the program printed."""
        report = os.path.join(self.folder, "report.json")
        out, _ = self.run_it("-n", "3", "--json", report, *flags, "--", os.path.join(self.built, way, "cases"), case,
                             status=status)
        with open(report, encoding="utf-8") as file:
            return json.load(file), out

    def found(self, case, code, *flags, end="ended", call="", ways=("mpi", "mpi_f08") if LONG else ("mpi_f08",), status=1):
        """It is found whichever way the program calls MPI, on the same line."""
        for way in ways:
            with self.subTest(way):
                finding = (report := self.watch(way, case, *flags, status=status)[0])["finding"]
                self.assertEqual((report["end"], finding["code"]), (end, code))
                self.assertIn(f"{call} (wrong.F90:{LINES[case]})", finding["message"])

    # ---- what is right ----

    def test_a_right_program_prints_the_same_numbers_whether_it_is_watched_or_not(self):
        for way in WAYS:
            plain = subprocess.run(
                [MPIRUN, "--oversubscribe", "-n", "3", os.path.join(self.built, way, "cases"), "good"],
                stdout=subprocess.PIPE, check=True, timeout=100,
                env=self.environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")).stdout.decode()
            self.assertIn("in place 75 75 75\n", plain)
            for flags in ([], ["--strict"]):
                with self.subTest((way, *flags)):
                    report, out = self.watch(way, "good", *flags, status=0)
                    self.assertIsNone(report["finding"])
                    self.assertEqual(report["watched"], 3)
                    self.assertEqual(out, plain)

    def test_a_program_that_asks_for_threads_is_told_what_it_has(self):
        for way in WAYS:
            self.assertEqual(self.watch(way, "threads", status=0)[1], "threads 1 1 1\n")

    def test_a_program_that_gives_up_says_why_itself(self):
        self.assertIsNone(self.watch("mpi", "abort", status=6)[0]["finding"])

    def test_what_is_not_watched_runs_as_ever(self):
        for way in WAYS:
            with self.subTest(way):
                report, out = self.watch(way, "beyond", status=0)
                self.assertEqual((report["finding"], report["unwatched"]), (None, ["spawn", "files", "windows"]))
                self.assertEqual(out, "beyond 217 0 100\n")

    # ---- what is wrong ----

    def test_a_circle_of_receives_is_ended(self):
        self.found("ring", "hung_cycle", end="standstill", call="MPI_Recv", ways=WAYS)

    def test_requests_in_an_array_are_told_apart(self):
        self.found("short_of_one", "never_sent", end="standstill", call="MPI_Waitall")

    def test_collectives_in_another_order_are_named(self):
        self.found("order", "collective_order", end="standstill", call="MPI_Bcast")

    def test_what_is_left_undone_is_told_at_the_end(self):
        self.found("unfinished", "request_not_completed", call="MPI_Irecv")
        self.found("leak", "communicator_leaked", call="MPI_Comm_dup")
        self.found("unstarted", "request_not_completed", call="MPI_Send_init")

    def test_what_mpi_allows_to_be_left_is_told(self):
        self.found("group_leak", "group_leaked", call="MPI_Comm_group", status=0)
        self.found("type_leak", "type_leaked", call="MPI_Type_vector", status=0)
        self.found("operator_leak", "operator_leaked", call="MPI_Op_create", status=0)

    def test_an_error_that_mpi_finds_is_explained(self):
        self.found("truncated", "message_truncated", call="MPI_Recv")
        self.found("refused", "mpi_error", call="MPI_Comm_size", ways=WAYS)

    def test_a_row_that_is_sent_from_a_copy_is_found(self):
        self.found("row", "buffer_touched", "--strict", call="MPI_Isend")

    def test_a_rank_that_stops_without_finalize_is_told(self):
        self.assertEqual(self.watch("mpi", "leaver")[0]["finding"]["code"], "rank_left")

    # ---- whatever is watched in C ----

    def test_every_call_that_is_watched_has_an_entry_for_each_way(self):
        library = os.path.join(watched.program.PLACE, "lib", "libvialata-mpi.so")
        names = subprocess.run(["nm", "-D", "--defined-only", library], stdout=subprocess.PIPE, check=True).stdout
        names = {line.split()[-1] for line in names.decode().splitlines()}
        calls = {name.lower() for name in names if name.startswith("MPI_")}
        self.assertGreater(len(calls), 100)
        self.assertEqual({f"{call}{end}" for call in calls for end in ("_", "__", "_f08_")} - names, set())


if __name__ == "__main__":
    unittest.main()
