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
 * the weights. An infinite logit is allowed: its affinity is 1 or 0. VL_EINVAL unless 1 <= k <= E,
 * and for a logit that is NaN, which cannot be compared.
 */
enum vl_status vl_router_forward(float *affinity, int32_t *chosen, float *weights,
                                 const float *logits, const float *bias,
                                 const struct vl_routing *routing);

/* ---- no more than G nodes per token ---- */

/*
 * Experts in n groups of E/n consecutive ones, usually those of one node. A token may only choose
 * among the experts of its G best groups. A group is as good as the sum of its two largest scores,
 * affinity + bias (with one expert per group, its only score); of equal groups the smaller number
 * comes first. So a token's row crosses to at most G nodes, whatever k is.
 *
 *   E = 6, n = 3, k = 2, G = 1       .9 .1 | .6 .5 | .7 .2       sums 1.0  1.1  0.9
 *   without a limit                  ^              ^            chosen 0 4: two nodes
 *   with it                                  ^  ^                chosen 2 3: one node
 */
struct vl_router_groups {
    size_t count; /* n; divides E */
    size_t limit; /* G, 1 .. n; k is at most G E/n */
};

/* As vl_router_forward, but no token chooses outside its G best groups. With G = n the result has
 * the bits of vl_router_forward. vl_router_backward goes with both. VL_ESHAPE if n does not divide
 * E (or is 0), VL_EINVAL for a G or k that is not allowed, and as vl_router_forward. */
enum vl_status vl_router_limited(float *affinity, int32_t *chosen, float *weights,
                                 const float *logits, const float *bias,
                                 const struct vl_routing *routing,
                                 const struct vl_router_groups *groups);

/* How many rows leave node 'home' for the choices in chosen (N,k), where group g is on node g:
 * 'each' if every choice sends a row of its own, as vl_dispatch_forward does; 'once' if a token's
 * row goes to a node only once and is passed on inside it, as in DeepSeek-V3. Serial. VL_ESHAPE if
 * n does not divide E (or is 0), VL_EINVAL for a home or an expert that does not exist. */
struct vl_node_rows {
    uint64_t each, once;
};
enum vl_status vl_router_node_rows(struct vl_node_rows *rows, const int32_t *chosen, size_t home,
                                   const struct vl_routing *routing,
                                   const struct vl_router_groups *groups);

/* ---- backward ---- */

/* dlogits (N,E), overwritten, from dweights (N,k) and forward's affinity and chosen. Zero for
 * experts that were not chosen, and for a token whose chosen affinities are all 0. VL_EINVAL unless
 * 1 <= k <= E. */
enum vl_status vl_router_backward(float *dlogits, const float *dweights, const float *affinity,
                                  const int32_t *chosen, const struct vl_routing *routing);

#endif
