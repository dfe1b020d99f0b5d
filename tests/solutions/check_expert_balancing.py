#!/usr/bin/env python3
"""The reference of lab 09 on 1, 2, 3, 4, 5 and 8 ranks: counts of all of them, by one gather."""
import sys

from on_ranks import check

sys.exit(check("ranks_balance", ["02_collectives", "09_expert_balancing"], (1, 2, 3, 4, 5, 8)))
