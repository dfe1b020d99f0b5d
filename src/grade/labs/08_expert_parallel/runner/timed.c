/*
 * Timed calls of lab 08, on two ranks: a layer with experts, forward and backward; and dispatch
 * and combine without the experts in between.
 */
#include "grade/labs/08_expert_parallel/runner/expert_site.h"
#include "runner/call.h"
#include "runner/timed_work.h"

#include "base/random.h"

#include <stdlib.h>

enum { N = 1024, D = 256, F = 352, E = 8, K = 2, CHOICES = N * K };
enum { ROOM = CHOICES * 3 / 2 }; /* random choices are nearly even */

struct work {
    struct vl_timed_work kept;
    struct vl_expert_layer layer;
};

static float *floats(struct work *w, size_t n, float scale)
{
    return vl_timed_keep_floats(&w->kept, n, scale);
}

static size_t *numbers(struct work *w, size_t n)
{
    return vl_timed_keep(&w->kept, calloc(n, sizeof(size_t)));
}

/* A token's scores are shuffled levels, so far apart that rounding changes no choice. */
static const float *draw_logits(struct work *w)
{
    float *logits = floats(w, (size_t)N * E, 0);
    uint64_t stream = w->kept.stream++;
    for (size_t t = 0; logits != NULL && t < N; t++) {
        float *own = logits + t * E;
        for (size_t e = 0; e < E; e++) {
            size_t other = vl_random_below(e + 1, w->kept.seed, stream, t * E + e);
            own[e] = own[other];
            own[other] = 0.4f * (float)e - 1.4f;
        }
    }
    return logits;
}

/* What both timings have: tokens, their routing, and what goes there and comes back. */
static void begin(struct work *w)
{
    struct vl_expert_layer *l = &w->layer;
    int rank, ranks;
    MPI_Comm_rank(vl_case_comm(), &rank);
    MPI_Comm_size(vl_case_comm(), &ranks);
    l->dispatch = (struct vl_dispatch){
        .comm = vl_case_comm(),
        .rank = rank,
        .ranks = ranks,
        .experts = E,
        .chosen = K,
        .width = D,
        .tokens = N,
        .room = ROOM,
        .order = numbers(w, CHOICES),
        .counts = numbers(w, E),
        .arriving = numbers(w, E),
        .rows_of = numbers(w, E),
        .leaving = floats(w, (size_t)CHOICES * D, 0),
        .landing = floats(w, (size_t)ROOM * D, 0),
    };
    w->kept.stream = 100 * (1 + (uint64_t)rank);
    l->routing = (struct vl_routing){N, E, K, 1};
    l->logits = draw_logits(w);
    l->affinity = floats(w, (size_t)N * E, 0);
    l->chosen = vl_timed_keep(&w->kept, calloc(CHOICES, sizeof(int32_t)));
    l->weights = floats(w, CHOICES, 0);
    l->dweights = floats(w, CHOICES, 0);
    l->x = floats(w, (size_t)N * D, 1);
    l->y = floats(w, (size_t)N * D, 0);
    l->dx = floats(w, (size_t)N * D, 0);
    l->returned = floats(w, (size_t)CHOICES * D, 0);
    l->rows = floats(w, (size_t)ROOM * D, 0);
    vl_timed_result(&w->kept, "y", l->y, (size_t)N * D);
    vl_timed_result(&w->kept, "dx", l->dx, (size_t)N * D);
    vl_timed_result(&w->kept, "dweights", l->dweights, CHOICES);
}

/* ---- dispatch and combine ---- */

/* Choices without a router: a token's two experts differ, and all pairs are equally likely. */
VL_TIMED_PREPARE(travel, struct work)
{
    begin(w);
    struct vl_expert_layer *l = &w->layer;
    l->dy = floats(w, (size_t)N * D, 1);
    l->out = floats(w, (size_t)ROOM * D, 1);
    l->dout = floats(w, (size_t)ROOM * D, 0);
    l->drows = floats(w, (size_t)ROOM * D, 1);
    vl_timed_result(&w->kept, "rows", l->rows, (size_t)ROOM * D);
    vl_timed_result(&w->kept, "dout", l->dout, (size_t)ROOM * D);
    for (size_t t = 0; w->kept.status == VL_OK && t < N; t++) {
        uint64_t first = vl_random_below(E, w->kept.seed, w->kept.stream, 2 * t),
                 apart = 1 + vl_random_below(E - 1, w->kept.seed, w->kept.stream, 2 * t + 1);
        l->chosen[t * K] = (int32_t)first;
        l->chosen[t * K + 1] = (int32_t)((first + apart) % E);
        l->weights[t * K] = 0.625f;
        l->weights[t * K + 1] = 0.375f;
    }
}

/* Experts whose rows are given. If what arrives went back, each rank would know without being told what
 * comes back to it. */
static enum vl_status there_and_back(struct vl_expert_layer *l)
{
    struct vl_dispatch *d = &l->dispatch;
    enum vl_status status = vl_dispatch_plan(d, l->chosen);
    VL_NEXT(status, vl_dispatch_forward(l->rows, l->x, d));
    VL_NEXT(status, vl_combine_forward(l->y, l->returned, l->out, l->weights, d));
    VL_NEXT(status, vl_combine_backward(l->dout, l->dweights, l->dy, l->returned, l->weights, d));
    VL_NEXT(status, vl_dispatch_backward(l->dx, l->drows, d));
    return status;
}

static enum vl_status turn_travel(void *opaque)
{
    struct work *w = opaque;
    return there_and_back(&w->layer);
}

/* ---- a layer ---- */

VL_TIMED_PREPARE(layer, struct work)
{
    begin(w);
    struct vl_expert_layer *l = &w->layer;
    size_t own = E / (size_t)l->dispatch.ranks, matrix = own * D * F;
    l->dy = floats(w, (size_t)N * D, 1);
    l->dlogits = floats(w, (size_t)N * E, 0);
    l->experts = (struct vl_experts){own, l->dispatch.rows_of, D, F, NULL, NULL};
    l->experts.gate_up = floats(w, 2 * matrix, 0.1f);
    l->experts.down = floats(w, matrix, 0.1f);
    l->dgate_up = floats(w, 2 * matrix, 0);
    l->ddown = floats(w, matrix, 0);
    vl_timed_result(&w->kept, "dlogits", l->dlogits, (size_t)N * E);
    vl_timed_result(&w->kept, "dgate_up", l->dgate_up, 2 * matrix);
    vl_timed_result(&w->kept, "ddown", l->ddown, matrix);
    l->out = floats(w, (size_t)ROOM * D, 0);
    l->dout = floats(w, (size_t)ROOM * D, 0);
    l->drows = floats(w, (size_t)ROOM * D, 0);
    l->opened = floats(w, (size_t)ROOM * 2 * F, 0);
    l->dopened = floats(w, (size_t)ROOM * 2 * F, 0);
    l->active = floats(w, (size_t)ROOM * F, 0);
    l->dactive = floats(w, (size_t)ROOM * F, 0);
}

static enum vl_status turn_layer(void *opaque)
{
    struct work *w = opaque;
    return vl_expert_layer_run(&w->layer);
}

const struct vl_timed_call vl_timed_expert_parallel[] = {
    VL_TIMED("expert_layer", layer),
    VL_TIMED("there_and_back", travel),
    {NULL, NULL, NULL, NULL, NULL},
};
