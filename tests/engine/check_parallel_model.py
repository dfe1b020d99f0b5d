#!/usr/bin/env python3
"""A model on every mesh of 1 to 8 ranks follows the model on one device; some numbers of ranks wait
for VIALATA_LONG."""
import os
import sys

from on_ranks import check

RANKS = (1, 2, 3, 4, 5, 6, 8) if os.environ.get("VIALATA_LONG") else (3, 4)

sys.exit(check("engine/ranks_parallel_model", RANKS))
