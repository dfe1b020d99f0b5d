/*
 * Lab 08, station 3, finished: there and back.
 *
 * Four exchanges of two kinds: choices go to their experts (x, and dy in backward), and rows come
 * back from them (out, and drows in backward).
 */
#include "vialata/expert_parallel.h"

#include <stdlib.h>
#include <string.h>

/* Rows sent to each rank and received from it. */
static void count_rows(size_t *sent, size_t *received, const struct vl_dispatch *d)
{
    size_t own = d->experts / (size_t)d->ranks;
    for (size_t r = 0; r < (size_t)d->ranks; r++) {
        sent[r] = received[r] = 0;
        for (size_t e = 0; e < own; e++) {
            sent[r] += d->counts[r * own + e];
            received[r] += d->arriving[r * own + e];
        }
    }
}

/* Copies from landing (by rank, then by expert) to rows (by expert, then by rank), or back. next[r]
 * is the place in landing of rank r's next row. */
static void regroup(float *rows, size_t *next, const size_t *received, const struct vl_dispatch *d,
                    int there)
{
    size_t own = d->experts / (size_t)d->ranks, ranks = (size_t)d->ranks, w = d->width, at = 0;
    for (size_t r = 0, begin = 0; r < ranks; begin += received[r++])
        next[r] = begin;
    for (size_t e = 0; e < own; e++)
        for (size_t r = 0; r < ranks; r++) {
            size_t n = d->arriving[r * own + e], bytes = n * w * sizeof *rows;
            if (n > 0 && there)
                memcpy(rows + at * w, d->landing + next[r] * w, bytes);
            else if (n > 0)
                memcpy(d->landing + next[r] * w, rows + at * w, bytes);
            next[r] += n;
            at += n;
        }
}

/* Sends what is in leaving to the experts' rows, or the rows back into leaving. */
static enum vl_status journey(float *rows, struct vl_dispatch *d, int there)
{
    size_t ranks = (size_t)d->ranks, row = d->width * sizeof(float);
    size_t *sent = malloc(3 * ranks * sizeof *sent), *received = sent + ranks;
    if (sent == NULL)
        return VL_ENOMEM;
    enum vl_status status;
    count_rows(sent, received, d);
    if (there) {
        status = vl_all_to_all(d->comm, d->landing, received, d->leaving, sent, row);
        if (status == VL_OK)
            regroup(rows, received + ranks, received, d, 1);
    } else {
        regroup(rows, received + ranks, received, d, 0);
        status = vl_all_to_all(d->comm, d->leaving, sent, d->landing, received, row);
    }
    free(sent);
    return status;
}

static enum vl_status go_there(float *rows, struct vl_dispatch *d)
{
    return journey(rows, d, 1);
}

/* Rows are only read on the way back; the cast is needed because journey serves both directions. */
static enum vl_status come_back(const float *rows, struct vl_dispatch *d)
{
    return journey((float *)rows, d, 0);
}

enum vl_status vl_dispatch_forward(float *rows, const float *x, struct vl_dispatch *dispatch)
{
    size_t w = dispatch->width;
    for (size_t place = 0; place < dispatch->tokens * dispatch->chosen; place++)
        memcpy(dispatch->leaving + place * w, x + dispatch->order[place] / dispatch->chosen * w,
               w * sizeof *x);
    return go_there(rows, dispatch);
}

enum vl_status vl_dispatch_backward(float *dx, const float *drows, struct vl_dispatch *dispatch)
{
    size_t w = dispatch->width;
    enum vl_status status = come_back(drows, dispatch);
    for (size_t place = 0; place < dispatch->tokens * dispatch->chosen && status == VL_OK;
         place++) {
        float *own = dx + dispatch->order[place] / dispatch->chosen * w;
        for (size_t i = 0; i < w; i++)
            own[i] += dispatch->leaving[place * w + i];
    }
    return status;
}

enum vl_status vl_combine_forward(float *y, float *returned, const float *out, const float *weights,
                                  struct vl_dispatch *dispatch)
{
    size_t w = dispatch->width;
    enum vl_status status = come_back(out, dispatch);
    if (status != VL_OK)
        return status;
    for (size_t place = 0; place < dispatch->tokens * dispatch->chosen; place++)
        memcpy(returned + dispatch->order[place] * w, dispatch->leaving + place * w,
               w * sizeof *returned);
    for (size_t c = 0; c < dispatch->tokens * dispatch->chosen; c++)
        for (size_t i = 0; i < w; i++)
            y[c / dispatch->chosen * w + i] += weights[c] * returned[c * w + i];
    return VL_OK;
}

enum vl_status vl_combine_backward(float *dout, float *dweights, const float *dy,
                                   const float *returned, const float *weights,
                                   struct vl_dispatch *dispatch)
{
    size_t w = dispatch->width;
    for (size_t place = 0; place < dispatch->tokens * dispatch->chosen; place++) {
        size_t c = dispatch->order[place];
        const float *own = dy + c / dispatch->chosen * w;
        float sum = 0.0f;
        for (size_t i = 0; i < w; i++) {
            sum += own[i] * returned[c * w + i];
            dispatch->leaving[place * w + i] = weights[c] * own[i];
        }
        dweights[c] = sum;
    }
    return go_there(dout, dispatch);
}
