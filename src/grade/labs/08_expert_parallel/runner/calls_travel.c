/*
 * Calls of lab 08 on several ranks: the plan, dispatch and combine, there and back, a layer.
 *
 * Inputs have arrays of all ranks, rank after rank; a rank takes its part of each. The plan
 * comes from the inputs, so that a wrong vl_dispatch_plan costs only its own points.
 */
#include "comm/meter.h"
#include "grade/labs/08_expert_parallel/runner/expert_site.h"
#include "runner/arrays.h"

/* ---- a rank's part of the case ---- */

/* Its arrays are outputs, so they have guards; 'failed' says that one could not be added. */
struct site {
    struct vl_bag *outputs;
    const struct vl_bag *inputs;
    struct vl_dispatch d;
    size_t choices, first_token;
    int failed;
};

/* Outputs: one not written yet; one that starts as n numbers of its input, from 'first' onwards. */
static float *unwritten(struct site *s, const char *name, size_t n)
{
    float *array = vl_unwritten_floats(s->outputs, name, n);
    s->failed |= array == NULL;
    return array;
}

static float *begun(struct site *s, const char *name, size_t first, size_t n)
{
    float *array = vl_begun_floats(s->outputs, s->inputs, name, first, n);
    s->failed |= array == NULL;
    return array;
}

static size_t *numbers(struct site *s, const char *name, size_t n)
{
    _Static_assert(sizeof(size_t) == sizeof(int64_t), "counts are kept as I64");
    size_t *array = (size_t *)vl_whole_output(s->outputs, name, n);
    s->failed |= array == NULL;
    return array;
}

/* An output that starts as this rank's tokens of the input of that name. */
static float *added_to(struct site *s, const char *name)
{
    return begun(s, name, s->first_token * s->d.width, s->d.tokens * s->d.width);
}

/* This rank's element of an input (P). */
static size_t own_number(const struct vl_bag *inputs, const char *name, int rank)
{
    return (size_t)vl_bag_i32(inputs, name)[rank];
}

/* Inputs: this rank's rows, and with 'cols' numbers per token, those of its tokens. */
static const float *own_rows(const struct site *s, const char *name)
{
    return vl_bag_f32(s->inputs, name) + own_number(s->inputs, "first_row", s->d.rank) * s->d.width;
}

static const float *own_tokens(const struct site *s, const char *name, size_t cols)
{
    return vl_bag_f32(s->inputs, name) + s->first_token * cols;
}

/* Sizes and scratch, which is exactly as large as the contract says. No plan yet. */
static struct site open_site(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct site s = {.outputs = outputs, .inputs = inputs, .d = {.comm = vl_case_comm()}};
    struct vl_dispatch *d = &s.d;
    MPI_Comm_rank(d->comm, &d->rank);
    MPI_Comm_size(d->comm, &d->ranks);
    d->experts = vl_input_size(inputs, "experts");
    d->chosen = vl_input_size(inputs, "chosen");
    d->width = vl_input_size(inputs, "width");
    d->tokens = own_number(inputs, "own_tokens", d->rank);
    d->room = vl_bag_i32(inputs, "room") != NULL ? own_number(inputs, "room", d->rank)
                                                 : vl_input_size(inputs, "tokens") * d->chosen;
    s.choices = d->tokens * d->chosen;
    s.first_token = own_number(inputs, "first_token", d->rank);
    d->leaving = unwritten(&s, "leaving", s.choices * d->width);
    d->landing = unwritten(&s, "landing", d->room * d->width);
    return s;
}

/* With memory for a plan that is not written yet. Where P does not divide E the plan is refused,
 * but the memory would be enough for it. */
static struct site open_unplanned(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct site s = open_site(outputs, inputs);
    struct vl_dispatch *d = &s.d;
    size_t ranks = (size_t)d->ranks, own = (d->experts + ranks - 1) / ranks;
    d->order = numbers(&s, "order", s.choices);
    d->counts = numbers(&s, "counts", d->experts);
    d->arriving = numbers(&s, "arriving", own * ranks);
    d->rows_of = numbers(&s, "rows_of", own);
    return s;
}

static size_t *input_numbers(const struct vl_bag *inputs, const char *name, size_t first)
{
    return (size_t *)vl_bag_find(inputs, name)->data + first;
}

/* With the plan of a correct vl_dispatch_plan. It stays an input, so writing to it is noticed. */
static struct site open_planned(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct site s = open_site(outputs, inputs);
    struct vl_dispatch *d = &s.d;
    size_t rank = (size_t)d->rank, own = d->experts / (size_t)d->ranks;
    d->order = input_numbers(inputs, "order", s.first_token * d->chosen);
    d->counts = input_numbers(inputs, "counts", rank * d->experts);
    d->arriving = input_numbers(inputs, "arriving", rank * d->experts);
    d->rows_of = input_numbers(inputs, "rows_of", rank * own);
    d->rows = own_number(inputs, "own_rows", d->rank);
    return s;
}

/* ---- the plan ---- */

static enum vl_status plan(struct site *s, const char *choices)
{
    return vl_dispatch_plan(&s->d, vl_bag_i32(s->inputs, choices) + s->first_token * s->d.chosen);
}

/* In a bad case all ranks ask for an expert E, then for an expert -1. */
VL_CALL(dispatch_plan)
{
    struct site s = open_unplanned(outputs, inputs);
    size_t *rows = numbers(&s, "rows", 1);
    if (s.failed)
        return VL_EINTERNAL;
    s.d.rows = *rows; /* poison */
    if (vl_input_size(inputs, "bad"))
        return vl_first_unrefused(outputs, {"chosen[i] = E", plan(&s, "choices")},
                                  {"chosen[i] = -1", plan(&s, "below")});
    enum vl_status status = plan(&s, "choices");
    *rows = s.d.rows;
    return status;
}

/* ---- there and back ---- */

/* A call whose body gets a site 's' with a plan; 'both' (below) calls two bodies on one site. */
#define TRIP(name)                                                                                 \
    static enum vl_status name(struct site *s);                                                    \
    VL_CALL(name)                                                                                  \
    {                                                                                              \
        struct site s = open_planned(outputs, inputs);                                             \
        return name(&s);                                                                           \
    }                                                                                              \
    static enum vl_status name(struct site *s)

TRIP(dispatch_forward)
{
    float *rows = unwritten(s, "rows", s->d.rows * s->d.width);
    const float *x = own_tokens(s, "x", s->d.width);
    return s->failed ? VL_EINTERNAL : vl_dispatch_forward(rows, x, &s->d);
}

TRIP(dispatch_backward)
{
    float *dx = added_to(s, "dx");
    return s->failed ? VL_EINTERNAL : vl_dispatch_backward(dx, own_rows(s, "drows"), &s->d);
}

TRIP(combine_forward)
{
    float *y = added_to(s, "y"), *returned = unwritten(s, "returned", s->choices * s->d.width);
    const float *out = own_rows(s, "out"), *weights = own_tokens(s, "weights", s->d.chosen);
    return s->failed ? VL_EINTERNAL : vl_combine_forward(y, returned, out, weights, &s->d);
}

TRIP(combine_backward)
{
    float *dout = unwritten(s, "dout", s->d.rows * s->d.width),
          *dweights = unwritten(s, "dweights", s->choices);
    const float *dy = own_tokens(s, "dy", s->d.width),
                *returned = own_tokens(s, "returned", s->d.chosen * s->d.width),
                *weights = own_tokens(s, "weights", s->d.chosen);
    return s->failed ? VL_EINTERNAL
                     : vl_combine_backward(dout, dweights, dy, returned, weights, &s->d);
}

/* ---- what is sent, by each ---- */

static enum vl_status both(struct vl_bag *outputs, const struct vl_bag *inputs,
                           enum vl_status (*forward)(struct site *s),
                           enum vl_status (*backward)(struct site *s))
{
    struct site s = open_planned(outputs, inputs);
    enum vl_status status = forward(&s);
    const struct vl_meter_row there = vl_meter_now()->total;
    VL_NEXT(status, backward(&s));
    const struct vl_meter_row all = vl_meter_now()->total;
    return vl_give_counts(outputs, status, {"forward_bytes", there.sent_bytes},
                          {"forward_messages", there.sent_messages},
                          {"backward_bytes", all.sent_bytes - there.sent_bytes},
                          {"backward_messages", all.sent_messages - there.sent_messages});
}

VL_CALL(dispatch_traffic)
{
    return both(outputs, inputs, dispatch_forward, dispatch_backward);
}

VL_CALL(combine_traffic)
{
    return both(outputs, inputs, combine_forward, combine_backward);
}

/* ---- a layer ---- */

VL_CALL(expert_layer)
{
    struct site s = open_unplanned(outputs, inputs);
    size_t ff = vl_input_size(inputs, "ff"), d = s.d.width, experts = s.d.experts, n = s.d.tokens,
           room = s.d.room, own = experts / (size_t)s.d.ranks, matrix = own * d * ff,
           first = (size_t)s.d.rank * matrix;
    struct vl_expert_layer l = {
        .dispatch = s.d,
        .routing = {n, experts, s.d.chosen, (float)vl_bag_real(inputs, "scale")},
        .experts = {own, s.d.rows_of, d, ff, vl_bag_f32(inputs, "gate_up") + 2 * first,
                    vl_bag_f32(inputs, "down") + first},
        .logits = own_tokens(&s, "logits", experts),
        .bias = vl_bag_f32(inputs, "bias"),
        .x = own_tokens(&s, "x", d),
        .dy = own_tokens(&s, "dy", d),
        .y = added_to(&s, "y"),
        .dx = added_to(&s, "dx"),
        .dgate_up = begun(&s, "dgate_up", 2 * first, 2 * matrix),
        .ddown = begun(&s, "ddown", first, matrix),
        .chosen = vl_bag_add_i32(outputs, "chosen", 1, s.choices),
        .dlogits = unwritten(&s, "dlogits", n * experts),
        .affinity = unwritten(&s, "affinity", n * experts),
        .weights = unwritten(&s, "weights", s.choices),
        .dweights = unwritten(&s, "dweights", s.choices),
        .returned = unwritten(&s, "returned", s.choices * d),
        .rows = unwritten(&s, "rows", room * d),
        .out = unwritten(&s, "out", room * d),
        .opened = unwritten(&s, "opened", room * 2 * ff),
        .active = unwritten(&s, "active", room * ff),
        .drows = unwritten(&s, "drows", room * d),
        .dout = unwritten(&s, "dout", room * d),
        .dopened = unwritten(&s, "dopened", room * 2 * ff),
        .dactive = unwritten(&s, "dactive", room * ff),
    };
    return s.failed || l.chosen == NULL ? VL_EINTERNAL : vl_expert_layer_run(&l);
}
