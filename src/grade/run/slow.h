/*
 * After a timing that was too slow: what it consists of, compared with the reference (grade/cost/). That
 * costs a student up to a second; once VL_SLOW_SECONDS have gone into it, further timings get no cause.
 */
#ifndef VIALATA_GRADE_RUN_SLOW_H
#define VIALATA_GRADE_RUN_SLOW_H

#include "grade/build/counting.h"
#include "grade/job/throughput.h"
#include "grade/run/grading.h"

#define VL_SLOW_SECONDS 8.0

/* Of one grading; zeroed at its beginning. */
struct vl_slow_search {
    struct vl_counting_programs programs;
    bool tried;   /* to link them */
    double spent; /* seconds */
};

/* Add to the result of a timing why it is slow, if that can be seen. Ends the jobs of 'throughput', which
 * start again when they are needed. VL_ENOMEM. */
enum vl_status vl_grading_why_slow(struct vl_case_result *result, struct vl_slow_search *search,
                                   const struct vl_grading *grading,
                                   struct vl_throughput *throughput, const struct vl_timing *timing,
                                   uint64_t seed);

void vl_slow_search_free(struct vl_slow_search *search);

#endif
