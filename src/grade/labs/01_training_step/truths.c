/*
 * What lab 01's functions must give, from the oracle.
 */
#include "grade/catalogue/scope.h"
#include "grade/labs/01_training_step/training_step.h"
#include "oracle/budget.h"
#include "oracle/kernels.h"

#include <math.h>
#include <stdbool.h>

/* In a truth: sizes, numbers and arrays of the inputs; arrays of the answer, which start as the
 * input of their name where they are ADDED to. */
#define SIZE(name)              vl_scope_size(s, name)
#define REAL(name)              vl_scope_real(s, name)
#define IN(name)                vl_scope_in(s, name)
#define INDEX(name)             vl_bag_i32(s->inputs, name)
#define OUT(name, rows, cols)   vl_scope_out(s, name, rows, cols, 0)
#define ADDED(name, rows, cols) vl_scope_out(s, name, rows, cols, 1)

/* Is one of these tokens or targets outside the vocabulary? Then the answer is a refusal. */
static bool has_bad_index(struct vl_scope *s, const char *name, size_t n)
{
    const int32_t *index = INDEX(name);
    int64_t limit = vl_bag_int(s->inputs, "vocabulary");
    bool bad = false;
    for (size_t i = 0; i < n; i++)
        bad |= index[i] < 0 || index[i] >= limit;
    return vl_scope_refused(s, bad, VL_EINVAL);
}

/* ---- kernels ---- */

VL_SCOPED_TRUTH(linear_forward)
{
    size_t n = SIZE("n"), width = SIZE("in"), rows = SIZE("out");
    double *y = OUT("y", n, rows);
    if (!s->failed)
        vl_oracle_linear(y, IN("x"), IN("w"), n, width, rows);
}

VL_SCOPED_TRUTH(linear_backward_input)
{
    size_t n = SIZE("n"), width = SIZE("in"), rows = SIZE("out");
    double *dx = vl_scope_refused(s, SIZE("null") > 0, VL_EINVAL) ? NULL : OUT("dx", n, width);
    if (dx)
        vl_oracle_linear_input(dx, IN("dy"), IN("w"), n, width, rows);
}

VL_SCOPED_TRUTH(linear_backward_weight)
{
    size_t n = SIZE("n"), width = SIZE("in"), rows = SIZE("out");
    double *dw = vl_scope_refused(s, SIZE("null") > 0, VL_EINVAL) ? NULL : ADDED("dw", rows, width);
    if (dw)
        vl_oracle_linear_weight(dw, IN("dy"), IN("x"), n, width, rows);
}

VL_SCOPED_TRUTH(embedding_forward)
{
    size_t n = SIZE("n"), width = SIZE("width");
    double *x = has_bad_index(s, "tokens", n) ? NULL : OUT("x", n, width);
    if (x)
        vl_oracle_embedding(x, IN("table"), INDEX("tokens"), n, width);
}

VL_SCOPED_TRUTH(embedding_backward_weight)
{
    size_t n = SIZE("n"), width = SIZE("width");
    double *dtable = ADDED("dtable", SIZE("vocabulary"), width);
    if (!s->failed)
        vl_oracle_embedding_weight(dtable, IN("dx"), INDEX("tokens"), n, width);
}

VL_SCOPED_TRUTH(rotary_table)
{
    size_t sequence = SIZE("sequence"), width = SIZE("head_width");
    double *table =
        vl_scope_refused(s, width % 2 == 1, VL_EINVAL) ? NULL : OUT("table", sequence, width);
    if (table)
        vl_oracle_rotary_table(table, sequence, width);
}

static void rotate(struct vl_scope *s, const char *name, double direction)
{
    size_t b = SIZE("batch"), t = SIZE("sequence"), h = SIZE("heads"), k = SIZE("head_width");
    double *qkv = ADDED(name, b * t, 3 * h * k);
    if (qkv)
        vl_oracle_rotary(qkv, IN("table"), direction, b, t, h, k);
}

VL_SCOPED_TRUTH(rotary_forward)
{
    rotate(s, "qkv", 1);
}

VL_SCOPED_TRUTH(rotary_backward_input)
{
    rotate(s, "dqkv", -1);
}

VL_SCOPED_TRUTH(rmsnorm_forward)
{
    size_t n = SIZE("n"), d = SIZE("d");
    double *y = OUT("y", n, d), *inv = OUT("inv_rms", n, 1);
    if (!s->failed)
        vl_oracle_rmsnorm(y, inv, IN("x"), IN("gain"), (double)1e-5f, n, d);
}

VL_SCOPED_TRUTH(rmsnorm_backward_input)
{
    size_t n = SIZE("n"), d = SIZE("d");
    double *dx = OUT("dx", n, d);
    if (!s->failed)
        vl_oracle_rmsnorm_input(dx, IN("dy"), IN("x"), IN("gain"), IN("saved_inv_rms"), n, d);
}

VL_SCOPED_TRUTH(rmsnorm_backward_weight)
{
    size_t n = SIZE("n"), d = SIZE("d");
    double *dgain = ADDED("dgain", 1, d);
    if (!s->failed)
        vl_oracle_rmsnorm_weight(dgain, IN("dy"), IN("x"), IN("saved_inv_rms"), n, d);
}

VL_SCOPED_TRUTH(swiglu_forward)
{
    size_t n = SIZE("n"), ff = SIZE("ff");
    double *y = OUT("out", n, ff);
    if (!s->failed)
        vl_oracle_swiglu(y, IN("gate_up"), n, ff);
}

VL_SCOPED_TRUTH(swiglu_backward_input)
{
    size_t n = SIZE("n"), ff = SIZE("ff");
    double *dgate_up = OUT("dgate_up", n, 2 * ff);
    if (!s->failed)
        vl_oracle_swiglu_input(dgate_up, IN("dout"), IN("gate_up"), n, ff);
}

VL_SCOPED_TRUTH(cross_entropy_forward)
{
    size_t n = SIZE("n"), v = SIZE("vocabulary");
    if (has_bad_index(s, "targets", n))
        return;
    double *losses = OUT("losses", n, 1), *probs = OUT("probs", n, v);
    if (!s->failed)
        vl_oracle_cross_entropy(losses, probs, IN("logits"), INDEX("targets"), n, v);
}

VL_SCOPED_TRUTH(cross_entropy_backward_input)
{
    size_t n = SIZE("n"), v = SIZE("vocabulary");
    double *dlogits = has_bad_index(s, "targets", n) ? NULL : OUT("dlogits", n, v);
    if (dlogits)
        vl_oracle_cross_entropy_input(dlogits, IN("saved_probs"), INDEX("targets"),
                                      (double)(float)REAL("scale"), n, v);
}

VL_SCOPED_TRUTH(attention_forward)
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

VL_SCOPED_TRUTH(attention_backward_input)
{
    size_t b = SIZE("batch"), t = SIZE("sequence"), h = SIZE("heads"), k = SIZE("head_width");
    double *dqkv = OUT("dqkv", b * t, 3 * h * k);
    if (!s->failed)
        vl_oracle_attention_input(dqkv, IN("dout"), IN("qkv"), IN("saved_probs"), b, t, h, k);
}

/* ---- the optimizer and the step ---- */

VL_SCOPED_TRUTH(gradient_norm)
{
    vl_scope_give_real(s, "norm", vl_oracle_gradient_norm(IN("gradient"), SIZE("n")));
}

VL_SCOPED_TRUTH(adamw_update)
{
    struct vl_oracle_adamw settings = vl_settings_read(s->wide);
    size_t n = SIZE("n"), step = SIZE("step");
    double *w = ADDED("weights", 1, n), *m = ADDED("m", 1, n), *v = ADDED("v", 1, n);
    if (!vl_scope_refused(s, step == 0, VL_EINVAL) && !s->failed)
        vl_oracle_adamw(w, m, v, IN("gradient"), REAL("gradient_scale"), &settings, step, n);
}

/* How many calls a learner gets: none after one that fails. In the first step that is in the micro-batch
 * that the inputs name, in the second step in the last one. */
static void answer_calls(struct vl_scope *s)
{
    const size_t last = SIZE("micro_batches"), forward = SIZE("fails_at");
    const size_t fails[] = {forward + SIZE("backward_fails_at"), last};
    int64_t *forwards = vl_scope_whole(s, "forwards", 1, 2);
    int64_t *backwards = vl_scope_whole(s, "backwards", 1, 2);
    for (size_t i = 0; !s->failed && i < 2; i++) {
        forwards[i] = (int64_t)fails[i];
        backwards[i] = (int64_t)fails[i] - (forward > 0);
    }
}

VL_SCOPED_TRUTH(training_step)
{
    size_t count = SIZE("count");
    double *w = ADDED("weights", 1, count), *m = ADDED("m", 1, count), *v = ADDED("v", 1, count);
    double *gradients = vl_scope_work(s, "sum", count), loss = 0;
    size_t fails = SIZE("fails_at") + SIZE("backward_fails_at");
    if (fails > 0)
        answer_calls(s);
    if (vl_scope_refused(s, SIZE("step") == 0, VL_EINVAL) ||
        vl_scope_refused(s, fails > 0, VL_ENOMEM) || s->failed)
        return;
    for (size_t k = 0; k < SIZE("micro_batches"); k++)
        loss += vl_toy_loss(gradients, s->wide, k);
    double norm = vl_oracle_gradient_norm(gradients, count);
    vl_toy_update(w, m, v, gradients, s->wide, vl_oracle_clip(norm, REAL("max_norm")));
    vl_scope_give_real(s, "loss", loss);
    vl_scope_give_real(s, "gradient_norm", norm);
}

/* ---- the budget ---- */

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

VL_SCOPED_TRUTH(parameter_count)
{
    uint64_t multiplying = 0;
    vl_scope_give_int(s, "all", parameters(s, &multiplying));
    vl_scope_give_int(s, "multiplying", multiplying);
}

VL_SCOPED_TRUTH(flops_per_token)
{
    vl_scope_give_real(s, "flops", token_flops(s));
}

VL_SCOPED_TRUTH(mfu)
{
    double rate = REAL("tokens_per_second"), peak = REAL("peak");
    if (!vl_scope_bad(s))
        vl_scope_give_real(s, "mfu", vl_oracle_mfu(rate, REAL("flops_per_token"), peak));
}

/* The three sealed numbers are compared one per case, so that each earns its own points. */
VL_SCOPED_TRUTH(predict_parameters)
{
    uint64_t multiplying;
    vl_scope_give_int(s, "parameters", parameters(s, &multiplying));
}

VL_SCOPED_TRUTH(predict_state)
{
    uint64_t multiplying, arrays = 4; /* weights, gradients, m, v */
    vl_scope_give_int(s, "state_bytes", arrays * sizeof(float) * parameters(s, &multiplying));
}

VL_SCOPED_TRUTH(predict_flops)
{
    size_t tokens = SIZE("batch") * SIZE("sequence");
    vl_scope_give_real(s, "flops_per_step", token_flops(s) * (double)tokens);
}
