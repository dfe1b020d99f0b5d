#include "runner/learner.h"

#include "engine/model/model.h"
#include "runner/arrays.h"
#include "runner/call.h"
#include "vialata/training_step.h"

#include <string.h>

struct vl_adamw vl_settings(const struct vl_bag *inputs)
{
    return (struct vl_adamw){
        .lr = (float)vl_bag_real(inputs, "lr"),
        .beta1 = (float)vl_bag_real(inputs, "beta1"),
        .beta2 = (float)vl_bag_real(inputs, "beta2"),
        .eps = (float)vl_bag_real(inputs, "eps"),
        .weight_decay = (float)vl_bag_real(inputs, "weight_decay"),
    };
}

static size_t number(const struct vl_bag *inputs, const char *name)
{
    return (size_t)vl_bag_int(inputs, name);
}

struct vl_shape vl_shape_of(const struct vl_bag *inputs)
{
    return (struct vl_shape){
        .layers = number(inputs, "layers"),
        .width = number(inputs, "width"),
        .heads = number(inputs, "heads"),
        .ff = number(inputs, "ff"),
        .vocabulary = number(inputs, "vocabulary"),
        .sequence = number(inputs, "sequence"),
    };
}

/*
 * The toy: 0.5 sum_i a[k][i] (w[i] - t[k][i])^2 for micro-batch k. Like a real model it keeps one
 * micro-batch's activations only, so backward after another forward gives the wrong gradient.
 */
struct toy {
    struct vl_learner *learner;
    const float *a, *t;
    float *residual; /* w - t of the last forward */
    size_t fails_at; /* 1 + the micro-batch whose forward fails */
    size_t backward_fails_at;
    int64_t *forwards, *backwards; /* counts of calls */
};

static enum vl_status toy_forward(void *model, size_t k, double *loss)
{
    struct toy *toy = model;
    size_t count = toy->learner->count;
    ++*toy->forwards;
    if (toy->fails_at == k + 1)
        return VL_ENOMEM;
    *loss = 0;
    for (size_t i = 0; i < count; i++) {
        toy->residual[i] = toy->learner->weights[i] - toy->t[k * count + i];
        *loss += 0.5 * (double)toy->a[k * count + i] * (double)toy->residual[i] *
                 (double)toy->residual[i];
    }
    return VL_OK;
}

static enum vl_status toy_backward(void *model, size_t k)
{
    struct toy *toy = model;
    size_t count = toy->learner->count;
    ++*toy->backwards;
    if (toy->backward_fails_at == k + 1)
        return VL_ENOMEM;
    for (size_t i = 0; i < count; i++)
        toy->learner->gradients[i] += toy->a[k * count + i] * toy->residual[i];
    return VL_OK;
}

void vl_toy_tensors(struct vl_tensor tensors[VL_TOY_TENSORS], const struct vl_bag *inputs)
{
    size_t rows = number(inputs, "rows"), cols = number(inputs, "cols");
    tensors[0] = (struct vl_tensor){"first.weight", 0, rows, cols, 1};
    tensors[1] = (struct vl_tensor){"gain.weight", rows * cols, 1, cols, 0};
    tensors[2] = (struct vl_tensor){"second.weight", rows * cols + cols, rows, cols, 1};
}

int vl_step_report_begin(struct vl_step_report *report, struct vl_bag *outputs)
{
    report->loss = vl_bag_add_f64(outputs, "loss", 1, 1);
    report->norm = vl_bag_add_f64(outputs, "gradient_norm", 1, 1);
    vl_bag_poison(outputs, "loss");
    vl_bag_poison(outputs, "gradient_norm");
    if (!report->loss || !report->norm)
        return 0;
    memcpy(&report->result.loss, report->loss, sizeof *report->loss); /* poison */
    memcpy(&report->result.gradient_norm, report->norm, sizeof *report->norm);
    return 1;
}

void vl_step_report_end(const struct vl_step_report *report)
{
    memcpy(report->loss, &report->result.loss, sizeof *report->loss);
    memcpy(report->norm, &report->result.gradient_norm, sizeof *report->norm);
}

/* The same tensors in another order than in the flat arrays, and another nonzero 'decays'. */
static void disorder(struct vl_tensor tensors[VL_TOY_TENSORS])
{
    const struct vl_tensor first = tensors[0];
    memmove(tensors, tensors + 1, (VL_TOY_TENSORS - 1) * sizeof *tensors);
    tensors[VL_TOY_TENSORS - 1] = first;
    tensors[VL_TOY_TENSORS - 1].decays = 2;
}

static enum vl_status take_step(struct toy *toy, const struct vl_bag *inputs, size_t micro_batches,
                                size_t step, struct vl_step_result *result)
{
    struct vl_adamw settings = vl_settings(inputs);
    return vl_training_step(toy->learner, micro_batches, &settings,
                            (float)vl_bag_real(inputs, "max_norm"), step, result);
}

/* Two steps in which a micro-batch fails: the one that the inputs name, then the last one. */
static enum vl_status take_failing_steps(struct toy *toy, const struct vl_bag *inputs,
                                         size_t micro_batches, size_t step,
                                         struct vl_step_result *result)
{
    enum vl_status status = take_step(toy, inputs, micro_batches, step, result);
    if (status != VL_ENOMEM)
        return status;
    ++toy->forwards;
    ++toy->backwards;
    *(toy->fails_at > 0 ? &toy->fails_at : &toy->backward_fails_at) = micro_batches;
    return take_step(toy, inputs, micro_batches, step, result);
}

static enum vl_status take_steps(struct toy *toy, struct vl_bag *outputs,
                                 const struct vl_bag *inputs, struct vl_step_result *result)
{
    size_t micro_batches = number(inputs, "micro_batches"), step = number(inputs, "step");
    if (step == 0)
        return vl_first_unrefused(
            outputs, {"step = 0", take_step(toy, inputs, micro_batches, step, result)},
            {"micro_batches = 0", take_step(toy, inputs, 0, step + 1, result)});
    if (toy->fails_at > 0 || toy->backward_fails_at > 0)
        return take_failing_steps(toy, inputs, micro_batches, step, result);
    return take_step(toy, inputs, micro_batches, step, result);
}

enum vl_status vl_call_training_step(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    size_t count = number(inputs, "count");
    struct vl_tensor tensors[VL_TOY_TENSORS];
    vl_toy_tensors(tensors, inputs);
    if (number(inputs, "unusual"))
        disorder(tensors);
    struct vl_learner learner = {
        .weights = vl_begun_floats(outputs, inputs, "weights", 0, count),
        .gradients = vl_begun_floats(outputs, inputs, "gradients", 0, count),
        .m = vl_begun_floats(outputs, inputs, "m", 0, count),
        .v = vl_begun_floats(outputs, inputs, "v", 0, count),
        .count = count,
        .tensors = tensors,
        .tensor_count = VL_TOY_TENSORS,
        .forward = toy_forward,
        .backward = toy_backward,
    };
    struct toy toy = {&learner,
                      vl_bag_f32(inputs, "a"),
                      vl_bag_f32(inputs, "t"),
                      vl_bag_add_f32(outputs, "residual", 1, count),
                      number(inputs, "fails_at"),
                      number(inputs, "backward_fails_at"),
                      vl_filled_numbers(outputs, "forwards", 1, 2, 0),
                      vl_filled_numbers(outputs, "backwards", 1, 2, 0)};
    struct vl_step_report report;
    int begun = vl_step_report_begin(&report, outputs);
    if (!learner.weights || !learner.gradients || !learner.m || !learner.v || !toy.a || !toy.t ||
        !toy.residual || !toy.forwards || !toy.backwards || !begun)
        return VL_EINTERNAL;
    learner.model = &toy;
    enum vl_status status = take_steps(&toy, outputs, inputs, &report.result);
    vl_step_report_end(&report);
    return status;
}

enum vl_status vl_take_weights(const struct vl_learner *learner, const struct vl_bag *inputs)
{
    for (size_t i = 0; i < learner->tensor_count; i++) {
        const struct vl_tensor *t = &learner->tensors[i];
        const struct vl_tensor_entry *entry = vl_bag_find(inputs, t->name);
        if (!entry || entry->dtype != VL_F32 || entry->count != t->rows * t->cols)
            return VL_EINTERNAL;
        memcpy(learner->weights + t->offset, entry->data, entry->count * sizeof(float));
    }
    return VL_OK;
}

enum vl_status vl_give_gradients(struct vl_bag *outputs, const struct vl_learner *learner)
{
    for (size_t i = 0; i < learner->tensor_count; i++) {
        const struct vl_tensor *t = &learner->tensors[i];
        float *d = vl_bag_add_f32(outputs, t->name, t->rows, t->cols);
        if (!d)
            return VL_EINTERNAL;
        memcpy(d, learner->gradients + t->offset, t->rows * t->cols * sizeof *d);
    }
    return VL_OK;
}

enum vl_status vl_pass_batch(double *loss, struct vl_model *model, const struct vl_bag *inputs)
{
    const struct vl_learner *learner = vl_model_learner(model);
    size_t micro_batches = number(inputs, "micro_batches");
    enum vl_status status =
        vl_model_set_batch(model, vl_bag_i32(inputs, "tokens"), vl_bag_i32(inputs, "targets"),
                           number(inputs, "rows_per_micro"), micro_batches);
    memset(learner->gradients, 0, learner->count * sizeof *learner->gradients);
    *loss = 0;
    for (size_t k = 0; status == VL_OK && k < micro_batches; k++) {
        double part = 0;
        status = learner->forward(learner->model, k, &part);
        *loss += part;
        VL_NEXT(status, learner->backward(learner->model, k));
    }
    return status;
}

enum vl_status vl_call_ten_steps(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct vl_shape shape = vl_shape_of(inputs);
    struct vl_adamw settings = vl_settings(inputs);
    size_t per_micro = number(inputs, "rows_per_micro"), steps = number(inputs, "steps");
    size_t micro_batches = number(inputs, "micro_batches");
    size_t tokens_per_step = per_micro * micro_batches * shape.sequence;
    const int32_t *tokens = vl_bag_i32(inputs, "tokens"), *targets = vl_bag_i32(inputs, "targets");
    double *losses = vl_bag_add_f64(outputs, "losses", 1, steps), first_loss;
    struct vl_model *model = NULL;
    vl_bag_poison(outputs, "losses");
    if (!losses || !tokens || !targets)
        return VL_EINTERNAL;
    enum vl_status status = vl_model_create(&model, &shape, per_micro, 1);
    if (status != VL_OK)
        return status;
    struct vl_learner *learner = vl_model_learner(model);
    status = vl_take_weights(learner, inputs);
    /* Taken before any step, since a step may leave anything in the gradients. */
    VL_NEXT(status, vl_pass_batch(&first_loss, model, inputs));
    VL_NEXT(status, vl_give_gradients(outputs, learner));
    for (size_t step = 0; status == VL_OK && step < steps; step++) {
        struct vl_step_result result = {0, 0};
        size_t first = step * tokens_per_step;
        status =
            vl_model_set_batch(model, tokens + first, targets + first, per_micro, micro_batches);
        VL_NEXT(status,
                vl_training_step(learner, micro_batches, &settings,
                                 (float)vl_bag_real(inputs, "max_norm"), step + 1, &result));
        losses[step] = result.loss;
    }
    vl_model_free(model);
    return status;
}
