/*
 * The parts of why_slow.c: each knows one kind of thing that takes time, and says how it is more than the
 * reference's. Each fills *cause or leaves it as it is; without memory, it has a code and no message.
 */
#ifndef VIALATA_GRADE_COST_SLOW_PARTS_H
#define VIALATA_GRADE_COST_SLOW_PARTS_H

#include "grade/cost/why_slow.h"

typedef void vl_slow_part(struct vl_cause *cause, const struct vl_slow *slow);

vl_slow_part vl_slow_products;    /* products: in double, many small ones, too many operations */
vl_slow_part vl_slow_vectors;     /* BLAS calls on vectors, where a product does it */
vl_slow_part vl_slow_math;        /* exp, pow, log, ... one number at a time */
vl_slow_part vl_slow_allocations; /* malloc and free */
vl_slow_part vl_slow_copies;      /* memcpy */
vl_slow_part vl_slow_sleeps;
vl_slow_part vl_slow_messages; /* waits, barriers, many small messages */
vl_slow_part vl_slow_code;     /* the rest: loops, where the reference has products */

void vl_slow_say(struct vl_cause *cause, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
