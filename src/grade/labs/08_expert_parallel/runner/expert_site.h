/*
 * What the calls of lab 08 share: a dispatch as the inputs describe it, and a layer with experts.
 *
 * Arrays of all ranks lie one behind the other in the inputs; a rank takes its part of each. The
 * plan is filled from the inputs, so that a wrong vl_dispatch_plan costs itself alone.
 */
#ifndef VIALATA_GRADE_LABS_08_EXPERT_PARALLEL_RUNNER_EXPERT_SITE_H
#define VIALATA_GRADE_LABS_08_EXPERT_PARALLEL_RUNNER_EXPERT_SITE_H

#include "vialata/expert_parallel.h"
#include "vialata/router.h"
#include "wire/bag.h"

/* A layer of one rank, as training would have it: router, dispatch, experts, combine. Memory is
 * whoever's who fills this in. */
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

#define VL_CALL(name)                                                                              \
    enum vl_status vl_call_##name(struct vl_bag *outputs, const struct vl_bag *inputs)
VL_CALL(dispatch_plan);
VL_CALL(dispatch_forward);
VL_CALL(dispatch_backward);
VL_CALL(combine_forward);
VL_CALL(combine_backward);
VL_CALL(dispatch_traffic);
VL_CALL(combine_traffic);
VL_CALL(expert_layer);

#endif
