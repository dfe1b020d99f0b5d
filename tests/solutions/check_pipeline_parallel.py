#!/usr/bin/env python3
"""Lab 07's reference at work: ranks_pipeline.c holds on 1, 2, 3, 4, 5 and 8 ranks."""
import sys

from on_ranks import check

sys.exit(check("ranks_pipeline", ["02_collectives", "07_pipeline_parallel"], (1, 2, 3, 4, 5, 8)))
