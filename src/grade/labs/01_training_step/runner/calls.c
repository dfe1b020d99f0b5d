/*
 * Calls of lab 01's kernels: unpack, call, leave the outputs in the bag.
 *
 * Names and switches of the inputs are described in grade/training_step.h.
 */
#include "runner/call.h"
#include "runner/learner.h"

#include "vialata/adamw.h"
#include "vialata/attention.h"
#include "vialata/budget.h"
#include "vialata/cross_entropy.h"
#include "vialata/embedding.h"
#include "vialata/linear.h"
#include "vialata/rmsnorm.h"
#include "vialata/rotary.h"
#include "vialata/swiglu.h"

#include <string.h>

#define CALL(name)                                                                                 \
    static enum vl_status call_##name(struct vl_bag *outputs, const struct vl_bag *inputs)

static size_t size(const struct vl_bag *inputs, const char *name)
{
    return (size_t)vl_bag_int(inputs, name);
}

static const float *in(const struct vl_bag *inputs, const char *name)
{
    return vl_bag_f32(inputs, name);
}

/* What the inputs hold under 'name' stands in the output before the call. */
static int copy_preset(float *array, const struct vl_bag *inputs, const char *name, size_t count)
{
    const struct vl_tensor_entry *preset = vl_bag_find(inputs, name);
    if (!array || !preset || preset->dtype != VL_F32 || preset->count != count)
        return 0;
    if (count > 0)
        memcpy(array, preset->data, count * sizeof *array);
    return 1;
}

/* An output that is overwritten. */
static float *out(struct vl_bag *outputs, const struct vl_bag *inputs, const char *name,
                  size_t rows, size_t cols)
{
    float *array = vl_bag_add_f32(outputs, name, rows, cols);
    if (array && !copy_preset(array, inputs, name, rows * cols))
        vl_bag_poison(outputs, name);
    return array;
}

/* An output that is added to, or worked on in place. */
static float *sum(struct vl_bag *outputs, const struct vl_bag *inputs, const char *name,
                  size_t rows, size_t cols)
{
    float *array = vl_bag_add_f32(outputs, name, rows, cols);
    copy_preset(array, inputs, name, rows * cols);
    return array;
}

CALL(linear_forward)
{
    size_t n = size(inputs, "n"), width = size(inputs, "in"), rows = size(inputs, "out");
    float *y = out(outputs, inputs, "y", n, rows);
    return y ? vl_linear_forward(y, in(inputs, "x"), in(inputs, "w"), n, width, rows)
             : VL_EINTERNAL;
}

CALL(linear_backward_input)
{
    size_t n = size(inputs, "n"), width = size(inputs, "in"), rows = size(inputs, "out");
    float *dx = out(outputs, inputs, "dx", n, width);
    const float *dy = size(inputs, "null") ? NULL : in(inputs, "dy");
    return dx ? vl_linear_backward_input(dx, dy, in(inputs, "w"), n, width, rows) : VL_EINTERNAL;
}

CALL(linear_backward_weight)
{
    size_t n = size(inputs, "n"), width = size(inputs, "in"), rows = size(inputs, "out");
    float *dw = sum(outputs, inputs, "dw", rows, width);
    return dw ? vl_linear_backward_weight(dw, in(inputs, "dy"), in(inputs, "x"), n, width, rows)
              : VL_EINTERNAL;
}

CALL(embedding_forward)
{
    size_t n = size(inputs, "n"), width = size(inputs, "width");
    float *x = out(outputs, inputs, "x", n, width);
    return x ? vl_embedding_forward(x, in(inputs, "table"), vl_bag_i32(inputs, "tokens"), n, width,
                                    size(inputs, "vocabulary"))
             : VL_EINTERNAL;
}

CALL(embedding_backward_weight)
{
    size_t n = size(inputs, "n"), width = size(inputs, "width"), v = size(inputs, "vocabulary");
    float *dtable = sum(outputs, inputs, "dtable", v, width);
    return dtable ? vl_embedding_backward_weight(dtable, in(inputs, "dx"),
                                                 vl_bag_i32(inputs, "tokens"), n, width, v)
                  : VL_EINTERNAL;
}

CALL(rotary_table)
{
    size_t sequence = size(inputs, "sequence"), width = size(inputs, "head_width");
    float *table = vl_bag_add_f32(outputs, "table", sequence, width);
    if (!table)
        return VL_EINTERNAL;
    vl_bag_poison(outputs, "table"); /* "table" of the inputs is for the turns */
    return vl_rotary_table(table, sequence, width);
}

CALL(rotary_forward)
{
    size_t batch = size(inputs, "batch"), sequence = size(inputs, "sequence"),
           heads = size(inputs, "heads"), width = size(inputs, "head_width");
    float *qkv = sum(outputs, inputs, "qkv", batch * sequence, 3 * heads * width);
    return qkv ? vl_rotary_forward(qkv, in(inputs, "table"), batch, sequence, heads, width)
               : VL_EINTERNAL;
}

CALL(rotary_backward_input)
{
    size_t batch = size(inputs, "batch"), sequence = size(inputs, "sequence"),
           heads = size(inputs, "heads"), width = size(inputs, "head_width");
    float *dqkv = sum(outputs, inputs, "dqkv", batch * sequence, 3 * heads * width);
    return dqkv ? vl_rotary_backward_input(dqkv, in(inputs, "table"), batch, sequence, heads, width)
                : VL_EINTERNAL;
}

CALL(rmsnorm_forward)
{
    size_t n = size(inputs, "n"), d = size(inputs, "d");
    float *y = out(outputs, inputs, "y", n, d), *inv = out(outputs, inputs, "inv_rms", n, 1);
    return y && inv ? vl_rmsnorm_forward(y, inv, in(inputs, "x"), in(inputs, "gain"), n, d)
                    : VL_EINTERNAL;
}

CALL(rmsnorm_backward_input)
{
    size_t n = size(inputs, "n"), d = size(inputs, "d");
    float *dx = out(outputs, inputs, "dx", n, d);
    return dx ? vl_rmsnorm_backward_input(dx, in(inputs, "dy"), in(inputs, "x"), in(inputs, "gain"),
                                          in(inputs, "saved_inv_rms"), n, d)
              : VL_EINTERNAL;
}

CALL(rmsnorm_backward_weight)
{
    size_t n = size(inputs, "n"), d = size(inputs, "d");
    float *dgain = sum(outputs, inputs, "dgain", 1, d);
    return dgain ? vl_rmsnorm_backward_weight(dgain, in(inputs, "dy"), in(inputs, "x"),
                                              in(inputs, "saved_inv_rms"), n, d)
                 : VL_EINTERNAL;
}

CALL(swiglu_forward)
{
    size_t n = size(inputs, "n"), ff = size(inputs, "ff");
    float *y = out(outputs, inputs, "out", n, ff);
    return y ? vl_swiglu_forward(y, in(inputs, "gate_up"), n, ff) : VL_EINTERNAL;
}

CALL(swiglu_backward_input)
{
    size_t n = size(inputs, "n"), ff = size(inputs, "ff");
    float *dgate_up = out(outputs, inputs, "dgate_up", n, 2 * ff);
    return dgate_up ? vl_swiglu_backward_input(dgate_up, in(inputs, "dout"), in(inputs, "gate_up"),
                                               n, ff)
                    : VL_EINTERNAL;
}

CALL(cross_entropy_forward)
{
    size_t n = size(inputs, "n"), v = size(inputs, "vocabulary");
    float *losses = out(outputs, inputs, "losses", n, 1);
    float *probs = out(outputs, inputs, "probs", n, v);
    const float *logits = in(inputs, "logits");
    if (!losses || !probs || !logits)
        return VL_EINTERNAL;
    if (size(inputs, "in_place")) {
        memcpy(probs, logits, n * v * sizeof *probs);
        logits = probs;
    }
    return vl_cross_entropy_forward(losses, probs, logits, vl_bag_i32(inputs, "targets"), n, v);
}

CALL(cross_entropy_backward_input)
{
    size_t n = size(inputs, "n"), v = size(inputs, "vocabulary");
    float *dlogits = out(outputs, inputs, "dlogits", n, v);
    const float *probs = in(inputs, "saved_probs");
    if (!dlogits || !probs)
        return VL_EINTERNAL;
    if (size(inputs, "in_place")) {
        memcpy(dlogits, probs, n * v * sizeof *dlogits);
        probs = dlogits;
    }
    return vl_cross_entropy_backward_input(dlogits, probs, vl_bag_i32(inputs, "targets"),
                                           (float)vl_bag_real(inputs, "scale"), n, v);
}

CALL(attention_forward)
{
    size_t b = size(inputs, "batch"), t = size(inputs, "sequence"), h = size(inputs, "heads"),
           k = size(inputs, "head_width");
    float *y = out(outputs, inputs, "out", b * t, h * k);
    float *probs = out(outputs, inputs, "probs", b * h * t, t);
    return y && probs ? vl_attention_forward(y, probs, in(inputs, "qkv"), b, t, h, k)
                      : VL_EINTERNAL;
}

CALL(attention_backward_input)
{
    size_t b = size(inputs, "batch"), t = size(inputs, "sequence"), h = size(inputs, "heads"),
           k = size(inputs, "head_width");
    float *dqkv = out(outputs, inputs, "dqkv", b * t, 3 * h * k);
    float *scratch = out(outputs, inputs, "scratch", t, t);
    return dqkv && scratch
               ? vl_attention_backward_input(dqkv, scratch, in(inputs, "dout"), in(inputs, "qkv"),
                                             in(inputs, "saved_probs"), b, t, h, k)
               : VL_EINTERNAL;
}

CALL(gradient_norm)
{
    double *norm = vl_bag_add_f64(outputs, "norm", 1, 1);
    vl_bag_poison(outputs, "norm");
    return norm ? vl_gradient_norm(norm, in(inputs, "gradient"), size(inputs, "n")) : VL_EINTERNAL;
}

CALL(adamw_update)
{
    size_t n = size(inputs, "n");
    struct vl_adamw settings = vl_settings(inputs);
    float *w = sum(outputs, inputs, "weights", 1, n), *m = sum(outputs, inputs, "m", 1, n),
          *v = sum(outputs, inputs, "v", 1, n);
    return w && m && v ? vl_adamw_update(w, m, v, in(inputs, "gradient"),
                                         (float)vl_bag_real(inputs, "gradient_scale"), &settings,
                                         (uint64_t)size(inputs, "step"), n)
                       : VL_EINTERNAL;
}

/* A whole number as an output: poisoned, and never mistaken for a right one. */
static uint64_t *whole(struct vl_bag *outputs, const char *name)
{
    uint64_t *number = vl_bag_add(outputs, name, VL_I64, 1, (size_t[]){1});
    vl_bag_poison(outputs, name);
    return number;
}

static double *real(struct vl_bag *outputs, const char *name)
{
    double *number = vl_bag_add_f64(outputs, name, 1, 1);
    vl_bag_poison(outputs, name);
    return number;
}

CALL(parameter_count)
{
    struct vl_shape shape = vl_shape_of(inputs);
    uint64_t *all = whole(outputs, "all"), *multiplying = whole(outputs, "multiplying");
    return all && multiplying ? vl_parameter_count(all, multiplying, &shape) : VL_EINTERNAL;
}

CALL(flops_per_token)
{
    struct vl_shape shape = vl_shape_of(inputs);
    double *flops = real(outputs, "flops");
    return flops ? vl_flops_per_token(flops, &shape) : VL_EINTERNAL;
}

CALL(mfu)
{
    double *mfu = real(outputs, "mfu");
    return mfu ? vl_mfu(mfu, vl_bag_real(inputs, "tokens_per_second"),
                        vl_bag_real(inputs, "flops_per_token"), vl_bag_real(inputs, "peak"))
               : VL_EINTERNAL;
}

CALL(predict_training)
{
    (void)inputs;
    uint64_t *parameters = whole(outputs, "parameters"), *bytes = whole(outputs, "state_bytes");
    double *flops = real(outputs, "flops_per_step");
    struct vl_training_prediction prediction = {0, 0, 0};
    if (!parameters || !bytes || !flops)
        return VL_EINTERNAL;
    enum vl_status status = vl_predict_training(&prediction);
    *parameters = prediction.parameters;
    *bytes = prediction.state_bytes;
    *flops = prediction.flops_per_step;
    return status;
}

const struct vl_call vl_calls_training_step[] = {
    {"vl_linear_forward", call_linear_forward},
    {"vl_linear_backward_input", call_linear_backward_input},
    {"vl_linear_backward_weight", call_linear_backward_weight},
    {"vl_embedding_forward", call_embedding_forward},
    {"vl_embedding_backward_weight", call_embedding_backward_weight},
    {"vl_rotary_table", call_rotary_table},
    {"vl_rotary_forward", call_rotary_forward},
    {"vl_rotary_backward_input", call_rotary_backward_input},
    {"vl_rmsnorm_forward", call_rmsnorm_forward},
    {"vl_rmsnorm_backward_input", call_rmsnorm_backward_input},
    {"vl_rmsnorm_backward_weight", call_rmsnorm_backward_weight},
    {"vl_swiglu_forward", call_swiglu_forward},
    {"vl_swiglu_backward_input", call_swiglu_backward_input},
    {"vl_cross_entropy_forward", call_cross_entropy_forward},
    {"vl_cross_entropy_backward_input", call_cross_entropy_backward_input},
    {"vl_attention_forward", call_attention_forward},
    {"vl_attention_backward_input", call_attention_backward_input},
    {"vl_gradient_norm", call_gradient_norm},
    {"vl_adamw_update", call_adamw_update},
    {"vl_training_step", vl_call_training_step},
    {"vl_parameter_count", call_parameter_count},
    {"vl_flops_per_token", call_flops_per_token},
    {"vl_mfu", call_mfu},
    {"vl_predict_training", call_predict_training},
    {"ten_steps", vl_call_ten_steps},
    {NULL, NULL},
};
