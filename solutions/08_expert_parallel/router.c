/*
 * Lab 08, station 1, finished: the router.
 */
#include "vialata/router.h"

#include <math.h>
#include <string.h>

static int is_sound(const struct vl_routing *r)
{
    return r != NULL && r->chosen >= 1 && r->chosen <= r->experts;
}

/* The k largest of affinity + bias, in order. k passes over E scores: both are small. */
static void choose(int32_t *chosen, const float *affinity, const float *bias,
                   const struct vl_routing *r)
{
    for (size_t j = 0; j < r->chosen; j++) {
        size_t best = r->experts;
        float highest = 0.0f;
        for (size_t e = 0; e < r->experts; e++) {
            int taken = 0;
            for (size_t i = 0; i < j; i++)
                taken |= chosen[i] == (int32_t)e;
            float score = affinity[e] + (bias != NULL ? bias[e] : 0.0f);
            if (!taken && (best == r->experts || score > highest)) {
                best = e;
                highest = score;
            }
        }
        chosen[j] = (int32_t)best;
    }
}

enum vl_status vl_router_forward(float *affinity, int32_t *chosen, float *weights,
                                 const float *logits, const float *bias, const struct vl_routing *r)
{
    if (!is_sound(r) || (r->tokens > 0 &&
                         (affinity == NULL || chosen == NULL || weights == NULL || logits == NULL)))
        return VL_EINVAL;
    for (size_t i = 0; i < r->tokens * r->experts; i++) {
        if (isnan(logits[i]))
            return VL_EINVAL;
        affinity[i] = 1.0f / (1.0f + expf(-logits[i]));
    }
    for (size_t t = 0; t < r->tokens; t++) {
        const float *own = affinity + t * r->experts;
        int32_t *its = chosen + t * r->chosen;
        float sum = 0.0f;
        choose(its, own, bias, r);
        for (size_t j = 0; j < r->chosen; j++)
            sum += own[its[j]];
        /* Affinities below the smallest float round to zero: then nobody counts. */
        for (size_t j = 0; j < r->chosen; j++)
            weights[t * r->chosen + j] = sum > 0.0f ? r->scale * own[its[j]] / sum : 0.0f;
    }
    return VL_OK;
}

/*
 * With S the sum of the chosen affinities a and w(j) = scale a(j) / S:
 *
 *   dL/da(j) = scale / S (dw(j) - sum over i of dw(i) a(i) / S)        da/dlogit = a (1 - a)
 */
enum vl_status vl_router_backward(float *dlogits, const float *dweights, const float *affinity,
                                  const int32_t *chosen, const struct vl_routing *r)
{
    if (!is_sound(r) || (r->tokens > 0 && (dlogits == NULL || dweights == NULL ||
                                           affinity == NULL || chosen == NULL)))
        return VL_EINVAL;
    memset(dlogits, 0, r->tokens * r->experts * sizeof *dlogits);
    for (size_t t = 0; t < r->tokens; t++) {
        const float *a = affinity + t * r->experts, *dw = dweights + t * r->chosen;
        const int32_t *its = chosen + t * r->chosen;
        float sum = 0.0f, mean = 0.0f;
        for (size_t j = 0; j < r->chosen; j++) {
            sum += a[its[j]];
            mean += dw[j] * a[its[j]];
        }
        for (size_t j = 0; j < r->chosen && sum > 0.0f; j++) {
            float one = a[its[j]];
            dlogits[t * r->experts + (size_t)its[j]] =
                r->scale / sum * (dw[j] - mean / sum) * one * (1.0f - one);
        }
    }
    return VL_OK;
}
