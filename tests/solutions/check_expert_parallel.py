#!/usr/bin/env python3
"""The reference of lab 08 on 1, 2, 3, 4, 5 and 8 ranks, beside one device with all tokens."""
import sys

from on_ranks import check

sys.exit(check("ranks_experts", ["01_training_step", "02_collectives", "08_expert_parallel"],
               (1, 2, 3, 4, 5, 8)))
