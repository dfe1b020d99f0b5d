/*
 * What the calls of lab 08 share: a layer with experts, called once in a case, and timed.
 */
#ifndef VIALATA_GRADE_LABS_08_EXPERT_PARALLEL_RUNNER_EXPERT_SITE_H
#define VIALATA_GRADE_LABS_08_EXPERT_PARALLEL_RUNNER_EXPERT_SITE_H

#include "runner/call.h"
#include "vialata/expert_parallel.h"
#include "vialata/router.h"

/* A layer of one rank, as training would have it: router, dispatch, experts, combine. The memory
 * belongs to whoever fills this in. */
struct vl_expert_layer {
    struct vl_dispatch dispatch;
    struct vl_routing routing;
    struct vl_experts experts;
    const float *logits, *bias, *x, *dy;
    float *y, *dx, *dlogits, *dgate_up, *ddown;
    float *affinity, *weights, *dweights, *returned;
    int32_t *chosen;
    float *rows, *out, *opened, *active; /* and their gradients, up to 'room' rows */
    float *drows, *dout, *dopened, *dactive;
};

/* Forward, then backward. */
enum vl_status vl_expert_layer_run(struct vl_expert_layer *layer);

vl_call_function vl_call_dispatch_plan, vl_call_dispatch_forward, vl_call_dispatch_backward,
    vl_call_combine_forward, vl_call_combine_backward, vl_call_dispatch_traffic,
    vl_call_combine_traffic, vl_call_expert_layer;

#endif
