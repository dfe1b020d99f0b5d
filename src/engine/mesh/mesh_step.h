/*
 * A training step of ranks that hold a model together: tensor parallelism, a pipeline, and replicas
 * of both. Where a model is whole on every rank the labs' own steps do it (engine/replicated.h).
 *
 *   gradients   of all micro-batches; over the replicas as stage 0 .. 3 of vialata/zero.h
 *   loss        summed over the replicas and the stages, of which the last alone has one
 *   norm        squares summed over replicas (of shards), stages and places; a gain, which every
 *               place has whole, is counted at place 0 alone
 *   update      each rank its own weights
 */
#ifndef VIALATA_ENGINE_MESH_MESH_STEP_H
#define VIALATA_ENGINE_MESH_MESH_STEP_H

#include "engine/mesh/replicated.h"

/* As vl_replica_step; result is the same on every rank of the mesh. Collective over all of it. */
enum vl_status vl_mesh_step(struct vl_replicated *part, size_t micro_batches,
                            const struct vl_adamw *settings, float max_norm, uint64_t step,
                            struct vl_step_result *result);

#endif
