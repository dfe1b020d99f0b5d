/*
 * Lab 04, station 5, finished: one training step, with the state sharded.
 */
#include "vialata/zero.h"

#include <string.h>

static enum vl_status clear_gradients(struct vl_zero *zero)
{
    struct vl_zero_plan plan;
    enum vl_status status =
        vl_zero_plan(&plan, zero->stage, zero->units, zero->unit_count, zero->rank, zero->ranks);
    if (status == VL_OK && plan.gradients > 0)
        memset(zero->gradients, 0, plan.gradients * sizeof *zero->gradients);
    return status;
}

/* Each stage needs a few hooks more. */
static struct vl_unit_hooks hooks_of(struct vl_zero *zero)
{
    struct vl_unit_hooks hooks = {.context = zero, .ready = vl_zero_ready, .poll = vl_zero_poll};
    if (zero->stage >= 2)
        hooks.gradients = vl_zero_gradients;
    if (zero->stage == 3) {
        hooks.borrow = vl_zero_borrow;
        hooks.give_back = vl_zero_give_back;
        hooks.prefetch = vl_zero_prefetch;
    }
    return hooks;
}

/* Stage 1 keeps whole gradients, so micro-batches add up locally and one reduction is enough. At
 * stages 2 and 3 no rank keeps them whole, so each micro-batch sends its own. */
static enum vl_status accumulate(struct vl_zero *zero, struct vl_learner *learner,
                                 size_t micro_batches, double *loss)
{
    const struct vl_unit_hooks hooks = hooks_of(zero);
    const struct vl_unit_hooks *before = learner->hooks;
    enum vl_status status = VL_OK;
    *loss = 0.0;
    for (size_t k = 0; k < micro_batches && status == VL_OK; k++) {
        double part = 0.0;
        learner->hooks = zero->stage > 1 ? &hooks : before;
        status = learner->forward(learner->model, k, &part);
        if (status != VL_OK)
            break;
        *loss += part;
        if (k + 1 == micro_batches)
            learner->hooks = &hooks;
        status = learner->backward(learner->model, k);
    }
    learner->hooks = before;
    return status == VL_OK ? vl_zero_finish(zero) : status;
}

enum vl_status vl_zero_step(struct vl_zero *zero, struct vl_learner *learner, size_t micro_batches,
                            const struct vl_adamw *settings, float max_norm, uint64_t step,
                            struct vl_step_result *result)
{
    if (zero == NULL || learner == NULL || settings == NULL || result == NULL)
        return VL_EINVAL;
    if (micro_batches == 0 || step == 0)
        return VL_EINVAL;
    double loss, norm;
    enum vl_status status = clear_gradients(zero);
    if (status == VL_OK)
        status = accumulate(zero, learner, micro_batches, &loss);
    if (status == VL_OK)
        status = vl_replica_sum(zero->comm, &loss);
    if (status == VL_OK)
        status = vl_zero_norm(&norm, zero);
    if (status != VL_OK)
        return status;

    float scale = 1.0f;
    if (max_norm > 0.0f && norm > (double)max_norm)
        scale = (float)((double)max_norm / norm);
    status = vl_zero_update(zero, settings, scale, step);
    if (status != VL_OK)
        return status;
    result->loss = loss;
    result->gradient_norm = norm;
    return VL_OK;
}
