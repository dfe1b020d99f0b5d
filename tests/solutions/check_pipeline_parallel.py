#!/usr/bin/env python3
"""Lab 07's reference at work: ranks_pipeline.c holds on 1, 2, 3, 4, 5 and 8 ranks."""
import sys

from on_ranks import check

sys.exit(check("solutions/ranks_pipeline", (1, 2, 3, 4, 5, 8)))
