/*
 * Why a function is slower than the reference: one turn of each on the same inputs, counted.
 *
 *   submission  |products|exp      |copies|rest            |
 *   reference   |products|rest |
 *                         <---- the excess -------------->
 *
 * Something is named only if it alone accounts for most of the excess. Where several things do together,
 * or the code between the calls does and nothing shows how, nothing is said.
 */
#ifndef VIALATA_GRADE_COST_WHY_SLOW_H
#define VIALATA_GRADE_COST_WHY_SLOW_H

#include "grade/judge/judge.h"
#include "wire/counts.h"
#include <stdbool.h>

struct vl_slow {
    const char *function; /* the one that is timed */
    int ranks;
    struct vl_counts submission, reference;
    bool sees_all; /* every BLAS function that the submission calls is counted */
};

/* Code and message into *cause; its code is NULL if nothing is certain. VL_ENOMEM. */
enum vl_status vl_why_slow(struct vl_cause *cause, const struct vl_slow *slow);

#endif
