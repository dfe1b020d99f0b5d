/*
 * How far two answers to one case are from each other: the largest distance of their arrays, on the
 * scale of the expected ones.
 */
#ifndef VIALATA_GRADE_DIAGNOSE_DISTANCE_H
#define VIALATA_GRADE_DIAGNOSE_DISTANCE_H

#include "grade/catalogue/case.h"

/* Over the arrays of 'expected'. INFINITY if one of them is missing, has another size, or holds a
 * number where the other has none; or if the statuses differ. */
double vl_answer_distance(const struct vl_bag *answer, const struct vl_bag *other,
                          const struct vl_bag *expected, const struct vl_case *c);

#endif
