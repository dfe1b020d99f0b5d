/*
 * The state of a whole model out of the parts that ranks hold, and back: for checkpoints. A file
 * does not show which layout wrote it, so a run goes on in any other.
 *
 *   shards of the replicas  ->  a slice of the model (engine/model/layout.h)  ->  the whole
 *
 * With experts the shards are those of two shares: dense units of all replicas, experts of those
 * that have the same ones.
 *
 * What travels here is not metered.
 */
#ifndef VIALATA_ENGINE_MESH_WHOLE_STATE_H
#define VIALATA_ENGINE_MESH_WHOLE_STATE_H

#include "base/arena.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/mesh/replicated.h"

struct vl_whole_state {
    struct vl_whole_arrays whole;
    struct vl_arena memory;
};

/* All of it on the first rank of the mesh, which has room for one other rank's part at a time
 * beside it; nothing on the others. Collective over the mesh. VL_ENOMEM, on every rank if on the
 * first. */
enum vl_status vl_whole_state_gather(struct vl_whole_state *state,
                                     const struct vl_replicated *part);
void vl_whole_state_free(struct vl_whole_state *state);

/* Fill this rank's part from a checkpoint: of each tensor its rectangle, of that its shard; and the
 * bias. Local. VL_EFORMAT as vl_checkpoint_load, VL_ENOMEM. */
enum vl_status vl_whole_state_load(struct vl_replicated *part,
                                   const struct vl_checkpoint *checkpoint);

#endif
