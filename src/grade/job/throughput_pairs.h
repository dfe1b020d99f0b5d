/*
 * Pairs of turns: reference and submission do the same works on the same fresh inputs, in turns that
 * do not overlap, and the outputs of one work are compared (throughput.h has a drawing).
 *
 *     prepare    both, one after the other
 *     turns      A B B A, the next time B A A B
 *     seal       all works of both, then one is drawn and looked at
 *
 * What the kernel saw of a side meanwhile is its ledger (ranks/ledger.h).
 */
#ifndef VIALATA_GRADE_JOB_THROUGHPUT_PAIRS_H
#define VIALATA_GRADE_JOB_THROUGHPUT_PAIRS_H

#include "grade/catalogue/case.h"
#include "grade/job/throughput.h"
#include "ranks/ledger.h"

/* The pairs of one timing. */
struct vl_throughput_pairs {
    struct vl_throughput *throughput;
    const struct vl_timing *timing;
    uint64_t seed;
    uint64_t count;             /* run already, warm-up included: no two have the same inputs */
    uint32_t repeats;           /* works per turn */
    struct vl_ledger ledger[2]; /* of the last one, by enum vl_throughput_who */
};

/* Run one pair, and fill its ledgers. The first one of new jobs also looks for threads. */
enum vl_throughput_end vl_throughput_pair(struct vl_throughput_pairs *pairs);

#endif
