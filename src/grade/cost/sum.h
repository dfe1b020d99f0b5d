/*
 * The counts of all ranks of a turn as one: sums, and the most that were open on any rank. What comes
 * from a submission's process is checked here.
 */
#ifndef VIALATA_GRADE_COST_SUM_H
#define VIALATA_GRADE_COST_SUM_H

#include "wire/bag.h"
#include "wire/counts.h"
#include <stdbool.h>

/* Add one rank's counts to *sum. False if they are not there, or impossible. */
bool vl_counts_take(struct vl_counts *sum, const struct vl_bag *bag);

/* Nanoseconds in libm. */
int64_t vl_counts_math_ns(const struct vl_counts *counts);

/* All that is accounted for: the rest of the turn is the function's own code. */
int64_t vl_counts_known_ns(const struct vl_counts *counts);

#endif
