#!/usr/bin/env python3
"""The reference of lab 09 on 1, 2, 3, 4, 5 and 8 ranks: counts of all of them, by one gather."""
import sys

from on_ranks import check

sys.exit(check("solutions/ranks_balance", (1, 2, 3, 4, 5, 8)))
