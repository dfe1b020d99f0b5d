/*
 * Repairs: where nothing else explains a function's wrong answers, small changes of the submission's own code
 * are tried (mutants/operators.h). If one puts all cases of the function right, its place is told. So this
 * reaches code that is built otherwise than the reference.
 *
 *   all changes          on one case that fails: most are out
 *   those that are left  on all other cases, right ones too
 *
 * All of them are one program (mutants/schema.h), which runs where the submission does.
 */
#ifndef VIALATA_GRADE_EXPERIMENT_REPAIR_H
#define VIALATA_GRADE_EXPERIMENT_REPAIR_H

#include "grade/experiment/experiment.h"

/* For functions of whose failures none is explained. Else as vl_experiment, but what is found goes to 'repair' of each
 * case, and is told after all other words. Nothing is said where changes in many places would do. */
enum vl_status vl_repair(struct vl_seen_case *cases, size_t count,
                         const struct vl_laboratory *laboratory);

#endif
