/*
 * One simulated training step.
 */
#ifndef VIALATA_SIMULATE_RANKS_STEP_H
#define VIALATA_SIMULATE_RANKS_STEP_H

#include "simulate/task.h"

/* What one rank did in it. All are doubles, so that they travel as one array. */
struct vl_simulated_rank {
    double seconds; /* from the barrier before the step to this rank's end of it */
    double busy;    /* of them, in which it computed */
    double inner_bytes, outer_bytes, messages; /* sent, as the scaled model has them */
};

/* Build the engine's part of this rank and let it do a step. VL_ESHAPE for a layout that the model
 * does not take, VL_ENOMEM, VL_EIO if the trace cannot be written. Collective over the world. */
enum vl_status vl_simulate_step(struct vl_simulated_rank *own, const struct vl_simulate_task *task);

#endif
