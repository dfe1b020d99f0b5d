/*
 * Timed calls of lab 01: sizes at which the reference needs some milliseconds on one core. Inputs
 * are fresh for every turn, and everything is touched before the clock starts.
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

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define PREPARE(name)                                                                              \
    static enum vl_status prepare_##name(void **work, uint64_t seed)                               \
    {                                                                                              \
        return vl_timed_arrays_prepare(work, seed, name##_arrays, COUNT(name##_arrays));           \
    }
#define FINISH(name, output)                                                                       \
    static enum vl_status finish_##name(struct vl_bag *outputs, void *work)                        \
    {                                                                                              \
        return vl_timed_arrays_give(outputs, work, output);                                        \
    }

/* A turn that calls a kernel for one window after the other; 'call' uses the arrays as 'array' and
 * the window's first row (or sequence) as 'at'. */
#define TURN(name, count, step, call)                                                              \
    static enum vl_status turn_##name(void *work)                                                  \
    {                                                                                              \
        float *const *array = ((const struct vl_timed_arrays *)work)->array;                       \
        enum vl_status status = VL_OK;                                                             \
        for (size_t at = 0; status == VL_OK && at < (count) * (step); at += (step))                \
            status = call;                                                                         \
        return status;                                                                             \
    }

/*
 * A kernel that takes too little time is called for several windows of its rows, each a step
 * further than the one before. Together they write every row, and the inputs are quick to make.
 */
enum { NORM_WINDOW = 768, NORM_STEP = 8, NORM_WINDOWS = 33, NORM_WIDTH = 512 };
enum { NORM_ROWS = NORM_WINDOW + (NORM_WINDOWS - 1) * NORM_STEP };
static const struct vl_timed_array rmsnorm_arrays[] = {{"x", NORM_ROWS, NORM_WIDTH, 2},
                                                       {"gain", 1, NORM_WIDTH, 2},
                                                       {"y", NORM_ROWS, NORM_WIDTH, 0},
                                                       {"inv_rms", NORM_ROWS, 1, 0}};
PREPARE(rmsnorm)
TURN(rmsnorm, NORM_WINDOWS, NORM_STEP,
     vl_rmsnorm_forward(array[2] + at * NORM_WIDTH, array[3] + at, array[0] + at * NORM_WIDTH,
                        array[1], NORM_WINDOW, NORM_WIDTH))
FINISH(rmsnorm, "y")

enum { GATE_WINDOW = 512, GATE_STEP = 16, GATE_WINDOWS = 16, GATE_WIDTH = 704 };
enum { GATE_ROWS = GATE_WINDOW + (GATE_WINDOWS - 1) * GATE_STEP };
static const struct vl_timed_array swiglu_arrays[] = {{"gate_up", GATE_ROWS, 2 * GATE_WIDTH, 4},
                                                      {"out", GATE_ROWS, GATE_WIDTH, 0}};
PREPARE(swiglu)
TURN(swiglu, GATE_WINDOWS, GATE_STEP,
     vl_swiglu_forward(array[1] + at * GATE_WIDTH, array[0] + at * 2 * GATE_WIDTH, GATE_WINDOW,
                       GATE_WIDTH))
FINISH(swiglu, "out")

enum { LOGIT_WINDOW = 1024, LOGIT_STEP = 16, LOGIT_WINDOWS = 16, LOGIT_WIDTH = 512 };
enum { LOGIT_ROWS = LOGIT_WINDOW + (LOGIT_WINDOWS - 1) * LOGIT_STEP };
static const struct vl_timed_array cross_entropy_arrays[] = {{"logits", LOGIT_ROWS, LOGIT_WIDTH, 8},
                                                             {"probs", LOGIT_ROWS, LOGIT_WIDTH, 0},
                                                             {"losses", LOGIT_ROWS, 1, 0}};
static enum vl_status prepare_cross_entropy(void **opaque, uint64_t seed)
{
    enum vl_status status = vl_timed_arrays_prepare(opaque, seed, cross_entropy_arrays, 3);
    struct vl_timed_arrays *work = *opaque;
    if (status != VL_OK)
        return status;
    int32_t *targets = vl_bag_add_i32(work->bag, "targets", LOGIT_ROWS, 1);
    for (size_t i = 0; targets && i < LOGIT_ROWS; i++)
        targets[i] = (int32_t)vl_random_below(LOGIT_WIDTH, seed, 9, i);
    return targets ? VL_OK : VL_ENOMEM;
}
static enum vl_status turn_cross_entropy(void *work)
{
    const struct vl_timed_arrays *w = work;
    const int32_t *targets = vl_bag_i32(w->bag, "targets");
    enum vl_status status = VL_OK;
    for (size_t row = 0; status == VL_OK && row < LOGIT_WINDOWS * LOGIT_STEP; row += LOGIT_STEP)
        status = vl_cross_entropy_forward(w->array[2] + row, w->array[1] + row * LOGIT_WIDTH,
                                          w->array[0] + row * LOGIT_WIDTH, targets + row,
                                          LOGIT_WINDOW, LOGIT_WIDTH);
    return status;
}
static enum vl_status finish_cross_entropy(struct vl_bag *outputs, void *work)
{
    enum vl_status status = vl_timed_arrays_give(outputs, work, "losses");
    return status == VL_OK ? vl_timed_arrays_give(outputs, work, "probs") : status;
}

/* B sequences in a window, the next window one sequence further. */
enum { B = 4, WINDOWS = 5, ALL = B + WINDOWS - 1, H = 4, T = 128, K = 64 };
static const struct vl_timed_array attention_arrays[] = {
    {"qkv", ALL *T, 3 * H *K, 2}, {"out", ALL *T, H *K, 0}, {"probs", ALL *H *T, T, 0}};
PREPARE(attention)
TURN(attention, WINDOWS, 1,
     vl_attention_forward(array[1] + at * T * H * K, array[2] + at * H * T * T,
                          array[0] + at * T * 3 * H * K, B, T, H, K))
FINISH(attention, "out")

static const struct vl_timed_array attention_back_arrays[] = {{"qkv", ALL *T, 3 * H *K, 2},
                                                              {"dout", ALL *T, H *K, 1},
                                                              {"probs", ALL *H *T, T, 1},
                                                              {"dqkv", ALL *T, 3 * H *K, 0},
                                                              {"scratch", T, T, 0}};
/* Any positive rows that sum to one will do for probabilities. */
static enum vl_status prepare_attention_back(void **opaque, uint64_t seed)
{
    enum vl_status status = vl_timed_arrays_prepare(opaque, seed, attention_back_arrays, 5);
    struct vl_timed_arrays *work = *opaque;
    for (size_t i = 0; status == VL_OK && i < ALL * H * T; i++) {
        float *p = work->array[2] + i * T, sum = 0;
        for (size_t j = 0; j < T; j++) {
            p[j] = j <= i % T ? p[j] + 1.0f + 0x1p-10f : 0;
            sum += p[j];
        }
        for (size_t j = 0; j < T; j++)
            p[j] /= sum;
    }
    return status;
}
TURN(attention_back, WINDOWS, 1,
     vl_attention_backward_input(array[3] + at * T * 3 * H * K, array[4], array[1] + at * T * H * K,
                                 array[0] + at * T * 3 * H * K, array[2] + at * H * T * T, B, T, H,
                                 K))
FINISH(attention_back, "dqkv")

enum { LINEAR_ROWS = 512, LINEAR_IN = 512, LINEAR_OUT = 704 };
static const struct vl_timed_array linear_arrays[] = {{"x", LINEAR_ROWS, LINEAR_IN, 1},
                                                      {"w", LINEAR_OUT, LINEAR_IN, 1},
                                                      {"dy", LINEAR_ROWS, LINEAR_OUT, 1},
                                                      {"dx", LINEAR_ROWS, LINEAR_IN, 0},
                                                      {"dw", LINEAR_OUT, LINEAR_IN, 1}};
PREPARE(linear)
static enum vl_status turn_linear_input(void *work)
{
    const struct vl_timed_arrays *w = work;
    return vl_linear_backward_input(w->array[3], w->array[2], w->array[1], LINEAR_ROWS, LINEAR_IN,
                                    LINEAR_OUT);
}
FINISH(linear_input, "dx")
static enum vl_status turn_linear_weight(void *work)
{
    const struct vl_timed_arrays *w = work;
    return vl_linear_backward_weight(w->array[4], w->array[2], w->array[0], LINEAR_ROWS, LINEAR_IN,
                                     LINEAR_OUT);
}
FINISH(linear_weight, "dw")

/* Several steps in a row, since filling the state takes longer than a step. */
enum { STATE = 1 << 20, STEPS = 6 };
static const struct vl_timed_array adamw_arrays[] = {
    {"weights", 1, STATE, 1}, {"m", 1, STATE, 1}, {"v", 1, STATE, 1}, {"gradient", 1, STATE, 1}};
static enum vl_status prepare_adamw(void **opaque, uint64_t seed)
{
    enum vl_status status = vl_timed_arrays_prepare(opaque, seed, adamw_arrays, 4);
    struct vl_timed_arrays *work = *opaque;
    for (size_t i = 0; status == VL_OK && i < STATE; i++)
        work->array[2][i] *= work->array[2][i]; /* a mean of squares is not negative */
    return status;
}
static enum vl_status turn_adamw(void *work)
{
    const struct vl_timed_arrays *w = work;
    const struct vl_adamw settings = {1e-2f, 0.9f, 0.95f, 1e-8f, 0.1f};
    enum vl_status status = VL_OK;
    for (uint64_t step = 7; status == VL_OK && step < 7 + STEPS; step++)
        status = vl_adamw_update(w->array[0], w->array[1], w->array[2], w->array[3], 0.5f,
                                 &settings, step, STATE);
    return status;
}
FINISH(adamw, "weights")

/* ---- the whole step of a real model ---- */

static enum vl_status prepare_training(void **work, uint64_t seed)
{
    static const struct vl_shape shape = {2, 128, 4, 352, 256, 64};
    return vl_timed_model_prepare(work, &shape, 4, VL_RECOMPUTE_NONE, seed, 0,
                                  vl_timed_model_alone);
}

#define TIMED(name, prepared, turned)                                                              \
    {                                                                                              \
        "vl_" #name, prepare_##prepared, turn_##turned, finish_##turned, vl_timed_arrays_release   \
    }

const struct vl_timed_call vl_timed_training_step[] = {
    TIMED(rmsnorm_forward, rmsnorm, rmsnorm),
    TIMED(swiglu_forward, swiglu, swiglu),
    TIMED(cross_entropy_forward, cross_entropy, cross_entropy),
    TIMED(attention_forward, attention, attention),
    TIMED(linear_backward_input, linear, linear_input),
    TIMED(linear_backward_weight, linear, linear_weight),
    TIMED(attention_backward_input, attention_back, attention_back),
    TIMED(adamw_update, adamw, adamw),
    {"vl_training_step", prepare_training, vl_timed_model_turn, vl_timed_model_finish,
     vl_timed_model_release},
    {NULL, NULL, NULL, NULL, NULL},
};
