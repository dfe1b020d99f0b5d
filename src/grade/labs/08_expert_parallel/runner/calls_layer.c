/*
 * A layer with experts on several ranks, put together from the functions of lab 08: what a step of
 * training does with them. It is called once in a case, and timed.
 */
#include "grade/labs/08_expert_parallel/runner/expert_site.h"
#include "runner/arrays.h"

static enum vl_status forward(struct vl_expert_layer *l)
{
    struct vl_dispatch *d = &l->dispatch;
    enum vl_status status =
        vl_router_forward(l->affinity, l->chosen, l->weights, l->logits, l->bias, &l->routing);
    VL_NEXT(status, vl_dispatch_plan(d, l->chosen));
    VL_NEXT(status, vl_dispatch_forward(l->rows, l->x, d));
    VL_NEXT(status, vl_experts_forward(l->out, l->opened, l->active, l->rows, &l->experts));
    return status == VL_OK ? vl_combine_forward(l->y, l->returned, l->out, l->weights, d) : status;
}

static enum vl_status backward(struct vl_expert_layer *l)
{
    struct vl_dispatch *d = &l->dispatch;
    enum vl_status status =
        vl_combine_backward(l->dout, l->dweights, l->dy, l->returned, l->weights, d);
    VL_NEXT(status, vl_experts_backward_input(l->drows, l->dopened, l->dactive, l->dout, l->opened,
                                              &l->experts));
    VL_NEXT(status, vl_experts_backward_weight(l->dgate_up, l->ddown, l->dout, l->dopened,
                                               l->active, l->rows, &l->experts));
    VL_NEXT(status, vl_dispatch_backward(l->dx, l->drows, d));
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

VL_CALL(expert_layer)
{
    struct vl_expert_site s = vl_expert_site_open(outputs, inputs);
    vl_expert_site_unplanned(&s);
    const struct vl_dispatch *dispatch = &s.d;
    size_t ff = vl_input_size(inputs, "ff"), d = dispatch->width, experts = dispatch->experts,
           n = dispatch->tokens, room = dispatch->room, choices = n * dispatch->chosen,
           own = experts / (size_t)dispatch->ranks, matrix = own * d * ff,
           first = (size_t)dispatch->rank * matrix, first_number = s.first_token * d;
    struct vl_expert_layer l = {
        .dispatch = *dispatch,
        .routing = {n, experts, dispatch->chosen, (float)vl_bag_real(inputs, "scale")},
        .experts = {own, dispatch->rows_of, d, ff, vl_bag_f32(inputs, "gate_up") + 2 * first,
                    vl_bag_f32(inputs, "down") + first},
        .logits = vl_expert_site_tokens(&s, "logits", experts),
        .bias = vl_bag_f32(inputs, "bias"),
        .x = vl_expert_site_tokens(&s, "x", d),
        .dy = vl_expert_site_tokens(&s, "dy", d),
        .y = vl_expert_site_begun(&s, "y", first_number, n * d),
        .dx = vl_expert_site_begun(&s, "dx", first_number, n * d),
        .dgate_up = vl_expert_site_begun(&s, "dgate_up", 2 * first, 2 * matrix),
        .ddown = vl_expert_site_begun(&s, "ddown", first, matrix),
        .chosen = vl_bag_add_i32(outputs, "chosen", 1, choices),
        .dlogits = vl_expert_site_unwritten(&s, "dlogits", n * experts),
        .affinity = vl_expert_site_unwritten(&s, "affinity", n * experts),
        .weights = vl_expert_site_unwritten(&s, "weights", choices),
        .dweights = vl_expert_site_unwritten(&s, "dweights", choices),
        .returned = vl_expert_site_unwritten(&s, "returned", choices * d),
        .rows = vl_expert_site_unwritten(&s, "rows", room * d),
        .out = vl_expert_site_unwritten(&s, "out", room * d),
        .opened = vl_expert_site_unwritten(&s, "opened", room * 2 * ff),
        .active = vl_expert_site_unwritten(&s, "active", room * ff),
        .drows = vl_expert_site_unwritten(&s, "drows", room * d),
        .dout = vl_expert_site_unwritten(&s, "dout", room * d),
        .dopened = vl_expert_site_unwritten(&s, "dopened", room * 2 * ff),
        .dactive = vl_expert_site_unwritten(&s, "dactive", room * ff),
    };
    return s.failed || l.chosen == NULL ? VL_EINTERNAL : vl_expert_layer_run(&l);
}
