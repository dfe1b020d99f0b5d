/*
 * Lab 05's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/05_recompute/recompute.h"

#include "base/text.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define ONE_OPERATION 1e-5
#define WHOLE_MODEL   1e-4
#define CLOSE         1e-12 /* float64, in whatever order */
#define EXACT         0     /* counts and bytes */
#define BOOKKEEPING   1e-2  /* the engine's own, in its arena */
#define THREE_DIGITS  2.5e-3
#define FLOOR         1e-6

/* Function, what is special, purpose, share, bound, maker, truth, suspects, needs, variant. */
#define CASE(name, special, purpose, share, bound, maker, truth, suspects, needs, variant)         \
    {                                                                                              \
        name "." special, "vl_" name, purpose, 1, share, bound, FLOOR, needs, vl_make_##maker,     \
            vl_truth_##truth, suspects, VL_RECOMPUTE_##variant, 0, 0                               \
    }
#define OWN(name, special, purpose, share, bound, maker, needs, variant)                           \
    CASE(#name, special, purpose, share, bound, maker, name, vl_suspects_##name, needs, variant)
#define RESTORE(special, purpose, share, variant)                                                  \
    OWN(recompute_restore, special, purpose, share, ONE_OPERATION, recompute_restore, NULL, variant)
#define SEALED(number, purpose, bound)                                                             \
    CASE("predict_recompute", #number, purpose, 0.25, bound, recompute_prediction,                 \
         predict_##number, vl_suspects_predict_##number, NULL, PLAIN)
/* A case of the whole engine: its function is no function of a file. */
#define COMPOSED(name, special, purpose, share, bound, maker, truth, suspects, needs, variant)     \
    {                                                                                              \
        name "." special, name, purpose, 1, share, bound, FLOOR, needs, vl_make_##maker,           \
            vl_truth_##truth, suspects, VL_RECOMPUTE_##variant, 0, 0                               \
    }

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
    CASE("activation_rule_bytes", "small", SMALL, 1, CLOSE, recompute_shape, activation_rule_bytes,
         NULL, NULL, PLAIN),

    OWN(recompute_slots, "all", MANY, 0.6, EXACT, recompute_slots, NULL, PLAIN),
    OWN(recompute_slots, "one_layer", ALONE, 0.2, EXACT, recompute_slots, NULL, ONE_LAYER),
    OWN(recompute_slots, "bad", REFUSED, 0.2, EXACT, recompute_slots, NULL, BAD),
    OWN(recompute_slot, "all", MANY, 0.6, EXACT, recompute_slot, NULL, PLAIN),
    OWN(recompute_slot, "one_layer", ALONE, 0.2, EXACT, recompute_slot, NULL, ONE_LAYER),
    OWN(recompute_slot, "bad", REFUSED, 0.2, EXACT, recompute_slot, NULL, BAD),

    RESTORE("none", N_("nothing forgotten"), 0.15, IN_NONE),
    RESTORE("selective", N_("probabilities forgotten"), 0.25, IN_SELECTIVE),
    RESTORE("full", N_("all but the inputs forgotten"), 0.25, IN_FULL),
    RESTORE("two_passes", N_("two micro-batches"), 0.1, TWO_PASSES),
    RESTORE("one_layer", ALONE, 0.05, ONE_LAYER),
    RESTORE("error", N_("an error is passed on"), 0.1, FAILS_FULL),
    RESTORE("error_selective", N_("an error is passed on"), 0.05, FAILS_PART),
    RESTORE("bad", REFUSED, 0.05, BAD),

    OWN(activation_count, "small", SMALL, 0.6, EXACT, recompute_shape, NULL, PLAIN),
    OWN(activation_count, "one_layer", ALONE, 0.1, EXACT, recompute_shape, NULL, ONE_LAYER),
    OWN(activation_count, "large", GREAT, 0.3, EXACT, recompute_shape, NULL, LARGE),
    OWN(recompute_bytes, "small", SMALL, 0.5, EXACT, recompute_shape, with_count, PLAIN),
    OWN(recompute_bytes, "one_layer", ALONE, 0.1, EXACT, recompute_shape, with_count, ONE_LAYER),
    OWN(recompute_bytes, "large", GREAT, 0.2, EXACT, recompute_shape, with_count, LARGE),
    OWN(recompute_bytes, "bad", REFUSED, 0.2, EXACT, recompute_shape, with_count, BAD),
    OWN(recompute_flops, "small", SMALL, 0.6, CLOSE, recompute_shape, NULL, PLAIN),
    OWN(recompute_flops, "one_layer", ALONE, 0.2, CLOSE, recompute_shape, NULL, ONE_LAYER),
    OWN(recompute_flops, "bad", REFUSED, 0.2, CLOSE, recompute_shape, NULL, BAD),

    OWN(recompute_choose, "exact", N_("budgets that fit to the byte"), 0.35, EXACT,
        recompute_choose, with_bytes, EXACT_BUDGETS),
    OWN(recompute_choose, "byte_short", N_("one byte too few"), 0.35, EXACT, recompute_choose,
        with_bytes, BYTE_SHORT),
    OWN(recompute_choose, "none_fits", N_("no mode fits"), 0.3, EXACT, recompute_choose, with_bytes,
        NONE_FITS),

    SEALED(none_bytes, N_("bytes kept with none"), EXACT),
    SEALED(selective_bytes, N_("bytes kept with selective"), EXACT),
    SEALED(full_bytes, N_("bytes kept with full"), EXACT),
    SEALED(full_share, N_("operations added by full"), THREE_DIGITS),

    COMPOSED("peak_bytes", "kept", N_("bytes kept for backward"), 0.7, EXACT, recompute_engine,
             peak_kept, vl_suspects_peak_kept, with_slots, PLAIN),
    COMPOSED("peak_bytes", "arena", N_("memory of the whole model"), 0.3, BOOKKEEPING,
             recompute_engine, peak_arena, vl_suspects_peak_arena, with_slots, PLAIN),
    COMPOSED("same_bits", "selective", N_("losses and gradients, selective"), 0.4, WHOLE_MODEL,
             recompute_model, same_bits, NULL, with_restore, IN_SELECTIVE),
    COMPOSED("same_bits", "full", N_("losses and gradients, full"), 0.4, WHOLE_MODEL,
             recompute_model, same_bits, NULL, with_restore, IN_FULL),
    COMPOSED("same_bits", "one_layer", ALONE, 0.2, WHOLE_MODEL, recompute_model, same_bits, NULL,
             with_restore, ONE_LAYER),
};

static const struct vl_timing timings[] = {
    {"full_step.speed", "full_step", N_("a step with full"), 1e-3, the_same, 1},
    {"selective_step.speed", "selective_step", N_("a step with selective"), 1e-3, the_same, 1},
};

const struct vl_lab_cases vl_cases_recompute = {5, cases, COUNT(cases), timings, COUNT(timings)};
