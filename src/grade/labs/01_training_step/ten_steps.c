/*
 * The composed case: a small transformer, trained for ten steps with the submission's functions,
 * compared with the same transformer in float64.
 *
 * The bound is 1e-4, not 1e-5 as for one operation: a step is some sixty operations, and AdamW
 * divides a gradient by its own size, so rounding errors of small gradients do not get smaller.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/01_training_step/training_step.h"
#include "oracle/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 10

VL_MAKE(ten_steps)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    vl_maker_size(&m, "layers", 2);
    size_t per_micro = vl_maker_small_shape(&m);
    size_t micro_batches = vl_maker_size(&m, "micro_batches", vl_maker_between(&m, 2, 3));
    vl_maker_size(&m, "steps", STEPS);
    vl_maker_settings(&m, (double)0.01f, (double)0.1f);
    vl_maker_real(&m, "max_norm", 1);
    vl_maker_transformer(&m, STEPS * per_micro * micro_batches);
    return vl_maker_end(&m);
}

/* The model of the inputs; its losses and first gradients into 'losses' and 'gradients', either of
 * which may be NULL. */
static enum vl_status train(const struct vl_bag *inputs, double *losses, struct vl_bag *gradients)
{
    struct vl_oracle_adamw settings = vl_settings_read(inputs);
    struct vl_oracle_transformer model;
    enum vl_status status = vl_transformer_read(&model, inputs);
    if (status != VL_OK)
        return status;
    size_t rows = vl_bag_size(inputs, "rows_per_micro") * vl_bag_size(inputs, "micro_batches");
    size_t steps = losses ? vl_bag_size(inputs, "steps") : 1;
    for (size_t step = 0; status == VL_OK && step < steps; step++) {
        size_t first = step * rows * model.shape.sequence;
        double loss, norm;
        status =
            vl_oracle_transformer_step(&loss, &norm, &model, vl_bag_i32(inputs, "tokens") + first,
                                       vl_bag_i32(inputs, "targets") + first, rows, &settings,
                                       vl_bag_real(inputs, "max_norm"), step + 1);
        if (losses)
            losses[step] = loss;
    }
    for (size_t i = 0; status == VL_OK && gradients && i < model.tensor_count; i++) {
        const struct vl_oracle_tensor *t = &model.tensors[i];
        double *d = vl_bag_add_f64(gradients, t->name, t->rows, t->cols);
        if (d)
            memcpy(d, model.gradients + t->offset, t->rows * t->cols * sizeof *d);
        else
            status = VL_ENOMEM;
    }
    vl_oracle_transformer_free(&model);
    return status;
}

VL_TRUTH(ten_steps_gradients)
{
    return train(inputs, NULL, expected);
}

VL_TRUTH(ten_steps_losses)
{
    double *losses = vl_bag_add_f64(expected, "losses", 1, vl_bag_size(inputs, "steps"));
    return losses ? train(inputs, losses, NULL) : VL_ENOMEM;
}
