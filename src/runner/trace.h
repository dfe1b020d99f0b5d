/*
 * Where a rank is when it crashes, leaves in mid-case, or is asked (SIGUSR2): return addresses on
 * the board.
 */
#ifndef VIALATA_RUNNER_TRACE_H
#define VIALATA_RUNNER_TRACE_H

#include "wire/board.h"

/* Install the handlers. Under AddressSanitizer crashes are left to it: it says more. */
void vl_trace_start(struct vl_board_rank *place);

/* Write where this is, and stay until the grader ends the job: for vl_beacon_on_error. */
void vl_trace_stay(void);

#endif
