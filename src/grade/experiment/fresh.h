/*
 * Afresh: does a case come out right if nothing was called before it?
 *
 *   in the job     case 1 ✓   case 2 ✓   case 3 ✗        one process, one call after the other
 *   afresh                               case 3 ✓        a process of its own, without a rehearsal
 *
 * Then something is kept from one call to the next: in a static variable, in memory that is not filled
 * again. It is sought before anything that looks at the numbers, because they are those of another call.
 */
#ifndef VIALATA_GRADE_EXPERIMENT_FRESH_H
#define VIALATA_GRADE_EXPERIMENT_FRESH_H

#include "grade/experiment/experiment.h"

/*
 * Try out, for each function and number of ranks, the first open case, if all that were called before
 * it in its process passed. If it is right by itself, all open cases of the function get the cause
 * kept_from_earlier_call. One start of the program each, a few seconds for all. Errors as in
 * vl_experiment.
 */
enum vl_status vl_try_afresh(struct vl_seen_case *cases, size_t count,
                             const struct vl_laboratory *laboratory);

#endif
