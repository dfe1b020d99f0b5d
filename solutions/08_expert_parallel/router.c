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

static float score(const float *affinity, const float *bias, size_t e)
{
    return affinity[e] + (bias != NULL ? bias[e] : 0.0f);
}

/* The k largest scores, in order. Each expert is placed among those chosen so far; only a score
 * that is larger passes another one, so of equal ones the smaller number stays ahead. */
static void choose(int32_t *chosen, const float *affinity, const float *bias,
                   const struct vl_routing *r)
{
    size_t held = 0;
    for (size_t e = 0; e < r->experts; e++) {
        float own = score(affinity, bias, e);
        size_t place = held;
        while (place > 0 && own > score(affinity, bias, (size_t)chosen[place - 1]))
            place--;
        if (place == r->chosen)
            continue;
        held += held < r->chosen;
        memmove(chosen + place + 1, chosen + place, (held - 1 - place) * sizeof *chosen);
        chosen[place] = (int32_t)e;
    }
}

enum vl_status vl_router_forward(float *affinity, int32_t *chosen, float *weights,
                                 const float *logits, const float *bias,
                                 const struct vl_routing *routing)
{
    if (!is_sound(routing) || (routing->tokens > 0 && (affinity == NULL || chosen == NULL ||
                                                       weights == NULL || logits == NULL)))
        return VL_EINVAL;
    for (size_t i = 0; i < routing->tokens * routing->experts; i++) {
        if (isnan(logits[i]))
            return VL_EINVAL;
        affinity[i] = 1.0f / (1.0f + expf(-logits[i]));
    }
    for (size_t t = 0; t < routing->tokens; t++) {
        const float *own = affinity + t * routing->experts;
        int32_t *its = chosen + t * routing->chosen;
        float sum = 0.0f;
        choose(its, own, bias, routing);
        for (size_t j = 0; j < routing->chosen; j++)
            sum += own[its[j]];
        /* Affinities below the smallest float round to zero: then all weights are zero. */
        for (size_t j = 0; j < routing->chosen; j++)
            weights[t * routing->chosen + j] =
                sum > 0.0f ? routing->scale * own[its[j]] / sum : 0.0f;
    }
    return VL_OK;
}

/*
 * With S the sum of the chosen affinities a, p(j) = a(j) / S and w(j) = scale p(j):
 *
 *   dL/da(j) = scale / S (dw(j) - sum over i of p(i) dw(i))        da/dlogit = a (1 - a)
 *
 * a / S is p again, so 1 / S, which may overflow, is not needed. With k = 1 the gradient is exactly
 * zero: the weight is the scale, whatever the affinity.
 */
enum vl_status vl_router_backward(float *dlogits, const float *dweights, const float *affinity,
                                  const int32_t *chosen, const struct vl_routing *routing)
{
    if (!is_sound(routing) || (routing->tokens > 0 && (dlogits == NULL || dweights == NULL ||
                                                       affinity == NULL || chosen == NULL)))
        return VL_EINVAL;
    if (routing->tokens > 0)
        memset(dlogits, 0, routing->tokens * routing->experts * sizeof *dlogits);
    for (size_t t = 0; t < routing->tokens; t++) {
        const float *a = affinity + t * routing->experts, *dw = dweights + t * routing->chosen;
        const int32_t *its = chosen + t * routing->chosen;
        float sum = 0.0f, mean = 0.0f;
        for (size_t j = 0; j < routing->chosen; j++)
            sum += a[its[j]];
        for (size_t j = 0; j < routing->chosen && sum > 0.0f; j++)
            mean += a[its[j]] / sum * dw[j];
        for (size_t j = 0; j < routing->chosen && sum > 0.0f; j++) {
            float one = a[its[j]];
            dlogits[t * routing->experts + (size_t)its[j]] =
                routing->scale * (dw[j] - mean) * (one / sum) * (1.0f - one);
        }
    }
    return VL_OK;
}
