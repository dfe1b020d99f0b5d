/*
 * Calls of lab 08 where something travels: the plan, dispatch and combine, there and back.
 */
#include "comm/meter.h"
#include "grade/labs/08_expert_parallel/runner/expert_site.h"
#include "runner/arrays.h"

/* ---- a rank's part of the case ---- */

float *vl_expert_site_unwritten(struct vl_expert_site *site, const char *name, size_t n)
{
    float *array = vl_unwritten_floats(site->outputs, name, n);
    site->failed |= array == NULL;
    return array;
}

float *vl_expert_site_begun(struct vl_expert_site *site, const char *name, size_t first, size_t n)
{
    float *array = vl_begun_floats(site->outputs, site->inputs, name, first, n);
    site->failed |= array == NULL;
    return array;
}

const float *vl_expert_site_tokens(const struct vl_expert_site *site, const char *name, size_t cols)
{
    return vl_bag_f32(site->inputs, name) + site->first_token * cols;
}

static size_t sum_before(const struct vl_bag *inputs, const char *name, int rank)
{
    const int32_t *each = vl_bag_i32(inputs, name);
    size_t sum = 0;
    for (int r = 0; each != NULL && r < rank; r++)
        sum += (size_t)each[r];
    return sum;
}

struct vl_expert_site vl_expert_site_open(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct vl_expert_site site = {
        .outputs = outputs, .inputs = inputs, .d = {.comm = vl_case_comm()}};
    struct vl_dispatch *d = &site.d;
    const int32_t *room = vl_bag_i32(inputs, "room");
    MPI_Comm_rank(d->comm, &d->rank);
    MPI_Comm_size(d->comm, &d->ranks);
    d->experts = vl_input_size(inputs, "experts");
    d->chosen = vl_input_size(inputs, "chosen");
    d->width = vl_input_size(inputs, "width");
    d->tokens = (size_t)vl_bag_i32(inputs, "own_tokens")[d->rank];
    d->room = room ? (size_t)room[d->rank] : vl_input_size(inputs, "tokens") * d->chosen;
    d->leaving = vl_expert_site_unwritten(&site, "leaving", d->tokens * d->chosen * d->width);
    d->landing = vl_expert_site_unwritten(&site, "landing", d->room * d->width);
    site.first_token = sum_before(inputs, "own_tokens", d->rank);
    return site;
}

static size_t *numbers(struct vl_expert_site *s, const char *name, size_t n)
{
    _Static_assert(sizeof(size_t) == sizeof(int64_t), "counts are kept as I64");
    size_t *array = (size_t *)vl_whole_output(s->outputs, name, n);
    s->failed |= array == NULL;
    return array;
}

/* Where P does not divide E nobody may write, but there is memory for what it would come to. */
void vl_expert_site_unplanned(struct vl_expert_site *site)
{
    struct vl_dispatch *d = &site->d;
    size_t ranks = (size_t)d->ranks, own = (d->experts + ranks - 1) / ranks;
    d->order = numbers(site, "order", d->tokens * d->chosen);
    d->counts = numbers(site, "counts", d->experts);
    d->arriving = numbers(site, "arriving", own * ranks);
    d->rows_of = numbers(site, "rows_of", own);
}

static size_t *input_numbers(const struct vl_bag *inputs, const char *name, size_t first)
{
    return (size_t *)vl_bag_find(inputs, name)->data + first;
}

/* With the plan of a right vl_dispatch_plan. It stays an input, so writing there is noticed. */
static struct vl_expert_site open_planned(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct vl_expert_site s = vl_expert_site_open(outputs, inputs);
    struct vl_dispatch *d = &s.d;
    size_t rank = (size_t)d->rank, own = d->experts / (size_t)d->ranks;
    d->order = input_numbers(inputs, "order", s.first_token * d->chosen);
    d->counts = input_numbers(inputs, "counts", rank * d->experts);
    d->arriving = input_numbers(inputs, "arriving", rank * d->experts);
    d->rows_of = input_numbers(inputs, "rows_of", rank * own);
    d->rows = (size_t)vl_bag_i32(inputs, "own_rows")[rank];
    return s;
}

/* ---- the plan ---- */

VL_CALL(dispatch_plan)
{
    struct vl_expert_site s = vl_expert_site_open(outputs, inputs);
    vl_expert_site_unplanned(&s);
    size_t *rows = numbers(&s, "rows", 1);
    if (s.failed)
        return VL_EINTERNAL;
    s.d.rows = *rows; /* poison */
    enum vl_status status =
        vl_dispatch_plan(&s.d, vl_bag_i32(inputs, "choices") + s.first_token * s.d.chosen);
    *rows = s.d.rows;
    return status;
}

/* ---- there and back ---- */

static const float *own_rows(const struct vl_expert_site *s, const char *name)
{
    return vl_bag_f32(s->inputs, name) + sum_before(s->inputs, "own_rows", s->d.rank) * s->d.width;
}

static const float *own_tokens(const struct vl_expert_site *s, const char *name)
{
    return vl_expert_site_tokens(s, name, s->d.width);
}

/* An output that starts as this rank's tokens of the input of that name. */
static float *added_to(struct vl_expert_site *s, const char *name)
{
    return vl_expert_site_begun(s, name, s->first_token * s->d.width, s->d.tokens * s->d.width);
}

static enum vl_status dispatch_forward(struct vl_expert_site *s)
{
    float *rows = vl_expert_site_unwritten(s, "rows", s->d.rows * s->d.width);
    return s->failed ? VL_EINTERNAL : vl_dispatch_forward(rows, own_tokens(s, "x"), &s->d);
}

static enum vl_status dispatch_backward(struct vl_expert_site *s)
{
    float *dx = added_to(s, "dx");
    return s->failed ? VL_EINTERNAL : vl_dispatch_backward(dx, own_rows(s, "drows"), &s->d);
}

static enum vl_status combine_forward(struct vl_expert_site *s)
{
    size_t choices = s->d.tokens * s->d.chosen;
    float *y = added_to(s, "y"),
          *returned = vl_expert_site_unwritten(s, "returned", choices * s->d.width);
    const float *weights = vl_expert_site_tokens(s, "weights", s->d.chosen);
    return s->failed ? VL_EINTERNAL
                     : vl_combine_forward(y, returned, own_rows(s, "out"), weights, &s->d);
}

static enum vl_status combine_backward(struct vl_expert_site *s)
{
    float *dout = vl_expert_site_unwritten(s, "dout", s->d.rows * s->d.width),
          *dweights = vl_expert_site_unwritten(s, "dweights", s->d.tokens * s->d.chosen);
    const float *returned = vl_expert_site_tokens(s, "returned", s->d.chosen * s->d.width),
                *weights = vl_expert_site_tokens(s, "weights", s->d.chosen);
    return s->failed
               ? VL_EINTERNAL
               : vl_combine_backward(dout, dweights, own_tokens(s, "dy"), returned, weights, &s->d);
}

#define TRIP(name)                                                                                 \
    VL_CALL(name)                                                                                  \
    {                                                                                              \
        struct vl_expert_site s = open_planned(outputs, inputs);                                   \
        return name(&s);                                                                           \
    }
TRIP(dispatch_forward)
TRIP(dispatch_backward)
TRIP(combine_forward)
TRIP(combine_backward)

/* ---- what is sent, by each ---- */

typedef enum vl_status trip_function(struct vl_expert_site *s);

static enum vl_status both(struct vl_bag *outputs, const struct vl_bag *inputs,
                           trip_function *forward, trip_function *backward)
{
    struct vl_expert_site s = open_planned(outputs, inputs);
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
