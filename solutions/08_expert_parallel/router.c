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

/* The k largest scores, in order, of the 'held' that are chosen so far and the experts from first
 * to end - 1. Each is placed among those chosen; only a score that is larger passes another one, so
 * of equal ones the smaller number stays ahead. Returns how many are held now. */
static size_t choose(int32_t *chosen, size_t held, size_t first, size_t end, const float *affinity,
                     const float *bias, const struct vl_routing *r)
{
    for (size_t e = first; e < end; e++) {
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
    return held;
}

/* ---- groups ---- */

/* The sum of the two largest scores among the experts from first to end - 1. */
static float group_score(const float *affinity, const float *bias, size_t first, size_t end)
{
    float best = -INFINITY, next = -INFINITY;
    for (size_t e = first; e < end; e++) {
        float own = score(affinity, bias, e);
        next = own > best ? best : own > next ? own : next;
        best = own > best ? own : best;
    }
    return end - first > 1 ? best + next : best;
}

/* Are there fewer than G groups ahead of this one? */
static int is_open(const float *affinity, const float *bias, size_t group, size_t each,
                   const struct vl_router_groups *groups)
{
    float own = group_score(affinity, bias, group * each, (group + 1) * each);
    size_t ahead = 0;
    for (size_t other = 0; other < groups->count; other++) {
        float theirs = group_score(affinity, bias, other * each, (other + 1) * each);
        ahead += theirs > own || (theirs == own && other < group);
    }
    return ahead < groups->limit;
}

static void choose_in_groups(int32_t *chosen, const float *affinity, const float *bias,
                             const struct vl_routing *r, const struct vl_router_groups *groups)
{
    size_t each = r->experts / groups->count, held = 0;
    for (size_t group = 0; group < groups->count; group++)
        if (is_open(affinity, bias, group, each, groups))
            held = choose(chosen, held, group * each, (group + 1) * each, affinity, bias, r);
}

/* ---- forward, with groups or (NULL) without ---- */

static enum vl_status route(float *affinity, int32_t *chosen, float *weights, const float *logits,
                            const float *bias, const struct vl_routing *routing,
                            const struct vl_router_groups *groups)
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
        if (groups == NULL)
            choose(its, 0, 0, routing->experts, own, bias, routing);
        else
            choose_in_groups(its, own, bias, routing, groups);
        for (size_t j = 0; j < routing->chosen; j++)
            sum += own[its[j]];
        /* Affinities below the smallest float round to zero: then all weights are zero. */
        for (size_t j = 0; j < routing->chosen; j++)
            weights[t * routing->chosen + j] =
                sum > 0.0f ? routing->scale * own[its[j]] / sum : 0.0f;
    }
    return VL_OK;
}

enum vl_status vl_router_forward(float *affinity, int32_t *chosen, float *weights,
                                 const float *logits, const float *bias,
                                 const struct vl_routing *routing)
{
    return route(affinity, chosen, weights, logits, bias, routing, NULL);
}

static enum vl_status check_groups(const struct vl_routing *routing,
                                   const struct vl_router_groups *groups)
{
    if (!is_sound(routing) || groups == NULL)
        return VL_EINVAL;
    return groups->count == 0 || routing->experts % groups->count != 0 ? VL_ESHAPE : VL_OK;
}

enum vl_status vl_router_limited(float *affinity, int32_t *chosen, float *weights,
                                 const float *logits, const float *bias,
                                 const struct vl_routing *routing,
                                 const struct vl_router_groups *groups)
{
    enum vl_status status = check_groups(routing, groups);
    if (status != VL_OK)
        return status;
    if (groups->limit < 1 || groups->limit > groups->count ||
        routing->chosen > groups->limit * (routing->experts / groups->count))
        return VL_EINVAL;
    return route(affinity, chosen, weights, logits, bias, routing, groups);
}

/* Of a token's choices in one group, the first one stands for the row that crosses once. */
enum vl_status vl_router_node_rows(struct vl_node_rows *rows, const int32_t *chosen, size_t home,
                                   const struct vl_routing *routing,
                                   const struct vl_router_groups *groups)
{
    enum vl_status status = check_groups(routing, groups);
    if (status != VL_OK)
        return status;
    if (rows == NULL || home >= groups->count || (routing->tokens > 0 && chosen == NULL))
        return VL_EINVAL;
    size_t each = routing->experts / groups->count, k = routing->chosen;
    struct vl_node_rows count = {0, 0};
    for (size_t i = 0; i < routing->tokens * k; i++) {
        if (chosen[i] < 0 || (size_t)chosen[i] >= routing->experts)
            return VL_EINVAL;
        size_t group = (size_t)chosen[i] / each, first = i / k * k;
        while (first < i && (size_t)chosen[first] / each != group)
            first++;
        count.each += group != home;
        count.once += group != home && first == i;
    }
    *rows = count;
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
