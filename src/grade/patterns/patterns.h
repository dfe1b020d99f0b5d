/*
 * Patterns: what the cases of one function show when they are read together.
 *
 *   ranks     1   2   3   4   5   8
 *             ok  ok  -   ok  -   ok      only_powers_of_two
 *
 * A single case says what is wrong; all of them often say when, and that points at the assumption
 * behind it. A pattern must put every case that failed on one side, and every case that passed on
 * the other.
 */
#ifndef VIALATA_GRADE_PATTERNS_PATTERNS_H
#define VIALATA_GRADE_PATTERNS_PATTERNS_H

#include "grade/patterns/facts.h"

#define VL_PATTERN_LARGE 2147483648.0 /* 2^31: the first number that an int does not hold */

struct vl_pattern {
    const char *code; /* NULL: there is none */
    char *message;    /* translated, fresh */
};

/*
 * Find the pattern of the cases of one function, those that passed and those that failed, in any order.
 * Cases that a function passes by doing nothing do not belong among them. VL_ENOMEM.
 */
enum vl_status vl_pattern_find(struct vl_pattern *pattern, const struct vl_facts *cases,
                               size_t count);

/* The same, but only what the numbers are, not when they are wrong: a factor, a relation, a term. */
enum vl_status vl_pattern_find_formula(struct vl_pattern *pattern, const struct vl_facts *cases,
                                       size_t count);

#endif
