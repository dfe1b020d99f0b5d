/*
 * Calls of lab 01: unpack the inputs, call, leave the outputs in the bag.
 *
 * The names and switches of the inputs are described in training_step.h.
 */
#include "runner/arrays.h"
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

#include <math.h>
#include <string.h>

#define CALL(name)                                                                                 \
    static enum vl_status call_##name(struct vl_bag *outputs, const struct vl_bag *inputs)

/* In a call: sizes, numbers and arrays of the inputs, and outputs as they are before it. */
#define SIZE(name)                vl_input_size(inputs, name)
#define REAL(name)                vl_bag_real(inputs, name)
#define IN(name)                  vl_bag_f32(inputs, name)
#define INDEX(name)               vl_bag_i32(inputs, name)
#define WRITTEN(name, rows, cols) vl_overwritten_output(outputs, inputs, name, rows, cols)
#define ADDED(name, rows, cols)   vl_added_output(outputs, inputs, name, rows, cols)

CALL(linear_forward)
{
    size_t n = SIZE("n"), width = SIZE("in"), rows = SIZE("out");
    float *y = WRITTEN("y", n, rows);
    return y ? vl_linear_forward(y, IN("x"), IN("w"), n, width, rows) : VL_EINTERNAL;
}

/* An array without elements may be NULL, so here it is. */
static const float *held(const float *array, size_t count)
{
    return count > 0 ? array : NULL;
}

CALL(linear_backward_input)
{
    size_t n = SIZE("n"), width = SIZE("in"), rows = SIZE("out");
    float *dx = WRITTEN("dx", n, width);
    const float *dy = held(IN("dy"), n * rows), *w = held(IN("w"), rows * width);
    if (!dx)
        return VL_EINTERNAL;
    if (SIZE("null"))
        return vl_first_unrefused(
            outputs, {"dx = NULL", vl_linear_backward_input(NULL, dy, w, n, width, rows)},
            {"dy = NULL", vl_linear_backward_input(dx, NULL, w, n, width, rows)},
            {"w = NULL", vl_linear_backward_input(dx, dy, NULL, n, width, rows)});
    return vl_linear_backward_input(n > 0 ? dx : NULL, dy, w, n, width, rows);
}

CALL(linear_backward_weight)
{
    size_t n = SIZE("n"), width = SIZE("in"), rows = SIZE("out");
    float *dw = ADDED("dw", rows, width);
    const float *dy = held(IN("dy"), n * rows), *x = held(IN("x"), n * width);
    if (!dw)
        return VL_EINTERNAL;
    if (SIZE("null"))
        return vl_first_unrefused(
            outputs, {"dw = NULL", vl_linear_backward_weight(NULL, dy, x, n, width, rows)},
            {"dy = NULL", vl_linear_backward_weight(dw, NULL, x, n, width, rows)},
            {"x = NULL", vl_linear_backward_weight(dw, dy, NULL, n, width, rows)});
    return vl_linear_backward_weight(dw, dy, x, n, width, rows);
}

CALL(embedding_forward)
{
    size_t n = SIZE("n"), width = SIZE("width");
    float *x = WRITTEN("x", n, width);
    return x ? vl_embedding_forward(x, IN("table"), INDEX("tokens"), n, width, SIZE("vocabulary"))
             : VL_EINTERNAL;
}

CALL(embedding_backward_weight)
{
    size_t n = SIZE("n"), width = SIZE("width"), v = SIZE("vocabulary");
    float *dtable = ADDED("dtable", v, width);
    return dtable ? vl_embedding_backward_weight(dtable, IN("dx"), INDEX("tokens"), n, width, v)
                  : VL_EINTERNAL;
}

CALL(rotary_table)
{
    size_t sequence = SIZE("sequence"), width = SIZE("head_width");
    float *table = vl_bag_add_f32(outputs, "table", sequence, width);
    if (!table)
        return VL_EINTERNAL;
    vl_bag_poison(outputs, "table"); /* the inputs' "table" is for the rotations */
    return vl_rotary_table(table, sequence, width);
}

CALL(rotary_forward)
{
    size_t b = SIZE("batch"), t = SIZE("sequence"), h = SIZE("heads"), k = SIZE("head_width");
    float *qkv = ADDED("qkv", b * t, 3 * h * k);
    return qkv ? vl_rotary_forward(qkv, IN("table"), b, t, h, k) : VL_EINTERNAL;
}

CALL(rotary_backward_input)
{
    size_t b = SIZE("batch"), t = SIZE("sequence"), h = SIZE("heads"), k = SIZE("head_width");
    float *dqkv = ADDED("dqkv", b * t, 3 * h * k);
    return dqkv ? vl_rotary_backward_input(dqkv, IN("table"), b, t, h, k) : VL_EINTERNAL;
}

CALL(rmsnorm_forward)
{
    size_t n = SIZE("n"), d = SIZE("d");
    float *y = WRITTEN("y", n, d), *inv = WRITTEN("inv_rms", n, 1);
    return y && inv ? vl_rmsnorm_forward(y, inv, IN("x"), IN("gain"), n, d) : VL_EINTERNAL;
}

CALL(rmsnorm_backward_input)
{
    size_t n = SIZE("n"), d = SIZE("d");
    float *dx = WRITTEN("dx", n, d);
    return dx ? vl_rmsnorm_backward_input(dx, IN("dy"), IN("x"), IN("gain"), IN("saved_inv_rms"), n,
                                          d)
              : VL_EINTERNAL;
}

CALL(rmsnorm_backward_weight)
{
    size_t n = SIZE("n"), d = SIZE("d");
    float *dgain = ADDED("dgain", 1, d);
    return dgain ? vl_rmsnorm_backward_weight(dgain, IN("dy"), IN("x"), IN("saved_inv_rms"), n, d)
                 : VL_EINTERNAL;
}

CALL(swiglu_forward)
{
    size_t n = SIZE("n"), ff = SIZE("ff");
    float *y = WRITTEN("out", n, ff);
    return y ? vl_swiglu_forward(y, IN("gate_up"), n, ff) : VL_EINTERNAL;
}

CALL(swiglu_backward_input)
{
    size_t n = SIZE("n"), ff = SIZE("ff");
    float *dgate_up = WRITTEN("dgate_up", n, 2 * ff);
    return dgate_up ? vl_swiglu_backward_input(dgate_up, IN("dout"), IN("gate_up"), n, ff)
                    : VL_EINTERNAL;
}

/* An input of n numbers; for a case in place, copied to the output's memory. */
static const float *in_or_in_place(const struct vl_bag *inputs, const char *name, float *output,
                                   size_t n)
{
    return SIZE("in_place") ? memcpy(output, IN(name), n * sizeof *output) : IN(name);
}

CALL(cross_entropy_forward)
{
    size_t n = SIZE("n"), v = SIZE("vocabulary");
    float *losses = WRITTEN("losses", n, 1);
    float *probs = WRITTEN("probs", n, v);
    if (!losses || !probs)
        return VL_EINTERNAL;
    const float *logits = in_or_in_place(inputs, "logits", probs, n * v);
    const int32_t *targets = INDEX("targets"), *negative = INDEX("negative_targets");
    if (negative)
        return vl_first_unrefused(
            outputs,
            {"targets[i] = V", vl_cross_entropy_forward(losses, probs, logits, targets, n, v)},
            {"targets[i] = -1", vl_cross_entropy_forward(losses, probs, logits, negative, n, v)});
    return vl_cross_entropy_forward(losses, probs, logits, targets, n, v);
}

CALL(cross_entropy_backward_input)
{
    size_t n = SIZE("n"), v = SIZE("vocabulary");
    float *dlogits = WRITTEN("dlogits", n, v);
    if (!dlogits)
        return VL_EINTERNAL;
    const float *probs = in_or_in_place(inputs, "saved_probs", dlogits, n * v);
    const int32_t *targets = INDEX("targets"), *negative = INDEX("negative_targets");
    const float scale = (float)REAL("scale");
    if (negative)
        return vl_first_unrefused(
            outputs,
            {"targets[i] = V",
             vl_cross_entropy_backward_input(dlogits, probs, targets, scale, n, v)},
            {"targets[i] = -1",
             vl_cross_entropy_backward_input(dlogits, probs, negative, scale, n, v)});
    return vl_cross_entropy_backward_input(dlogits, probs, targets, scale, n, v);
}

CALL(attention_forward)
{
    size_t b = SIZE("batch"), t = SIZE("sequence"), h = SIZE("heads"), k = SIZE("head_width");
    float *y = WRITTEN("out", b * t, h * k);
    float *probs = WRITTEN("probs", b * h * t, t);
    return y && probs ? vl_attention_forward(y, probs, IN("qkv"), b, t, h, k) : VL_EINTERNAL;
}

CALL(attention_backward_input)
{
    size_t b = SIZE("batch"), t = SIZE("sequence"), h = SIZE("heads"), k = SIZE("head_width");
    float *dqkv = WRITTEN("dqkv", b * t, 3 * h * k);
    float *scratch = WRITTEN("scratch", t, t);
    return dqkv && scratch ? vl_attention_backward_input(dqkv, scratch, IN("dout"), IN("qkv"),
                                                         IN("saved_probs"), b, t, h, k)
                           : VL_EINTERNAL;
}

CALL(gradient_norm)
{
    double *norm = vl_unwritten_real(outputs, "norm");
    return norm ? vl_gradient_norm(norm, IN("gradient"), SIZE("n")) : VL_EINTERNAL;
}

CALL(adamw_update)
{
    size_t n = SIZE("n");
    uint64_t step = (uint64_t)SIZE("step");
    struct vl_adamw settings = vl_settings(inputs);
    float *w = ADDED("weights", 1, n), *m = ADDED("m", 1, n), *v = ADDED("v", 1, n);
    const float *gradient = IN("gradient"), scale = (float)REAL("gradient_scale");
    if (!w || !m || !v)
        return VL_EINTERNAL;
    if (step == 0) /* refused, however many elements there are */
        return vl_first_unrefused(
            outputs, {"step = 0", vl_adamw_update(w, m, v, gradient, scale, &settings, step, n)},
            {"step = 0, n = 0", vl_adamw_update(w, m, v, gradient, scale, &settings, step, 0)});
    return vl_adamw_update(w, m, v, gradient, scale, &settings, step, n);
}

CALL(parameter_count)
{
    struct vl_shape shape = vl_shape_of(inputs);
    uint64_t *all = (uint64_t *)vl_whole_output(outputs, "all", 1);
    uint64_t *multiplying = (uint64_t *)vl_whole_output(outputs, "multiplying", 1);
    return all && multiplying ? vl_parameter_count(all, multiplying, &shape) : VL_EINTERNAL;
}

CALL(flops_per_token)
{
    struct vl_shape shape = vl_shape_of(inputs);
    double *flops = vl_unwritten_real(outputs, "flops");
    return flops ? vl_flops_per_token(flops, &shape) : VL_EINTERNAL;
}

CALL(mfu)
{
    double *mfu = vl_unwritten_real(outputs, "mfu");
    double rate = REAL("tokens_per_second"), flops = REAL("flops_per_token"), peak = REAL("peak");
    if (!mfu)
        return VL_EINTERNAL;
    if (SIZE("bad"))
        return vl_first_unrefused(outputs, {"peak = 0", vl_mfu(mfu, rate, flops, 0)},
                                  {"peak < 0", vl_mfu(mfu, rate, flops, -peak)},
                                  {"peak = NAN", vl_mfu(mfu, rate, flops, (double)NAN)});
    return vl_answered(outputs, vl_mfu(mfu, rate, flops, peak), 0);
}

CALL(predict_training)
{
    (void)inputs;
    struct vl_training_prediction prediction = {0, 0, 0};
    enum vl_status status = vl_predict_training(&prediction);
    status = vl_give_counts(outputs, status, {"parameters", prediction.parameters},
                            {"state_bytes", prediction.state_bytes});
    return vl_give_reals(outputs, status, {"flops_per_step", prediction.flops_per_step});
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
    {"vl_parameter_count", call_parameter_count},
    {"vl_flops_per_token", call_flops_per_token},
    {"vl_mfu", call_mfu},
    {"vl_predict_training", call_predict_training},
    {"vl_training_step", vl_call_training_step},
    {"ten_steps", vl_call_ten_steps},
    {NULL, NULL},
};
