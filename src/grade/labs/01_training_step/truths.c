/*
 * What lab 01's functions must give, from the oracle.
 */
#include "grade/catalogue/scope.h"
#include "grade/labs/01_training_step/training_step.h"
#include "oracle/budget.h"
#include "oracle/kernels.h"

#include <math.h>

static enum vl_status answered(struct vl_bag *expected, const struct vl_bag *inputs,
                               void (*answer)(struct vl_scope *s))
{
    struct vl_scope scope = vl_scope_begin(expected, inputs);
    if (!scope.failed)
        answer(&scope);
    return vl_scope_end(&scope);
}

/* A truth worked out in a scope, which begins before the body that follows, and ends after it. */
#define TRUTH(name)                                                                                \
    static void name(struct vl_scope *s);                                                          \
    VL_TRUTH(name)                                                                                 \
    {                                                                                              \
        return answered(expected, inputs, name);                                                   \
    }                                                                                              \
    static void name(struct vl_scope *s)

/* In a truth: a size and an array of the inputs; arrays of the answer, one of which starts as the
 * input of its name. */
#define SIZE(name)              vl_scope_size(s, name)
#define IN(name)                vl_scope_in(s, name)
#define OUT(name, rows, cols)   vl_scope_out(s, name, rows, cols, 0)
#define ADDED(name, rows, cols) vl_scope_out(s, name, rows, cols, 1)

/* The contract asks for nothing but this refusal: no array. */
static double *refused(struct vl_scope *s, enum vl_status status)
{
    s->failed |= !vl_bag_set_int(s->answer, "status", status);
    return NULL;
}

static int is_outside_vocabulary(const struct vl_scope *s, const char *name)
{
    const struct vl_tensor_entry *entry = vl_bag_find(s->wide, name);
    int64_t limit = vl_bag_int(s->wide, "vocabulary");
    for (size_t i = 0; i < entry->count; i++)
        if (((const int32_t *)entry->data)[i] < 0 || ((const int32_t *)entry->data)[i] >= limit)
            return 1;
    return 0;
}

/* ---- kernels ---- */

TRUTH(linear_forward)
{
    size_t n = SIZE("n"), width = SIZE("in"), rows = SIZE("out");
    double *y = OUT("y", n, rows);
    if (!s->failed)
        vl_oracle_linear(y, IN("x"), IN("w"), n, width, rows);
}

TRUTH(linear_backward_input)
{
    size_t n = SIZE("n"), width = SIZE("in"), rows = SIZE("out");
    double *dx = SIZE("null") ? refused(s, VL_EINVAL) : OUT("dx", n, width);
    if (dx)
        vl_oracle_linear_input(dx, IN("dy"), IN("w"), n, width, rows);
}

TRUTH(linear_backward_weight)
{
    size_t n = SIZE("n"), width = SIZE("in"), rows = SIZE("out");
    double *dw = ADDED("dw", rows, width);
    if (!s->failed)
        vl_oracle_linear_weight(dw, IN("dy"), IN("x"), n, width, rows);
}

TRUTH(embedding_forward)
{
    size_t n = SIZE("n"), width = SIZE("width");
    double *x = is_outside_vocabulary(s, "tokens") ? refused(s, VL_EINVAL) : OUT("x", n, width);
    if (x)
        vl_oracle_embedding(x, IN("table"), vl_bag_i32(s->wide, "tokens"), n, width);
}

TRUTH(embedding_backward_weight)
{
    size_t n = SIZE("n"), width = SIZE("width");
    double *dtable = ADDED("dtable", SIZE("vocabulary"), width);
    if (!s->failed)
        vl_oracle_embedding_weight(dtable, IN("dx"), vl_bag_i32(s->wide, "tokens"), n, width);
}

TRUTH(rotary_table)
{
    size_t sequence = SIZE("sequence"), width = SIZE("head_width");
    double *table = width % 2 == 1 ? refused(s, VL_EINVAL) : OUT("table", sequence, width);
    if (table)
        vl_oracle_rotary_table(table, sequence, width);
}

static void rotate(struct vl_scope *s, const char *name, double direction)
{
    size_t batch = SIZE("batch"), sequence = SIZE("sequence"), heads = SIZE("heads"),
           width = SIZE("head_width");
    double *qkv = ADDED(name, batch * sequence, 3 * heads * width);
    if (qkv)
        vl_oracle_rotary(qkv, IN("table"), direction, batch, sequence, heads, width);
}

TRUTH(rotary_forward)
{
    rotate(s, "qkv", 1);
}

TRUTH(rotary_backward_input)
{
    rotate(s, "dqkv", -1);
}

TRUTH(rmsnorm_forward)
{
    size_t n = SIZE("n"), d = SIZE("d");
    double *y = OUT("y", n, d), *inv = OUT("inv_rms", n, 1);
    if (!s->failed)
        vl_oracle_rmsnorm(y, inv, IN("x"), IN("gain"), (double)1e-5f, n, d);
}

TRUTH(rmsnorm_backward_input)
{
    size_t n = SIZE("n"), d = SIZE("d");
    double *dx = OUT("dx", n, d);
    if (!s->failed)
        vl_oracle_rmsnorm_input(dx, IN("dy"), IN("x"), IN("gain"), IN("saved_inv_rms"), n, d);
}

TRUTH(rmsnorm_backward_weight)
{
    size_t n = SIZE("n"), d = SIZE("d");
    double *dgain = ADDED("dgain", 1, d);
    if (!s->failed)
        vl_oracle_rmsnorm_weight(dgain, IN("dy"), IN("x"), IN("saved_inv_rms"), n, d);
}

TRUTH(swiglu_forward)
{
    size_t n = SIZE("n"), ff = SIZE("ff");
    double *y = OUT("out", n, ff);
    if (!s->failed)
        vl_oracle_swiglu(y, IN("gate_up"), n, ff);
}

TRUTH(swiglu_backward_input)
{
    size_t n = SIZE("n"), ff = SIZE("ff");
    double *dgate_up = OUT("dgate_up", n, 2 * ff);
    if (!s->failed)
        vl_oracle_swiglu_input(dgate_up, IN("dout"), IN("gate_up"), n, ff);
}

TRUTH(cross_entropy_forward)
{
    size_t n = SIZE("n"), v = SIZE("vocabulary");
    double *losses =
        is_outside_vocabulary(s, "targets") ? refused(s, VL_EINVAL) : OUT("losses", n, 1);
    double *probs = losses ? OUT("probs", n, v) : NULL;
    if (probs)
        vl_oracle_cross_entropy(losses, probs, IN("logits"), vl_bag_i32(s->wide, "targets"), n, v);
}

TRUTH(cross_entropy_backward_input)
{
    size_t n = SIZE("n"), v = SIZE("vocabulary");
    double *dlogits =
        is_outside_vocabulary(s, "targets") ? refused(s, VL_EINVAL) : OUT("dlogits", n, v);
    if (dlogits)
        vl_oracle_cross_entropy_input(dlogits, IN("saved_probs"), vl_bag_i32(s->wide, "targets"),
                                      (double)(float)vl_scope_real(s, "scale"), n, v);
}

TRUTH(attention_forward)
{
    size_t b = SIZE("batch"), t = SIZE("sequence"), h = SIZE("heads"), k = SIZE("head_width");
    double *y = OUT("out", b * t, h * k), *probs = OUT("probs", b * h * t, t);
    if (s->failed)
        return;
    vl_oracle_attention(y, probs, IN("qkv"), b, t, h, k);
    /* Nothing is asked for right of the diagonal: see compare.h. */
    for (size_t i = 0; i < b * h * t; i++)
        for (size_t j = i % t + 1; j < t; j++)
            probs[i * t + j] = NAN;
}

TRUTH(attention_backward_input)
{
    size_t b = SIZE("batch"), t = SIZE("sequence"), h = SIZE("heads"), k = SIZE("head_width");
    double *dqkv = OUT("dqkv", b * t, 3 * h * k);
    if (!s->failed)
        vl_oracle_attention_input(dqkv, IN("dout"), IN("qkv"), IN("saved_probs"), b, t, h, k);
}

/* ---- the optimizer and the step ---- */

TRUTH(gradient_norm)
{
    double *norm = OUT("norm", 1, 1);
    if (!s->failed)
        *norm = vl_oracle_gradient_norm(IN("gradient"), SIZE("n"));
}

TRUTH(adamw_update)
{
    struct vl_oracle_adamw settings = vl_settings_read(s->wide);
    uint64_t step = SIZE("step");
    size_t n = SIZE("n");
    double *w = ADDED("weights", 1, n), *m = ADDED("m", 1, n), *v = ADDED("v", 1, n);
    if (step == 0)
        refused(s, VL_EINVAL);
    else if (!s->failed)
        vl_oracle_adamw(w, m, v, IN("gradient"), vl_scope_real(s, "gradient_scale"), &settings,
                        step, n);
}

TRUTH(training_step)
{
    size_t count = SIZE("count");
    double *w = ADDED("weights", 1, count), *m = ADDED("m", 1, count), *v = ADDED("v", 1, count);
    int fails = SIZE("fails_at") > 0;
    double *loss = fails ? refused(s, VL_ENOMEM) : OUT("loss", 1, 1);
    double *norm = loss ? OUT("gradient_norm", 1, 1) : NULL;
    double *gradients = vl_scope_work(s, "sum", count);
    if (s->failed || fails)
        return;
    for (size_t k = 0; k < SIZE("micro_batches"); k++)
        *loss += vl_toy_loss(gradients, s->wide, k);
    *norm = vl_oracle_gradient_norm(gradients, count);
    vl_toy_update(w, m, v, gradients, s->wide, vl_oracle_clip(*norm, vl_scope_real(s, "max_norm")));
}

/* ---- the budget ---- */

static void whole_number(struct vl_scope *s, const char *name, uint64_t value)
{
    s->failed |= !vl_bag_set_int(s->answer, name, (int64_t)value);
}

static void real_number(struct vl_scope *s, const char *name, double value)
{
    s->failed |= !vl_bag_set_real(s->answer, name, value);
}

/* All parameters of the shape in the inputs, and those that multiply. */
static uint64_t parameters(struct vl_scope *s, uint64_t *multiplying)
{
    uint64_t all = 0;
    struct vl_oracle_shape shape = vl_shape_read(s->wide);
    s->failed |= vl_oracle_parameter_count(&all, multiplying, &shape) != VL_OK;
    return all;
}

static double token_flops(struct vl_scope *s)
{
    double flops = 0;
    struct vl_oracle_shape shape = vl_shape_read(s->wide);
    s->failed |= vl_oracle_flops_per_token(&flops, &shape) != VL_OK;
    return flops;
}

TRUTH(parameter_count)
{
    uint64_t multiplying = 0;
    whole_number(s, "all", parameters(s, &multiplying));
    whole_number(s, "multiplying", multiplying);
}

TRUTH(flops_per_token)
{
    real_number(s, "flops", token_flops(s));
}

TRUTH(mfu)
{
    double rate = vl_scope_real(s, "tokens_per_second"), peak = vl_scope_real(s, "peak");
    if (peak > 0)
        real_number(s, "mfu", vl_oracle_mfu(rate, vl_scope_real(s, "flops_per_token"), peak));
    else
        refused(s, VL_EINVAL);
}

/* The three sealed numbers are compared one per case, so that each earns its own points. */
TRUTH(predict_parameters)
{
    uint64_t multiplying;
    whole_number(s, "parameters", parameters(s, &multiplying));
}

TRUTH(predict_state)
{
    uint64_t multiplying, arrays = 4; /* weights, gradients, m, v */
    whole_number(s, "state_bytes", arrays * sizeof(float) * parameters(s, &multiplying));
}

TRUTH(predict_flops)
{
    size_t tokens = SIZE("batch") * SIZE("sequence");
    real_number(s, "flops_per_step", token_flops(s) * (double)tokens);
}
