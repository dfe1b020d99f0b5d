/*
 * Lab 10's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/10_bandwidth/bandwidth.h"

#include "base/text.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define CLOSE        1e-9   /* float64, in whatever order */
#define THOUSANDTH   5.5e-4 /* around the middle: see vl_truth_crossover */
#define THREE_DIGITS 2.5e-3
#define FLOOR        1e-9

#define CASE(name, special, purpose, share, bound, maker, truth, suspects, needs, variant)         \
    {                                                                                              \
        name "." special, name, purpose, 1, share, bound, FLOOR, needs, vl_make_##maker,           \
            vl_truth_##truth, suspects, VL_BANDWIDTH_##variant, 0, 0                               \
    }
#define WITHOUT_PREFIX(name, special, purpose, share, bound, maker, suspects, variant)             \
    {                                                                                              \
#name "." special, "vl_" #name, purpose, 1, share, bound, FLOOR, NULL, vl_make_##maker,    \
            vl_truth_##name, suspects, VL_BANDWIDTH_##variant, 0, 0                                \
    }
#define GIVEN(name, purpose) WITHOUT_PREFIX(name, "drawn", purpose, 1, CLOSE, plan, NULL, EXPERTS)
#define OWN(name, special, purpose, share, variant)                                                \
    WITHOUT_PREFIX(name, special, purpose, share, CLOSE, plan, vl_suspects_##name, variant)
#define CROSSOVER(special, purpose, share, variant)                                                \
    WITHOUT_PREFIX(crossover, special, purpose, share, THOUSANDTH, plan_crossover,                 \
                   vl_suspects_crossover, variant)
#define SEALED(number, purpose, share, bound)                                                      \
    {                                                                                              \
        "predict_plan." #number, "vl_predict_plan", purpose, 1, share, bound, FLOOR, NULL,         \
            vl_make_plan_prediction, vl_truth_predict_##number, vl_suspects_predict_##number,      \
            VL_BANDWIDTH_PLAIN, 0, 0                                                               \
    }

static const char *const all_of_them[] = {"vl_planned_flops",        "vl_planned_arithmetic",
                                          "vl_planned_state_bytes",  "vl_planned_kept_bytes",
                                          "vl_group_gather_seconds", "vl_planned_traffic",
                                          "vl_planned_step",         NULL};

#define NO_EXPERTS N_("no experts, no latents")
#define WITH_BOTH  N_("experts and latents")
#define SINGLE     N_("one stage")
#define UNEVENLY   N_("stages with chunks, uneven layers")
#define ON_TORUS   N_("a torus")
#define WORLDLY    N_("sizes as in the world")
#define REFUSED    N_("a bad argument is refused")
#define AS_GIVEN   N_("as it was given")

static const struct vl_case cases[] = {
    GIVEN(division_check, AS_GIVEN),
    GIVEN(planned_parameters, AS_GIVEN),
    GIVEN(planned_chip, AS_GIVEN),
    GIVEN(group_of, AS_GIVEN),
    GIVEN(group_exchange_seconds, AS_GIVEN),
    GIVEN(rule_tokens, AS_GIVEN),

    OWN(planned_flops, "plain", NO_EXPERTS, 0.3, PLAIN),
    OWN(planned_flops, "experts", WITH_BOTH, 0.4, EXPERTS),
    OWN(planned_flops, "large", WORLDLY, 0.2, LARGE),
    OWN(planned_flops, "bad", REFUSED, 0.1, BAD),

    OWN(planned_arithmetic, "plain", NO_EXPERTS, 0.3, PLAIN),
    OWN(planned_arithmetic, "one_stage", SINGLE, 0.1, ALONE),
    OWN(planned_arithmetic, "uneven", UNEVENLY, 0.3, UNEVEN),
    OWN(planned_arithmetic, "large", WORLDLY, 0.2, LARGE),
    OWN(planned_arithmetic, "bad", REFUSED, 0.1, BAD),

    OWN(planned_state_bytes, "plain", NO_EXPERTS, 0.3, PLAIN),
    OWN(planned_state_bytes, "experts", WITH_BOTH, 0.4, EXPERTS),
    OWN(planned_state_bytes, "large", WORLDLY, 0.2, LARGE),
    OWN(planned_state_bytes, "bad", REFUSED, 0.1, BAD),

    OWN(planned_kept_bytes, "plain", NO_EXPERTS, 0.2, PLAIN),
    OWN(planned_kept_bytes, "experts", WITH_BOTH, 0.25, EXPERTS),
    OWN(planned_kept_bytes, "one_stage", SINGLE, 0.1, ALONE),
    OWN(planned_kept_bytes, "uneven", UNEVENLY, 0.2, UNEVEN),
    OWN(planned_kept_bytes, "large", WORLDLY, 0.15, LARGE),
    OWN(planned_kept_bytes, "bad", REFUSED, 0.1, BAD),

    OWN(group_gather_seconds, "switch", N_("domains with a switch"), 0.4, EXPERTS),
    OWN(group_gather_seconds, "torus", ON_TORUS, 0.4, TORUS),
    OWN(group_gather_seconds, "tensor", N_("small groups"), 0.1, PLAIN),
    OWN(group_gather_seconds, "bad", REFUSED, 0.1, BAD),

    OWN(planned_traffic, "plain", NO_EXPERTS, 0.2, PLAIN),
    OWN(planned_traffic, "experts", WITH_BOTH, 0.3, EXPERTS),
    OWN(planned_traffic, "one_stage", SINGLE, 0.1, ALONE),
    OWN(planned_traffic, "uneven", UNEVENLY, 0.15, UNEVEN),
    OWN(planned_traffic, "large", WORLDLY, 0.15, LARGE),
    OWN(planned_traffic, "bad", REFUSED, 0.1, BAD),

    OWN(planned_step, "drawn", N_("roads longer and shorter than what hides them"), 0.5, EXPERTS),
    OWN(planned_step, "one_stage", SINGLE, 0.15, ALONE),
    OWN(planned_step, "uneven", UNEVENLY, 0.25, UNEVEN),
    OWN(planned_step, "bad", REFUSED, 0.1, BAD),

    CROSSOVER("between", N_("it comes to hold between low and high"), 0.35, BETWEEN),
    CROSSOVER("fits", N_("it holds as soon as anything fits"), 0.2, FITS),
    CROSSOVER("low", N_("it holds at low already"), 0.1, AT_LOW),
    CROSSOVER("never", N_("it does not hold even at high"), 0.1, NEVER),
    CROSSOVER("point", N_("low is high"), 0.05, POINT),
    CROSSOVER("error", N_("an error is passed on"), 0.1, FAILS),
    CROSSOVER("bad", REFUSED, 0.1, BAD),

    CASE("whole_plan", "plain", NO_EXPERTS, 0.25, CLOSE, plan, whole_plan, vl_suspects_whole_plan,
         all_of_them, PLAIN),
    CASE("whole_plan", "experts", WITH_BOTH, 0.25, CLOSE, plan, whole_plan, vl_suspects_whole_plan,
         all_of_them, EXPERTS),
    CASE("whole_plan", "torus", ON_TORUS, 0.25, CLOSE, plan, whole_plan, vl_suspects_whole_plan,
         all_of_them, TORUS),
    CASE("whole_plan", "large", WORLDLY, 0.25, CLOSE, plan, whole_plan, vl_suspects_whole_plan,
         all_of_them, LARGE),
    CASE("best_plan", "experts", N_("the best of all divisions, with a pipeline and without"), 0.6,
         CLOSE, plan_search, best_plan, vl_suspects_best_plan, all_of_them, EXPERTS),
    CASE("best_plan", "plain", NO_EXPERTS, 0.4, CLOSE, plan_search, best_plan,
         vl_suspects_best_plan, all_of_them, PLAIN),

    SEALED(state_bytes, N_("bytes of states on one chip"), 0.4, THREE_DIGITS),
    SEALED(exchange_seconds, N_("seconds of a layer's exchanges"), 0.4, THREE_DIGITS),
    SEALED(crossover_bandwidth, N_("a guess, within a factor of ten"), 0.2, VL_BANDWIDTH_REACH),
};

const struct vl_lab_cases vl_cases_bandwidth = {10, cases, COUNT(cases), NULL, 0};
