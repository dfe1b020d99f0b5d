/*
 * A layer with experts on several ranks, put together from the functions of lab 08: what a step of
 * training does with them. It is called once in a case, and timed.
 */
#include "runner/call.h"

#include "grade/labs/08_expert_parallel/runner/expert_site.h"
#include "runner/arrays.h"

#include <string.h>

static enum vl_status forward(struct vl_expert_layer *l)
{
    struct vl_dispatch *d = &l->dispatch;
    enum vl_status status =
        vl_router_forward(l->affinity, l->chosen, l->weights, l->logits, l->bias, &l->routing);
    if (status == VL_OK)
        status = vl_dispatch_plan(d, l->chosen);
    if (status == VL_OK)
        status = vl_dispatch_forward(l->rows, l->x, d);
    if (status == VL_OK)
        status = vl_experts_forward(l->out, l->opened, l->active, l->rows, &l->experts);
    return status == VL_OK ? vl_combine_forward(l->y, l->returned, l->out, l->weights, d) : status;
}

static enum vl_status backward(struct vl_expert_layer *l)
{
    struct vl_dispatch *d = &l->dispatch;
    enum vl_status status =
        vl_combine_backward(l->dout, l->dweights, l->dy, l->returned, l->weights, d);
    if (status == VL_OK)
        status = vl_experts_backward_input(l->drows, l->dopened, l->dactive, l->dout, l->opened,
                                           &l->experts);
    if (status == VL_OK)
        status = vl_experts_backward_weight(l->dgate_up, l->ddown, l->dout, l->dopened, l->active,
                                            l->rows, &l->experts);
    if (status == VL_OK)
        status = vl_dispatch_backward(l->dx, l->drows, d);
    return status == VL_OK
               ? vl_router_backward(l->dlogits, l->dweights, l->affinity, l->chosen, &l->routing)
               : status;
}

enum vl_status vl_expert_layer_run(struct vl_expert_layer *layer)
{
    enum vl_status status = forward(layer);
    return status == VL_OK ? backward(layer) : status;
}

/* ---- in a case ---- */

/* The layer while its arrays are added to the outputs, where they have guards. */
struct site {
    struct vl_bag *outputs;
    const struct vl_bag *inputs;
    size_t first_token;
    int failed;
};

static float *unwritten(struct site *s, const char *name, size_t n)
{
    float *array = vl_unwritten_floats(s->outputs, name, n);
    s->failed |= array == NULL;
    return array;
}

static size_t *numbers(struct site *s, const char *name, size_t n)
{
    int64_t *array = vl_whole_output(s->outputs, name, n);
    s->failed |= array == NULL;
    return (size_t *)array;
}

/* Starts as n elements of the input, from 'first' on. */
static float *begun(struct site *s, const char *name, size_t first, size_t n)
{
    float *array = vl_bag_add_f32(s->outputs, name, 1, n);
    s->failed |= array == NULL;
    if (array != NULL && n > 0)
        memcpy(array, vl_bag_f32(s->inputs, name) + first, n * sizeof *array);
    return array;
}

static void open_dispatch(struct site *s, struct vl_dispatch *d)
{
    d->comm = vl_case_comm();
    MPI_Comm_rank(d->comm, &d->rank);
    MPI_Comm_size(d->comm, &d->ranks);
    d->experts = vl_input_size(s->inputs, "experts");
    d->chosen = vl_input_size(s->inputs, "chosen");
    d->width = vl_input_size(s->inputs, "width");
    d->tokens = (size_t)vl_bag_i32(s->inputs, "own_tokens")[d->rank];
    d->room = vl_input_size(s->inputs, "tokens") * d->chosen;
    d->order = numbers(s, "order", d->tokens * d->chosen);
    d->counts = numbers(s, "counts", d->experts);
    d->arriving = numbers(s, "arriving", d->experts);
    d->rows_of = numbers(s, "rows_of", d->experts / (size_t)d->ranks);
    d->leaving = unwritten(s, "leaving", d->tokens * d->chosen * d->width);
    d->landing = unwritten(s, "landing", d->room * d->width);
    for (int rank = 0; rank < d->rank; rank++)
        s->first_token += (size_t)vl_bag_i32(s->inputs, "own_tokens")[rank];
}

static void open_rows(struct site *s, struct vl_expert_layer *l, size_t ff)
{
    size_t room = l->dispatch.room, d = l->dispatch.width;
    l->rows = unwritten(s, "rows", room * d);
    l->out = unwritten(s, "out", room * d);
    l->opened = unwritten(s, "opened", room * 2 * ff);
    l->active = unwritten(s, "active", room * ff);
    l->drows = unwritten(s, "drows", room * d);
    l->dout = unwritten(s, "dout", room * d);
    l->dopened = unwritten(s, "dopened", room * 2 * ff);
    l->dactive = unwritten(s, "dactive", room * ff);
}

VL_CALL(expert_layer)
{
    struct site s = {outputs, inputs, 0, 0};
    struct vl_expert_layer l = {.bias = vl_bag_f32(inputs, "bias")};
    open_dispatch(&s, &l.dispatch);
    size_t ff = vl_input_size(inputs, "ff"), d = l.dispatch.width, experts = l.dispatch.experts,
           n = l.dispatch.tokens, choices = n * l.dispatch.chosen,
           own = experts / (size_t)l.dispatch.ranks, first = (size_t)l.dispatch.rank * own * d * ff;
    l.routing =
        (struct vl_routing){n, experts, l.dispatch.chosen, (float)vl_bag_real(inputs, "scale")};
    l.experts = (struct vl_experts){own,
                                    l.dispatch.rows_of,
                                    d,
                                    ff,
                                    vl_bag_f32(inputs, "gate_up") + 2 * first,
                                    vl_bag_f32(inputs, "down") + first};
    l.logits = vl_bag_f32(inputs, "logits") + s.first_token * experts;
    l.x = vl_bag_f32(inputs, "x") + s.first_token * d;
    l.dy = vl_bag_f32(inputs, "dy") + s.first_token * d;
    l.y = begun(&s, "y", s.first_token * d, n * d);
    l.dx = begun(&s, "dx", s.first_token * d, n * d);
    l.dgate_up = begun(&s, "dgate_up", 2 * first, own * 2 * ff * d);
    l.ddown = begun(&s, "ddown", first, own * d * ff);
    l.dlogits = unwritten(&s, "dlogits", n * experts);
    l.affinity = unwritten(&s, "affinity", n * experts);
    l.weights = unwritten(&s, "weights", choices);
    l.dweights = unwritten(&s, "dweights", choices);
    l.returned = unwritten(&s, "returned", choices * d);
    l.chosen = vl_bag_add_i32(outputs, "chosen", 1, choices);
    open_rows(&s, &l, ff);
    return s.failed || l.chosen == NULL ? VL_EINTERNAL : vl_expert_layer_run(&l);
}
