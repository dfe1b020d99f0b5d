/*
 * Lab 01, station 3: the step. Gradients become new weights.
 *
 *     ./vialata grade 01 --only vl_adamw_update
 */
#include "vialata/adamw.h"
#include "vialata/training_step.h"

/* include/vialata/adamw.h: the length of the gradient, summed in double. */
enum vl_status vl_gradient_norm(double *norm, const float *gradient, size_t n)
{
    (void)norm;
    (void)gradient;
    (void)n;
    /* TODO(01): widen each element before squaring it, not after. */
    return VL_TODO;
}

/* include/vialata/adamw.h: it has the whole formula. */
enum vl_status vl_adamw_update(float *weights, float *m, float *v, const float *gradient,
                               float gradient_scale, const struct vl_adamw *settings, uint64_t step,
                               size_t n)
{
    (void)weights;
    (void)m;
    (void)v;
    (void)gradient;
    (void)gradient_scale;
    (void)settings;
    (void)step;
    (void)n;
    /* TODO(01): steps count from 1. What does the formula do at step 0? Refuse it. */
    /* TODO(01): the two corrections depend on the step alone: compute them once, in double. */
    /* TODO(01): for each element: m, then v, then the weight. The old weight decays. */
    return VL_TODO;
}

/* include/vialata/training_step.h: the loop body of every training program. */
enum vl_status vl_training_step(struct vl_learner *learner, size_t micro_batches,
                                const struct vl_adamw *settings, float max_norm, uint64_t step,
                                struct vl_step_result *result)
{
    (void)learner;
    (void)micro_batches;
    (void)settings;
    (void)max_norm;
    (void)step;
    (void)result;
    /* TODO(01): refuse step 0 and zero micro-batches before anything is touched. */
    /* TODO(01): gradients = 0. */
    /* TODO(01): forward, then backward, micro-batch by micro-batch; stop at the first error. */
    /* TODO(01): the norm, and the scale that clips. */
    /* TODO(01): AdamW for each tensor; decay only where the tensor says so. */
    /* TODO(01): report the loss, and the norm before clipping. */
    return VL_TODO;
}
