/*
 * Is what came out of a case right, in a program that was run for an experiment? Bytes and time do not
 * count there.
 */
#ifndef VIALATA_GRADE_EXPERIMENT_RIGHT_H
#define VIALATA_GRADE_EXPERIMENT_RIGHT_H

#include "grade/experiment/experiment.h"
#include "wire/bag.h"

#include <stdbool.h>

/* Every rank must have a right result under this number, and MPI must not have been misused. */
bool vl_is_right(const struct vl_case *c, const struct vl_bag *inputs,
                 const struct vl_laboratory *laboratory, unsigned number);

#endif
