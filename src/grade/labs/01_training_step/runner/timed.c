/*
 * Timed calls of lab 01. Inputs are fresh for every call, so that nothing of one call serves for the
 * next: where a call takes less than some milliseconds, the grader asks for several works in a turn.
 * Everything is touched before the clock starts.
 */
#include "runner/call.h"
#include "runner/timed_model.h"
#include "runner/timed_work.h"

#include "base/random.h"
#include "engine/model/model.h"
#include "vialata/adamw.h"
#include "vialata/attention.h"
#include "vialata/cross_entropy.h"
#include "vialata/linear.h"
#include "vialata/rmsnorm.h"
#include "vialata/swiglu.h"

#include <stdlib.h>

/* The work of a call. The body keeps arrays, which a turn finds by their index. */
#define PREPARE(name) VL_TIMED_PREPARE(name, struct vl_timed_arrays)

/* A turn that calls a kernel once, which uses the arrays as 'array'. */
#define TURN(name, call)                                                                           \
    static enum vl_status turn_##name(void *work)                                                  \
    {                                                                                              \
        const struct vl_timed_arrays *w = work;                                                    \
        float *const *array = w->array;                                                            \
        return call;                                                                               \
    }

enum { NORM_ROWS = 1536, NORM_WIDTH = 512 };

PREPARE(rmsnorm)
{
    const size_t n = NORM_ROWS * NORM_WIDTH; /* x, gain, y, inv_rms */
    vl_timed_keep_arrays(w, {n, 2, NULL}, {NORM_WIDTH, 2, NULL}, {n, 0, "y"},
                         {NORM_ROWS, 0, "inv_rms"});
}
TURN(rmsnorm, vl_rmsnorm_forward(array[2], array[3], array[0], array[1], NORM_ROWS, NORM_WIDTH))

enum { GATE_ROWS = 1024, GATE_WIDTH = 704 };

PREPARE(swiglu)
{
    const size_t n = GATE_ROWS * GATE_WIDTH; /* gate_up, out */
    vl_timed_keep_arrays(w, {2 * n, 4, NULL}, {n, 0, "out"});
}
TURN(swiglu, vl_swiglu_forward(array[1], array[0], GATE_ROWS, GATE_WIDTH))

enum { LOGIT_ROWS = 1536, LOGIT_WIDTH = 512 };

PREPARE(cross_entropy)
{
    const size_t n = LOGIT_ROWS * LOGIT_WIDTH; /* logits, probs, losses; the targets */
    vl_timed_keep_arrays(w, {n, 8, NULL}, {n, 0, "probs"}, {LOGIT_ROWS, 0, "losses"});
    w->indices = vl_timed_keep(&w->kept, malloc(LOGIT_ROWS * sizeof *w->indices));
    for (size_t i = 0; w->indices != NULL && i < LOGIT_ROWS; i++)
        w->indices[i] = (int32_t)vl_random_below(LOGIT_WIDTH, w->kept.seed, 9, i);
}
TURN(cross_entropy,
     vl_cross_entropy_forward(array[2], array[1], array[0], w->indices, LOGIT_ROWS, LOGIT_WIDTH))

enum { B = 8, H = 4, T = 128, K = 64 };
enum { OUT = B * T * H * K, QKV = 3 * OUT, PROBS = B * H * T * T };

PREPARE(attention)
{
    vl_timed_keep_arrays(w, {QKV, 2, NULL}, {OUT, 0, "out"}, {PROBS, 0, "probs"});
}
TURN(attention, vl_attention_forward(array[1], array[2], array[0], B, T, H, K))

/* Anything may be right of the diagonal. */
static enum vl_status finish_attention(struct vl_bag *outputs, void *work)
{
    float *probs = ((const struct vl_timed_arrays *)work)->array[2];
    for (size_t row = 0; row < B * H * T; row++)
        for (size_t j = row % T + 1; j < T; j++)
            probs[row * T + j] = 0;
    return vl_timed_give(outputs, work);
}

/* Any positive rows that sum to one serve as probabilities. */
static void make_probabilities(float *probs)
{
    for (size_t i = 0; i < B * H * T; i++) {
        float *p = probs + i * T, sum = 0;
        for (size_t j = 0; j < T; j++) {
            p[j] = j <= i % T ? p[j] + 1.0f + 0x1p-10f : 0;
            sum += p[j];
        }
        for (size_t j = 0; j < T; j++)
            p[j] /= sum;
    }
}

PREPARE(attention_back)
{
    /* qkv, dout, probs, dqkv, scratch */
    vl_timed_keep_arrays(w, {QKV, 2, NULL}, {OUT, 1, NULL}, {PROBS, 1, NULL}, {QKV, 0, "dqkv"},
                         {T * T, 0, NULL});
    if (w->kept.status == VL_OK)
        make_probabilities(w->array[2]);
}
TURN(attention_back,
     vl_attention_backward_input(array[3], array[4], array[1], array[0], array[2], B, T, H, K))

enum { LINEAR_ROWS = 512, LINEAR_IN = 512, LINEAR_OUT = 704 };

static void keep_linear(struct vl_timed_arrays *w, const char *dx, const char *dw)
{
    const size_t in = LINEAR_ROWS * LINEAR_IN, out = LINEAR_ROWS * LINEAR_OUT;
    const size_t weights = LINEAR_OUT * LINEAR_IN; /* x, w, dy, dx, dw */
    vl_timed_keep_arrays(w, {in, 1, NULL}, {weights, 1, NULL}, {out, 1, NULL}, {in, 0, dx},
                         {weights, 1, dw});
}

PREPARE(linear_input)
{
    keep_linear(w, "dx", NULL);
}
TURN(linear_input,
     vl_linear_backward_input(array[3], array[2], array[1], LINEAR_ROWS, LINEAR_IN, LINEAR_OUT))

PREPARE(linear_weight)
{
    keep_linear(w, NULL, "dw");
}
TURN(linear_weight,
     vl_linear_backward_weight(array[4], array[2], array[0], LINEAR_ROWS, LINEAR_IN, LINEAR_OUT))

enum { STATE = 1 << 20, STEP = 7 };
static const struct vl_adamw settings = {1e-2f, 0.9f, 0.95f, 1e-8f, 0.1f};

PREPARE(adamw)
{
    /* weights, m, v, gradient */
    vl_timed_keep_arrays(w, {STATE, 1, "weights"}, {STATE, 1, "m"}, {STATE, 1, "v"},
                         {STATE, 1, NULL});
    for (size_t i = 0; w->kept.status == VL_OK && i < STATE; i++)
        w->array[2][i] *= w->array[2][i]; /* a mean of squares is not negative */
}
TURN(adamw, vl_adamw_update(array[0], array[1], array[2], array[3], 0.5f, &settings, STEP, STATE))

/* ---- the whole step of a real model ---- */

static enum vl_status prepare_training(void **work, uint64_t seed)
{
    static const struct vl_shape shape = {2, 128, 4, 352, 256, 64};
    return vl_timed_model_prepare(work, &shape, 4, VL_RECOMPUTE_NONE, seed, 0,
                                  vl_timed_model_alone);
}

const struct vl_timed_call vl_timed_training_step[] = {
    VL_TIMED("vl_rmsnorm_forward", rmsnorm),
    VL_TIMED("vl_swiglu_forward", swiglu),
    VL_TIMED("vl_cross_entropy_forward", cross_entropy),
    {"vl_attention_forward", prepare_attention, turn_attention, finish_attention, vl_timed_release},
    VL_TIMED("vl_linear_backward_input", linear_input),
    VL_TIMED("vl_linear_backward_weight", linear_weight),
    VL_TIMED("vl_attention_backward_input", attention_back),
    VL_TIMED("vl_adamw_update", adamw),
    VL_TIMED_MODEL("vl_training_step", training),
    {NULL, NULL, NULL, NULL, NULL},
};
