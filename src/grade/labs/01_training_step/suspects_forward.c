/*
 * Known wrong answers of lab 01's first station: what the output looks like after each usual
 * mistake in a forward function.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/01_training_step/training_step.h"
#include "oracle/kernels.h"

#include <float.h>
#include <math.h>

/* What float32 makes of a number: infinity beyond its range. */
static double in_float32(double value)
{
    return fabs(value) > (double)FLT_MAX ? copysign(INFINITY, value) : value;
}

enum rmsnorm_mistake { NO_EPS, EPS_OUTSIDE, MEAN_SUBTRACTED, NO_GAIN, SUM, RMS_SAVED };

static enum vl_status rmsnorm(struct vl_bag *wrong, const struct vl_bag *inputs,
                              enum rmsnorm_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t n = vl_scope_size(&s, "n"), d = vl_scope_size(&s, "d");
    const double *x = vl_scope_in(&s, "x"), *gain = vl_scope_in(&s, "gain");
    double *y = vl_scope_out(&s, "y", n, d, 0), *inv = vl_scope_out(&s, "inv_rms", n, 1, 0);
    double eps = mistake == NO_EPS || mistake == EPS_OUTSIDE ? 0 : (double)1e-5f;
    for (size_t i = 0; !s.failed && i < n; i++) {
        double squares = 0, mean = 0;
        for (size_t j = 0; j < d; j++)
            mean += x[i * d + j] / (double)d;
        if (mistake != MEAN_SUBTRACTED)
            mean = 0;
        for (size_t j = 0; j < d; j++)
            squares += (x[i * d + j] - mean) * (x[i * d + j] - mean);
        double rms = sqrt((mistake == SUM ? squares : squares / (double)d) + eps);
        if (mistake == EPS_OUTSIDE)
            rms += (double)1e-5f;
        inv[i] = mistake == RMS_SAVED ? rms : 1 / rms;
        for (size_t j = 0; j < d; j++)
            y[i * d + j] = (x[i * d + j] - mean) / rms * (mistake == NO_GAIN ? 1 : gain[j]);
    }
    return vl_scope_end(&s);
}

MISTAKE(rmsnorm, NO_EPS)
MISTAKE(rmsnorm, EPS_OUTSIDE)
MISTAKE(rmsnorm, MEAN_SUBTRACTED)
MISTAKE(rmsnorm, NO_GAIN)
MISTAKE(rmsnorm, SUM)
MISTAKE(rmsnorm, RMS_SAVED)

const struct vl_suspect vl_suspects_rmsnorm_forward[] = {
    {"missing_epsilon", N_("There is no eps under the root: add it to the mean of squares."),
     rmsnorm_NO_EPS},
    {"epsilon_outside",
     N_("eps is added to the root; it belongs under it, to the mean of squares."),
     rmsnorm_EPS_OUTSIDE},
    {"mean_subtracted", N_("The mean of the row is subtracted; that is LayerNorm, not RMSNorm."),
     rmsnorm_MEAN_SUBTRACTED},
    {"missing_gain", N_("The columns are not multiplied by their gain."), rmsnorm_NO_GAIN},
    {"sum_for_mean", N_("The squares are summed but not divided by the width of the row."),
     rmsnorm_SUM},
    {"not_inverted", N_("inv_rms holds the root itself, not one over it."), rmsnorm_RMS_SAVED},
    NO_MORE_SUSPECTS};

enum attention_mistake {
    NO_SCALE,
    SCALE_BY_WIDTH,
    NOT_CAUSAL,
    STRICT_MASK,
    STRICT_MASK_ZERO,
    OVER_COLUMNS,
    FIRST_HEAD,
    UNNORMALISED,
    NO_MAXIMUM
};

/* exp(score) for one head, before normalisation; zero where masked. */
static void exponentials(double *p, const double *q, const double *k, size_t stride, size_t t,
                         size_t width, enum attention_mistake mistake)
{
    double scale = 1 / sqrt((double)width);
    if (mistake == NO_SCALE)
        scale = 1;
    if (mistake == SCALE_BY_WIDTH)
        scale = 1 / (double)width;
    for (size_t i = 0; i < t; i++) {
        double largest = -INFINITY;
        size_t end = mistake == NOT_CAUSAL                                   ? t
                     : mistake == STRICT_MASK || mistake == STRICT_MASK_ZERO ? i
                                                                             : i + 1;
        for (size_t j = 0; j < end; j++) {
            double score = 0;
            for (size_t c = 0; c < width; c++)
                score += q[i * stride + c] * k[j * stride + c];
            p[i * t + j] = score * scale;
            largest = fmax(largest, score * scale);
        }
        for (size_t j = 0; j < t; j++) {
            double shifted = p[i * t + j] - (mistake == NO_MAXIMUM ? 0 : largest);
            p[i * t + j] = j < end ? in_float32(exp(shifted)) : 0;
        }
    }
}

static enum vl_status attention(struct vl_bag *wrong, const struct vl_bag *inputs,
                                enum attention_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t b = vl_scope_size(&s, "batch"), t = vl_scope_size(&s, "sequence"),
           h = vl_scope_size(&s, "heads"), width = vl_scope_size(&s, "head_width");
    size_t stride = 3 * h * width;
    double *out = vl_scope_out(&s, "out", b * t, h * width, 0);
    double *probs = vl_scope_out(&s, "probs", b * h * t, t, 0);
    for (size_t head = 0; !s.failed && head < b * h; head++) {
        const double *row = vl_scope_in(&s, "qkv") + head / h * t * stride;
        const double *q = row + head % h * width, *k = q + h * width;
        const double *v = mistake == FIRST_HEAD ? row + 2 * h * width : k + h * width;
        double *p = probs + head * t * t;
        exponentials(p, q, k, stride, t, width, mistake);
        for (size_t i = 0; mistake == OVER_COLUMNS && i < t; i++) {
            double total = 0; /* of column i, over the queries that may look at it */
            for (size_t j = i; j < t; j++)
                total += p[j * t + i];
            for (size_t j = i; j < t; j++)
                p[j * t + i] /= total;
        }
        for (size_t i = 0; i < t; i++) {
            double total = 0, *o = out + (head / h * t + i) * h * width + head % h * width;
            for (size_t j = 0; j < t; j++)
                total += p[i * t + j];
            if (mistake == OVER_COLUMNS || mistake == UNNORMALISED ||
                (mistake == STRICT_MASK_ZERO && i == 0))
                total = 1;
            for (size_t j = 0; j < t; j++)
                p[i * t + j] /= in_float32(total);
            for (size_t c = 0; c < width; c++)
                for (size_t j = 0; j < t; j++)
                    o[c] += p[i * t + j] * v[j * stride + c];
        }
    }
    return vl_scope_end(&s);
}

MISTAKE(attention, NO_SCALE)
MISTAKE(attention, SCALE_BY_WIDTH)
MISTAKE(attention, NOT_CAUSAL)
MISTAKE(attention, STRICT_MASK)
MISTAKE(attention, STRICT_MASK_ZERO)
MISTAKE(attention, OVER_COLUMNS)
MISTAKE(attention, FIRST_HEAD)
MISTAKE(attention, UNNORMALISED)
MISTAKE(attention, NO_MAXIMUM)

#define STRICT                                                                                     \
    N_("A token does not look at itself: the mask is j <= i, with the diagonal included.")

const struct vl_suspect vl_suspects_attention_forward[] = {
    {"missing_scale", N_("The scores are not divided by sqrt(K)."), attention_NO_SCALE},
    {"scale_by_width", N_("The scores are divided by K; the formula asks for sqrt(K)."),
     attention_SCALE_BY_WIDTH},
    {"not_causal", N_("Tokens look at tokens that come after them: only j <= i counts."),
     attention_NOT_CAUSAL},
    {"strict_mask", STRICT, attention_STRICT_MASK},
    {"strict_mask", STRICT, attention_STRICT_MASK_ZERO},
    {"softmax_over_columns",
     N_("The softmax runs over queries; it belongs over the keys, in a "
        "row."),
     attention_OVER_COLUMNS},
    {"values_of_first_head", N_("Every head averages the values of the first head."),
     attention_FIRST_HEAD},
    {"not_normalised", N_("The probabilities of a row do not add up to one."),
     attention_UNNORMALISED},
    {"softmax_overflow",
     N_("The exponential overflows: subtract the largest score of the row "
        "first."),
     attention_NO_MAXIMUM},
    NO_MORE_SUSPECTS};

enum swiglu_mistake { SWAPPED, ONLY_SIGMOID, GELU, RELU };

static enum vl_status swiglu(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum swiglu_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t n = vl_scope_size(&s, "n"), ff = vl_scope_size(&s, "ff");
    const double *gate_up = vl_scope_in(&s, "gate_up");
    double *out = vl_scope_out(&s, "out", n, ff, 0);
    for (size_t i = 0; !s.failed && i < n * ff; i++) {
        const double *row = gate_up + i / ff * 2 * ff;
        double g = row[i % ff], u = row[i % ff + ff];
        if (mistake == SWAPPED)
            out[i] = u / (1 + exp(-u)) * g;
        else if (mistake == ONLY_SIGMOID)
            out[i] = u / (1 + exp(-g));
        else if (mistake == RELU)
            out[i] = fmax(g, 0) * u;
        else
            out[i] = 0.5 * g * (1 + erf(g / sqrt(2))) * u;
    }
    return vl_scope_end(&s);
}

MISTAKE(swiglu, SWAPPED)
MISTAKE(swiglu, ONLY_SIGMOID)
MISTAKE(swiglu, GELU)
MISTAKE(swiglu, RELU)

const struct vl_suspect vl_suspects_swiglu_forward[] = {
    {"gate_up_swapped", N_("Gate and up have changed places: the first half of a row is the gate."),
     swiglu_SWAPPED},
    {"sigmoid_for_silu", N_("The gate is sigmoid(g); it should be silu(g) = g sigmoid(g)."),
     swiglu_ONLY_SIGMOID},
    {"gelu_for_silu", N_("The gate is GELU; it should be silu(g) = g sigmoid(g)."), swiglu_GELU},
    {"relu_for_silu", N_("The gate is ReLU; it should be silu(g) = g sigmoid(g)."), swiglu_RELU},
    NO_MORE_SUSPECTS};

enum cross_entropy_mistake {
    MEAN,
    LOG2,
    NEXT_TARGET,
    PREVIOUS_TARGET,
    NOT_WRITTEN,
    OVERFLOWS,
    READ_LATE
};

static enum vl_status cross_entropy(struct vl_bag *wrong, const struct vl_bag *inputs,
                                    enum cross_entropy_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t n = vl_scope_size(&s, "n"), v = vl_scope_size(&s, "vocabulary");
    const double *logits = vl_scope_in(&s, "logits");
    const int32_t *targets = vl_bag_i32(inputs, "targets");
    double *losses = vl_scope_out(&s, "losses", n, 1, 0);
    double *probs = vl_scope_out(&s, "probs", n, v, 0);
    for (size_t i = 0; !s.failed && i < n; i++) {
        int32_t target = targets[i];
        if (target < 0 || target >= (int32_t)v)
            continue; /* that case asks for a refusal, and is not decided by numbers */
        if (mistake == NEXT_TARGET)
            target = (target + 1) % (int32_t)v;
        if (mistake == PREVIOUS_TARGET)
            target = (target + (int32_t)v - 1) % (int32_t)v;
        vl_oracle_cross_entropy(losses + i, probs + i * v, logits + i * v, &target, 1, v);
        if (mistake == MEAN)
            losses[i] /= (double)n;
        if (mistake == READ_LATE && vl_scope_size(&s, "in_place"))
            losses[i] += logits[i * v + (size_t)target] - probs[i * v + (size_t)target];
        if (mistake == LOG2)
            losses[i] /= log(2);
        int overflows = mistake == OVERFLOWS && exp(logits[i * v]) > (double)FLT_MAX;
        if (overflows)
            losses[i] = NAN;
        for (size_t j = 0; j < v && mistake == NOT_WRITTEN; j++)
            probs[i * v + j] = logits[i * v + j];
        for (size_t j = 0; j < v && overflows; j++)
            probs[i * v + j] = NAN;
    }
    return vl_scope_end(&s);
}

MISTAKE(cross_entropy, MEAN)
MISTAKE(cross_entropy, LOG2)
MISTAKE(cross_entropy, NEXT_TARGET)
MISTAKE(cross_entropy, PREVIOUS_TARGET)
MISTAKE(cross_entropy, NOT_WRITTEN)
MISTAKE(cross_entropy, OVERFLOWS)
MISTAKE(cross_entropy, READ_LATE)

#define OFF_BY_ONE N_("The loss is that of a neighbouring token: the target is off by one.")

const struct vl_suspect vl_suspects_cross_entropy_forward[] = {
    {"mean_for_each",
     N_("The losses are divided by their number; the caller applies the one scale."),
     cross_entropy_MEAN},
    {"log_base_two", N_("The logarithm has base 2; the contract asks for nats, base e."),
     cross_entropy_LOG2},
    {"target_off_by_one", OFF_BY_ONE, cross_entropy_NEXT_TARGET},
    {"target_off_by_one", OFF_BY_ONE, cross_entropy_PREVIOUS_TARGET},
    {"probs_not_written", N_("The losses are right, but probs still holds the logits."),
     cross_entropy_NOT_WRITTEN},
    {"softmax_overflow",
     N_("The exponential overflows: subtract the largest logit of the row "
        "first."),
     cross_entropy_OVERFLOWS},
    {"logit_overwritten",
     N_("The target's logit is read after probs took its place: the two may be "
        "the same memory."),
     cross_entropy_READ_LATE},
    NO_MORE_SUSPECTS};
