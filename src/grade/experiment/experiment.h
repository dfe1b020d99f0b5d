/*
 * Experiments with a submission whose mistake nobody knows: run it again on changed inputs, and see
 * what its answer follows (influence.h).
 *
 * For each function that fails, one case is taken (trial.h), and if it shows nothing a second and a third.
 * All their probes run in one start of the program for each number of ranks, behind the same wall and
 * within the same time as the grading itself. A probe that hangs or crashes is just missing.
 */
#ifndef VIALATA_GRADE_EXPERIMENT_EXPERIMENT_H
#define VIALATA_GRADE_EXPERIMENT_EXPERIMENT_H

#include "grade/build/build.h"
#include "grade/diagnose/cause.h"

struct vl_laboratory {
    const struct vl_origin *origin;
    const struct vl_sandbox *sandbox; /* the submission's; nothing runs beyond its 'until' */
    const struct vl_build *build;     /* of the submission */
    const char *program, *sources;    /* of the submission */
    const char *scratch;
    const struct vl_case_result *results; /* of each case */
};

/*
 * Look for the causes of all open cases (not passed, with outputs) that have none yet. Takes some
 * seconds at most. Predictions, composed cases of functions that fail themselves, and what an inspector has
 * words for are left out. VL_ELACK and VL_EIO are about this machine; then nothing is found.
 */
enum vl_status vl_experiment(struct vl_seen_case *cases, size_t count,
                             const struct vl_laboratory *laboratory);

#endif
