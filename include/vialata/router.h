/*
 * The router: which experts a token goes to, and how much each of them counts.
 *
 *   logits (N,E)  --sigmoid-->  affinity (N,E)
 *                                  + bias (E)    only for choosing
 *                                  |
 *                               the k largest    -> chosen (N,k)
 *                                  |
 *   weights (N,k) = scale * affinity of the chosen / their sum       the bias is not in it
 *
 *   E = 4, k = 2      affinity        + bias           chosen   weights (scale 1)
 *   token 0           .9 .6 .3 .2     0 0 +.5 0        0 2      .9/1.2  .3/1.2
 *
 * The logits are one product: x (N,D) with the router's matrix (E,D), by vialata/linear.h. Choosing
 * has no gradient. The weights have one, and through them so do the chosen affinities. Experts
 * that were not chosen get none, and the bias never gets one.
 *
 * Serial. Source: DeepSeek-AI 2024, DeepSeek-V3, arXiv:2412.19437, section 2.1.2.
 */
#ifndef VIALATA_ROUTER_H
#define VIALATA_ROUTER_H

#include "vialata/status.h"
#include <stddef.h>
#include <stdint.h>

/* What every function here needs to know. */
struct vl_routing {
    size_t tokens;  /* N, may be 0 */
    size_t experts; /* E */
    size_t chosen;  /* k, 1 .. E */
    float scale;
};

/*
 * affinity (N,E), chosen (N,k) and weights (N,k), overwritten, from logits (N,E) and bias (E),
 * which may be NULL: none. A token's experts are listed by affinity + bias, largest first; where
 * two are equal, the smaller number comes first. Where the affinities of all chosen are 0, so are
 * the weights. VL_EINVAL unless 1 <= k <= E, and for a logit that is NaN, which cannot be compared.
 */
enum vl_status vl_router_forward(float *affinity, int32_t *chosen, float *weights,
                                 const float *logits, const float *bias,
                                 const struct vl_routing *routing);

/* dlogits (N,E), overwritten, zero for experts that were not chosen, from dweights (N,k) and
 * forward's affinity and chosen. */
enum vl_status vl_router_backward(float *dlogits, const float *dweights, const float *affinity,
                                  const int32_t *chosen, const struct vl_routing *routing);

#endif
