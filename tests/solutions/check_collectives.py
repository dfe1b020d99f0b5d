#!/usr/bin/env python3
"""The reference of lab 02 on 1, 2, 3, 4, 5 and 8 ranks: ranks_collectives.c holds on each.

In the long suite with more than 2^31 bytes too, if there is enough memory: half of the time is theirs.
"""
import sys

from on_ranks import check, sanitized
from share import LONG

runs = [1, 2, 3, 4, 5, 8]
available = next(int(line.split()[1]) for line in open("/proc/meminfo")
                 if line.startswith("MemAvailable:"))
if LONG and available > 10 << 20 and not sanitized:  # KiB; two ranks with 2 GiB each
    runs.append("2 large")
elif LONG:
    print("data above 2^31 bytes are left out: there is too little memory here")
sys.exit(check("solutions/ranks_collectives", runs))
