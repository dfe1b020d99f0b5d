/*
 * One case under gdb, at the user's terminal, as the user, without limits.
 */
#ifndef VIALATA_GRADE_JOB_DEBUG_H
#define VIALATA_GRADE_JOB_DEBUG_H

#include "vialata/status.h"

/* Run 'program' on the cases in 'folder', stopped at 'function' (or where it crashes). Comes back
 * when gdb ends. VL_ELACK if there is no gdb. */
enum vl_status vl_debug_run(const char *program, const char *folder, const char *out,
                            const char *function, int ranks);

#endif
