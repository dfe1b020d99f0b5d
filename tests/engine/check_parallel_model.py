#!/usr/bin/env python3
"""A model on every mesh of 1 to 8 ranks follows the model on one device."""
import sys

from on_ranks import check

sys.exit(check("engine/ranks_parallel_model", (1, 2, 3, 4, 5, 8), sample=(3,)))
