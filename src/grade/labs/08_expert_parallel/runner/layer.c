/*
 * A layer with experts on several ranks, put together from the functions of lab 08, as a training
 * step does.
 */
#include "grade/labs/08_expert_parallel/runner/expert_site.h"

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
