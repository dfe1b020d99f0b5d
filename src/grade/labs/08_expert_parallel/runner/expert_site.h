/*
 * What the calls of lab 08 share: a dispatch as the inputs describe it, and a layer with experts.
 *
 * Inputs hold the arrays of all ranks, rank after rank; a rank takes its part of each. The plan is
 * filled from the inputs, so that a wrong vl_dispatch_plan costs itself alone.
 */
#ifndef VIALATA_GRADE_LABS_08_EXPERT_PARALLEL_RUNNER_EXPERT_SITE_H
#define VIALATA_GRADE_LABS_08_EXPERT_PARALLEL_RUNNER_EXPERT_SITE_H

#include "runner/call.h"
#include "vialata/expert_parallel.h"
#include "vialata/router.h"
#include "wire/bag.h"

/* A rank's part of a case. Its arrays are added to the outputs, where they have guards; 'failed'
 * says that one could not be. */
struct vl_expert_site {
    struct vl_bag *outputs;
    const struct vl_bag *inputs;
    struct vl_dispatch d;
    size_t first_token;
    int failed;
};

/* Sizes and scratch, which is exactly as large as the contract says. No plan yet. */
struct vl_expert_site vl_expert_site_open(struct vl_bag *outputs, const struct vl_bag *inputs);
/* Memory for a plan that nobody has written yet. */
void vl_expert_site_unplanned(struct vl_expert_site *site);

/* Outputs: not written yet; as n numbers of the input of that name, from 'first' onwards. */
float *vl_expert_site_unwritten(struct vl_expert_site *site, const char *name, size_t n);
float *vl_expert_site_begun(struct vl_expert_site *site, const char *name, size_t first, size_t n);
/* An input with 'cols' numbers per token: those of this rank's first token. */
const float *vl_expert_site_tokens(const struct vl_expert_site *site, const char *name,
                                   size_t cols);

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
