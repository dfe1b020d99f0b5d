/*
 * What lab 01's kernels must give, from the oracle.
 */
#include "grade/catalogue/scope.h"
#include "grade/labs/01_training_step/training_step.h"
#include "oracle/kernels.h"

#include <math.h>

VL_TRUTH(linear_forward)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t n = vl_scope_size(&s, "n"), width = vl_scope_size(&s, "in"),
           rows = vl_scope_size(&s, "out");
    double *y = vl_scope_out(&s, "y", n, rows, 0);
    if (!s.failed)
        vl_oracle_linear(y, vl_scope_in(&s, "x"), vl_scope_in(&s, "w"), n, width, rows);
    return vl_scope_end(&s);
}

VL_TRUTH(linear_backward_input)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t n = vl_scope_size(&s, "n"), width = vl_scope_size(&s, "in"),
           rows = vl_scope_size(&s, "out");
    if (vl_scope_size(&s, "null"))
        return vl_scope_refuse(&s, VL_EINVAL);
    double *dx = vl_scope_out(&s, "dx", n, width, 0);
    if (!s.failed)
        vl_oracle_linear_input(dx, vl_scope_in(&s, "dy"), vl_scope_in(&s, "w"), n, width, rows);
    return vl_scope_end(&s);
}

VL_TRUTH(linear_backward_weight)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t n = vl_scope_size(&s, "n"), width = vl_scope_size(&s, "in"),
           rows = vl_scope_size(&s, "out");
    double *dw = vl_scope_out(&s, "dw", rows, width, 1);
    if (!s.failed)
        vl_oracle_linear_weight(dw, vl_scope_in(&s, "dy"), vl_scope_in(&s, "x"), n, width, rows);
    return vl_scope_end(&s);
}

static int outside(const struct vl_bag *inputs, const char *name)
{
    const struct vl_tensor_entry *entry = vl_bag_find(inputs, name);
    int64_t limit = vl_bag_int(inputs, "vocabulary");
    const int32_t *values = vl_bag_i32(inputs, name);
    for (size_t i = 0; i < entry->count; i++)
        if (values[i] < 0 || values[i] >= limit)
            return 1;
    return 0;
}

VL_TRUTH(embedding_forward)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t n = vl_scope_size(&s, "n"), width = vl_scope_size(&s, "width");
    if (s.failed || outside(inputs, "tokens"))
        return vl_scope_refuse(&s, VL_EINVAL);
    double *x = vl_scope_out(&s, "x", n, width, 0);
    if (!s.failed)
        vl_oracle_embedding(x, vl_scope_in(&s, "table"), vl_bag_i32(inputs, "tokens"), n, width);
    return vl_scope_end(&s);
}

VL_TRUTH(embedding_backward_weight)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t n = vl_scope_size(&s, "n"), width = vl_scope_size(&s, "width");
    double *dtable = vl_scope_out(&s, "dtable", vl_scope_size(&s, "vocabulary"), width, 1);
    if (!s.failed)
        vl_oracle_embedding_weight(dtable, vl_scope_in(&s, "dx"), vl_bag_i32(inputs, "tokens"), n,
                                   width);
    return vl_scope_end(&s);
}

VL_TRUTH(rotary_table)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t sequence = vl_scope_size(&s, "sequence"), width = vl_scope_size(&s, "head_width");
    if (width % 2 == 1)
        return vl_scope_refuse(&s, VL_EINVAL);
    double *table = vl_scope_out(&s, "table", sequence, width, 0);
    if (!s.failed)
        vl_oracle_rotary_table(table, sequence, width);
    return vl_scope_end(&s);
}

static enum vl_status rotary(struct vl_bag *expected, const struct vl_bag *inputs, const char *name,
                             double direction)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t batch = vl_scope_size(&s, "batch"), sequence = vl_scope_size(&s, "sequence"),
           heads = vl_scope_size(&s, "heads"), width = vl_scope_size(&s, "head_width");
    double *qkv = vl_scope_out(&s, name, batch * sequence, 3 * heads * width, 1);
    if (!s.failed)
        vl_oracle_rotary(qkv, vl_scope_in(&s, "table"), direction, batch, sequence, heads, width);
    return vl_scope_end(&s);
}

VL_TRUTH(rotary_forward)
{
    return rotary(expected, inputs, "qkv", 1);
}

VL_TRUTH(rotary_backward_input)
{
    return rotary(expected, inputs, "dqkv", -1);
}

VL_TRUTH(rmsnorm_forward)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t n = vl_scope_size(&s, "n"), d = vl_scope_size(&s, "d");
    double *y = vl_scope_out(&s, "y", n, d, 0), *inv = vl_scope_out(&s, "inv_rms", n, 1, 0);
    if (!s.failed)
        vl_oracle_rmsnorm(y, inv, vl_scope_in(&s, "x"), vl_scope_in(&s, "gain"), (double)1e-5f, n,
                          d);
    return vl_scope_end(&s);
}

VL_TRUTH(rmsnorm_backward_input)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t n = vl_scope_size(&s, "n"), d = vl_scope_size(&s, "d");
    double *dx = vl_scope_out(&s, "dx", n, d, 0);
    if (!s.failed)
        vl_oracle_rmsnorm_input(dx, vl_scope_in(&s, "dy"), vl_scope_in(&s, "x"),
                                vl_scope_in(&s, "gain"), vl_scope_in(&s, "saved_inv_rms"), n, d);
    return vl_scope_end(&s);
}

VL_TRUTH(rmsnorm_backward_weight)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t n = vl_scope_size(&s, "n"), d = vl_scope_size(&s, "d");
    double *dgain = vl_scope_out(&s, "dgain", 1, d, 1);
    if (!s.failed)
        vl_oracle_rmsnorm_weight(dgain, vl_scope_in(&s, "dy"), vl_scope_in(&s, "x"),
                                 vl_scope_in(&s, "saved_inv_rms"), n, d);
    return vl_scope_end(&s);
}

VL_TRUTH(swiglu_forward)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t n = vl_scope_size(&s, "n"), ff = vl_scope_size(&s, "ff");
    double *y = vl_scope_out(&s, "out", n, ff, 0);
    if (!s.failed)
        vl_oracle_swiglu(y, vl_scope_in(&s, "gate_up"), n, ff);
    return vl_scope_end(&s);
}

VL_TRUTH(swiglu_backward_input)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t n = vl_scope_size(&s, "n"), ff = vl_scope_size(&s, "ff");
    double *dgate_up = vl_scope_out(&s, "dgate_up", n, 2 * ff, 0);
    if (!s.failed)
        vl_oracle_swiglu_input(dgate_up, vl_scope_in(&s, "dout"), vl_scope_in(&s, "gate_up"), n,
                               ff);
    return vl_scope_end(&s);
}

VL_TRUTH(cross_entropy_forward)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t n = vl_scope_size(&s, "n"), v = vl_scope_size(&s, "vocabulary");
    if (s.failed || outside(inputs, "targets"))
        return vl_scope_refuse(&s, VL_EINVAL);
    double *losses = vl_scope_out(&s, "losses", n, 1, 0),
           *probs = vl_scope_out(&s, "probs", n, v, 0);
    if (!s.failed)
        vl_oracle_cross_entropy(losses, probs, vl_scope_in(&s, "logits"),
                                vl_bag_i32(inputs, "targets"), n, v);
    return vl_scope_end(&s);
}

VL_TRUTH(cross_entropy_backward_input)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t n = vl_scope_size(&s, "n"), v = vl_scope_size(&s, "vocabulary");
    if (s.failed || outside(inputs, "targets"))
        return vl_scope_refuse(&s, VL_EINVAL);
    double *dlogits = vl_scope_out(&s, "dlogits", n, v, 0);
    if (!s.failed)
        vl_oracle_cross_entropy_input(dlogits, vl_scope_in(&s, "saved_probs"),
                                      vl_bag_i32(inputs, "targets"),
                                      (double)(float)vl_bag_real(inputs, "scale"), n, v);
    return vl_scope_end(&s);
}

VL_TRUTH(attention_forward)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t b = vl_scope_size(&s, "batch"), t = vl_scope_size(&s, "sequence"),
           h = vl_scope_size(&s, "heads"), k = vl_scope_size(&s, "head_width");
    double *y = vl_scope_out(&s, "out", b * t, h * k, 0),
           *probs = vl_scope_out(&s, "probs", b * h * t, t, 0);
    if (s.failed)
        return vl_scope_end(&s);
    vl_oracle_attention(y, probs, vl_scope_in(&s, "qkv"), b, t, h, k);
    /* Right of the diagonal nothing is asked for: see compare.h. */
    for (size_t i = 0; i < b * h * t; i++)
        for (size_t j = i % t + 1; j < t; j++)
            probs[i * t + j] = NAN;
    return vl_scope_end(&s);
}

VL_TRUTH(attention_backward_input)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t b = vl_scope_size(&s, "batch"), t = vl_scope_size(&s, "sequence"),
           h = vl_scope_size(&s, "heads"), k = vl_scope_size(&s, "head_width");
    double *dqkv = vl_scope_out(&s, "dqkv", b * t, 3 * h * k, 0);
    if (!s.failed)
        vl_oracle_attention_input(dqkv, vl_scope_in(&s, "dout"), vl_scope_in(&s, "qkv"),
                                  vl_scope_in(&s, "saved_probs"), b, t, h, k);
    return vl_scope_end(&s);
}
