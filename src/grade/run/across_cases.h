/*
 * What the open cases of a function show when all its cases are read together. A known mistake explains a
 * function at once; these are for functions that none explains:
 *
 *   a sign       said in each open case, if each of them shows it
 *   a pattern    said once, in the first open case, after what it says itself; of its cases or, where a
 *                case is a table of questions, of these
 */
#ifndef VIALATA_GRADE_RUN_ACROSS_CASES_H
#define VIALATA_GRADE_RUN_ACROSS_CASES_H

#include "grade/catalogue/origin.h"
#include "grade/diagnose/cause.h"

/* What is looked for. */
enum vl_across {
    VL_ACROSS_CERTAIN,  /* a sign that leaves no question open, and then a pattern */
    VL_ACROSS_PATTERNS, /* a pattern */
    VL_ACROSS_PLACES,   /* a sign that says where each number belongs, and then a pattern */
    VL_ACROSS_SIGNS     /* any sign; a factor that it tells is not told again */
};

/* Fill 'cause' and 'pattern' of the open cases that have no cause. 'results' are the cases' own, one for
 * one. VL_ENOMEM. */
enum vl_status vl_across_cases(struct vl_seen_case *seen, size_t count,
                               const struct vl_case_result *results, const struct vl_origin *origin,
                               enum vl_across what);

/* Add the pattern of a case, and where it is put right, to what its result says. A code takes the place of
 * one that says nothing. VL_ENOMEM. */
enum vl_status vl_across_cases_say(struct vl_case_result *result, const struct vl_seen_case *seen);

#endif
