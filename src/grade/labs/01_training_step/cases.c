/*
 * Lab 01's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/01_training_step/training_step.h"

#include "base/text.h"

#define ONE_OPERATION 1e-5
#define WHOLE_MODEL   1e-4
#define FLOOR         1e-6

/* A case of vl_<name>, with inputs from a maker that may serve several functions. */
#define CASE(name, maker, special, what, ...)                                                      \
    {                                                                                              \
        .id = #name "." special, .function = "vl_" #name, .purpose = what, .ranks = 1,             \
        .bound = ONE_OPERATION, .floor = FLOOR, .make = vl_make_##maker, .truth = vl_truth_##name, \
        __VA_ARGS__                                                                                \
    }

/* The three sealed numbers: one function, three truths. */
#define SEALED(number, what, answer)                                                               \
    {                                                                                              \
        .id = "predict_training." number, .function = "vl_predict_training", .purpose = what,      \
        .ranks = 1, .share = 1.0 / 3, .bound = ONE_OPERATION, .floor = FLOOR,                      \
        .make = vl_make_prediction, .truth = vl_truth_##answer, .sealed = 1                        \
    }

/* The whole model, trained with all of the submission. */
#define TEN_STEPS(special, what)                                                                   \
    {                                                                                              \
        .id = "ten_steps." #special, .function = "ten_steps", .purpose = what, .ranks = 1,         \
        .share = 0.5, .bound = WHOLE_MODEL, .floor = FLOOR, .needs = every_kernel,                 \
        .make = vl_make_ten_steps, .truth = vl_truth_ten_steps_##special                           \
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
    CASE(linear_forward, linear, "odd", ODD, .share = 0.5),
    CASE(linear_forward, linear, "empty", EMPTY, .share = 0.5, .variant = VL_EMPTY),
    CASE(embedding_forward, embedding, "odd", ODD, .share = 0.5),
    CASE(embedding_forward, embedding, "bad_token", REFUSED, .share = 0.5, .variant = VL_BAD),
    CASE(embedding_backward_weight, embedding, "accumulate", ADDED, .share = 1,
         .variant = VL_PRESET),
    CASE(rotary_table, rotary, "odd", ODD, .share = 0.5),
    CASE(rotary_table, rotary, "odd_width", REFUSED, .share = 0.5, .variant = VL_BAD),
    CASE(rotary_forward, rotary, "odd", ODD, .share = 1),
    CASE(rotary_backward_input, rotary, "odd", ODD, .share = 1),

    CASE(rmsnorm_forward, rmsnorm, "odd", ODD, .share = 0.4),
    CASE(rmsnorm_forward, rmsnorm, "tiny", N_("tiny numbers"), .share = 0.2, .variant = VL_TINY),
    CASE(rmsnorm_forward, rmsnorm, "large", LARGE, .share = 0.2, .variant = VL_LARGE),
    CASE(rmsnorm_forward, rmsnorm, "one_row", ONE_ROW, .share = 0.1, .variant = VL_ONE_ROW),
    CASE(rmsnorm_forward, rmsnorm, "empty", EMPTY, .share = 0.1, .variant = VL_EMPTY),

    CASE(swiglu_forward, swiglu, "odd", ODD, .share = 0.5),
    CASE(swiglu_forward, swiglu, "large", LARGE, .share = 0.4, .variant = VL_LARGE),
    CASE(swiglu_forward, swiglu, "empty", EMPTY, .share = 0.1, .variant = VL_EMPTY),

    CASE(cross_entropy_forward, cross_entropy, "odd", ODD, .share = 0.4),
    CASE(cross_entropy_forward, cross_entropy, "large", LARGE, .share = 0.2, .variant = VL_LARGE),
    CASE(cross_entropy_forward, cross_entropy, "in_place", IN_PLACE, .share = 0.2,
         .variant = VL_IN_PLACE),
    CASE(cross_entropy_forward, cross_entropy, "one_row", ONE_ROW, .share = 0.1,
         .variant = VL_ONE_ROW),
    CASE(cross_entropy_forward, cross_entropy, "bad_target", REFUSED, .share = 0.1,
         .variant = VL_BAD),

    CASE(attention_forward, attention, "odd", ODD, .share = 0.4),
    CASE(attention_forward, attention, "long", N_("many tokens"), .share = 0.3, .variant = VL_LONG),
    CASE(attention_forward, attention, "large", LARGE, .share = 0.2, .variant = VL_LARGE),
    CASE(attention_forward, attention, "one_token", N_("one token"), .share = 0.1,
         .variant = VL_ONE_ROW),

    CASE(linear_backward_input, linear, "odd", ODD, .share = 0.5),
    CASE(linear_backward_input, linear, "overwrite", REPLACED, .share = 0.2, .variant = VL_PRESET),
    CASE(linear_backward_input, linear, "one_row", ONE_ROW, .share = 0.1, .variant = VL_ONE_ROW),
    CASE(linear_backward_input, linear, "empty", EMPTY, .share = 0.1, .variant = VL_EMPTY),
    CASE(linear_backward_input, linear, "null", REFUSED, .share = 0.1, .variant = VL_BAD),

    CASE(linear_backward_weight, linear, "odd", ODD, .share = 0.4),
    CASE(linear_backward_weight, linear, "accumulate", ADDED, .share = 0.4, .variant = VL_PRESET),
    CASE(linear_backward_weight, linear, "one_row", ONE_ROW, .share = 0.1, .variant = VL_ONE_ROW),
    CASE(linear_backward_weight, linear, "empty", EMPTY, .share = 0.1, .variant = VL_EMPTY),

    CASE(swiglu_backward_input, swiglu, "odd", ODD, .share = 0.6),
    CASE(swiglu_backward_input, swiglu, "large", LARGE, .share = 0.3, .variant = VL_LARGE),
    CASE(swiglu_backward_input, swiglu, "empty", EMPTY, .share = 0.1, .variant = VL_EMPTY),

    CASE(cross_entropy_backward_input, cross_entropy, "odd", ODD, .share = 0.6),
    CASE(cross_entropy_backward_input, cross_entropy, "in_place", IN_PLACE, .share = 0.3,
         .variant = VL_IN_PLACE),
    CASE(cross_entropy_backward_input, cross_entropy, "bad_target", REFUSED, .share = 0.1,
         .variant = VL_BAD),

    CASE(rmsnorm_backward_input, rmsnorm, "odd", ODD, .share = 0.5),
    CASE(rmsnorm_backward_input, rmsnorm, "tiny", N_("tiny numbers"), .share = 0.2,
         .variant = VL_TINY),
    CASE(rmsnorm_backward_input, rmsnorm, "overwrite", REPLACED, .share = 0.2,
         .variant = VL_PRESET),
    CASE(rmsnorm_backward_input, rmsnorm, "empty", EMPTY, .share = 0.1, .variant = VL_EMPTY),

    CASE(rmsnorm_backward_weight, rmsnorm, "odd", ODD, .share = 0.4),
    CASE(rmsnorm_backward_weight, rmsnorm, "accumulate", ADDED, .share = 0.5, .variant = VL_PRESET),
    CASE(rmsnorm_backward_weight, rmsnorm, "empty", EMPTY, .share = 0.1, .variant = VL_EMPTY),

    CASE(attention_backward_input, attention, "odd", ODD, .share = 0.3),
    CASE(attention_backward_input, attention, "long", N_("many tokens"), .share = 0.3,
         .variant = VL_LONG),
    CASE(attention_backward_input, attention, "junk", N_("NaN right of the diagonal"), .share = 0.3,
         .variant = VL_JUNK),
    CASE(attention_backward_input, attention, "one_token", N_("one token"), .share = 0.1,
         .variant = VL_ONE_ROW),

    CASE(gradient_norm, gradient_norm, "odd", ODD, .share = 0.4),
    CASE(gradient_norm, gradient_norm, "long", N_("many elements"), .share = 0.5,
         .variant = VL_LARGE),
    CASE(gradient_norm, gradient_norm, "empty", N_("no elements"), .share = 0.1,
         .variant = VL_EMPTY),

    CASE(adamw_update, adamw, "first", N_("step 1"), .share = 0.3, .variant = VL_FIRST),
    CASE(adamw_update, adamw, "second", N_("step 2"), .share = 0.3),
    CASE(adamw_update, adamw, "late", N_("step 1000"), .share = 0.2, .variant = VL_LATE),
    CASE(adamw_update, adamw, "empty", N_("no elements"), .share = 0.1, .variant = VL_EMPTY),
    CASE(adamw_update, adamw, "step_zero", REFUSED, .share = 0.1, .variant = VL_BAD),

    CASE(training_step, step, "plain", N_("without clipping"), .share = 0.3),
    CASE(training_step, step, "clipped", N_("with clipping"), .share = 0.3, .variant = VL_CLIPPED),
    CASE(training_step, step, "below", N_("norm below the limit"), .share = 0.1,
         .variant = VL_LARGE),
    CASE(training_step, step, "one", N_("one micro-batch"), .share = 0.1, .variant = VL_ONE_ROW),
    CASE(training_step, step, "error", N_("an error is passed on"), .share = 0.2,
         .variant = VL_BAD),

    CASE(parameter_count, shape, "small", N_("a small model"), .share = 0.6),
    CASE(parameter_count, shape, "one_layer", N_("one layer"), .share = 0.4, .variant = VL_ONE_ROW),
    CASE(flops_per_token, shape, "small", N_("a small model"), .share = 0.6),
    CASE(flops_per_token, shape, "long", N_("a long sequence"), .share = 0.4, .variant = VL_LARGE),
    CASE(mfu, mfu, "plain", N_("a share of the peak"), .share = 0.8),
    CASE(mfu, mfu, "bad_peak", REFUSED, .share = 0.2, .variant = VL_BAD),
    SEALED("parameters", N_("parameters"), predict_parameters),
    SEALED("state_bytes", N_("bytes of state"), predict_state),
    SEALED("flops_per_step", N_("operations a step"), predict_flops),

    TEN_STEPS(gradients, N_("gradients of the whole model")),
    TEN_STEPS(losses, N_("losses of ten steps")),
};

#define TIMING(name)                                                                               \
    {                                                                                              \
        .id = #name ".speed", .function = "vl_" #name, .purpose = N_("speed"), .bound = 1e-4,      \
        .needs = (const char *const[]){"vl_" #name, NULL}, .ranks = 1                              \
    }

static const struct vl_timing timings[] = {
    TIMING(rmsnorm_forward),
    TIMING(swiglu_forward),
    TIMING(cross_entropy_forward),
    TIMING(attention_forward),
    TIMING(linear_backward_input),
    TIMING(linear_backward_weight),
    TIMING(attention_backward_input),
    TIMING(adamw_update),
    /* The real step of a real model: everything above is in it. */
    {.id = "training_step.speed",
     .function = "vl_training_step",
     .purpose = N_("tokens per second of the whole step"),
     .bound = 1e-3,
     .needs = every_kernel,
     .ranks = 1},
};

VL_TIMED_LAB_CASES(training_step);
