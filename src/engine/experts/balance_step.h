/*
 * The experts' part of a training step: load, counted over all replicas once a global batch, and
 * what is done about it (vialata/expert_balance.h).
 */
#ifndef VIALATA_ENGINE_EXPERTS_BALANCE_STEP_H
#define VIALATA_ENGINE_EXPERTS_BALANCE_STEP_H

#include "engine/mesh/replicated.h"

#include <stdbool.h>

/* Counts of all replicas, and with a global auxiliary loss its shares: called after the last
 * forward and, for such a loss, before the first backward. Again in the same batch: nothing.
 * Nothing without experts. Collective over the mesh's replicas. */
enum vl_status vl_balance_gather(struct vl_replicated *part);

/* Is the auxiliary loss one that has to be gathered before the first backward? */
bool vl_balance_waits(const struct vl_replicated *part);

/* After the update: part->balance is filled in, and the bias moves; the next batch meets it first.
 * Collective over the mesh. */
enum vl_status vl_balance_follow(struct vl_replicated *part);

#endif
