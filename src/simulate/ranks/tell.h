/*
 * What all ranks did, in one JSON object.
 */
#ifndef VIALATA_SIMULATE_RANKS_TELL_H
#define VIALATA_SIMULATE_RANKS_TELL_H

#include "simulate/ranks/step.h"

/* On the first rank {"seconds", "busy", "inner_bytes", "outer_bytes", "messages": [one a rank]},
 * which is the caller's; NULL on the others, or without memory. Collective over the world. */
json_t *vl_simulate_tell(const struct vl_simulated_rank *own, const struct vl_simulate_task *task);

#endif
