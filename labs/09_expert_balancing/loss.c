/*
 * Lab 09, station 2: the auxiliary loss, and what it does to the router.
 *
 * The formula is in include/vialata/expert_balance.h. Compute in float64: tokens are many, and
 * affinities may be tiny. A token whose affinities are all zero (too small for a float) adds
 * nothing to the shares or to the gradient.
 */
#include "vialata/expert_balance.h"

/* include/vialata/expert_balance.h: p, summed over the tokens here. */
enum vl_status vl_balance_shares_add(double *shares, const float *affinity,
                                     const struct vl_routing *routing)
{
    (void)shares;
    (void)affinity;
    (void)routing;
    /* TODO(09): refuse zero experts, zero choices, and arrays that are NULL (without tokens,
     * affinity may be NULL). */
    /* TODO(09): for each token, sum its affinities; then add to each expert's share its part of
     * that sum. Do not overwrite: earlier micro-batches are in there. */
    return VL_TODO;
}

/* include/vialata/expert_balance.h: the loss of a whole scope. */
enum vl_status vl_balance_loss(double *loss, const double *shares, const double *counts,
                               size_t scope_tokens, const struct vl_routing *routing, float alpha)
{
    (void)loss;
    (void)shares;
    (void)counts;
    (void)scope_tokens;
    (void)routing;
    (void)alpha;
    /* TODO(09): refuse as above. */
    /* TODO(09): E alpha / (k T^2). Which T: that of the scope, or routing->tokens? A scope without
     * tokens has the loss 0. A static function for this serves the gradient too. */
    /* TODO(09): times the sum over experts of share times count. */
    return VL_TODO;
}

/* include/vialata/expert_balance.h: its gradient with respect to the logits, added to dlogits. */
enum vl_status vl_balance_loss_backward(float *dlogits, const float *affinity, const double *counts,
                                        size_t scope_tokens, const struct vl_routing *routing,
                                        float alpha)
{
    (void)dlogits;
    (void)affinity;
    (void)counts;
    (void)scope_tokens;
    (void)routing;
    (void)alpha;
    /* TODO(09): with a pencil first: p depends on *all* affinities of its token, and an affinity
     * is the sigmoid of its logit. Choosing and counting have no gradient. */
    /* TODO(09): for each token, the mean of the counts, weighted with its own p. */
    /* TODO(09): then compare each expert's count with that mean. Add, do not overwrite: the
     * language model's gradient is in dlogits already. */
    return VL_TODO;
}

/* include/vialata/expert_balance.h: |aux| / |lm|, and the cosine of the angle between them. */
enum vl_status vl_balance_interference(double *size, double *cosine, const float *auxiliary,
                                       const float *language_model, size_t n)
{
    (void)size;
    (void)cosine;
    (void)auxiliary;
    (void)language_model;
    (void)n;
    /* TODO(09): three sums in float64: the squares of each, and the products. */
    /* TODO(09): no auxiliary gradient: both are 0. Only then ask whether the other is zero. */
    return VL_TODO;
}
