/*
 * Unset: would a case be right if what its function is to fill held zeros?
 *
 *                              what the function is to fill
 *   as the case was            poison                         ✗
 *   once more (wire/unset.h)   zeros                          ✓ ?
 *
 * Then something is added to, counted up or read before it has a value: a sum that does not begin at 0, an
 * array that is filled in part. Where a number is nonsense, or a status is wrong, nothing else tells that. What
 * malloc gave has stains (wire/stain.h).
 */
#ifndef VIALATA_GRADE_EXPERIMENT_UNSET_H
#define VIALATA_GRADE_EXPERIMENT_UNSET_H

#include "grade/experiment/experiment.h"

/*
 * Try out, for each function, the first open case whose status is wrong, that wrote out of bounds, or whose
 * numbers are nonsense: not finite, or whole and enormous. If zeros put it right, all such cases of the
 * function get the cause `uninitialised`. One start of the program each, a few seconds for all. Errors as in
 * vl_experiment.
 */
enum vl_status vl_try_zeros(struct vl_seen_case *cases, size_t count,
                            const struct vl_laboratory *laboratory);

#endif
