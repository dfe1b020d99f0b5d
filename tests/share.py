"""How much of a long list a check takes: the gradings of mistakes, signs, mutants and unseen bugs are some
3,000, more than fits even into the long suite.

VIALATA_LONG is what selftest.sh was asked for: "" a few of them, "1" (--long) a share, "all" (--long with
names of tests) all. The same are chosen everywhere, each for itself, so that no change fails because of what
it did not touch.
"""
import os
import unittest
import zlib

LEVEL = os.environ.get("VIALATA_LONG", "")
LONG = LEVEL != ""  # minutes may be spent
ALL = LEVEL == "all"


def share(names, few, long):
    """Of these names one in 'few', in the long suite one in 'long'; few = 0: none but in the long suite."""
    each = 1 if ALL else long if LONG else few
    return [n for n in names if each > 0 and zlib.crc32(n.encode()) % each == 0]


def long(test):
    """A test of a unittest.TestCase that only the long suite runs: its minutes show little that others do not."""
    return unittest.skipUnless(LONG, "in the long suite")(test)
