/*
 * Known wrong answers of lab 01's second station: gradients after each usual mistake.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/01_training_step/training_step.h"
#include "oracle/kernels.h"

#include <math.h>

enum linear_mistake { W_TRANSPOSED, DW_TRANSPOSED };

static enum vl_status linear(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum linear_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t n = vl_scope_size(&s, "n"), in = vl_scope_size(&s, "in"), out = vl_scope_size(&s, "out");
    const double *dy = vl_scope_in(&s, "dy"), *w = vl_scope_in(&s, "w"), *x = vl_scope_in(&s, "x");
    if (mistake == W_TRANSPOSED) {
        double *dx = vl_scope_out(&s, "dx", n, in, 0);
        for (size_t e = 0; !s.failed && e < n * in; e++)
            for (size_t o = 0; o < out; o++)
                dx[e] += dy[e / in * out + o] * w[e % in * out + o];
    } else {
        double *dw = vl_scope_out(&s, "dw", out, in, 1);
        for (size_t e = 0; !s.failed && e < out * in; e++)
            for (size_t i = 0; i < n; i++)
                dw[e] += dy[i * out + e % out] * x[i * in + e / out];
    }
    return vl_scope_end(&s);
}

MISTAKE(linear, W_TRANSPOSED)
MISTAKE(linear, DW_TRANSPOSED)

const struct vl_suspect vl_suspects_linear_backward_input[] = {
    {"weight_transposed", N_("w is read as if it were stored (in, out); it is stored (out, in)."),
     linear_W_TRANSPOSED},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_linear_backward_weight[] = {
    {"weight_transposed",
     N_("dw is written as if it were stored (in, out); it is stored (out, in)."),
     linear_DW_TRANSPOSED},
    NO_MORE_SUSPECTS};

enum rmsnorm_mistake { NO_MEAN_TERM, NO_GAIN, SUM_FOR_MEAN, POWER_ONE, GAIN_NOT_IN_MEAN };

static enum vl_status rmsnorm(struct vl_bag *wrong, const struct vl_bag *inputs,
                              enum rmsnorm_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t n = vl_scope_size(&s, "n"), d = vl_scope_size(&s, "d");
    const double *dy = vl_scope_in(&s, "dy"), *x = vl_scope_in(&s, "x");
    const double *gain = vl_scope_in(&s, "gain"), *inv = vl_scope_in(&s, "saved_inv_rms");
    double *dx = vl_scope_out(&s, "dx", n, d, 0);
    for (size_t i = 0; !s.failed && i < n; i++) {
        double r = inv[i], mean = 0;
        for (size_t j = 0; j < d; j++) {
            double g = mistake == NO_GAIN || mistake == GAIN_NOT_IN_MEAN ? 1 : gain[j];
            mean += dy[i * d + j] * g * x[i * d + j];
        }
        mean *= mistake == POWER_ONE ? r : r * r * r;
        if (mistake == NO_MEAN_TERM)
            mean = 0;
        if (mistake != SUM_FOR_MEAN)
            mean /= (double)d;
        for (size_t j = 0; j < d; j++)
            dx[i * d + j] =
                dy[i * d + j] * (mistake == NO_GAIN ? 1 : gain[j]) * r - mean * x[i * d + j];
    }
    return vl_scope_end(&s);
}

MISTAKE(rmsnorm, NO_MEAN_TERM)
MISTAKE(rmsnorm, NO_GAIN)
MISTAKE(rmsnorm, SUM_FOR_MEAN)
MISTAKE(rmsnorm, POWER_ONE)
MISTAKE(rmsnorm, GAIN_NOT_IN_MEAN)

const struct vl_suspect vl_suspects_rmsnorm_backward_input[] = {
    {"missing_mean_term",
     N_("inv_rms is held fixed, but every element of the row moves it: the term "
        "with the mean is missing."),
     rmsnorm_NO_MEAN_TERM},
    {"missing_gain", N_("The gradient does not go through the gain."), rmsnorm_NO_GAIN},
    {"missing_gain", N_("The gradient does not go through the gain in the term with the mean."),
     rmsnorm_GAIN_NOT_IN_MEAN},
    {"sum_for_mean", N_("The second term has a sum where the mean over the row belongs."),
     rmsnorm_SUM_FOR_MEAN},
    {"inv_rms_not_cubed", N_("The second term needs the third power of inv_rms."),
     rmsnorm_POWER_ONE},
    NO_MORE_SUSPECTS};

static enum vl_status dgain_without_inv_rms(struct vl_bag *wrong, const struct vl_bag *inputs,
                                            const struct vl_bag *expected)
{
    (void)expected;
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t n = vl_scope_size(&s, "n"), d = vl_scope_size(&s, "d");
    const double *dy = vl_scope_in(&s, "dy"), *x = vl_scope_in(&s, "x");
    double *dgain = vl_scope_out(&s, "dgain", 1, d, 1);
    for (size_t e = 0; !s.failed && e < n * d; e++)
        dgain[e % d] += dy[e] * x[e];
    return vl_scope_end(&s);
}

const struct vl_suspect vl_suspects_rmsnorm_backward_weight[] = {
    {"missing_inv_rms", N_("The gain multiplies the normalised row, so dgain needs inv_rms."),
     dgain_without_inv_rms},
    NO_MORE_SUSPECTS};

enum swiglu_mistake { ONLY_SIGMOID, ONLY_DERIVATIVE, UP_SWAPPED };

static enum vl_status swiglu(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum swiglu_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t n = vl_scope_size(&s, "n"), ff = vl_scope_size(&s, "ff");
    const double *gate_up = vl_scope_in(&s, "gate_up"), *dout = vl_scope_in(&s, "dout");
    double *dgate_up = vl_scope_out(&s, "dgate_up", n, 2 * ff, 0);
    for (size_t i = 0; !s.failed && i < n * ff; i++) {
        size_t g = i / ff * 2 * ff + i % ff, u = g + ff;
        size_t gate = mistake == UP_SWAPPED ? u : g, up = mistake == UP_SWAPPED ? g : u;
        double sigmoid = 1 / (1 + exp(-gate_up[gate])), slope = sigmoid * (1 - sigmoid);
        double dsilu = sigmoid + gate_up[gate] * slope;
        if (mistake == ONLY_SIGMOID)
            dsilu = sigmoid;
        if (mistake == ONLY_DERIVATIVE)
            dsilu = slope;
        dgate_up[gate] = dout[i] * gate_up[up] * dsilu;
        dgate_up[up] = dout[i] * gate_up[gate] * sigmoid;
    }
    return vl_scope_end(&s);
}

MISTAKE(swiglu, ONLY_SIGMOID)
MISTAKE(swiglu, ONLY_DERIVATIVE)
MISTAKE(swiglu, UP_SWAPPED)

#define PRODUCT_RULE                                                                               \
    N_("silu(g) is a product, g sigmoid(g): its derivative has two terms, and one is missing.")

const struct vl_suspect vl_suspects_swiglu_backward_input[] = {
    {"product_rule", PRODUCT_RULE, swiglu_ONLY_SIGMOID},
    {"product_rule", PRODUCT_RULE, swiglu_ONLY_DERIVATIVE},
    {"gate_up_swapped", N_("Gate and up have changed places: the first half of a row is the gate."),
     swiglu_UP_SWAPPED},
    NO_MORE_SUSPECTS};

enum cross_entropy_mistake { NO_SCALE, NO_ONE_HOT };

static enum vl_status cross_entropy(struct vl_bag *wrong, const struct vl_bag *inputs,
                                    enum cross_entropy_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t n = vl_scope_size(&s, "n"), v = vl_scope_size(&s, "vocabulary");
    const double *probs = vl_scope_in(&s, "saved_probs");
    double *dlogits = vl_scope_out(&s, "dlogits", n, v, 0);
    double scale = mistake == NO_SCALE ? 1 : vl_scope_real(&s, "scale");
    if (!s.failed)
        vl_oracle_cross_entropy_input(dlogits, probs, vl_bag_i32(inputs, "targets"), scale, n, v);
    for (size_t i = 0; !s.failed && mistake == NO_ONE_HOT && i < n * v; i++)
        dlogits[i] = scale * probs[i];
    return vl_scope_end(&s);
}

MISTAKE(cross_entropy, NO_SCALE)
MISTAKE(cross_entropy, NO_ONE_HOT)

const struct vl_suspect vl_suspects_cross_entropy_backward_input[] = {
    {"missing_scale", N_("The gradient is not multiplied by scale."), cross_entropy_NO_SCALE},
    {"missing_one_hot",
     N_("One is not subtracted at the target: the gradient is probs minus one "
        "there."),
     cross_entropy_NO_ONE_HOT},
    NO_MORE_SUSPECTS};

enum attention_mistake {
    NO_ROW_SUM,
    SCORES_NOT_SCALED,
    QK_SWAPPED,
    FULL_MASK,
    VALUES_FULL_MASK,
    NO_SOFTMAX,
    V_NOT_P
};

/* Gradient of score (i, j) of one head, j <= end. */
static void score_gradients(double *ds, const double *p, const double *o, const double *v,
                            size_t stride, size_t end, size_t width, enum attention_mistake mistake)
{
    double sum = 0;
    for (size_t j = 0; j < end; j++) {
        ds[j] = 0;
        for (size_t c = 0; c < width; c++)
            ds[j] += o[c] * v[j * stride + c];
        sum += p[j] * ds[j];
    }
    for (size_t j = 0; j < end; j++) {
        double centred = ds[j] - (mistake == NO_ROW_SUM || mistake == NO_SOFTMAX ? 0 : sum);
        ds[j] = mistake == NO_SOFTMAX ? centred : p[j] * centred;
        if (mistake != SCORES_NOT_SCALED)
            ds[j] /= sqrt((double)width);
    }
}

static enum vl_status attention(struct vl_bag *wrong, const struct vl_bag *inputs,
                                enum attention_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t b = vl_scope_size(&s, "batch"), t = vl_scope_size(&s, "sequence"),
           h = vl_scope_size(&s, "heads"), width = vl_scope_size(&s, "head_width");
    size_t stride = 3 * h * width, part = h * width;
    double *dqkv = vl_scope_out(&s, "dqkv", b * t, stride, 0);
    double *ds = vl_scope_work(&s, "ds", t);
    const double *qkv = vl_scope_in(&s, "qkv"), *dout = vl_scope_in(&s, "dout");
    for (size_t e = 0; !s.failed && e < b * h * t; e++) {
        size_t head = e / t, i = e % t, end = mistake == FULL_MASK ? t : i + 1;
        size_t first = head / h * t * stride + head % h * width;
        const double *p = vl_scope_in(&s, "saved_probs") + e * t;
        const double *o = dout + (head / h * t + i) * part + head % h * width;
        double *dq = dqkv + first, *dk = dq + part, *dv = dk + part;
        if (mistake == QK_SWAPPED) {
            dk = dqkv + first;
            dq = dk + part;
        }
        score_gradients(ds, p, o, qkv + first + 2 * part, stride, end, width, mistake);
        for (size_t j = 0; j < end; j++) {
            for (size_t c = 0; c < width; c++) {
                dq[i * stride + c] += ds[j] * qkv[first + part + j * stride + c];
                dk[j * stride + c] += ds[j] * qkv[first + i * stride + c];
                dv[j * stride + c] += (mistake == V_NOT_P ? ds[j] : p[j]) * o[c];
            }
        }
        for (size_t j = end; mistake == VALUES_FULL_MASK && j < t; j++)
            for (size_t c = 0; c < width; c++)
                dv[j * stride + c] += p[j] * o[c];
    }
    return vl_scope_end(&s);
}

MISTAKE(attention, NO_ROW_SUM)
MISTAKE(attention, SCORES_NOT_SCALED)
MISTAKE(attention, QK_SWAPPED)
MISTAKE(attention, FULL_MASK)
MISTAKE(attention, VALUES_FULL_MASK)
MISTAKE(attention, NO_SOFTMAX)
MISTAKE(attention, V_NOT_P)

#define BEYOND N_("What stands right of the diagonal is read; only j <= i has meaning.")

const struct vl_suspect vl_suspects_attention_backward_input[] = {
    {"missing_row_sum",
     N_("The softmax's backward lacks the row's sum: ds = p (dp - sum of p dp)."),
     attention_NO_ROW_SUM},
    {"missing_softmax", N_("The gradient goes past the softmax: ds = p (dp - sum of p dp)."),
     attention_NO_SOFTMAX},
    {"missing_scale", N_("The gradients of q and k are not divided by sqrt(K)."),
     attention_SCORES_NOT_SCALED},
    {"q_k_swapped", N_("The gradients of q and k have changed places."), attention_QK_SWAPPED},
    {"reads_beyond_mask", BEYOND, attention_FULL_MASK},
    {"reads_beyond_mask", BEYOND, attention_VALUES_FULL_MASK},
    {"values_from_scores", N_("dv is made of the scores' gradients; it needs the probabilities."),
     attention_V_NOT_P},
    NO_MORE_SUSPECTS};
