/*
 * The turn: of all gradings of one user on this machine, one at a time has a clock running.
 *
 *   grading 1   compile | numbers | turn: timings |
 *   grading 2   compile | numbers |     waits     | turn: timings |
 */
#ifndef VIALATA_SANDBOX_TURN_H
#define VIALATA_SANDBOX_TURN_H

#include "base/file_lock.h"
#include <stdbool.h>

/* Zero it to begin. */
struct vl_turn {
    struct vl_file_lock lock;
    bool taken;
};

/* Wait for the turn: until Ctrl-C, and VL_TURN_SECONDS at most, since the others may be stuck. Where
 * no file can be locked, or this grading has it already, it comes at once. Returns how many seconds
 * that took. */
#define VL_TURN_SECONDS 120.0
double vl_turn_take(struct vl_turn *turn);

/* Safe on a zeroed one. */
void vl_turn_leave(struct vl_turn *turn);

#endif
