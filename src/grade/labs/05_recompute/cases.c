/*
 * Lab 05's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/05_recompute/recompute.h"

#include "base/text.h"

/* Relative errors; what is not named is exact: counts and bytes. */
#define ONE_OPERATION 1e-5
#define WHOLE_MODEL   1e-4
#define CLOSE         1e-12 /* float64, summed in any order */
#define BOOKKEEPING   1e-2  /* the engine's own, in its arena */
#define THREE_DIGITS  2.5e-3

#define ANY_CASE(name, asked, text, ...)                                                           \
    {                                                                                              \
        .id = name, .function = asked, .purpose = text, .ranks = 1, .floor = 1e-6, __VA_ARGS__     \
    }
/* Of one function, whose truth has its name; and the input is a shape, or made for it alone. */
#define CASE(name, special, text, ...)                                                             \
    ANY_CASE(#name "." special, "vl_" #name, text, .truth = vl_truth_##name, __VA_ARGS__)
#define OF_SHAPE(name, special, text, ...)                                                         \
    CASE(name, special, text, .make = vl_make_recompute_shape, __VA_ARGS__)
#define OWN(name, special, text, ...) CASE(name, special, text, .make = vl_make_##name, __VA_ARGS__)
#define RESTORE(special, text, ...)                                                                \
    OWN(recompute_restore, special, text, .bound = ONE_OPERATION, __VA_ARGS__)
#define SEALED(number, text, ...)                                                                  \
    ANY_CASE("predict_recompute." #number, "vl_predict_recompute", text, .share = 0.25,            \
             .make = vl_make_recompute_prediction, .truth = vl_truth_predict_##number,             \
             .sealed = 1, __VA_ARGS__)
/* Of the whole engine: these are not defined in one source file. */
#define PEAK(special, text, ...)                                                                   \
    ANY_CASE("peak_bytes." #special, "peak_bytes", text, .make = vl_make_recompute_engine,         \
             .truth = vl_truth_peak_##special, .needs = with_slots, __VA_ARGS__)
#define SAME_BITS(special, text, ...)                                                              \
    ANY_CASE("same_bits." special, "same_bits", text, .make = vl_make_recompute_model,             \
             .truth = vl_truth_same_bits, .needs = with_restore, .bound = WHOLE_MODEL,             \
             __VA_ARGS__)

static const char *const with_slots[] = {"vl_recompute_slots", "vl_recompute_slot", NULL};
static const char *const with_restore[] = {"vl_recompute_slots", "vl_recompute_slot",
                                           "vl_recompute_restore", NULL};
static const char *const with_count[] = {"vl_recompute_slots", "vl_activation_count", NULL};
static const char *const with_bytes[] = {"vl_recompute_slots", "vl_activation_count",
                                         "vl_recompute_bytes", NULL};
static const char *const the_same[] = {"same_bits", NULL};

#define REFUSED N_("a bad argument is refused")
#define ALONE   N_("one layer")
#define MANY    N_("all modes and kinds")
#define SMALL   N_("a small model")
#define GREAT   N_("large numbers")

static const struct vl_case cases[] = {
    OF_SHAPE(activation_rule_bytes, "small", SMALL, .share = 1, .bound = CLOSE),

    OWN(recompute_slots, "all", MANY, .share = 0.6),
    OWN(recompute_slots, "one_layer", ALONE, .share = 0.2, .variant = VL_RECOMPUTE_ONE_LAYER),
    OWN(recompute_slots, "bad", REFUSED, .share = 0.2, .variant = VL_RECOMPUTE_BAD),
    OWN(recompute_slot, "all", MANY, .share = 0.6),
    OWN(recompute_slot, "one_layer", ALONE, .share = 0.2, .variant = VL_RECOMPUTE_ONE_LAYER),
    OWN(recompute_slot, "bad", REFUSED, .share = 0.2, .variant = VL_RECOMPUTE_BAD),

    RESTORE("none", N_("nothing forgotten"), .share = 0.15, .variant = VL_RECOMPUTE_IN_NONE),
    RESTORE("selective", N_("probabilities forgotten"), .share = 0.25,
            .variant = VL_RECOMPUTE_IN_SELECTIVE),
    RESTORE("full", N_("all but the inputs forgotten"), .share = 0.25,
            .variant = VL_RECOMPUTE_IN_FULL),
    RESTORE("two_passes", N_("two micro-batches"), .share = 0.1,
            .variant = VL_RECOMPUTE_TWO_PASSES),
    RESTORE("one_layer", ALONE, .share = 0.05, .variant = VL_RECOMPUTE_ONE_LAYER),
    RESTORE("error", N_("an error is passed on"), .share = 0.1, .variant = VL_RECOMPUTE_FAILS_FULL),
    RESTORE("error_selective", N_("an error is passed on"), .share = 0.05,
            .variant = VL_RECOMPUTE_FAILS_PART),
    RESTORE("bad", REFUSED, .share = 0.05, .variant = VL_RECOMPUTE_BAD),

    OF_SHAPE(activation_count, "small", SMALL, .share = 0.6),
    OF_SHAPE(activation_count, "one_layer", ALONE, .share = 0.1, .variant = VL_RECOMPUTE_ONE_LAYER),
    OF_SHAPE(activation_count, "large", GREAT, .share = 0.3, .variant = VL_RECOMPUTE_LARGE),
    OF_SHAPE(recompute_bytes, "small", SMALL, .share = 0.5, .needs = with_count),
    OF_SHAPE(recompute_bytes, "one_layer", ALONE, .share = 0.1, .needs = with_count,
             .variant = VL_RECOMPUTE_ONE_LAYER),
    OF_SHAPE(recompute_bytes, "large", GREAT, .share = 0.2, .needs = with_count,
             .variant = VL_RECOMPUTE_LARGE),
    OF_SHAPE(recompute_bytes, "bad", REFUSED, .share = 0.2, .needs = with_count,
             .variant = VL_RECOMPUTE_BAD),
    OF_SHAPE(recompute_flops, "small", SMALL, .share = 0.6, .bound = CLOSE),
    OF_SHAPE(recompute_flops, "one_layer", ALONE, .share = 0.2, .bound = CLOSE,
             .variant = VL_RECOMPUTE_ONE_LAYER),
    OF_SHAPE(recompute_flops, "bad", REFUSED, .share = 0.2, .bound = CLOSE,
             .variant = VL_RECOMPUTE_BAD),

    OWN(recompute_choose, "exact", N_("budgets that fit to the byte"), .share = 0.35,
        .needs = with_bytes, .variant = VL_RECOMPUTE_EXACT_BUDGETS),
    OWN(recompute_choose, "byte_short", N_("one byte too few"), .share = 0.35, .needs = with_bytes,
        .variant = VL_RECOMPUTE_BYTE_SHORT),
    OWN(recompute_choose, "none_fits", N_("no mode fits"), .share = 0.3, .needs = with_bytes,
        .variant = VL_RECOMPUTE_NONE_FITS),

    SEALED(none_bytes, N_("bytes kept with none"), .bound = 0),
    SEALED(selective_bytes, N_("bytes kept with selective"), .bound = 0),
    SEALED(full_bytes, N_("bytes kept with full"), .bound = 0),
    SEALED(full_share, N_("operations added by full"), .bound = THREE_DIGITS),

    PEAK(kept, N_("bytes kept for backward"), .share = 0.7),
    PEAK(arena, N_("memory of the whole model"), .share = 0.3, .bound = BOOKKEEPING),
    SAME_BITS("selective", N_("losses and gradients, selective"), .share = 0.4,
              .variant = VL_RECOMPUTE_IN_SELECTIVE),
    SAME_BITS("full", N_("losses and gradients, full"), .share = 0.4,
              .variant = VL_RECOMPUTE_IN_FULL),
    SAME_BITS("one_layer", ALONE, .share = 0.2, .variant = VL_RECOMPUTE_ONE_LAYER),
};

#define STEP(mode, text)                                                                           \
    {                                                                                              \
        .id = mode "_step.speed", .function = mode "_step", .purpose = text, .bound = 1e-3,        \
        .needs = the_same, .ranks = 1                                                              \
    }
static const struct vl_timing timings[] = {
    STEP("full", N_("a step with full")),
    STEP("selective", N_("a step with selective")),
};

VL_TIMED_LAB_CASES(recompute);
