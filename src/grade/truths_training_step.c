/*
 * What lab 01's kernels must give, from the oracle.
 */
#include "grade/maker.h"
#include "grade/training_step.h"
#include "oracle/kernels.h"

#include <math.h>
#include <string.h>

/* A truth works on widened inputs; size() and in() read them. */
struct scope {
    struct vl_bag *wide;
    struct vl_bag *expected;
    int failed;
};

static struct scope begin(struct vl_bag *expected, const struct vl_bag *inputs)
{
    struct scope s = {vl_bag_widened(inputs), expected, 0};
    s.failed = !s.wide;
    return s;
}

static enum vl_status end(struct scope *s)
{
    vl_bag_free(s->wide);
    return s->failed ? VL_ENOMEM : VL_OK;
}

static size_t size(const struct scope *s, const char *name)
{
    return vl_bag_size(s->wide, name);
}

static double *in(const struct scope *s, const char *name)
{
    return vl_bag_f64(s->wide, name);
}

/* An expected array; if the inputs hold one of this name, it starts as that (an addition). */
static double *out(struct scope *s, const char *name, size_t rows, size_t cols, int adds)
{
    double *array = vl_bag_add_f64(s->expected, name, rows, cols);
    double *before = adds ? in(s, name) : NULL;
    s->failed |= !array;
    if (array && before && rows * cols > 0)
        memcpy(array, before, rows * cols * sizeof *array);
    return array;
}

/* The case asks for nothing but this refusal. */
static enum vl_status refused(struct scope *s)
{
    s->failed |= !vl_bag_set_int(s->expected, "status", VL_EINVAL);
    return end(s);
}

VL_TRUTH(linear_forward)
{
    struct scope s = begin(expected, inputs);
    size_t n = size(&s, "n"), width = size(&s, "in"), rows = size(&s, "out");
    double *y = out(&s, "y", n, rows, 0);
    if (!s.failed)
        vl_oracle_linear(y, in(&s, "x"), in(&s, "w"), n, width, rows);
    return end(&s);
}

VL_TRUTH(linear_backward_input)
{
    struct scope s = begin(expected, inputs);
    size_t n = size(&s, "n"), width = size(&s, "in"), rows = size(&s, "out");
    if (size(&s, "null"))
        return refused(&s);
    double *dx = out(&s, "dx", n, width, 0);
    if (!s.failed)
        vl_oracle_linear_input(dx, in(&s, "dy"), in(&s, "w"), n, width, rows);
    return end(&s);
}

VL_TRUTH(linear_backward_weight)
{
    struct scope s = begin(expected, inputs);
    size_t n = size(&s, "n"), width = size(&s, "in"), rows = size(&s, "out");
    double *dw = out(&s, "dw", rows, width, 1);
    if (!s.failed)
        vl_oracle_linear_weight(dw, in(&s, "dy"), in(&s, "x"), n, width, rows);
    return end(&s);
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
    struct scope s = begin(expected, inputs);
    size_t n = size(&s, "n"), width = size(&s, "width");
    if (s.failed || outside(inputs, "tokens"))
        return refused(&s);
    double *x = out(&s, "x", n, width, 0);
    if (!s.failed)
        vl_oracle_embedding(x, in(&s, "table"), vl_bag_i32(inputs, "tokens"), n, width);
    return end(&s);
}

VL_TRUTH(embedding_backward_weight)
{
    struct scope s = begin(expected, inputs);
    size_t n = size(&s, "n"), width = size(&s, "width");
    double *dtable = out(&s, "dtable", size(&s, "vocabulary"), width, 1);
    if (!s.failed)
        vl_oracle_embedding_weight(dtable, in(&s, "dx"), vl_bag_i32(inputs, "tokens"), n, width);
    return end(&s);
}

VL_TRUTH(rotary_table)
{
    struct scope s = begin(expected, inputs);
    size_t sequence = size(&s, "sequence"), width = size(&s, "head_width");
    if (width % 2 == 1)
        return refused(&s);
    double *table = out(&s, "table", sequence, width, 0);
    if (!s.failed)
        vl_oracle_rotary_table(table, sequence, width);
    return end(&s);
}

static enum vl_status rotary(struct vl_bag *expected, const struct vl_bag *inputs, const char *name,
                             double direction)
{
    struct scope s = begin(expected, inputs);
    size_t batch = size(&s, "batch"), sequence = size(&s, "sequence"), heads = size(&s, "heads"),
           width = size(&s, "head_width");
    double *qkv = out(&s, name, batch * sequence, 3 * heads * width, 1);
    if (!s.failed)
        vl_oracle_rotary(qkv, in(&s, "table"), direction, batch, sequence, heads, width);
    return end(&s);
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
    struct scope s = begin(expected, inputs);
    size_t n = size(&s, "n"), d = size(&s, "d");
    double *y = out(&s, "y", n, d, 0), *inv = out(&s, "inv_rms", n, 1, 0);
    if (!s.failed)
        vl_oracle_rmsnorm(y, inv, in(&s, "x"), in(&s, "gain"), (double)1e-5f, n, d);
    return end(&s);
}

VL_TRUTH(rmsnorm_backward_input)
{
    struct scope s = begin(expected, inputs);
    size_t n = size(&s, "n"), d = size(&s, "d");
    double *dx = out(&s, "dx", n, d, 0);
    if (!s.failed)
        vl_oracle_rmsnorm_input(dx, in(&s, "dy"), in(&s, "x"), in(&s, "gain"),
                                in(&s, "saved_inv_rms"), n, d);
    return end(&s);
}

VL_TRUTH(rmsnorm_backward_weight)
{
    struct scope s = begin(expected, inputs);
    size_t n = size(&s, "n"), d = size(&s, "d");
    double *dgain = out(&s, "dgain", 1, d, 1);
    if (!s.failed)
        vl_oracle_rmsnorm_weight(dgain, in(&s, "dy"), in(&s, "x"), in(&s, "saved_inv_rms"), n, d);
    return end(&s);
}

VL_TRUTH(swiglu_forward)
{
    struct scope s = begin(expected, inputs);
    size_t n = size(&s, "n"), ff = size(&s, "ff");
    double *y = out(&s, "out", n, ff, 0);
    if (!s.failed)
        vl_oracle_swiglu(y, in(&s, "gate_up"), n, ff);
    return end(&s);
}

VL_TRUTH(swiglu_backward_input)
{
    struct scope s = begin(expected, inputs);
    size_t n = size(&s, "n"), ff = size(&s, "ff");
    double *dgate_up = out(&s, "dgate_up", n, 2 * ff, 0);
    if (!s.failed)
        vl_oracle_swiglu_input(dgate_up, in(&s, "dout"), in(&s, "gate_up"), n, ff);
    return end(&s);
}

VL_TRUTH(cross_entropy_forward)
{
    struct scope s = begin(expected, inputs);
    size_t n = size(&s, "n"), v = size(&s, "vocabulary");
    if (s.failed || outside(inputs, "targets"))
        return refused(&s);
    double *losses = out(&s, "losses", n, 1, 0), *probs = out(&s, "probs", n, v, 0);
    if (!s.failed)
        vl_oracle_cross_entropy(losses, probs, in(&s, "logits"), vl_bag_i32(inputs, "targets"), n,
                                v);
    return end(&s);
}

VL_TRUTH(cross_entropy_backward_input)
{
    struct scope s = begin(expected, inputs);
    size_t n = size(&s, "n"), v = size(&s, "vocabulary");
    if (s.failed || outside(inputs, "targets"))
        return refused(&s);
    double *dlogits = out(&s, "dlogits", n, v, 0);
    if (!s.failed)
        vl_oracle_cross_entropy_input(dlogits, in(&s, "saved_probs"), vl_bag_i32(inputs, "targets"),
                                      (double)(float)vl_bag_real(inputs, "scale"), n, v);
    return end(&s);
}

VL_TRUTH(attention_forward)
{
    struct scope s = begin(expected, inputs);
    size_t b = size(&s, "batch"), t = size(&s, "sequence"), h = size(&s, "heads"),
           k = size(&s, "head_width");
    double *y = out(&s, "out", b * t, h * k, 0), *probs = out(&s, "probs", b * h * t, t, 0);
    if (s.failed)
        return end(&s);
    vl_oracle_attention(y, probs, in(&s, "qkv"), b, t, h, k);
    /* Right of the diagonal nothing is asked for: see compare.h. */
    for (size_t i = 0; i < b * h * t; i++)
        for (size_t j = i % t + 1; j < t; j++)
            probs[i * t + j] = NAN;
    return end(&s);
}

VL_TRUTH(attention_backward_input)
{
    struct scope s = begin(expected, inputs);
    size_t b = size(&s, "batch"), t = size(&s, "sequence"), h = size(&s, "heads"),
           k = size(&s, "head_width");
    double *dqkv = out(&s, "dqkv", b * t, 3 * h * k, 0);
    if (!s.failed)
        vl_oracle_attention_input(dqkv, in(&s, "dout"), in(&s, "qkv"), in(&s, "saved_probs"), b, t,
                                  h, k);
    return end(&s);
}
