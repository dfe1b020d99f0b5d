/*
 * The composed case: a small transformer, trained for ten steps with the submission's functions,
 * compared with the same transformer in float64.
 *
 * The bound is 1e-4, not 1e-5 as for one operation: a step is some sixty operations, and AdamW
 * divides a gradient by its own size, so the rounding error of a small gradient counts in full.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/01_training_step/training_step.h"

#define STEPS 10

VL_SCOPED_MAKE(ten_steps)
{
    vl_maker_size(m, "layers", 2);
    size_t per_micro = vl_maker_small_shape(m);
    size_t micro_batches = vl_maker_size(m, "micro_batches", vl_maker_between(m, 2, 3));
    vl_maker_size(m, "steps", STEPS);
    vl_maker_settings(m, (double)0.01f, (double)0.1f);
    vl_maker_real(m, "max_norm", 1);
    vl_maker_transformer(m, STEPS * per_micro * micro_batches);
}

VL_SCOPED_TRUTH(ten_steps_gradients)
{
    vl_answer_gradients(s);
}

VL_SCOPED_TRUTH(ten_steps_losses)
{
    struct vl_oracle_adamw settings = vl_settings_read(s->inputs);
    struct vl_oracle_transformer model;
    size_t steps = vl_scope_size(s, "steps");
    size_t rows = vl_scope_size(s, "rows_per_micro") * vl_scope_size(s, "micro_batches");
    double *losses = vl_scope_out(s, "losses", 1, steps, 0), norm;
    s->failed |= vl_transformer_read(&model, s->inputs) != VL_OK;
    for (size_t step = 0; !s->failed && step < steps; step++) {
        size_t first = step * rows * model.shape.sequence;
        s->failed |= vl_oracle_transformer_step(
                         &losses[step], &norm, &model, vl_bag_i32(s->inputs, "tokens") + first,
                         vl_bag_i32(s->inputs, "targets") + first, rows, &settings,
                         vl_scope_real(s, "max_norm"), step + 1) != VL_OK;
    }
    vl_oracle_transformer_free(&model);
}
