/*
 * Calls of lab 08 where something travels: the plan, dispatch and combine, there and back.
 */
#include "runner/call.h"

#include "comm/meter.h"
#include "grade/labs/08_expert_parallel/runner/expert_site.h"
#include "runner/arrays.h"

#include <string.h>

/* This rank's part of what the bag holds for all. */
struct site {
    struct vl_dispatch d;
    size_t first_token, first_row;
};

static size_t sum_before(const struct vl_bag *inputs, const char *name, int rank)
{
    const int32_t *each = vl_bag_i32(inputs, name);
    size_t sum = 0;
    for (int r = 0; each != NULL && r < rank; r++)
        sum += (size_t)each[r];
    return sum;
}

/* Sizes and scratch. The scratch has guards: it is exactly as large as the contract says. */
static int open_site(struct site *site, struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct vl_dispatch *d = &site->d;
    *site = (struct site){.d = {.comm = vl_case_comm()}};
    MPI_Comm_rank(d->comm, &d->rank);
    MPI_Comm_size(d->comm, &d->ranks);
    d->experts = vl_input_size(inputs, "experts");
    d->chosen = vl_input_size(inputs, "chosen");
    d->width = vl_input_size(inputs, "width");
    d->tokens = (size_t)vl_bag_i32(inputs, "own_tokens")[d->rank];
    d->room = (size_t)vl_bag_i32(inputs, "room")[d->rank];
    d->leaving = vl_unwritten_floats(outputs, "leaving", d->tokens * d->chosen * d->width);
    d->landing = vl_unwritten_floats(outputs, "landing", d->room * d->width);
    site->first_token = sum_before(inputs, "own_tokens", d->rank);
    site->first_row = sum_before(inputs, "own_rows", d->rank);
    return d->leaving != NULL && d->landing != NULL;
}

static size_t *input_numbers(const struct vl_bag *inputs, const char *name, size_t first)
{
    return (size_t *)vl_bag_find(inputs, name)->data + first;
}

/* As a right plan left it. It stays an input: whoever writes there is found. */
static int open_planned(struct site *site, struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct vl_dispatch *d = &site->d;
    if (!open_site(site, outputs, inputs))
        return 0;
    size_t rank = (size_t)d->rank, own = d->experts / (size_t)d->ranks;
    d->order = input_numbers(inputs, "order", site->first_token * d->chosen);
    d->counts = input_numbers(inputs, "counts", rank * d->experts);
    d->arriving = input_numbers(inputs, "arriving", rank * d->experts);
    d->rows_of = input_numbers(inputs, "rows_of", rank * own);
    d->rows = (size_t)vl_bag_i32(inputs, "own_rows")[rank];
    return 1;
}

static const float *by_token(const struct site *s, const struct vl_bag *inputs, const char *name)
{
    return vl_bag_f32(inputs, name) + s->first_token * s->d.width;
}

static const float *by_row(const struct site *s, const struct vl_bag *inputs, const char *name)
{
    return vl_bag_f32(inputs, name) + s->first_row * s->d.width;
}

/* An output that starts as this rank's rows of the input of that name. */
static float *added_to(const struct site *s, struct vl_bag *outputs, const struct vl_bag *inputs,
                       const char *name)
{
    size_t n = s->d.tokens * s->d.width;
    float *array = vl_bag_add_f32(outputs, name, 1, n);
    if (array != NULL && n > 0)
        memcpy(array, by_token(s, inputs, name), n * sizeof *array);
    return array;
}

static const float *own_weights(const struct site *s, const struct vl_bag *inputs)
{
    return vl_bag_f32(inputs, "weights") + s->first_token * s->d.chosen;
}

/* ---- the plan ---- */

VL_CALL(dispatch_plan)
{
    _Static_assert(sizeof(size_t) == sizeof(int64_t), "counts travel as I64");
    struct site site;
    if (!open_site(&site, outputs, inputs))
        return VL_EINTERNAL;
    struct vl_dispatch *d = &site.d;
    /* Where P does not divide E nobody may write; memory for what it would come to all the same. */
    size_t own = d->experts / (size_t)d->ranks + 1, even = d->experts % (size_t)d->ranks == 0;
    int64_t *order = vl_whole_output(outputs, "order", d->tokens * d->chosen),
            *counts = vl_whole_output(outputs, "counts", d->experts),
            *arriving = vl_whole_output(outputs, "arriving", (own - even) * (size_t)d->ranks),
            *rows_of = vl_whole_output(outputs, "rows_of", own - even),
            *rows = vl_whole_output(outputs, "rows", 1);
    if (!order || !counts || !arriving || !rows_of || !rows)
        return VL_EINTERNAL;
    d->order = (size_t *)order;
    d->counts = (size_t *)counts;
    d->arriving = (size_t *)arriving;
    d->rows_of = (size_t *)rows_of;
    memcpy(&d->rows, rows, sizeof d->rows); /* poison */
    enum vl_status status =
        vl_dispatch_plan(d, vl_bag_i32(inputs, "choices") + site.first_token * d->chosen);
    memcpy(rows, &d->rows, sizeof *rows);
    return status;
}

/* ---- there and back ---- */

static enum vl_status dispatch_forward(struct site *s, struct vl_bag *outputs,
                                       const struct vl_bag *inputs)
{
    float *rows = vl_unwritten_floats(outputs, "rows", s->d.rows * s->d.width);
    return rows != NULL ? vl_dispatch_forward(rows, by_token(s, inputs, "x"), &s->d) : VL_EINTERNAL;
}

static enum vl_status dispatch_backward(struct site *s, struct vl_bag *outputs,
                                        const struct vl_bag *inputs)
{
    float *dx = added_to(s, outputs, inputs, "dx");
    return dx != NULL ? vl_dispatch_backward(dx, by_row(s, inputs, "drows"), &s->d) : VL_EINTERNAL;
}

static enum vl_status combine_forward(struct site *s, struct vl_bag *outputs,
                                      const struct vl_bag *inputs)
{
    float *y = added_to(s, outputs, inputs, "y"),
          *returned =
              vl_unwritten_floats(outputs, "returned", s->d.tokens * s->d.chosen * s->d.width);
    return y && returned ? vl_combine_forward(y, returned, by_row(s, inputs, "out"),
                                              own_weights(s, inputs), &s->d)
                         : VL_EINTERNAL;
}

static enum vl_status combine_backward(struct site *s, struct vl_bag *outputs,
                                       const struct vl_bag *inputs)
{
    float *dout = vl_unwritten_floats(outputs, "dout", s->d.rows * s->d.width),
          *dweights = vl_unwritten_floats(outputs, "dweights", s->d.tokens * s->d.chosen);
    const float *returned =
        vl_bag_f32(inputs, "returned") + s->first_token * s->d.chosen * s->d.width;
    return dout && dweights ? vl_combine_backward(dout, dweights, by_token(s, inputs, "dy"),
                                                  returned, own_weights(s, inputs), &s->d)
                            : VL_EINTERNAL;
}

typedef enum vl_status (*journey_fn)(struct site *s, struct vl_bag *outputs,
                                     const struct vl_bag *inputs);

static enum vl_status travel(struct vl_bag *outputs, const struct vl_bag *inputs,
                             journey_fn journey)
{
    struct site site;
    return open_planned(&site, outputs, inputs) ? journey(&site, outputs, inputs) : VL_EINTERNAL;
}

VL_CALL(dispatch_forward)
{
    return travel(outputs, inputs, dispatch_forward);
}

VL_CALL(dispatch_backward)
{
    return travel(outputs, inputs, dispatch_backward);
}

VL_CALL(combine_forward)
{
    return travel(outputs, inputs, combine_forward);
}

VL_CALL(combine_backward)
{
    return travel(outputs, inputs, combine_backward);
}

/* ---- what is sent, by each ---- */

static int note(struct vl_bag *outputs, const char *name, uint64_t count)
{
    return vl_bag_set_int(outputs, name, (int64_t)count);
}

static enum vl_status both(struct vl_bag *outputs, const struct vl_bag *inputs, journey_fn forward,
                           journey_fn backward)
{
    struct site site;
    if (!open_planned(&site, outputs, inputs))
        return VL_EINTERNAL;
    enum vl_status status = forward(&site, outputs, inputs);
    const struct vl_meter_row there = vl_meter_now()->total;
    if (status == VL_OK)
        status = backward(&site, outputs, inputs);
    const struct vl_meter_row all = vl_meter_now()->total;
    return note(outputs, "forward_bytes", there.sent_bytes) &&
                   note(outputs, "forward_messages", there.sent_messages) &&
                   note(outputs, "backward_bytes", all.sent_bytes - there.sent_bytes) &&
                   note(outputs, "backward_messages", all.sent_messages - there.sent_messages)
               ? status
               : VL_EINTERNAL;
}

VL_CALL(dispatch_traffic)
{
    return both(outputs, inputs, dispatch_forward, dispatch_backward);
}

VL_CALL(combine_traffic)
{
    return both(outputs, inputs, combine_forward, combine_backward);
}
