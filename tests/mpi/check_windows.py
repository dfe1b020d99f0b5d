#!/usr/bin/env python3
"""One-sided communication under `vialata mpi` (windows.c): fences are collective calls, what goes through a window is
not watched, and nobody is accused because of it."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import watched


@unittest.skipIf(watched.MPICC is None, "mpicc is not here")
class Windows(watched.Case):
    source = "windows.c"

    def test_what_is_right_runs_as_ever(self):
        for flags in ([], ["--strict"]):
            report, printed = self.watch("good", *flags, status=0)
            self.assertIsNone(report["finding"])
            self.assertEqual(sorted(printed.splitlines()), sorted(self.plain("good").splitlines()))
        self.assertIsNone(self.watch("locks", status=0)[0]["finding"])

    def test_a_fence_that_a_rank_skips_is_found(self):
        finding = self.found("skips", "collective_communicator", end="standstill")
        self.assertIn("MPI_Barrier", finding["detail"])
        self.found("early", "collective_order", end="standstill")

    def test_an_error_of_a_window_is_explained(self):
        finding = self.found("beyond", "mpi_error")
        self.assertIn("to MPI_Put (windows.c", finding["message"])
        self.assertIn("it names a rank that the communicator does not have", finding["message"])


if __name__ == "__main__":
    unittest.main()
