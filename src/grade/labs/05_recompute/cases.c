/*
 * Lab 05's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/05_recompute/recompute.h"

#include "base/text.h"
#include "grade/catalogue/shapes.h"

/* Bounds of relative errors; without a bound, counts and bytes must be exact. */
#define ONE_OPERATION 1e-5
#define WHOLE_MODEL   1e-4
#define CLOSE         1e-12 /* float64, summed in any order */
#define BOOKKEEPING   1e-2  /* that of the engine, in its arena */
#define THREE_DIGITS  2.5e-3

#define CASE(...) VL_CASE(__VA_ARGS__, .ranks = 1, .floor = 1e-6)
/* Cases of one function, whose input is a shape, or is made for it alone. */
#define OF_SHAPE(name, ...) CASE(#name, "vl_" #name, recompute_shape, name, __VA_ARGS__)
#define OWN(name, ...)      CASE(#name, "vl_" #name, name, name, __VA_ARGS__)
#define RESTORE(...)        OWN(recompute_restore, __VA_ARGS__, .bound = ONE_OPERATION)
#define BYTES(...)          OF_SHAPE(recompute_bytes, __VA_ARGS__, .needs = with_count)
#define FLOPS(...)          OF_SHAPE(recompute_flops, __VA_ARGS__, .bound = CLOSE)
#define CHOOSE(...)         OWN(recompute_choose, __VA_ARGS__, .needs = with_bytes, .choices = 1)
#define SEALED(number, ...)                                                                        \
    CASE("predict_recompute", "vl_predict_recompute", shapes, predict_##number, #number,           \
         __VA_ARGS__, .share = 0.25, .sealed = 1)
/* Cases of the whole engine, which no single source file defines. */
#define PEAK(special, ...)                                                                         \
    CASE("peak_bytes", "peak_bytes", recompute_engine, peak_##special, #special, __VA_ARGS__,      \
         .needs = with_slots)
#define SAME_BITS(...)                                                                             \
    CASE("same_bits", "same_bits", recompute_model, same_bits, __VA_ARGS__, .needs = with_restore, \
         .bound = WHOLE_MODEL)

static const char *const with_slots[] = {"vl_recompute_slots", "vl_recompute_slot", NULL};
static const char *const with_restore[] = {"vl_recompute_slots", "vl_recompute_slot",
                                           "vl_recompute_restore", NULL};
static const char *const with_count[] = {"vl_recompute_slots", "vl_activation_count", NULL};
static const char *const with_bytes[] = {"vl_recompute_slots", "vl_activation_count",
                                         "vl_recompute_bytes", NULL};
static const char *const the_same[] = {"same_bits", NULL};

/* What is special: the end of the case's id, in words, and the variant. */
#define ALL       "all", N_("all modes and kinds")
#define SMALL     "small", N_("a small model")
#define LARGE     "large", N_("large numbers"), .variant = VL_RECOMPUTE_LARGE
#define ONE_LAYER "one_layer", N_("one layer"), .variant = VL_RECOMPUTE_ONE_LAYER, .idle = 1
#define BAD       "bad", N_("a bad argument is refused"), .variant = VL_RECOMPUTE_BAD
#define IN(mode)  .variant = VL_RECOMPUTE_IN_##mode

static const struct vl_case cases[] = {
    OF_SHAPE(activation_rule_bytes, SMALL, .share = 1, .bound = CLOSE),

    OWN(recompute_slots, ALL, .share = 0.6),
    OWN(recompute_slots, ONE_LAYER, .share = 0.2),
    OWN(recompute_slots, BAD, .share = 0.2),
    OWN(recompute_slot, ALL, .share = 0.6),
    OWN(recompute_slot, ONE_LAYER, .share = 0.2),
    OWN(recompute_slot, BAD, .share = 0.2),

    RESTORE("none", N_("nothing forgotten"), IN(NONE), .share = 0.1, .idle = 1),
    RESTORE("selective", N_("probabilities forgotten"), IN(SELECTIVE), .share = 0.25),
    RESTORE("full", N_("all but the inputs forgotten"), IN(FULL), .share = 0.25),
    RESTORE("two_passes", N_("two micro-batches"), .share = 0.1,
            .variant = VL_RECOMPUTE_TWO_PASSES),
    RESTORE(ONE_LAYER, .share = 0.05),
    RESTORE("error", N_("an error is passed on"), .share = 0.1, .variant = VL_RECOMPUTE_FAILS_FULL),
    RESTORE("error_selective", N_("an error is passed on"), .share = 0.05,
            .variant = VL_RECOMPUTE_FAILS_PART),
    RESTORE(BAD, .share = 0.05),
    RESTORE("bad_last", N_("an unknown mode is refused in the last layer, too"), .share = 0.05,
            .variant = VL_RECOMPUTE_BAD_LAST),

    OF_SHAPE(activation_count, SMALL, .share = 0.6),
    OF_SHAPE(activation_count, ONE_LAYER, .share = 0.1),
    OF_SHAPE(activation_count, LARGE, .share = 0.3),
    BYTES(SMALL, .share = 0.5),
    BYTES(ONE_LAYER, .share = 0.1),
    BYTES(LARGE, .share = 0.2),
    BYTES(BAD, .share = 0.2),
    FLOPS(SMALL, .share = 0.5),
    FLOPS(ONE_LAYER, .share = 0.2),
    FLOPS(LARGE, .share = 0.15),
    FLOPS(BAD, .share = 0.15),

    CHOOSE("exact", N_("budgets that fit to the byte"), .share = 0.35,
           .variant = VL_RECOMPUTE_EXACT_BUDGETS),
    CHOOSE("byte_short", N_("one byte too few"), .share = 0.35, .variant = VL_RECOMPUTE_BYTE_SHORT),
    CHOOSE("none_fits", N_("no mode fits"), .share = 0.3, .variant = VL_RECOMPUTE_NONE_FITS),

    SEALED(none_bytes, N_("bytes kept with none"), .bound = 0),
    SEALED(selective_bytes, N_("bytes kept with selective"), .bound = 0),
    SEALED(full_bytes, N_("bytes kept with full"), .bound = 0),
    SEALED(full_share, N_("operations added by full"), .bound = THREE_DIGITS),

    PEAK(kept, N_("bytes kept for backward"), .share = 0.7),
    PEAK(arena, N_("memory of the whole model"), .share = 0.3, .bound = BOOKKEEPING),
    SAME_BITS("selective", N_("losses and gradients, selective"), IN(SELECTIVE), .share = 0.4),
    SAME_BITS("full", N_("losses and gradients, full"), IN(FULL), .share = 0.4),
    SAME_BITS(ONE_LAYER, .share = 0.2),
};

#define STEP(mode, text)                                                                           \
    {                                                                                              \
        .id = mode "_step.speed", .function = mode "_step", .purpose = text, .bound = 1e-3,        \
        .needs = the_same, .ranks = 1, .steps = true                                               \
    }
static const struct vl_timing timings[] = {
    STEP("full", N_("a step with full")),
    STEP("selective", N_("a step with selective")),
};

VL_TIMED_LAB_CASES(recompute);
