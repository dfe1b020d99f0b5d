/*
 * Inputs of lab 01's cases: sizes that are odd, prime, one and zero, and numbers that hurt a
 * careless formula.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/01_training_step/training_step.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static bool is(const struct vl_case *self, enum vl_training_step_variant variant)
{
    return self->variant == (int)variant;
}

/* n, by what is special about the case. */
static size_t rows_for(struct vl_maker *m, const struct vl_case *self)
{
    if (is(self, VL_EMPTY))
        return 0;
    return is(self, VL_ONE_ROW) ? 1 : vl_maker_prime(m, 0);
}

/* Columns: wide where nothing else is special. */
static size_t columns_for(struct vl_maker *m, const struct vl_case *self, size_t n)
{
    return is(self, VL_PLAIN) ? vl_maker_wide(m) : vl_maker_prime(m, n);
}

/* What a function leaves for others, as a new float32 array: the truth for the inputs made so far
 * (zeros if they are refused). NULL in its own cases: no answer may be among the inputs. */
static float *saved(struct vl_maker *m, const struct vl_case *self, const char *name,
                    const char *function, vl_truth_function *truth, const char *output, size_t rows,
                    size_t cols)
{
    if (strcmp(self->function, function) == 0)
        return NULL;
    float *array = vl_bag_add_f32(m->bag, name, rows, cols);
    struct vl_bag *left = vl_bag_create();
    m->failed |= !array || !left || truth(left, m->bag) != VL_OK;
    const double *values = m->failed ? NULL : vl_bag_f64(left, output);
    for (size_t i = 0; values && i < rows * cols; i++)
        array[i] = (float)values[i];
    vl_bag_free(left);
    return m->failed ? NULL : array;
}

VL_SCOPED_MAKE(linear)
{
    size_t n = vl_maker_size(m, "n", rows_for(m, self));
    size_t in = vl_maker_size(m, "in", vl_maker_prime(m, n));
    size_t out = vl_maker_size(m, "out", is(self, VL_NO_WIDTH) ? 0 : vl_maker_prime(m, in));
    vl_maker_normal(m, "x", n, in, 1);
    vl_maker_normal(m, "w", out, in, 1);
    vl_maker_normal(m, "dy", n, out, 1);
    if (is(self, VL_PRESET) || is(self, VL_EMPTY)) {
        vl_maker_normal(m, "dx", n, in, 1);
        vl_maker_normal(m, "dw", out, in, 1);
    }
    if (is(self, VL_BAD))
        vl_maker_size(m, "null", 1);
}

VL_SCOPED_MAKE(embedding)
{
    size_t n = vl_maker_size(m, "n", rows_for(m, self));
    size_t width = vl_maker_size(m, "width", vl_maker_prime(m, n));
    size_t vocabulary = vl_maker_size(m, "vocabulary", vl_maker_prime(m, width));
    vl_maker_normal(m, "table", vocabulary, width, 1);
    vl_maker_normal(m, "dx", n, width, 1);
    vl_maker_normal(m, "dtable", vocabulary, width, 1);
    int32_t *tokens = vl_maker_below(m, "tokens", n, 1, vocabulary);
    if (is(self, VL_BAD) && tokens)
        tokens[n - 1] = (int32_t)vocabulary;
}

VL_SCOPED_MAKE(rotary)
{
    size_t batch = vl_maker_size(m, "batch", vl_maker_between(m, 1, 3));
    size_t sequence = vl_maker_size(m, "sequence", vl_maker_prime(m, 0));
    size_t heads = vl_maker_size(m, "heads", vl_maker_between(m, 1, 3));
    size_t half = vl_maker_between(m, 1, 5);
    size_t width = vl_maker_size(m, "head_width", 2 * half + (size_t)is(self, VL_BAD));
    vl_maker_normal(m, "qkv", batch * sequence, 3 * heads * width, 1);
    vl_maker_normal(m, "dqkv", batch * sequence, 3 * heads * width, 1);
    saved(m, self, "table", "vl_rotary_table", vl_truth_rotary_table, "table", sequence, width);
}

VL_SCOPED_MAKE(rmsnorm)
{
    float scale = is(self, VL_TINY) ? 2e-3f : is(self, VL_LARGE) ? 1e6f : 1.5f;
    size_t n = vl_maker_size(m, "n", rows_for(m, self));
    size_t d = vl_maker_size(m, "d", columns_for(m, self, n));
    float *x = vl_maker_normal(m, "x", n, d, scale);
    float *gain = vl_maker_normal(m, "gain", 1, d, 0.5f);
    vl_maker_normal(m, "dy", n, d, 1);
    /* A mean away from zero, so that subtracting it shows. */
    for (size_t i = 0; !m->failed && i < n * d; i++)
        x[i] += 0.5f * scale;
    for (size_t j = 0; !m->failed && j < d; j++)
        gain[j] += 1.25f;
    if (is(self, VL_TINY) && x)
        memset(x, 0, d * sizeof *x);
    saved(m, self, "saved_inv_rms", "vl_rmsnorm_forward", vl_truth_rmsnorm_forward, "inv_rms", n,
          1);
    if (is(self, VL_PRESET) || is(self, VL_EMPTY)) {
        vl_maker_normal(m, "dx", n, d, 1);
        vl_maker_normal(m, "dgain", 1, d, 1);
    }
}

VL_SCOPED_MAKE(swiglu)
{
    size_t n = vl_maker_size(m, "n", rows_for(m, self));
    size_t ff = vl_maker_size(m, "ff", columns_for(m, self, n));
    float *gate_up = vl_maker_normal(m, "gate_up", n, 2 * ff, 1.5f);
    vl_maker_normal(m, "dout", n, ff, 1);
    for (size_t i = 0; gate_up && is(self, VL_LARGE) && i < n * 2 * ff; i++)
        if (i % (2 * ff) < ff)
            gate_up[i] *= 80; /* exp(120) and more is beyond float32 */
}

/* Two arrays of targets, each with one outside the vocabulary: too large in the first row, negative in
 * the last. So even a function that uses it stays inside the logits, and its status is what is wrong. */
static void spoil_targets(struct vl_maker *m, int32_t *targets, size_t n, size_t v)
{
    int32_t *negative = vl_maker_below(m, "negative_targets", n, 1, v);
    if (!targets || !negative)
        return;
    targets[0] = (int32_t)v;
    negative[n - 1] = -1;
}

VL_SCOPED_MAKE(cross_entropy)
{
    enum { LONG_ROW = 4096 }; /* longer than any array that somebody keeps for a row */
    size_t n = vl_maker_size(m, "n", rows_for(m, self));
    size_t columns =
        is(self, VL_ONE_ROW) ? LONG_ROW + vl_maker_prime(m, 0) : columns_for(m, self, n);
    size_t v = vl_maker_size(m, "vocabulary", columns);
    float *logits = vl_maker_normal(m, "logits", n, v, 2);
    int32_t *targets = vl_maker_below(m, "targets", n, 1, v);
    /* Far from zero, but close to one another: only a careless formula overflows. */
    for (size_t i = 0; logits && is(self, VL_LARGE) && i < n * v; i++)
        logits[i] += i / v % 2 ? 1000.0f : 4000.0f;
    /* e^-200 is far below float32. */
    if (is(self, VL_UNLIKELY) && logits && targets) {
        logits[(n - 1) * v + (size_t)targets[n - 1]] -= 200;
        for (size_t j = 0; j < v; j++) /* and so are all of this row */
            logits[j] -= 200;
    }
    saved(m, self, "saved_probs", "vl_cross_entropy_forward", vl_truth_cross_entropy_forward,
          "probs", n, v);
    vl_maker_real(m, "scale", 1 / (double)(2 * n + 3));
    vl_maker_size(m, "in_place", (size_t)is(self, VL_IN_PLACE));
    if (is(self, VL_BAD))
        spoil_targets(m, targets, n, v);
}

/*
 * Scores near 128 or -128, from numbers whose products float32 holds exactly. So if something is
 * wrong, it is the exponential and not the rounding of the scores. Their signs:
 *
 *      - . . . +        in every other row all scores that count are near -128, and the mask hides a
 *      + + . . -        large one: the row needs its own maximum, neither one of all keys nor one
 *      - - - . +        that begins at 0
 *      + + + + -
 *      - - - - +
 */
static void make_scores_large(float *qkv, size_t rows, size_t sequence, size_t heads,
                              size_t head_width)
{
    for (size_t row = 0; row < rows; row++) {
        const size_t token = row % sequence;
        const float query = token % 2 ? 32.0f : -32.0f, key = token + 1 < sequence ? 16.0f : -16.0f;
        for (size_t head = 0; head < 2 * heads; head++) {
            float *vector = qkv + (row * 3 * heads + head) * head_width;
            for (size_t c = 0; c < head_width; c++)
                vector[c] = rintf(2 * vector[c]) / 2;
            vector[0] = head < heads ? query : key;
        }
    }
}

/* Nothing right of the diagonal has a meaning: put numbers like probabilities there, or NaN. */
static void fill_right_of_diagonal(float *probs, size_t matrices, size_t t, int with_nan)
{
    for (size_t i = 0; i < matrices * t; i++)
        for (size_t j = i % t + 1; j < t; j++)
            probs[i * t + j] = with_nan ? NAN : 0.25f + 0.125f * (float)((i + j) % 4);
}

VL_SCOPED_MAKE(attention)
{
    int one = is(self, VL_ONE_ROW), is_long = is(self, VL_LONG);
    size_t b = vl_maker_size(m, "batch", one ? 1 : vl_maker_between(m, 1, is_long ? 2 : 3));
    size_t t = one ? 1 : vl_maker_prime(m, 3);
    if (is_long)
        t += 288;
    vl_maker_size(m, "sequence", t);
    size_t h = vl_maker_size(m, "heads", one ? 1 : vl_maker_between(m, 2, 3));
    size_t k = is(self, VL_LARGE) ? 16 : 2 * vl_maker_prime(m, t);
    vl_maker_size(m, "head_width", k);
    float *qkv = vl_maker_normal(m, "qkv", b * t, 3 * h * k, 1);
    vl_maker_normal(m, "dout", b * t, h * k, 1);
    if (qkv && is(self, VL_LARGE))
        make_scores_large(qkv, b * t, t, h, k);
    float *probs = saved(m, self, "saved_probs", "vl_attention_forward", vl_truth_attention_forward,
                         "probs", b * h * t, t);
    if (probs)
        fill_right_of_diagonal(probs, b * h, t, is(self, VL_JUNK));
}

/* ---- the optimizer, the step on a toy learner, the budget ---- */

VL_SCOPED_MAKE(gradient_norm)
{
    int many = is(self, VL_LONG);
    size_t n = is(self, VL_EMPTY) ? 0 : vl_maker_prime(m, 0) * 17;
    if (many)
        n = 100000 + vl_maker_between(m, 1, 999);
    vl_maker_size(m, "n", n);
    /* The squares of large ones are beyond float32. */
    const float scale = many ? 0.02f : is(self, VL_LARGE) ? 1e21f : 1;
    float *gradient = vl_maker_normal(m, "gradient", 1, n, scale);
    /* Next to the square of 8192, all later squares vanish from a float32 sum: also from each of up
     * to LANES partial sums. */
    enum { LANES = 128 };
    for (size_t i = 0; gradient && many && i < n; i++)
        gradient[i] = i < LANES ? 8192 : gradient[i] + 1.8f;
}

/* Settings of which none is the usual one. */
static void make_unusual_settings(struct vl_maker *m)
{
    vl_maker_real(m, "lr", 0.03125);
    vl_maker_real(m, "beta1", (double)0.8f);
    vl_maker_real(m, "beta2", (double)0.99f);
    vl_maker_real(m, "eps", (double)1e-3f);
    vl_maker_real(m, "weight_decay", 0.25);
}

VL_SCOPED_MAKE(adamw)
{
    size_t n = is(self, VL_EMPTY) ? 0 : 7 * vl_maker_prime(m, 0);
    int first = is(self, VL_FIRST);
    vl_maker_size(m, "n", n);
    vl_maker_size(m, "step", is(self, VL_BAD) ? 0 : first ? 1 : is(self, VL_LATE) ? 1000 : 2);
    if (is(self, VL_PLAIN))
        make_unusual_settings(m);
    else
        vl_maker_settings(m, 0.015625, 0.125);
    vl_maker_real(m, "gradient_scale", 0.375);
    const float small = 3 * (float)vl_bag_real(m->bag, "eps");
    vl_maker_normal(m, "weights", 1, n, 1);
    float *average = vl_maker_normal(m, "m", 1, n, first ? 0 : 0.25f);
    float *v = vl_maker_normal(m, "v", 1, n, first ? 0 : 0.25f);
    float *gradient = vl_maker_normal(m, "gradient", 1, n, 1);
    /* Some gradients, and moments left by earlier ones, are about as large as eps: for them it
     * matters where eps is added. The change itself is still as large as the learning rate. */
    for (size_t i = 0; !m->failed && i < n; i++) {
        float root = first ? 0 : 0.125f + fabsf(v[i]);
        v[i] = root * root;
        if (i % 5 == 4) {
            gradient[i] *= small;
            average[i] *= small;
            v[i] *= small * small;
        }
        if (i % 7 == 3) /* the averages decay, and the weight moves on */
            gradient[i] = 0;
    }
}

/*
 * A learner whose answer can be written down: micro-batch k has the loss
 * 0.5 sum_i a[k][i] (w[i] - t[k][i])^2. Three tensors, the middle one without decay. Unusual ones
 * have one row each: it is not the rows that tell which of them decay.
 */
VL_SCOPED_MAKE(step)
{
    const int small = is(self, VL_TINY), unusual = is(self, VL_UNUSUAL);
    const float size = small ? 0x1p-12f : 1; /* of the gradients */
    size_t micro_batches =
        vl_maker_size(m, "micro_batches", is(self, VL_ONE_ROW) ? 1 : vl_maker_between(m, 3, 5));
    size_t rows = unusual ? 1 : vl_maker_prime(m, 0), cols = vl_maker_prime(m, rows);
    vl_maker_size(m, "unusual", (size_t)unusual);
    vl_maker_size(m, "rows", rows);
    vl_maker_size(m, "cols", cols);
    size_t count = vl_maker_size(m, "count", 2 * rows * cols + cols);
    size_t number = vl_maker_between(m, 2, 9);
    vl_maker_size(m, "step", is(self, VL_NO_STEP) ? 0 : number);
    vl_maker_settings(m, 0.015625, 0.125);
    float *a = vl_maker_normal(m, "a", micro_batches, count, 0.25f);
    for (size_t i = 0; a && i < micro_batches * count; i++)
        a[i] = size * (0.25f + fabsf(a[i]));
    vl_maker_normal(m, "t", micro_batches, count, 1);
    vl_maker_normal(m, "weights", 1, count, 1);
    if (small) { /* so that all of m comes from the clipped gradients */
        vl_maker_normal(m, "m", 1, count, 0);
        vl_maker_normal(m, "v", 1, count, 0);
    } else {
        vl_maker_moments(m, count);
    }
    /* Left over from an earlier step: the step must begin by clearing it. */
    vl_maker_normal(m, "gradients", 1, count, 2);
    const int clips = is(self, VL_CLIPPED) || small;
    vl_maker_real(m, "max_norm", clips ? 1.5 * (double)size : is(self, VL_LARGE) ? 4096 : 0);
    /* 1 + the micro-batch whose forward, or backward, fails with VL_ENOMEM; 0: none. If one does,
     * there is another step, in which that of the last micro-batch fails. */
    vl_maker_size(m, "fails_at", is(self, VL_BAD) ? 2 : 0);
    vl_maker_size(m, "backward_fails_at", is(self, VL_BACKWARD) ? 2 : 0);
}

/*
 * Shapes whose counts are divisible by 2 only once, and large: so no float32 holds them. Those as in the
 * world have an embedding table of more than 2^31 numbers. All counts of the others stay far below, so that
 * it shows which of the two limits a wrong number meets.
 */
static void make_large_shape(struct vl_maker *m, bool world)
{
    size_t heads = (world ? 121 : 9) + 2 * vl_maker_between(m, 0, 3);
    vl_maker_size(m, "heads", heads);
    vl_maker_size(m, "width", heads * 134);
    vl_maker_size(m, "layers", world ? vl_maker_between(m, 2, 7) : 1);
    vl_maker_size(m, "ff", (world ? 16384 : 1024) * vl_maker_between(m, 2, 5));
    vl_maker_size(m, "vocabulary", (world ? 262145 : 32001) + 2 * vl_maker_between(m, 0, 999));
    vl_maker_size(m, "sequence", vl_maker_between(m, 4097, 8191));
}

static void make_small_shape(struct vl_maker *m, bool long_sequence)
{
    size_t heads = vl_maker_size(m, "heads", vl_maker_between(m, 1, 4));
    size_t width = vl_maker_size(m, "width", heads * 2 * vl_maker_prime(m, 0));
    vl_maker_size(m, "layers", vl_maker_between(m, 2, 7));
    vl_maker_size(m, "ff", 32 * vl_maker_prime(m, 0));
    vl_maker_size(m, "vocabulary", vl_maker_between(m, 97, 509));
    vl_maker_size(m, "sequence", long_sequence ? 40 * width : vl_maker_between(m, 17, 99));
}

VL_SCOPED_MAKE(shape)
{
    if (is(self, VL_WORLD) || is(self, VL_ONE_ROW))
        make_large_shape(m, is(self, VL_WORLD));
    else
        make_small_shape(m, is(self, VL_LARGE));
}

VL_SCOPED_MAKE(mfu)
{
    vl_maker_ends_sizes(m);
    double thousands = (double)vl_maker_between(m, 3, 90);
    vl_maker_real(m, "tokens_per_second", is(self, VL_EMPTY) ? 0 : 1000 * thousands);
    vl_maker_real(m, "flops_per_token", 1e6 * (double)vl_maker_between(m, 5, 70));
    vl_maker_real(m, "peak", 1e13 * (double)vl_maker_between(m, 1, 90));
    vl_maker_size(m, "bad", (size_t)is(self, VL_BAD));
}
