/*
 * Is what came out of a case right, in a program that was run for an experiment? Bytes and time do not
 * count there.
 */
#ifndef VIALATA_GRADE_EXPERIMENT_RIGHT_H
#define VIALATA_GRADE_EXPERIMENT_RIGHT_H

#include "grade/experiment/experiment.h"
#include "grade/judge/outputs.h"

#include <stdbool.h>

/* One of the two of outputs.h: whether the program shows what it did to its inputs. */
typedef struct vl_bag *vl_outputs_fn(const struct vl_case *c, const struct vl_bag *inputs,
                                     const struct vl_sandbox *sandbox, const char *scratch,
                                     unsigned number, int rank);

/* Every rank must have a right result under this number, and MPI must not have been misused. */
bool vl_is_right(const struct vl_case *c, const struct vl_bag *inputs,
                 const struct vl_laboratory *laboratory, unsigned number,
                 vl_outputs_fn *outputs_of);

#endif
