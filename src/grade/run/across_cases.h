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

/* Fill 'cause' and 'pattern' of the open cases that have no cause. 'results' are the cases' own, one for
 * one. With 'certain', only of those whose sign leaves no question open. VL_ENOMEM. */
enum vl_status vl_across_cases(struct vl_seen_case *seen, size_t count,
                               const struct vl_case_result *results, const struct vl_origin *origin,
                               bool certain);

/* Add the pattern of a case to what its result says. Its code takes the place of one that says nothing.
 * VL_ENOMEM. */
enum vl_status vl_across_cases_say(struct vl_case_result *result, const struct vl_seen_case *seen);

#endif
