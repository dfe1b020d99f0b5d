#!/usr/bin/env python3
"""Lab 03's reference, alone with lab 02's collectives, on 1, 2, 3, 4, 5 and 8 ranks."""
import sys

from on_ranks import check

sys.exit(check("ranks_data_parallel", ["01_training_step", "02_collectives", "03_data_parallel"],
               (1, 2, 3, 4, 5, 8), beside=("src/runner/unit_toy.c", "src/base/random.c"),
               linked=("-Wl,--wrap=vl_all_reduce", "-Wl,--wrap=vl_all_reduce_start")))
