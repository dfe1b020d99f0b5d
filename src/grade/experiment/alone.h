/*
 * One case of a submission in a process of its own: nothing was called before it there.
 */
#ifndef VIALATA_GRADE_EXPERIMENT_ALONE_H
#define VIALATA_GRADE_EXPERIMENT_ALONE_H

#include "grade/experiment/experiment.h"
#include "wire/bag.h"

#include <stdbool.h>

/*
 * Is what comes out right, on these inputs, without a rehearsal? One start of the program; it may take a few
 * times as long as the case did, and never goes on after 'until' on vl_clock(). If it hangs or crashes, it is
 * not right. 'name' is that of its folder in the scratch, which must not be there yet. Errors as in vl_experiment.
 */
enum vl_status vl_run_alone(bool *right, const struct vl_seen_case *seen,
                            const struct vl_bag *inputs, const struct vl_laboratory *laboratory,
                            const char *name, double until);

#endif
