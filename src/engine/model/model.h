/*
 * The transformer, composed from the functions of the labs.
 *
 * The engine owns memory and order; the computing is done by the functions of the labs (a
 * student's, or those of solutions/). All parameters lie in one flat array; 'tensors' says which
 * range is which, named as in Llama checkpoints. q, k and v of a layer form one (3D,D) matrix, gate
 * and up one (2F,D) matrix.
 *
 * Units are what communication moves or overlaps: 0 = embedding, 1..L = layers, L+1 = final norm
 * and head. Backward visits them in reverse order.
 */
#ifndef VIALATA_ENGINE_MODEL_MODEL_H
#define VIALATA_ENGINE_MODEL_MODEL_H

#include "engine/experts/moe_loss.h"
#include "engine/model/layout.h"
#include "vialata/recompute.h"
#include "vialata/schedule.h"
#include "vialata/shape.h"
#include "vialata/status.h"
#include "vialata/tensor_parallel.h"
#include "vialata/training_step.h"
#include <stddef.h>
#include <stdint.h>

struct vl_model;

/* VL_ESHAPE if heads do not divide width, K is odd, or a size is zero or above 2^24. */
enum vl_status vl_shape_check(const struct vl_shape *shape);

enum vl_model_kind {
    VL_MODEL_READS,  /* weights alone (eval, sample): nothing is kept for backward */
    VL_MODEL_LEARNS, /* weights, gradients, m and v */
    VL_MODEL_LENT    /* learns, but these four arrays are NULL: the caller has the memory, and sets
                      * them in the learner or lends units through its hooks */
};

/* Build a model whose micro-batches hold at most 'rows' sequences. Its weights start at zero. */
enum vl_status vl_model_create(struct vl_model **model, const struct vl_shape *shape, size_t rows,
                               enum vl_model_kind kind);
/* The same, forgetting and recomputing in a mode of vialata/recompute.h. */
enum vl_status vl_model_create_within(struct vl_model **model, const struct vl_shape *shape,
                                      size_t rows, enum vl_model_kind kind,
                                      enum vl_recompute recompute);

/* One rank's part of a model that several hold together. */
struct vl_model_plan {
    struct vl_shape shape; /* of the whole model */
    size_t rows;
    enum vl_model_kind kind;
    enum vl_recompute recompute;
    struct vl_tensor_group tensor; /* all zero, or one rank: no tensor parallelism */

    /* A stage of a pipeline; schedule NULL: all layers are here. Copied. */
    const struct vl_schedule *schedule;
    MPI_Comm stages; /* rank = stage */
    size_t stage;
    const size_t *borders; /* as in engine/model/layout.h, over all virtual stages */

    /* Experts; 0 of them: none. Their group's communicator is not used if the group is one rank. */
    struct vl_expert_shape experts;
    MPI_Comm expert_comm;
    int expert_rank, expert_ranks; /* 0 ranks: alone */
    struct vl_auxiliary auxiliary; /* all zero: none */
};

/* As above; VL_ESHAPE too where the ranks do not divide heads, ff or vocabulary, where a stage
 * would have no layer, and for an unsound schedule. Local. */
enum vl_status vl_model_create_part(struct vl_model **model, const struct vl_model_plan *plan);

void vl_model_free(struct vl_model *model);

/* Fresh weights from a seed: normal, 0.02; o and down scaled by 1/sqrt(2L); gains 1. A part gets
 * the same numbers as the whole model has there. */
void vl_model_initialise(struct vl_model *model, uint64_t seed);

/* The same weights, but only elements first .. first + count - 1 of the flat array, into out
 * (count): for a caller that holds a part. */
void vl_model_initial_weights(float *out, const struct vl_model *model, size_t first, size_t count,
                              uint64_t seed);

/* Of the whole model. */
const struct vl_shape *vl_model_shape(const struct vl_model *model);

/* Which part of it is here. */
const struct vl_layout *vl_model_layout(const struct vl_model *model);

/* What balancing works on, for each layer here, in order. NULL without experts. */
struct vl_model_balance {
    float *bias;    /* (layers here, E): for choosing; in checkpoints, but not a parameter */
    double *counts; /* (layers here, E): choices since somebody cleared them */
    double *shares; /* (layers here, E): of the auxiliary loss of a global batch, likewise */
    double *loss;   /* one number: the auxiliary losses of smaller scopes, likewise */
    float *against; /* (layers here, 2, E, D), likewise: the router's gradient, of the auxiliary
                     * loss and of the language model; NULL: not measured */
    size_t layers;
};
const struct vl_model_balance *vl_model_balance(const struct vl_model *model);

/* Clear all of these but the bias: a batch begins. */
void vl_model_clear_load(struct vl_model *model);

/* The schedule of a model that is a stage of a pipeline (its learner's forward and backward then
 * return VL_EINVAL); NULL for any other. */
const struct vl_schedule *vl_model_schedule(const struct vl_model *model);

/* The flat arrays and tensors of the model, with forward and backward bound to it. */
struct vl_learner *vl_model_learner(struct vl_model *model);

/* Bytes of weights, gradients and optimizer state, and of all activation memory: measured, not
 * derived. */
size_t vl_model_state_bytes(const struct vl_model *model);
size_t vl_model_activation_bytes(const struct vl_model *model);
/* Of these, what forward leaves behind for backward: inputs, probs and rests of the layers. */
size_t vl_model_kept_bytes(const struct vl_model *model);

/*
 * What the learner's forward and backward work on. Micro-batch k is chunk k of the rows (vl_chunk;
 * it may be empty). The arrays, (rows, T) each, are the caller's and must live until the next call.
 * The loss is scaled by 1 / (total_rows * T): total_rows counts the whole batch, of which this
 * model may have only a part.
 */
struct vl_model_batch {
    const int32_t *tokens;
    const int32_t *targets;
    size_t rows;
    size_t micro_batches;
    size_t total_rows;
};
enum vl_status vl_model_set_part(struct vl_model *model, const struct vl_model_batch *batch);

/* Tokens of the whole batch. */
size_t vl_model_batch_tokens(const struct vl_model *model);

/* The same where this model has the whole batch, in micro-batches of one size. */
enum vl_status vl_model_set_batch(struct vl_model *model, const int32_t *tokens,
                                  const int32_t *targets, size_t rows_per_micro,
                                  size_t micro_batches);

/* Forward only: the logits (rows*sequence, V) of tokens (rows, sequence), in model memory, valid
 * until the next call. sequence may be shorter than T. */
enum vl_status vl_model_logits(const float **logits, struct vl_model *model, const int32_t *tokens,
                               size_t rows, size_t sequence);

/* Sum of losses (nats) of targets given tokens, (rows, T) each, added in float64. */
enum vl_status vl_model_loss_sum(double *loss_sum, struct vl_model *model, const int32_t *tokens,
                                 const int32_t *targets, size_t rows);

#endif
