/*
 * The transformer, composed from the functions of the labs.
 *
 * The engine owns memory and order; the arithmetic belongs to whoever filled the lab's headers
 * (a student, or solutions/). All parameters lie in one flat array; 'tensors' says which range is
 * which, named as in Llama checkpoints. q, k and v of a layer are neighbours (one (3D,D) matrix),
 * so are gate and up (one (2F,D) matrix).
 *
 * Units, for what later overlaps or moves them: 0 = embedding, 1..L = layers, L+1 = final norm and
 * head. Backward visits them last first.
 */
#ifndef VIALATA_ENGINE_MODEL_H
#define VIALATA_ENGINE_MODEL_H

#include "vialata/shape.h"
#include "vialata/status.h"
#include "vialata/training_step.h"
#include <stddef.h>
#include <stdint.h>

struct vl_model;

/* VL_ESHAPE if heads do not divide width, K is odd, or anything is zero. VL_ENOMEM. */
enum vl_status vl_shape_check(const struct vl_shape *shape);

/*
 * Build a model whose micro-batches hold at most 'rows' sequences. With 'learns' zero there are
 * neither gradients nor optimizer state (eval, sample). Weights start at zero.
 */
enum vl_status vl_model_create(struct vl_model **model, const struct vl_shape *shape, size_t rows,
                               int learns);
void vl_model_free(struct vl_model *model);

/* Fresh weights from a seed: normal, 0.02; o and down scaled by 1/sqrt(2L); gains 1. */
void vl_model_initialise(struct vl_model *model, uint64_t seed);

const struct vl_shape *vl_model_shape(const struct vl_model *model);

/* The flat arrays and tensors of the model, with forward and backward bound to it. */
struct vl_learner *vl_model_learner(struct vl_model *model);

/* Bytes of weights, gradients and optimizer state, and of saved activations: measured, not derived.
 */
size_t vl_model_state_bytes(const struct vl_model *model);
size_t vl_model_activation_bytes(const struct vl_model *model);

/*
 * The batch the learner's forward and backward work on: micro-batch k is rows
 * [k*rows_per_micro, (k+1)*rows_per_micro) of tokens and targets, (total rows, T) each. The
 * arrays are the caller's and must live until the next call. The loss is scaled by
 * 1 / (total tokens).
 */
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
