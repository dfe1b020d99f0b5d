/*
 * A training step of ranks that hold a model together: tensor parallelism, a pipeline, and replicas
 * of both. Where every rank has the whole model, the labs' own steps are used
 * (engine/mesh/replicated.h).
 *
 *   gradients   of all micro-batches; over the replicas as stage 0 .. 3 of vialata/zero.h
 *   loss        summed over the replicas and the stages, of which only the last has one
 *   norm        squares summed over replicas (of shards), stages and places; a gain or a router,
 *               which every place has whole, is counted at place 0 only
 *   update      each rank its own weights
 */
#ifndef VIALATA_ENGINE_MESH_MESH_STEP_H
#define VIALATA_ENGINE_MESH_MESH_STEP_H

#include "engine/mesh/replicated.h"

/* As vl_replica_step; the result is the same on every rank. Collective over the whole mesh. */
enum vl_status vl_mesh_step(struct vl_replicated *part, size_t micro_batches,
                            const struct vl_adamw *settings, float max_norm, uint64_t step,
                            struct vl_step_result *result);

#endif
