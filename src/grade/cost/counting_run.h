/*
 * One counted turn of the submission and of the reference, on the same inputs: two jobs of the counting
 * programs (grade/build/counting.h), which are started for this and ended after it. No other job may
 * run in these sandboxes meanwhile.
 */
#ifndef VIALATA_GRADE_COST_COUNTING_RUN_H
#define VIALATA_GRADE_COST_COUNTING_RUN_H

#include "grade/build/counting.h"
#include "grade/catalogue/case.h"
#include "grade/cost/why_slow.h"
#include "sandbox/sandbox.h"

struct vl_counting_run {
    const struct vl_counting_programs *programs;
    const struct vl_sandbox *submissions, *references;
    int ranks;
};

/* Fill *slow. *known is false if one of the two did not come to its end: then *slow says nothing. */
enum vl_status vl_counting_run(struct vl_slow *slow, bool *known, const struct vl_counting_run *run,
                               const struct vl_timing *timing, uint64_t seed);

#endif
