/*
 * One case under gdb, at the user's terminal, as the user, without limits.
 */
#ifndef VIALATA_GRADE_JOB_DEBUG_H
#define VIALATA_GRADE_JOB_DEBUG_H

#include "grade/job/case_run.h"

/* Run all items, stopping at the function of the first (or where it crashes). Returns when gdb
 * ends, and reports every item as finished. VL_ELACK if there is no gdb, VL_EIO. */
enum vl_status vl_debug_run(const struct vl_case_run *run, const struct vl_case_run_item *items,
                            size_t count);

#endif
