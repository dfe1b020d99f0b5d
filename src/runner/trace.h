/*
 * Where a rank is when it crashes, exits in mid-case, or is asked (SIGUSR2): it writes return
 * addresses to the board.
 */
#ifndef VIALATA_RUNNER_TRACE_H
#define VIALATA_RUNNER_TRACE_H

#include "wire/board.h"

/* Install the handlers. Under AddressSanitizer crashes are left to it: it says more. */
void vl_trace_start(struct vl_board_rank *place);

/* Write the present place, and stay until the grader ends the job: for vl_beacon_on_error. */
void vl_trace_stay(void);

#endif
