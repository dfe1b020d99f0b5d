#!/usr/bin/env python3
"""`vialata mpi --strict` (strict.c): what is used before it has come, however soon it comes; and collective calls that
wait for all ranks, as MPI may let them."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import watched


@unittest.skipIf(watched.MPICC is None, "mpicc is not here")
class Strict(watched.Case):
    source = "strict.c"

    def test_what_is_read_too_early_is_found_where_it_is_sent_or_summed(self):
        self.found("reads", "read_before_arrival", "--strict")
        self.found("sums", "read_before_arrival", "--strict")

    def test_what_is_written_too_early_is_found(self):
        self.found("writes", "written_before_arrival", "--strict")

    def test_who_waits_or_asks_first_gets_the_same_numbers(self):
        for case in ("waits", "asks", "cancels", "gaps", "some"):
            with self.subTest(case):
                report, printed = self.watch(case, "--strict", status=0)
                self.assertIsNone(report["finding"])
                self.assertEqual(printed, self.plain(case))

    def test_a_collective_call_may_wait_for_all(self):
        self.found("order", "hung_cycle", "--strict", end="standstill")
        self.assertIsNone(self.watch("order", status=0)[0]["finding"])


if __name__ == "__main__":
    unittest.main()
