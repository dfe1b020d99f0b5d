/*
 * Softmax cross-entropy: how surprised the model is by the token that really came.
 *
 *   probs[i] = softmax(logits[i])            (n,V)
 *   losses[i] = -log probs[i][targets[i]]    (n), in nats
 *
 * The loss of a global batch is the sum of 'losses' times ONE scale, 1 / (number of tokens in the
 * global batch). Never average averages: shares of unequal size would get the wrong weights.
 * Serial. VL_EINVAL if a target is not in [0, V).
 */
#ifndef VIALATA_CROSS_ENTROPY_H
#define VIALATA_CROSS_ENTROPY_H

#include "vialata/status.h"
#include <stddef.h>
#include <stdint.h>

/* losses (n) and probs (n,vocabulary), overwritten. probs may be the same memory as logits. */
enum vl_status vl_cross_entropy_forward(float *losses, float *probs, const float *logits,
                                        const int32_t *targets, size_t n, size_t vocabulary);

/* dlogits (n,vocabulary), overwritten: the gradient of scale * sum(losses). It may be the same
 * memory as probs. */
enum vl_status vl_cross_entropy_backward_input(float *dlogits, const float *probs,
                                               const int32_t *targets, float scale, size_t n,
                                               size_t vocabulary);

#endif
