#include "grade/shared/model.h"

#include "oracle/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void vl_maker_settings(struct vl_maker *maker, double lr, double weight_decay)
{
    vl_maker_real(maker, "lr", lr);
    vl_maker_real(maker, "beta1", (double)0.9f);
    vl_maker_real(maker, "beta2", (double)0.95f);
    vl_maker_real(maker, "eps", (double)1e-8f);
    vl_maker_real(maker, "weight_decay", weight_decay);
}

void vl_maker_moments(struct vl_maker *maker, size_t count)
{
    vl_maker_normal(maker, "m", 1, count, 0.25f);
    float *v = vl_maker_normal(maker, "v", 1, count, 0.25f);
    for (size_t i = 0; v && i < count; i++) {
        float root = 0.125f + fabsf(v[i]);
        v[i] = root * root;
    }
}

struct vl_oracle_adamw vl_settings_read(const struct vl_bag *inputs)
{
    return (struct vl_oracle_adamw){
        .lr = vl_bag_real(inputs, "lr"),
        .beta1 = vl_bag_real(inputs, "beta1"),
        .beta2 = vl_bag_real(inputs, "beta2"),
        .eps = vl_bag_real(inputs, "eps"),
        .weight_decay = vl_bag_real(inputs, "weight_decay"),
    };
}

struct vl_oracle_shape vl_shape_read(const struct vl_bag *inputs)
{
    return (struct vl_oracle_shape){
        .layers = vl_bag_size(inputs, "layers"),
        .width = vl_bag_size(inputs, "width"),
        .heads = vl_bag_size(inputs, "heads"),
        .ff = vl_bag_size(inputs, "ff"),
        .vocabulary = vl_bag_size(inputs, "vocabulary"),
        .sequence = vl_bag_size(inputs, "sequence"),
    };
}

size_t vl_maker_small_shape(struct vl_maker *maker)
{
    size_t heads = vl_maker_size(maker, "heads", vl_maker_between(maker, 2, 3));
    vl_maker_size(maker, "width", heads * 6);
    vl_maker_size(maker, "ff", 2 * vl_maker_prime(maker, 3));
    vl_maker_size(maker, "vocabulary", 10 + vl_maker_prime(maker, 0));
    vl_maker_size(maker, "sequence", vl_maker_prime(maker, 3));
    return vl_maker_size(maker, "rows_per_micro", vl_maker_between(maker, 1, 2));
}

void vl_maker_transformer(struct vl_maker *maker, size_t rows)
{
    struct vl_oracle_shape shape = vl_shape_read(maker->bag);
    size_t count;
    vl_maker_below(maker, "tokens", rows, shape.sequence, shape.vocabulary);
    vl_maker_below(maker, "targets", rows, shape.sequence, shape.vocabulary);
    struct vl_oracle_tensor *tensors = vl_oracle_layout(&count, &shape);
    maker->failed |= !tensors;
    for (size_t i = 0; tensors && i < count; i++) {
        float *w = vl_maker_normal(maker, tensors[i].name, tensors[i].rows, tensors[i].cols, 0.2f);
        for (size_t j = 0; w && tensors[i].rows == 1 && j < tensors[i].cols; j++)
            w[j] += 1;
    }
    free(tensors);
}

enum vl_status vl_transformer_read(struct vl_oracle_transformer *model, const struct vl_bag *inputs)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    enum vl_status status = vl_oracle_transformer_create(model, &shape);
    for (size_t i = 0; status == VL_OK && i < model->tensor_count; i++) {
        const struct vl_oracle_tensor *t = &model->tensors[i];
        const float *w = vl_bag_f32(inputs, t->name);
        for (size_t j = 0; j < t->rows * t->cols; j++)
            model->weights[t->offset + j] = (double)w[j];
    }
    return status;
}

enum vl_status vl_transformer_pass(double *loss, struct vl_oracle_transformer *model,
                                   const struct vl_bag *inputs)
{
    size_t rows = vl_bag_size(inputs, "rows_per_micro") * vl_bag_size(inputs, "micro_batches");
    enum vl_status status = vl_transformer_read(model, inputs);
    if (status != VL_OK)
        return status;
    status = vl_oracle_transformer_loss(loss, model, vl_bag_i32(inputs, "tokens"),
                                        vl_bag_i32(inputs, "targets"), rows,
                                        1 / ((double)rows * (double)model->shape.sequence), 1);
    if (status != VL_OK)
        vl_oracle_transformer_free(model);
    return status;
}

double vl_answer_gradients(struct vl_scope *scope)
{
    struct vl_oracle_transformer model;
    double loss = 0;
    if (vl_transformer_pass(&loss, &model, scope->inputs) != VL_OK) {
        scope->failed = 1;
        return loss;
    }
    for (size_t i = 0; i < model.tensor_count; i++) {
        const struct vl_oracle_tensor *t = &model.tensors[i];
        double *d = vl_scope_out(scope, t->name, t->rows, t->cols, 0);
        if (d)
            memcpy(d, model.gradients + t->offset, t->rows * t->cols * sizeof *d);
    }
    vl_oracle_transformer_free(&model);
    return loss;
}

double vl_toy_loss(double *gradients, const struct vl_bag *wide, size_t micro_batch)
{
    size_t count = vl_bag_size(wide, "count");
    const double *a = vl_bag_f64(wide, "a") + micro_batch * count;
    const double *t = vl_bag_f64(wide, "t") + micro_batch * count;
    const double *w = vl_bag_f64(wide, "weights");
    double loss = 0;
    for (size_t i = 0; i < count; i++) {
        loss += 0.5 * a[i] * (w[i] - t[i]) * (w[i] - t[i]);
        gradients[i] += a[i] * (w[i] - t[i]);
    }
    return loss;
}

void vl_toy_update(double *weights, double *m, double *v, const double *gradients,
                   const struct vl_bag *inputs, double scale)
{
    size_t matrix = vl_bag_size(inputs, "rows") * vl_bag_size(inputs, "cols");
    size_t first[] = {0, matrix, matrix + vl_bag_size(inputs, "cols")};
    size_t sizes[] = {matrix, vl_bag_size(inputs, "cols"), matrix};
    for (size_t i = 0; i < 3; i++) {
        struct vl_oracle_adamw own = vl_settings_read(inputs);
        if (i == 1)
            own.weight_decay = 0;
        vl_oracle_adamw(weights + first[i], m + first[i], v + first[i], gradients + first[i], scale,
                        &own, (uint64_t)vl_bag_int(inputs, "step"), sizes[i]);
    }
}
