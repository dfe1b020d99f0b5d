/*
 * The experts' part of a training step: count their load over all replicas, once per global batch,
 * and balance it (vialata/expert_balance.h).
 */
#ifndef VIALATA_ENGINE_EXPERTS_BALANCE_STEP_H
#define VIALATA_ENGINE_EXPERTS_BALANCE_STEP_H

#include "engine/mesh/replicated.h"

#include <stdbool.h>

/* Sum the counts over all replicas, and with a global auxiliary loss its shares. Call it after the
 * last forward and, for such a loss, before the first backward. A second call in the same batch
 * does nothing, nor does one without experts. Collective over the mesh's replicas. */
enum vl_status vl_balance_gather(struct vl_replicated *part);

/* Must the counts be summed before the first backward, for the auxiliary loss? */
bool vl_balance_waits(const struct vl_replicated *part);

/* After the update: fill in part->balance, and move the bias for the next batch. Collective over
 * the mesh. */
enum vl_status vl_balance_follow(struct vl_replicated *part);

#endif
