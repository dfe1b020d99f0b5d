/*
 * Lab 10's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/10_bandwidth/bandwidth.h"

#include "base/text.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define CLOSE        1e-9   /* float64, in any order of adding */
#define THOUSANDTH   5.5e-4 /* around the middle: see vl_truth_crossover */
#define THREE_DIGITS 2.5e-3
#define FLOOR        1e-9

/* A case of vl_<name>. */
#define CASE(name, special, what, ...)                                                             \
    {                                                                                              \
        .id = #name "." special, .function = "vl_" #name, .purpose = what, .ranks = 1,             \
        .bound = CLOSE, .floor = FLOOR, .make = vl_make_plan, .truth = vl_truth_##name,            \
        __VA_ARGS__                                                                                \
    }
#define GIVEN(name)                                                                                \
    CASE(name, "drawn", N_("as it was given"), .share = 1, .variant = VL_BANDWIDTH_EXPERTS)
#define CROSSOVER(special, what, ...)                                                              \
    {                                                                                              \
        .id = "crossover." special, .function = "vl_crossover", .purpose = what, .ranks = 1,       \
        .bound = THOUSANDTH, .floor = FLOOR, .make = vl_make_plan_crossover,                       \
        .truth = vl_truth_crossover, __VA_ARGS__                                                   \
    }
/* Several functions put together. */
#define COMPOSED(name, maker, special, what, ...)                                                  \
    {                                                                                              \
        .id = #name "." special, .function = #name, .purpose = what, .ranks = 1, .bound = CLOSE,   \
        .floor = FLOOR, .needs = all_of_them, .make = vl_make_##maker, .truth = vl_truth_##name,   \
        __VA_ARGS__                                                                                \
    }
#define SEALED(number, what, ...)                                                                  \
    {                                                                                              \
        .id = "predict_plan." #number, .function = "vl_predict_plan", .purpose = what, .ranks = 1, \
        .floor = FLOOR, .make = vl_make_plan_prediction, .truth = vl_truth_predict_##number,       \
        .sealed = 1, __VA_ARGS__                                                                   \
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

static const struct vl_case cases[] = {
    GIVEN(division_check),
    GIVEN(planned_parameters),
    GIVEN(planned_chip),
    GIVEN(group_of),
    GIVEN(group_exchange_seconds),
    GIVEN(rule_tokens),

    CASE(planned_flops, "plain", NO_EXPERTS, .share = 0.3),
    CASE(planned_flops, "experts", WITH_BOTH, .share = 0.4, .variant = VL_BANDWIDTH_EXPERTS),
    CASE(planned_flops, "large", WORLDLY, .share = 0.2, .variant = VL_BANDWIDTH_LARGE),
    CASE(planned_flops, "bad", REFUSED, .share = 0.1, .variant = VL_BANDWIDTH_BAD),

    CASE(planned_arithmetic, "plain", NO_EXPERTS, .share = 0.3),
    CASE(planned_arithmetic, "one_stage", SINGLE, .share = 0.1, .variant = VL_BANDWIDTH_ALONE),
    CASE(planned_arithmetic, "uneven", UNEVENLY, .share = 0.3, .variant = VL_BANDWIDTH_UNEVEN),
    CASE(planned_arithmetic, "large", WORLDLY, .share = 0.2, .variant = VL_BANDWIDTH_LARGE),
    CASE(planned_arithmetic, "bad", REFUSED, .share = 0.1, .variant = VL_BANDWIDTH_BAD),

    CASE(planned_state_bytes, "plain", NO_EXPERTS, .share = 0.3),
    CASE(planned_state_bytes, "experts", WITH_BOTH, .share = 0.4, .variant = VL_BANDWIDTH_EXPERTS),
    CASE(planned_state_bytes, "large", WORLDLY, .share = 0.2, .variant = VL_BANDWIDTH_LARGE),
    CASE(planned_state_bytes, "bad", REFUSED, .share = 0.1, .variant = VL_BANDWIDTH_BAD),

    CASE(planned_kept_bytes, "plain", NO_EXPERTS, .share = 0.2),
    CASE(planned_kept_bytes, "experts", WITH_BOTH, .share = 0.25, .variant = VL_BANDWIDTH_EXPERTS),
    CASE(planned_kept_bytes, "one_stage", SINGLE, .share = 0.1, .variant = VL_BANDWIDTH_ALONE),
    CASE(planned_kept_bytes, "uneven", UNEVENLY, .share = 0.2, .variant = VL_BANDWIDTH_UNEVEN),
    CASE(planned_kept_bytes, "large", WORLDLY, .share = 0.15, .variant = VL_BANDWIDTH_LARGE),
    CASE(planned_kept_bytes, "bad", REFUSED, .share = 0.1, .variant = VL_BANDWIDTH_BAD),

    CASE(group_gather_seconds, "switch", N_("domains with a switch"), .share = 0.4,
         .variant = VL_BANDWIDTH_EXPERTS),
    CASE(group_gather_seconds, "torus", ON_TORUS, .share = 0.4, .variant = VL_BANDWIDTH_TORUS),
    CASE(group_gather_seconds, "tensor", N_("small groups"), .share = 0.1),
    CASE(group_gather_seconds, "bad", REFUSED, .share = 0.1, .variant = VL_BANDWIDTH_BAD),

    CASE(planned_traffic, "plain", NO_EXPERTS, .share = 0.2),
    CASE(planned_traffic, "experts", WITH_BOTH, .share = 0.3, .variant = VL_BANDWIDTH_EXPERTS),
    CASE(planned_traffic, "one_stage", SINGLE, .share = 0.1, .variant = VL_BANDWIDTH_ALONE),
    CASE(planned_traffic, "uneven", UNEVENLY, .share = 0.15, .variant = VL_BANDWIDTH_UNEVEN),
    CASE(planned_traffic, "large", WORLDLY, .share = 0.15, .variant = VL_BANDWIDTH_LARGE),
    CASE(planned_traffic, "bad", REFUSED, .share = 0.1, .variant = VL_BANDWIDTH_BAD),

    CASE(planned_step, "drawn", N_("roads longer and shorter than what hides them"), .share = 0.5,
         .variant = VL_BANDWIDTH_EXPERTS),
    CASE(planned_step, "one_stage", SINGLE, .share = 0.15, .variant = VL_BANDWIDTH_ALONE),
    CASE(planned_step, "uneven", UNEVENLY, .share = 0.25, .variant = VL_BANDWIDTH_UNEVEN),
    CASE(planned_step, "bad", REFUSED, .share = 0.1, .variant = VL_BANDWIDTH_BAD),

    CROSSOVER("between", N_("it comes to hold between low and high"), .share = 0.35,
              .variant = VL_BANDWIDTH_BETWEEN),
    CROSSOVER("fits", N_("it holds as soon as anything fits"), .share = 0.2,
              .variant = VL_BANDWIDTH_FITS),
    CROSSOVER("low", N_("it holds at low already"), .share = 0.1, .variant = VL_BANDWIDTH_AT_LOW),
    CROSSOVER("never", N_("it does not hold even at high"), .share = 0.1,
              .variant = VL_BANDWIDTH_NEVER),
    CROSSOVER("point", N_("low is high"), .share = 0.05, .variant = VL_BANDWIDTH_POINT),
    CROSSOVER("error", N_("an error is passed on"), .share = 0.1, .variant = VL_BANDWIDTH_FAILS),
    CROSSOVER("bad", REFUSED, .share = 0.1, .variant = VL_BANDWIDTH_BAD),

    COMPOSED(whole_plan, plan, "plain", NO_EXPERTS, .share = 0.25),
    COMPOSED(whole_plan, plan, "experts", WITH_BOTH, .share = 0.25,
             .variant = VL_BANDWIDTH_EXPERTS),
    COMPOSED(whole_plan, plan, "torus", ON_TORUS, .share = 0.25, .variant = VL_BANDWIDTH_TORUS),
    COMPOSED(whole_plan, plan, "large", WORLDLY, .share = 0.25, .variant = VL_BANDWIDTH_LARGE),
    COMPOSED(best_plan, plan_search, "experts",
             N_("the best of all divisions, with a pipeline and without"), .share = 0.6,
             .variant = VL_BANDWIDTH_EXPERTS),
    COMPOSED(best_plan, plan_search, "plain", NO_EXPERTS, .share = 0.4),

    SEALED(state_bytes, N_("bytes of states on one chip"), .share = 0.4, .bound = THREE_DIGITS),
    SEALED(exchange_seconds, N_("seconds of a layer's exchanges"), .share = 0.4,
           .bound = THREE_DIGITS),
    SEALED(crossover_bandwidth, N_("a guess, within a factor of ten"), .share = 0.2,
           .bound = VL_BANDWIDTH_REACH),
};

const struct vl_lab_cases vl_cases_bandwidth = {
    .lab = 10, .cases = cases, .case_count = COUNT(cases)};
