/*
 * The timed run of one rank: obey the orders of the grader, one after the other (board.h).
 */
#ifndef VIALATA_RUNNER_TIMED_H
#define VIALATA_RUNNER_TIMED_H

#include "runner/call.h"

/* Until QUIT, or until the grader is gone. Calls are found with 'find'. */
void vl_timed_run(const char *folder, int rank,
                  const struct vl_timed_call *(*find)(const char *function));

#endif
