/*
 * Lab 01's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/01_training_step/training_step.h"

#include "base/text.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define ONE_OPERATION 1e-5
#define WHOLE_MODEL   1e-4
#define FLOOR         1e-6

/* One function's case: id, purpose, share of the points, variant. Makers serve several functions.
 */
#define CASE(name, special, purpose, share, maker, variant, suspects)                              \
    {                                                                                              \
#name "." special, "vl_" #name, purpose, 1, share, ONE_OPERATION, FLOOR, NULL,             \
            vl_make_##maker, vl_truth_##name, suspects, variant, 0, 0                              \
    }
#define KNOWN(name, special, purpose, share, maker, variant)                                       \
    CASE(name, special, purpose, share, maker, variant, vl_suspects_##name)
#define PLAIN(name, special, purpose, share, maker, variant)                                       \
    CASE(name, special, purpose, share, maker, variant, NULL)

/* The three sealed numbers: one function, three truths. */
#define SEALED(special, purpose, truth)                                                            \
    {                                                                                              \
        "predict_training." special, "vl_predict_training", purpose, 1, 1.0 / 3, ONE_OPERATION,    \
            FLOOR, NULL, vl_make_prediction, vl_truth_##truth, vl_suspects_##truth, VL_PLAIN, 0, 0 \
    }

static const char *const every_kernel[] = {"vl_linear_forward",
                                           "vl_embedding_forward",
                                           "vl_embedding_backward_weight",
                                           "vl_rotary_table",
                                           "vl_rotary_forward",
                                           "vl_rotary_backward_input",
                                           "vl_rmsnorm_forward",
                                           "vl_swiglu_forward",
                                           "vl_cross_entropy_forward",
                                           "vl_attention_forward",
                                           "vl_linear_backward_input",
                                           "vl_linear_backward_weight",
                                           "vl_swiglu_backward_input",
                                           "vl_cross_entropy_backward_input",
                                           "vl_rmsnorm_backward_input",
                                           "vl_rmsnorm_backward_weight",
                                           "vl_attention_backward_input",
                                           "vl_gradient_norm",
                                           "vl_adamw_update",
                                           "vl_training_step",
                                           NULL};

#define ODD      N_("awkward sizes")
#define EMPTY    N_("no rows")
#define ONE_ROW  N_("one row")
#define LARGE    N_("large numbers")
#define IN_PLACE N_("in place")
#define ADDED    N_("added to what is there")
#define REPLACED N_("replaces what is there")
#define REFUSED  N_("a bad argument is refused")

static const struct vl_case cases[] = {
    PLAIN(linear_forward, "odd", ODD, 0.5, linear, VL_PLAIN),
    PLAIN(linear_forward, "empty", EMPTY, 0.5, linear, VL_EMPTY),
    PLAIN(embedding_forward, "odd", ODD, 0.5, embedding, VL_PLAIN),
    PLAIN(embedding_forward, "bad_token", REFUSED, 0.5, embedding, VL_BAD),
    PLAIN(embedding_backward_weight, "accumulate", ADDED, 1, embedding, VL_PRESET),
    PLAIN(rotary_table, "odd", ODD, 0.5, rotary, VL_PLAIN),
    PLAIN(rotary_table, "odd_width", REFUSED, 0.5, rotary, VL_BAD),
    PLAIN(rotary_forward, "odd", ODD, 1, rotary, VL_PLAIN),
    PLAIN(rotary_backward_input, "odd", ODD, 1, rotary, VL_PLAIN),

    KNOWN(rmsnorm_forward, "odd", ODD, 0.4, rmsnorm, VL_PLAIN),
    KNOWN(rmsnorm_forward, "tiny", N_("tiny numbers"), 0.2, rmsnorm, VL_TINY),
    KNOWN(rmsnorm_forward, "large", LARGE, 0.2, rmsnorm, VL_LARGE),
    KNOWN(rmsnorm_forward, "one_row", ONE_ROW, 0.1, rmsnorm, VL_ONE_ROW),
    KNOWN(rmsnorm_forward, "empty", EMPTY, 0.1, rmsnorm, VL_EMPTY),

    KNOWN(swiglu_forward, "odd", ODD, 0.5, swiglu, VL_PLAIN),
    KNOWN(swiglu_forward, "large", LARGE, 0.4, swiglu, VL_LARGE),
    KNOWN(swiglu_forward, "empty", EMPTY, 0.1, swiglu, VL_EMPTY),

    KNOWN(cross_entropy_forward, "odd", ODD, 0.4, cross_entropy, VL_PLAIN),
    KNOWN(cross_entropy_forward, "large", LARGE, 0.2, cross_entropy, VL_LARGE),
    KNOWN(cross_entropy_forward, "in_place", IN_PLACE, 0.2, cross_entropy, VL_IN_PLACE),
    KNOWN(cross_entropy_forward, "one_row", ONE_ROW, 0.1, cross_entropy, VL_ONE_ROW),
    KNOWN(cross_entropy_forward, "bad_target", REFUSED, 0.1, cross_entropy, VL_BAD),

    KNOWN(attention_forward, "odd", ODD, 0.4, attention, VL_PLAIN),
    KNOWN(attention_forward, "long", N_("many tokens"), 0.3, attention, VL_LONG),
    KNOWN(attention_forward, "large", LARGE, 0.2, attention, VL_LARGE),
    KNOWN(attention_forward, "one_token", N_("one token"), 0.1, attention, VL_ONE_ROW),

    KNOWN(linear_backward_input, "odd", ODD, 0.5, linear, VL_PLAIN),
    KNOWN(linear_backward_input, "overwrite", REPLACED, 0.2, linear, VL_PRESET),
    KNOWN(linear_backward_input, "one_row", ONE_ROW, 0.1, linear, VL_ONE_ROW),
    KNOWN(linear_backward_input, "empty", EMPTY, 0.1, linear, VL_EMPTY),
    KNOWN(linear_backward_input, "null", REFUSED, 0.1, linear, VL_BAD),

    KNOWN(linear_backward_weight, "odd", ODD, 0.4, linear, VL_PLAIN),
    KNOWN(linear_backward_weight, "accumulate", ADDED, 0.4, linear, VL_PRESET),
    KNOWN(linear_backward_weight, "one_row", ONE_ROW, 0.1, linear, VL_ONE_ROW),
    KNOWN(linear_backward_weight, "empty", EMPTY, 0.1, linear, VL_EMPTY),

    KNOWN(swiglu_backward_input, "odd", ODD, 0.6, swiglu, VL_PLAIN),
    KNOWN(swiglu_backward_input, "large", LARGE, 0.3, swiglu, VL_LARGE),
    KNOWN(swiglu_backward_input, "empty", EMPTY, 0.1, swiglu, VL_EMPTY),

    KNOWN(cross_entropy_backward_input, "odd", ODD, 0.6, cross_entropy, VL_PLAIN),
    KNOWN(cross_entropy_backward_input, "in_place", IN_PLACE, 0.3, cross_entropy, VL_IN_PLACE),
    KNOWN(cross_entropy_backward_input, "bad_target", REFUSED, 0.1, cross_entropy, VL_BAD),

    KNOWN(rmsnorm_backward_input, "odd", ODD, 0.5, rmsnorm, VL_PLAIN),
    KNOWN(rmsnorm_backward_input, "tiny", N_("tiny numbers"), 0.2, rmsnorm, VL_TINY),
    KNOWN(rmsnorm_backward_input, "overwrite", REPLACED, 0.2, rmsnorm, VL_PRESET),
    KNOWN(rmsnorm_backward_input, "empty", EMPTY, 0.1, rmsnorm, VL_EMPTY),

    KNOWN(rmsnorm_backward_weight, "odd", ODD, 0.4, rmsnorm, VL_PLAIN),
    KNOWN(rmsnorm_backward_weight, "accumulate", ADDED, 0.5, rmsnorm, VL_PRESET),
    KNOWN(rmsnorm_backward_weight, "empty", EMPTY, 0.1, rmsnorm, VL_EMPTY),

    KNOWN(attention_backward_input, "odd", ODD, 0.3, attention, VL_PLAIN),
    KNOWN(attention_backward_input, "long", N_("many tokens"), 0.3, attention, VL_LONG),
    KNOWN(attention_backward_input, "junk", N_("NaN right of the diagonal"), 0.3, attention,
          VL_JUNK),
    KNOWN(attention_backward_input, "one_token", N_("one token"), 0.1, attention, VL_ONE_ROW),

    KNOWN(gradient_norm, "odd", ODD, 0.4, gradient_norm, VL_PLAIN),
    KNOWN(gradient_norm, "long", N_("many elements"), 0.5, gradient_norm, VL_LARGE),
    KNOWN(gradient_norm, "empty", N_("no elements"), 0.1, gradient_norm, VL_EMPTY),

    KNOWN(adamw_update, "first", N_("step 1"), 0.3, adamw, VL_FIRST),
    KNOWN(adamw_update, "second", N_("step 2"), 0.3, adamw, VL_PLAIN),
    KNOWN(adamw_update, "late", N_("step 1000"), 0.2, adamw, VL_LATE),
    KNOWN(adamw_update, "empty", N_("no elements"), 0.1, adamw, VL_EMPTY),
    KNOWN(adamw_update, "step_zero", REFUSED, 0.1, adamw, VL_BAD),

    KNOWN(training_step, "plain", N_("without clipping"), 0.3, step, VL_PLAIN),
    KNOWN(training_step, "clipped", N_("with clipping"), 0.3, step, VL_CLIPPED),
    KNOWN(training_step, "below", N_("norm below the limit"), 0.1, step, VL_LARGE),
    KNOWN(training_step, "one", N_("one micro-batch"), 0.1, step, VL_ONE_ROW),
    KNOWN(training_step, "error", N_("an error is passed on"), 0.2, step, VL_BAD),

    KNOWN(parameter_count, "small", N_("a small model"), 0.6, shape, VL_PLAIN),
    KNOWN(parameter_count, "one_layer", N_("one layer"), 0.4, shape, VL_ONE_ROW),
    KNOWN(flops_per_token, "small", N_("a small model"), 0.6, shape, VL_PLAIN),
    KNOWN(flops_per_token, "long", N_("a long sequence"), 0.4, shape, VL_LARGE),
    KNOWN(mfu, "plain", N_("a share of the peak"), 0.8, mfu, VL_PLAIN),
    KNOWN(mfu, "bad_peak", REFUSED, 0.2, mfu, VL_BAD),
    SEALED("parameters", N_("parameters"), predict_parameters),
    SEALED("state_bytes", N_("bytes of state"), predict_state),
    SEALED("flops_per_step", N_("operations a step"), predict_flops),

    {"ten_steps.gradients", "ten_steps", N_("gradients of the whole model"), 1, 0.5, WHOLE_MODEL,
     FLOOR, every_kernel, vl_make_ten_steps, vl_truth_ten_steps_gradients, NULL, VL_PLAIN, 0, 0},
    {"ten_steps.losses", "ten_steps", N_("losses of ten steps"), 1, 0.5, WHOLE_MODEL, FLOOR,
     every_kernel, vl_make_ten_steps, vl_truth_ten_steps_losses, NULL, VL_PLAIN, 0, 0},
};

#define TIMING(name, purpose)                                                                      \
    {                                                                                              \
#name ".speed", "vl_" #name, purpose, 1e-4, (const char *const[]){"vl_" #name, NULL }, 1   \
    }

static const struct vl_timing timings[] = {
    TIMING(rmsnorm_forward, N_("speed")),
    TIMING(swiglu_forward, N_("speed")),
    TIMING(cross_entropy_forward, N_("speed")),
    TIMING(attention_forward, N_("speed")),
    TIMING(linear_backward_input, N_("speed")),
    TIMING(linear_backward_weight, N_("speed")),
    TIMING(attention_backward_input, N_("speed")),
    TIMING(adamw_update, N_("speed")),
    /* The real step of a real model: everything above is in it. */
    {"training_step.speed", "vl_training_step", N_("tokens per second of the whole step"), 1e-3,
     every_kernel, 1},
};

const struct vl_lab_cases vl_cases_training_step = {1, cases, COUNT(cases), timings,
                                                    COUNT(timings)};
