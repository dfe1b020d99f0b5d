/*
 * Lab 08, station 2, finished: where every choice goes.
 */
#include "vialata/expert_parallel.h"

#include <stdlib.h>
#include <string.h>

static enum vl_status check(const struct vl_dispatch *d, const int32_t *chosen)
{
    if (d == NULL || d->rank < 0 || d->rank >= d->ranks || d->experts == 0)
        return VL_EINVAL;
    if (d->experts % (size_t)d->ranks != 0)
        return VL_ESHAPE;
    for (size_t c = 0; c < d->tokens * d->chosen; c++)
        if (chosen[c] < 0 || (size_t)chosen[c] >= d->experts)
            return VL_EINVAL;
    return VL_OK;
}

/* A counting sort: the places of an expert begin where those of the expert before it end. Choices
 * of one expert stay in the order of their tokens. */
static enum vl_status sort_choices(struct vl_dispatch *d, const int32_t *chosen)
{
    size_t n = d->tokens * d->chosen, *next = malloc(d->experts * sizeof *next);
    if (next == NULL)
        return VL_ENOMEM;
    memset(d->counts, 0, d->experts * sizeof *d->counts);
    for (size_t c = 0; c < n; c++)
        d->counts[chosen[c]]++;
    for (size_t e = 0, begin = 0; e < d->experts; e++) {
        next[e] = begin;
        begin += d->counts[e];
    }
    for (size_t c = 0; c < n; c++)
        d->order[next[chosen[c]]++] = c;
    free(next);
    return VL_OK;
}

/* Each rank learns how many rows come for each of its experts: E/P counts to and from each one. */
static enum vl_status exchange_counts(struct vl_dispatch *d)
{
    size_t own = d->experts / (size_t)d->ranks, *each = malloc((size_t)d->ranks * sizeof *each);
    if (each == NULL)
        return VL_ENOMEM;
    for (int r = 0; r < d->ranks; r++)
        each[r] = own;
    enum vl_status status =
        vl_all_to_all(d->comm, d->arriving, each, d->counts, each, sizeof *d->counts);
    free(each);
    return status;
}

enum vl_status vl_dispatch_plan(struct vl_dispatch *dispatch, const int32_t *chosen)
{
    enum vl_status status = check(dispatch, chosen);
    if (status == VL_OK)
        status = sort_choices(dispatch, chosen);
    if (status == VL_OK)
        status = exchange_counts(dispatch);
    if (status != VL_OK)
        return status;
    size_t own = dispatch->experts / (size_t)dispatch->ranks;
    dispatch->rows = 0;
    for (size_t e = 0; e < own; e++) {
        dispatch->rows_of[e] = 0;
        for (size_t r = 0; r < (size_t)dispatch->ranks; r++)
            dispatch->rows_of[e] += dispatch->arriving[r * own + e];
        dispatch->rows += dispatch->rows_of[e];
    }
    return dispatch->rows <= dispatch->room ? VL_OK : VL_ENOMEM;
}
