/*
 * What lab 01's last station must give: optimizer, step on the toy learner, budget, prediction.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/01_training_step/training_step.h"
#include "oracle/budget.h"
#include "oracle/optimizer.h"

VL_TRUTH(gradient_norm)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    double *norm = vl_scope_out(&s, "norm", 1, 1, 0);
    if (!s.failed)
        *norm = vl_oracle_gradient_norm(vl_scope_in(&s, "gradient"), vl_scope_size(&s, "n"));
    return vl_scope_end(&s);
}

VL_TRUTH(adamw_update)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    struct vl_oracle_adamw settings = vl_settings_read(inputs);
    uint64_t step = vl_scope_size(&s, "step");
    size_t n = vl_scope_size(&s, "n");
    double *w = vl_scope_out(&s, "weights", 1, n, 1), *m = vl_scope_out(&s, "m", 1, n, 1),
           *v = vl_scope_out(&s, "v", 1, n, 1);
    if (step == 0)
        return vl_scope_refuse(&s, VL_EINVAL);
    if (!s.failed)
        vl_oracle_adamw(w, m, v, vl_scope_in(&s, "gradient"), vl_scope_real(&s, "gradient_scale"),
                        &settings, step, n);
    return vl_scope_end(&s);
}

VL_TRUTH(training_step)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t count = vl_scope_size(&s, "count");
    double *w = vl_scope_out(&s, "weights", 1, count, 1), *m = vl_scope_out(&s, "m", 1, count, 1),
           *v = vl_scope_out(&s, "v", 1, count, 1);
    if (vl_scope_size(&s, "fails_at"))
        return vl_scope_refuse(&s, VL_ENOMEM);
    double *loss = vl_scope_out(&s, "loss", 1, 1, 0);
    double *norm = vl_scope_out(&s, "gradient_norm", 1, 1, 0);
    double *gradients = vl_scope_work(&s, "sum", count);
    for (size_t k = 0; !s.failed && k < vl_scope_size(&s, "micro_batches"); k++)
        *loss += vl_toy_loss(gradients, s.wide, k);
    if (!s.failed) {
        *norm = vl_oracle_gradient_norm(gradients, count);
        vl_toy_update(w, m, v, gradients, inputs,
                      vl_oracle_clip(*norm, vl_scope_real(&s, "max_norm")), 0);
    }
    return vl_scope_end(&s);
}

VL_TRUTH(parameter_count)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    uint64_t all, multiplying;
    enum vl_status status = vl_oracle_parameter_count(&all, &multiplying, &shape);
    if (status == VL_OK && (!vl_bag_set_int(expected, "all", (int64_t)all) ||
                            !vl_bag_set_int(expected, "multiplying", (int64_t)multiplying)))
        status = VL_ENOMEM;
    return status;
}

static enum vl_status set_real(struct vl_bag *expected, const char *name, double value)
{
    return vl_bag_set_real(expected, name, value) ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(flops_per_token)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    double flops;
    enum vl_status status = vl_oracle_flops_per_token(&flops, &shape);
    return status == VL_OK ? set_real(expected, "flops", flops) : status;
}

VL_TRUTH(mfu)
{
    double peak = vl_bag_real(inputs, "peak");
    if (!(peak > 0))
        return vl_bag_set_int(expected, "status", VL_EINVAL) ? VL_OK : VL_ENOMEM;
    return set_real(expected, "mfu",
                    vl_oracle_mfu(vl_bag_real(inputs, "tokens_per_second"),
                                  vl_bag_real(inputs, "flops_per_token"), peak));
}

/* The three sealed numbers are compared one a case, so that each earns on its own. */
VL_TRUTH(predict_parameters)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    uint64_t all, multiplying;
    enum vl_status status = vl_oracle_parameter_count(&all, &multiplying, &shape);
    if (status == VL_OK && !vl_bag_set_int(expected, "parameters", (int64_t)all))
        status = VL_ENOMEM;
    return status;
}

VL_TRUTH(predict_state)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    uint64_t all, multiplying;
    enum vl_status status = vl_oracle_parameter_count(&all, &multiplying, &shape);
    uint64_t bytes = 0;
    for (int array = 0; array < 4; array++) /* weights, gradients, m, v */
        bytes += all * sizeof(float);
    if (status == VL_OK && !vl_bag_set_int(expected, "state_bytes", (int64_t)bytes))
        status = VL_ENOMEM;
    return status;
}

VL_TRUTH(predict_flops)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    double flops;
    enum vl_status status = vl_oracle_flops_per_token(&flops, &shape);
    double tokens = (double)(vl_bag_size(inputs, "batch") * shape.sequence);
    return status == VL_OK ? set_real(expected, "flops_per_step", flops * tokens) : status;
}
