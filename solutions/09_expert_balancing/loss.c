/*
 * Lab 09, station 2, finished: the auxiliary loss, and what it does to the router.
 */
#include "vialata/expert_balance.h"

#include <math.h>

static int is_sound(const struct vl_routing *r, const float *affinity)
{
    return r != NULL && r->experts > 0 && r->chosen > 0 && (affinity != NULL || r->tokens == 0);
}

static double sum_of(const float *affinity, size_t experts)
{
    double sum = 0.0;
    for (size_t e = 0; e < experts; e++)
        sum += (double)affinity[e];
    return sum;
}

enum vl_status vl_balance_shares_add(double *shares, const float *affinity,
                                     const struct vl_routing *routing)
{
    if (shares == NULL || !is_sound(routing, affinity))
        return VL_EINVAL;
    for (size_t t = 0; t < routing->tokens; t++) {
        const float *own = affinity + t * routing->experts;
        double sum = sum_of(own, routing->experts);
        for (size_t e = 0; e < routing->experts && sum > 0.0; e++)
            shares[e] += (double)own[e] / sum;
    }
    return VL_OK;
}

/* E alpha / (k T^2); 0 for a scope without tokens. */
static double factor(const struct vl_routing *r, size_t scope_tokens, float alpha)
{
    double t = (double)scope_tokens;
    return scope_tokens > 0 ? (double)r->experts * (double)alpha / ((double)r->chosen * t * t)
                            : 0.0;
}

enum vl_status vl_balance_loss(double *loss, const double *shares, const double *counts,
                               size_t scope_tokens, const struct vl_routing *routing, float alpha)
{
    if (loss == NULL || shares == NULL || counts == NULL || routing == NULL || routing->chosen == 0)
        return VL_EINVAL;
    double sum = 0.0;
    for (size_t e = 0; e < routing->experts; e++)
        sum += shares[e] * counts[e];
    *loss = factor(routing, scope_tokens, alpha) * sum;
    return VL_OK;
}

/*
 * With S the sum of a token's affinities a, p = a / S, f the factor, c the counts:
 *
 *   dp(i)/da(e) = (1 if i = e, else 0) / S - p(i) / S
 *   dloss/da(e) = f / S (c(e) - sum over i of p(i) c(i))           da/dlogit = a (1 - a)
 *
 * a / S is p again, and the code uses it, since 1 / S may be huge.
 */
enum vl_status vl_balance_loss_backward(float *dlogits, const float *affinity, const double *counts,
                                        size_t scope_tokens, const struct vl_routing *routing,
                                        float alpha)
{
    if (!is_sound(routing, affinity) || counts == NULL || (dlogits == NULL && routing->tokens > 0))
        return VL_EINVAL;
    double f = factor(routing, scope_tokens, alpha);
    for (size_t t = 0; t < routing->tokens; t++) {
        const float *own = affinity + t * routing->experts;
        float *its = dlogits + t * routing->experts;
        double sum = sum_of(own, routing->experts), mean = 0.0;
        for (size_t e = 0; e < routing->experts && sum > 0.0; e++)
            mean += (double)own[e] / sum * counts[e];
        for (size_t e = 0; e < routing->experts && sum > 0.0; e++) {
            double a = (double)own[e];
            its[e] += (float)(f * (counts[e] - mean) * (a / sum) * (1.0 - a));
        }
    }
    return VL_OK;
}

enum vl_status vl_balance_interference(double *size, double *cosine, const float *auxiliary,
                                       const float *language_model, size_t n)
{
    if (size == NULL || cosine == NULL || (n > 0 && (auxiliary == NULL || language_model == NULL)))
        return VL_EINVAL;
    double aux = 0.0, lm = 0.0, both = 0.0;
    for (size_t i = 0; i < n; i++) {
        aux += (double)auxiliary[i] * (double)auxiliary[i];
        lm += (double)language_model[i] * (double)language_model[i];
        both += (double)auxiliary[i] * (double)language_model[i];
    }
    *size = *cosine = 0.0;
    if (aux == 0.0)
        return VL_OK;
    if (lm == 0.0)
        return VL_EINVAL;
    *size = sqrt(aux / lm);
    *cosine = both / sqrt(aux * lm);
    return VL_OK;
}
