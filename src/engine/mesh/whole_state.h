/*
 * For checkpoints: from the parts that ranks hold to the state of the whole model, and back. A file
 * does not depend on the layout that wrote it, so a run may continue in any other.
 *
 *   shards of the replicas  ->  a slice of the model (engine/model/layout.h)  ->  the whole
 *
 * With experts there are two shares: the dense units, sharded over all replicas, and the experts,
 * sharded over the replicas that have the same ones.
 *
 * The meter does not count these messages.
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

/* Gather everything on the first rank of the mesh, one other rank's part at a time; the others get
 * nothing. Collective over the mesh. If the first rank lacks memory, every rank gets VL_ENOMEM. */
enum vl_status vl_whole_state_gather(struct vl_whole_state *state,
                                     const struct vl_replicated *part);
void vl_whole_state_free(struct vl_whole_state *state);

/* Fill this rank's part from a checkpoint: of each tensor its rectangle, of that its shard; and the
 * bias. Local. VL_EFORMAT as vl_checkpoint_load, VL_ENOMEM. */
enum vl_status vl_whole_state_load(struct vl_replicated *part,
                                   const struct vl_checkpoint *checkpoint);

#endif
