/*
 * One rank's part of a model: who holds its weights, gradients and optimizer state, and the step
 * that keeps them together. The step itself is that of the labs' headers.
 *
 *   one device    vialata/training_step.h     no mesh, or a mesh of one rank: no MPI is used
 *   stage 0       vialata/data_parallel.h     every replica holds everything
 *   stage 1 .. 3  vialata/zero.h              shards, as planned there
 *   otherwise     engine/mesh/mesh_step.h     several ranks hold a model together, or experts have
 *                                             replicas of their own
 */
#ifndef VIALATA_ENGINE_MESH_REPLICATED_H
#define VIALATA_ENGINE_MESH_REPLICATED_H

#include "base/arena.h"
#include "engine/mesh/mesh.h"
#include "engine/model/model.h"
#include "vialata/collectives.h"
#include "vialata/data_parallel.h"
#include "vialata/zero.h"
#include <mpi.h>

/* How the ranks of a mesh share. */
struct vl_sharing {
    const struct vl_mesh *mesh; /* NULL: one device; it must outlive the part */
    int zero;                   /* stage 0 .. 3 over the replicas */
    int overlap;                /* stage 0: buckets while backward runs, or flat after it */
    size_t bucket_bytes;
    int node_replicas; /* stage 0, flat: this many neighbours are on a node, and gradients are
                        * summed in two levels; 0: in one ring. So are those of experts, where a
                        * node has several of their replicas, and every node equally many */
    enum vl_recompute recompute;
    int sequence_parallel;              /* where mesh->tp > 1 */
    const struct vl_schedule *schedule; /* where mesh->pp > 1, with the next; copied */
    const size_t *borders;              /* as in engine/model/layout.h */
    struct vl_expert_shape experts;     /* 0 of them: none; shared out over mesh->ep replicas */
    float bias_speed;                   /* u of vialata/expert_balance.h; 0: the bias is fixed */
    struct vl_auxiliary auxiliary;      /* all zero: no auxiliary loss */
};

/* Bytes that this rank holds, by kind. */
struct vl_held_bytes {
    size_t weights;
    size_t gradients;
    size_t moments;
    size_t lent;        /* buffers for whole units (ZeRO stages 2 and 3) */
    size_t activations; /* all working memory of forward and backward */
    size_t kept;        /* of it, what forward leaves behind for backward */
};

/* Units that have the same replicas, and what this rank keeps of them. There are two shares: the
 * dense units, and the experts' units. */
struct vl_share {
    MPI_Comm comm;   /* of these replicas; MPI_COMM_NULL: there is only one */
    int rank, ranks; /* among them */
    size_t first_unit, unit_count;
    size_t first, count;                   /* elements of the learner's flat arrays */
    const size_t *units;                   /* (unit_count + 1), counted from 'first' */
    const struct vl_tensor *tensors;       /* (tensor_count), likewise */
    const struct vl_rectangle *rectangles; /* (tensor_count) */
    size_t tensor_count;
    struct vl_transfer **flight; /* (unit_count) */
    struct vl_levels levels;     /* where how.node_replicas > 0; MPI_COMM_NULL twice elsewhere */
    struct vl_zero zero;
};

/* How experts did in a global batch. */
struct vl_balance_result {
    double violation;    /* MaxVio, mean over the layers */
    double loss;         /* the auxiliary loss, sum over the layers */
    double size, cosine; /* vl_balance_interference on the routers, mean over the layers; NAN where
                          * a layer's language-model gradient is zero */
};

struct vl_replicated {
    struct vl_sharing how;
    struct vl_model *model;
    struct vl_share shares[2]; /* dense units; experts' units */
    size_t share_count;
    struct vl_arena memory;        /* of sharded state (how.zero > 0) */
    struct vl_tensor *own_tensors; /* the second share's */
    struct vl_held_bytes held;
    struct vl_balance_result balance; /* of the last batch */
    int gathered;                     /* the load of this batch is known */
};

/* Build this rank's part; micro-batches of at most 'rows' sequences. VL_ESHAPE, VL_ENOMEM,
 * VL_EINVAL for a stage outside 0 .. 3. Weights start at zero. Local, but collective over the
 * replicas with how->node_replicas > 0: VL_ESHAPE if it does not divide their number, VL_EINVAL with
 * a stage other than 0, or with overlap. */
enum vl_status vl_replicated_create(struct vl_replicated *part, const struct vl_shape *shape,
                                    size_t rows, const struct vl_sharing *how);
void vl_replicated_free(struct vl_replicated *part);

/* Fresh weights from a seed, the same as on one device. Stage 0: replica 0's are broadcast.
 * Collective. */
enum vl_status vl_replicated_initialise(struct vl_replicated *part, uint64_t seed);

/* One step on this replica's part of the batch, set with vl_model_set_part. Collective. */
enum vl_status vl_replicated_step(struct vl_replicated *part, size_t micro_batches,
                                  const struct vl_adamw *settings, float max_norm, uint64_t step,
                                  struct vl_step_result *result);

#endif
