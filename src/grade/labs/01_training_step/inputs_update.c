/*
 * Inputs of lab 01's last station: the optimizer, the step on a toy learner, the budget.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/01_training_step/training_step.h"

#include <math.h>
#include <string.h>

VL_MAKE(gradient_norm)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    int large = self->variant == VL_LARGE;
    size_t n = self->variant == VL_EMPTY ? 0 : vl_maker_prime(&m, 0) * 17;
    if (large)
        n = 100000 + vl_maker_between(&m, 1, 999);
    vl_maker_size(&m, "n", n);
    float *gradient = vl_maker_normal(&m, "gradient", 1, n, large ? 0.1f : 1);
    /* Beside the square of 8192, all later squares vanish from a float32 sum. */
    if (gradient && large) {
        gradient[0] = 8192;
        for (size_t i = 1; i < n; i++)
            gradient[i] += 0.9f;
    }
    return vl_maker_end(&m);
}

VL_MAKE(adamw)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    size_t n = self->variant == VL_EMPTY ? 0 : 7 * vl_maker_prime(&m, 0);
    int first = self->variant == VL_FIRST;
    vl_maker_size(&m, "n", n);
    vl_maker_size(&m, "step",
                  self->variant == VL_BAD    ? 0
                  : first                    ? 1
                  : self->variant == VL_LATE ? 1000
                                             : 2);
    vl_maker_settings(&m, 0.015625, 0.125);
    vl_maker_real(&m, "gradient_scale", 0.375);
    vl_maker_normal(&m, "weights", 1, n, 1);
    float *average = vl_maker_normal(&m, "m", 1, n, first ? 0 : 0.25f);
    float *v = vl_maker_normal(&m, "v", 1, n, first ? 0 : 0.25f);
    float *gradient = vl_maker_normal(&m, "gradient", 1, n, 1);
    /* Some gradients, and what is left of earlier ones, of the size of eps: there it makes a
     * difference where eps stands. The change itself stays of the size of the learning rate. */
    for (size_t i = 0; !m.failed && i < n; i++) {
        float root = first ? 0 : 0.125f + fabsf(v[i]);
        v[i] = root * root;
        if (i % 5 == 4) {
            gradient[i] *= 3e-8f;
            average[i] *= 3e-8f;
            v[i] *= 1e-15f;
        }
    }
    return vl_maker_end(&m);
}

/*
 * A learner whose answer can be written down: micro-batch k has the loss
 * 0.5 sum_i a[k][i] (w[i] - t[k][i])^2. Three tensors, the middle one without decay.
 */
VL_MAKE(step)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    size_t micro_batches = vl_maker_size(
        &m, "micro_batches", self->variant == VL_ONE_ROW ? 1 : vl_maker_between(&m, 3, 5));
    size_t rows = vl_maker_prime(&m, 0), cols = vl_maker_prime(&m, rows);
    vl_maker_size(&m, "rows", rows);
    vl_maker_size(&m, "cols", cols);
    size_t count = vl_maker_size(&m, "count", 2 * rows * cols + cols);
    vl_maker_size(&m, "step", vl_maker_between(&m, 2, 9));
    vl_maker_settings(&m, 0.015625, 0.125);
    float *a = vl_maker_normal(&m, "a", micro_batches, count, 0.25f);
    for (size_t i = 0; a && i < micro_batches * count; i++)
        a[i] = 0.25f + fabsf(a[i]);
    vl_maker_normal(&m, "t", micro_batches, count, 1);
    vl_maker_normal(&m, "weights", 1, count, 1);
    vl_maker_normal(&m, "m", 1, count, 0.25f);
    float *v = vl_maker_normal(&m, "v", 1, count, 0.25f);
    for (size_t i = 0; v && i < count; i++) {
        float root = 0.125f + fabsf(v[i]);
        v[i] = root * root;
    }
    /* Left over from an earlier step: the step must begin by clearing it. */
    vl_maker_normal(&m, "gradients", 1, count, 2);
    vl_maker_real(&m, "max_norm",
                  self->variant == VL_CLIPPED ? 1.5
                  : self->variant == VL_LARGE ? 4096
                                              : 0);
    /* 1 + the micro-batch whose forward fails with VL_ENOMEM; 0: none. */
    vl_maker_size(&m, "fails_at", self->variant == VL_BAD ? 2 : 0);
    return vl_maker_end(&m);
}

VL_MAKE(shape)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    int large = self->variant == VL_LARGE;
    size_t heads = vl_maker_size(&m, "heads", vl_maker_between(&m, 1, 4));
    size_t width = vl_maker_size(&m, "width", heads * 2 * vl_maker_prime(&m, 0));
    vl_maker_size(&m, "layers", self->variant == VL_ONE_ROW ? 1 : vl_maker_between(&m, 2, 7));
    vl_maker_size(&m, "ff", 32 * vl_maker_prime(&m, 0));
    vl_maker_size(&m, "vocabulary", vl_maker_between(&m, 97, 509));
    vl_maker_size(&m, "sequence", large ? 40 * width : vl_maker_between(&m, 17, 99));
    return vl_maker_end(&m);
}

VL_MAKE(mfu)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    vl_maker_real(&m, "tokens_per_second", 1000.0 * (double)vl_maker_between(&m, 3, 90));
    vl_maker_real(&m, "flops_per_token", 1e6 * (double)vl_maker_between(&m, 5, 70));
    vl_maker_real(&m, "peak",
                  self->variant == VL_BAD ? 0 : 1e13 * (double)vl_maker_between(&m, 1, 90));
    return vl_maker_end(&m);
}

/* The shape that the lab's text gives; the runner does not need it. */
VL_MAKE(prediction)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    vl_maker_size(&m, "layers", 4);
    vl_maker_size(&m, "width", 256);
    vl_maker_size(&m, "heads", 4);
    vl_maker_size(&m, "ff", 704);
    vl_maker_size(&m, "vocabulary", 512);
    vl_maker_size(&m, "sequence", 128);
    vl_maker_size(&m, "batch", VL_PREDICTED_BATCH);
    return vl_maker_end(&m);
}
