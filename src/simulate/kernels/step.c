/* Phantom update and norm, and the step of one device that calls them. */
#include "simulate/kernels/charge.h"
#include "vialata/training_step.h"

enum vl_status vl_adamw_update(float *weights, float *m, float *v, const float *gradient,
                               float gradient_scale, const struct vl_adamw *settings, uint64_t step,
                               size_t n)
{
    (void)weights, (void)m, (void)v, (void)gradient, (void)gradient_scale, (void)settings;
    return step > 0 ? vl_charge_update(n) : VL_EINVAL;
}

enum vl_status vl_gradient_norm(double *norm, const float *gradient, size_t n)
{
    (void)gradient;
    *norm = 0;
    return vl_charge(2 * (double)n, (double)n);
}

enum vl_status vl_training_step(struct vl_learner *learner, size_t micro_batches,
                                const struct vl_adamw *settings, float max_norm, uint64_t step,
                                struct vl_step_result *result)
{
    (void)max_norm;
    *result = (struct vl_step_result){0};
    for (size_t k = 0; k < micro_batches; k++) {
        double loss = 0;
        enum vl_status status = learner->forward(learner->model, k, &loss);
        if (status == VL_OK)
            status = learner->backward(learner->model, k);
        if (status != VL_OK)
            return status;
    }
    enum vl_status status =
        vl_gradient_norm(&result->gradient_norm, learner->gradients, learner->count);
    return status == VL_OK ? vl_adamw_update(learner->weights, learner->m, learner->v,
                                             learner->gradients, 1, settings, step, learner->count)
                           : status;
}
