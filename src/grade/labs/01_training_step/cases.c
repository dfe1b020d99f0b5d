/*
 * Lab 01's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/01_training_step/training_step.h"

#include "base/text.h"
#include "grade/catalogue/shapes.h"

#define ONE_OPERATION  1e-5
#define WHOLE_MODEL    1e-4
#define SUM_IN_FLOAT64 1e-7
#define FLOOR          1e-6

/* A case of vl_<name>, with inputs from a maker that may serve several functions. */
#define CASE(name, maker, ...)                                                                     \
    VL_CASE(#name, "vl_" #name, maker, name, __VA_ARGS__, .ranks = 1, .bound = ONE_OPERATION,      \
            .floor = FLOOR)
/* The same for whole numbers, which must be exact. */
#define COUNT(name, maker, ...)                                                                    \
    VL_CASE(#name, "vl_" #name, maker, name, __VA_ARGS__, .ranks = 1, .floor = FLOOR)
/* The three sealed numbers: one function, three truths. Without a bound they must be exact. */
#define SEALED(number, answer, ...)                                                                \
    VL_CASE("predict_training", "vl_predict_training", shapes, predict_##answer, number,           \
            __VA_ARGS__, .ranks = 1, .share = 1.0 / 3, .floor = FLOOR, .sealed = 1)
/* The whole model, trained with all of the submission. */
#define TEN_STEPS(special, ...)                                                                    \
    VL_CASE("ten_steps", "ten_steps", ten_steps, ten_steps_##special, #special, __VA_ARGS__,       \
            .ranks = 1, .share = 0.5, .bound = WHOLE_MODEL, .floor = FLOOR, .needs = every_kernel)

#define WORKED                                                                                     \
    "vl_linear_forward", "vl_embedding_forward", "vl_embedding_backward_weight",                   \
        "vl_rotary_table", "vl_rotary_forward", "vl_rotary_backward_input"
#define FORWARD                                                                                    \
    "vl_rmsnorm_forward", "vl_swiglu_forward", "vl_cross_entropy_forward", "vl_attention_forward"
#define BACKWARD                                                                                   \
    "vl_linear_backward_input", "vl_linear_backward_weight", "vl_swiglu_backward_input",           \
        "vl_cross_entropy_backward_input", "vl_rmsnorm_backward_input",                            \
        "vl_rmsnorm_backward_weight", "vl_attention_backward_input"
#define UPDATE "vl_gradient_norm", "vl_adamw_update"
#define STEP   UPDATE, "vl_training_step"
static const char *const every_kernel[] = {WORKED, FORWARD, BACKWARD, STEP, NULL};

static const char *const update[] = {UPDATE, NULL};
static const char *const counted[] = {"vl_parameter_count", NULL};

/* What is special about a case: the end of its id, in words, and the variant. */
#define REFUSED    N_("a bad argument is refused"), .variant = VL_BAD
#define ODD        "odd", N_("awkward sizes")
#define EMPTY      "empty", N_("no rows"), .variant = VL_EMPTY
#define ONE_ROW    "one_row", N_("one row"), .variant = VL_ONE_ROW
#define ONE_TOKEN  "one_token", N_("one token"), .variant = VL_ONE_ROW
#define LONG       "long", N_("many tokens"), .variant = VL_LONG
#define TINY       "tiny", N_("tiny numbers"), .variant = VL_TINY
#define LARGE      "large", N_("large numbers"), .variant = VL_LARGE
#define IN_PLACE   "in_place", N_("in place"), .variant = VL_IN_PLACE
#define ADDED      "accumulate", N_("added to what is there"), .variant = VL_PRESET
#define REPLACED   "overwrite", N_("replaces what is there"), .variant = VL_PRESET
#define BAD_TARGET "bad_target", REFUSED
#define NOTHING    "empty", N_("no elements"), .variant = VL_EMPTY
#define WORLD      "large", N_("real-world sizes"), .variant = VL_WORLD

static const struct vl_case cases[] = {
    CASE(linear_forward, linear, ODD, .share = 0.5),
    CASE(linear_forward, linear, EMPTY, .share = 0.5),
    CASE(embedding_forward, embedding, ODD, .share = 0.5),
    CASE(embedding_forward, embedding, "bad_token", REFUSED, .share = 0.5),
    CASE(embedding_backward_weight, embedding, ADDED, .share = 1),
    CASE(rotary_table, rotary, ODD, .share = 0.5),
    CASE(rotary_table, rotary, "odd_width", REFUSED, .share = 0.5),
    CASE(rotary_forward, rotary, ODD, .share = 1),
    CASE(rotary_backward_input, rotary, ODD, .share = 1),

    CASE(rmsnorm_forward, rmsnorm, ODD, .share = 0.4),
    CASE(rmsnorm_forward, rmsnorm, TINY, .share = 0.2),
    CASE(rmsnorm_forward, rmsnorm, LARGE, .share = 0.2),
    CASE(rmsnorm_forward, rmsnorm, ONE_ROW, .share = 0.1),
    CASE(rmsnorm_forward, rmsnorm, EMPTY, .share = 0.1),

    CASE(swiglu_forward, swiglu, ODD, .share = 0.5),
    CASE(swiglu_forward, swiglu, LARGE, .share = 0.4),
    CASE(swiglu_forward, swiglu, EMPTY, .share = 0.1),

    CASE(cross_entropy_forward, cross_entropy, ODD, .share = 0.3),
    CASE(cross_entropy_forward, cross_entropy, "unlikely", N_("a very unlikely target"),
         .share = 0.1, .variant = VL_UNLIKELY),
    CASE(cross_entropy_forward, cross_entropy, LARGE, .share = 0.2),
    CASE(cross_entropy_forward, cross_entropy, IN_PLACE, .share = 0.2),
    CASE(cross_entropy_forward, cross_entropy, ONE_ROW, .share = 0.1),
    CASE(cross_entropy_forward, cross_entropy, BAD_TARGET, .share = 0.1),

    CASE(attention_forward, attention, ODD, .share = 0.4),
    CASE(attention_forward, attention, LONG, .share = 0.3),
    CASE(attention_forward, attention, LARGE, .share = 0.2),
    CASE(attention_forward, attention, ONE_TOKEN, .share = 0.1),

    CASE(linear_backward_input, linear, ODD, .share = 0.4),
    CASE(linear_backward_input, linear, REPLACED, .share = 0.2),
    CASE(linear_backward_input, linear, ONE_ROW, .share = 0.1),
    CASE(linear_backward_input, linear, EMPTY, .share = 0.1),
    /* The truth is zero, but dx holds something else before the call. */
    CASE(linear_backward_input, linear, "no_outputs", N_("no outputs"), .share = 0.1,
         .variant = VL_NO_WIDTH, .idle = -1),
    CASE(linear_backward_input, linear, "null", REFUSED, .share = 0.1),

    CASE(linear_backward_weight, linear, ODD, .share = 0.4),
    CASE(linear_backward_weight, linear, ADDED, .share = 0.3),
    CASE(linear_backward_weight, linear, ONE_ROW, .share = 0.1),
    CASE(linear_backward_weight, linear, EMPTY, .share = 0.1),
    CASE(linear_backward_weight, linear, "null", REFUSED, .share = 0.1),

    CASE(swiglu_backward_input, swiglu, ODD, .share = 0.6),
    CASE(swiglu_backward_input, swiglu, LARGE, .share = 0.3),
    CASE(swiglu_backward_input, swiglu, EMPTY, .share = 0.1),

    CASE(cross_entropy_backward_input, cross_entropy, ODD, .share = 0.6),
    CASE(cross_entropy_backward_input, cross_entropy, IN_PLACE, .share = 0.3),
    CASE(cross_entropy_backward_input, cross_entropy, BAD_TARGET, .share = 0.1),

    CASE(rmsnorm_backward_input, rmsnorm, ODD, .share = 0.5),
    CASE(rmsnorm_backward_input, rmsnorm, TINY, .share = 0.2),
    CASE(rmsnorm_backward_input, rmsnorm, REPLACED, .share = 0.2),
    CASE(rmsnorm_backward_input, rmsnorm, EMPTY, .share = 0.1),

    CASE(rmsnorm_backward_weight, rmsnorm, ODD, .share = 0.4),
    CASE(rmsnorm_backward_weight, rmsnorm, TINY, .share = 0.2),
    CASE(rmsnorm_backward_weight, rmsnorm, ADDED, .share = 0.3),
    CASE(rmsnorm_backward_weight, rmsnorm, EMPTY, .share = 0.1),

    CASE(attention_backward_input, attention, ODD, .share = 0.3),
    CASE(attention_backward_input, attention, LONG, .share = 0.3),
    CASE(attention_backward_input, attention, "junk", N_("NaN right of the diagonal"), .share = 0.3,
         .variant = VL_JUNK),
    CASE(attention_backward_input, attention, ONE_TOKEN, .share = 0.1),

    CASE(gradient_norm, gradient_norm, ODD, .share = 0.3),
    CASE(gradient_norm, gradient_norm, LARGE, .share = 0.1),
    /* Summed in float32, even in many partial sums, the norm would be off by more than this. */
    VL_CASE("gradient_norm", "vl_gradient_norm", gradient_norm, gradient_norm, "long",
            N_("many elements"), .ranks = 1, .bound = SUM_IN_FLOAT64, .floor = FLOOR, .share = 0.5,
            .variant = VL_LONG),
    CASE(gradient_norm, gradient_norm, NOTHING, .share = 0.1),

    CASE(adamw_update, adamw, "first", N_("step 1"), .share = 0.3, .variant = VL_FIRST),
    CASE(adamw_update, adamw, "second", N_("step 2"), .share = 0.3),
    CASE(adamw_update, adamw, "late", N_("step 1000"), .share = 0.2, .variant = VL_LATE),
    CASE(adamw_update, adamw, NOTHING, .share = 0.1),
    CASE(adamw_update, adamw, "step_zero", REFUSED, .share = 0.1),

    CASE(training_step, step, "plain", N_("without clipping"), .share = 0.2, .needs = update),
    CASE(training_step, step, "tensors", N_("unusual tensors"), .share = 0.1, .variant = VL_UNUSUAL,
         .needs = update),
    CASE(training_step, step, "clipped", N_("with clipping"), .share = 0.2, .variant = VL_CLIPPED,
         .needs = update),
    CASE(training_step, step, "small", N_("small gradients"), .share = 0.1, .variant = VL_TINY,
         .needs = update),
    CASE(training_step, step, "below", N_("norm below the limit"), .share = 0.1,
         .variant = VL_LARGE, .needs = update),
    CASE(training_step, step, "one", N_("one micro-batch"), .share = 0.1, .variant = VL_ONE_ROW,
         .needs = update),
    CASE(training_step, step, "error", N_("an error is passed on"), .share = 0.1,
         .variant = VL_BAD),
    CASE(training_step, step, "backward_error", N_("an error is passed on"), .share = 0.05,
         .variant = VL_BACKWARD),
    CASE(training_step, step, "step_zero", N_("a bad argument is refused"), .share = 0.05,
         .variant = VL_NO_STEP),

    COUNT(parameter_count, shape, "small", N_("a small model"), .share = 0.5),
    COUNT(parameter_count, shape, "one_layer", N_("one layer"), .share = 0.3,
          .variant = VL_ONE_ROW),
    COUNT(parameter_count, shape, WORLD, .share = 0.2),
    CASE(flops_per_token, shape, "small", N_("a small model"), .share = 0.5, .uses = counted),
    CASE(flops_per_token, shape, "long", N_("a long sequence"), .share = 0.3, .variant = VL_LARGE,
         .uses = counted),
    CASE(flops_per_token, shape, WORLD, .share = 0.2, .uses = counted),
    CASE(mfu, mfu, "plain", N_("a share of the peak"), .share = 0.7),
    CASE(mfu, mfu, "idle", N_("nothing to do"), .share = 0.1, .variant = VL_EMPTY),
    CASE(mfu, mfu, "bad_peak", REFUSED, .share = 0.2),
    SEALED("parameters", parameters, N_("parameters")),
    SEALED("state_bytes", state, N_("bytes of state")),
    SEALED("flops_per_step", flops, N_("operations per step"), .bound = ONE_OPERATION),

    TEN_STEPS(gradients, N_("gradients of the whole model")),
    TEN_STEPS(losses, N_("losses of ten steps")),
};

#define TIMING(name, what, ...)                                                                    \
    {                                                                                              \
        .id = #name ".speed", .function = "vl_" #name, .purpose = what, .ranks = 1, __VA_ARGS__    \
    }
#define KERNEL(name)                                                                               \
    TIMING(name, N_("speed"), .bound = 1e-4, .needs = (const char *const[]){"vl_" #name, NULL})

static const struct vl_timing timings[] = {
    KERNEL(rmsnorm_forward),
    KERNEL(swiglu_forward),
    KERNEL(cross_entropy_forward),
    KERNEL(attention_forward),
    KERNEL(linear_backward_input),
    KERNEL(linear_backward_weight),
    KERNEL(attention_backward_input),
    KERNEL(adamw_update),
    /* The real step of a real model: everything above is in it. */
    TIMING(training_step, N_("tokens per second of the whole step"), .bound = 1e-3,
           .needs = every_kernel, .steps = true),
};

VL_TIMED_LAB_CASES(training_step);
