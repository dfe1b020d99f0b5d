/*
 * Lab 01, station 3, finished: the step. Gradients become new weights.
 */
#include "vialata/adamw.h"
#include "vialata/training_step.h"

#include <math.h>
#include <string.h>

enum vl_status vl_gradient_norm(double *norm, const float *gradient, size_t n)
{
    if (norm == NULL || (n > 0 && gradient == NULL))
        return VL_EINVAL;
    double squares = 0.0;
#pragma omp simd reduction(+ : squares)
    for (size_t i = 0; i < n; i++)
        squares += (double)gradient[i] * (double)gradient[i];
    *norm = sqrt(squares);
    return VL_OK;
}

/*
 * The two corrections depend on the step alone, so they are taken out of the loop:
 *     lr m^ / (sqrt(v^) + eps) = (lr / c1) m / (sqrt(v) / sqrt(c2) + eps)     c = 1 - beta^step
 * One pass over the memory: that is what an optimizer costs.
 */
enum vl_status vl_adamw_update(float *weights, float *m, float *v, const float *gradient,
                               float gradient_scale, const struct vl_adamw *settings, uint64_t step,
                               size_t n)
{
    if (settings == NULL || step == 0)
        return VL_EINVAL;
    if (n > 0 && (weights == NULL || m == NULL || v == NULL || gradient == NULL))
        return VL_EINVAL;
    const double beta1 = (double)settings->beta1, beta2 = (double)settings->beta2;
    const double correction1 = 1.0 - pow(beta1, (double)step);
    const double correction2 = 1.0 - pow(beta2, (double)step);
    const float rate = (float)((double)settings->lr / correction1);
    const float unbias2 = (float)(1.0 / sqrt(correction2));
    const float keep1 = settings->beta1, take1 = (float)(1.0 - beta1);
    const float keep2 = settings->beta2, take2 = (float)(1.0 - beta2);
    const float shrink = settings->lr * settings->weight_decay;
    const float eps = settings->eps;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        float g = gradient[i] * gradient_scale;
        m[i] = keep1 * m[i] + take1 * g;
        v[i] = keep2 * v[i] + take2 * (g * g);
        float move = rate * m[i] / (sqrtf(v[i]) * unbias2 + eps);
        weights[i] -= move + shrink * weights[i];
    }
    return VL_OK;
}

enum vl_status vl_training_step(struct vl_learner *learner, size_t micro_batches,
                                const struct vl_adamw *settings, float max_norm, uint64_t step,
                                struct vl_step_result *result)
{
    if (learner == NULL || settings == NULL || result == NULL || micro_batches == 0 || step == 0)
        return VL_EINVAL;
    if (learner->count > 0 && (learner->weights == NULL || learner->gradients == NULL ||
                               learner->m == NULL || learner->v == NULL))
        return VL_EINVAL;

    if (learner->count > 0)
        memset(learner->gradients, 0, learner->count * sizeof *learner->gradients);
    double loss = 0.0;
    for (size_t k = 0; k < micro_batches; k++) {
        double part = 0.0;
        enum vl_status status = learner->forward(learner->model, k, &part);
        if (status == VL_OK)
            status = learner->backward(learner->model, k);
        if (status != VL_OK)
            return status;
        loss += part;
    }

    double norm;
    enum vl_status status = vl_gradient_norm(&norm, learner->gradients, learner->count);
    if (status != VL_OK)
        return status;
    float scale = 1.0f;
    if (max_norm > 0.0f && norm > (double)max_norm)
        scale = (float)((double)max_norm / norm);

    for (size_t i = 0; i < learner->tensor_count; i++) {
        const struct vl_tensor *tensor = &learner->tensors[i];
        struct vl_adamw own = *settings;
        if (!tensor->decays)
            own.weight_decay = 0.0f;
        size_t at = tensor->offset;
        status = vl_adamw_update(learner->weights + at, learner->m + at, learner->v + at,
                                 learner->gradients + at, scale, &own, step,
                                 tensor->rows * tensor->cols);
        if (status != VL_OK)
            return status;
    }
    result->loss = loss;
    result->gradient_norm = norm;
    return VL_OK;
}
