#!/usr/bin/env python3
"""The reference of lab 06 on 1, 2, 3, 4 and 8 ranks: its functions one by one.

(Whole models made of them: tests/engine/ranks_parallel_model.c.)
"""
import sys

from on_ranks import check

sys.exit(check("solutions/ranks_tensor_parallel", (1, 2, 3, 4, 8)))
