/*
 * Lab 10's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/10_bandwidth/bandwidth.h"
#include "grade/labs/10_bandwidth/simulated/sets.h"

#include "base/text.h"
#include "grade/catalogue/shapes.h"

#define CLOSE        1e-9   /* float64, in any order of adding */
#define THOUSANDTH   5.5e-4 /* around the middle: see vl_truth_crossover */
#define THREE_DIGITS 2.5e-3
#define FLOOR        1e-9

#define CASE(...) VL_CASE(__VA_ARGS__, .ranks = 1, .floor = FLOOR)
#define PLAN(name, ...)                                                                            \
    CASE(#name, "vl_" #name, plan, name, __VA_ARGS__, .bound = CLOSE, .sizes = vl_sizes_of_question)
#define GIVEN(name)    PLAN(name, "drawn", N_("as it was given"), .share = 1, WITH_EXPERTS)
#define CROSSOVER(...) CASE("crossover", "vl_crossover", plan_crossover, crossover, __VA_ARGS__)
/* Several functions put together. */
#define COMPOSED(name, maker, ...)                                                                 \
    CASE(#name, #name, maker, name, __VA_ARGS__, .bound = CLOSE, .needs = all_of_them)
/* Choices, judged by the simulator. */
#define CHOICE(name, ...)                                                                          \
    CASE("divisions_" #name, "vl_divisions_" #name, choices_##name, divisions_##name, __VA_ARGS__)
#define SEALED(number, ...)                                                                        \
    CASE("predict_plan", "vl_predict_plan", shapes, predict_##number, #number, __VA_ARGS__,        \
         .sealed = 1)

/* What a forecast is made of. */
#define FORECAST                                                                                   \
    "vl_planned_flops", "vl_planned_arithmetic", "vl_planned_state_bytes",                         \
        "vl_planned_kept_bytes", "vl_group_gather_seconds", "vl_planned_traffic",                  \
        "vl_planned_step"
static const char *const all_of_them[] = {FORECAST, NULL};
static const char *const search_too[] = {FORECAST, "vl_crossover", NULL};

/* What is special about a plan: the end of the case's id, in words, and the variant. */
#define WITH_EXPERTS .variant = VL_BANDWIDTH_EXPERTS
#define PLAIN        "plain", N_("no experts, no latents")
#define EXPERTS      "experts", N_("experts and latents"), WITH_EXPERTS
#define SINGLE       "one_stage", N_("one stage"), .variant = VL_BANDWIDTH_ALONE
#define UNEVEN       "uneven", N_("stages with chunks, uneven layers"), .variant = VL_BANDWIDTH_UNEVEN
#define TORUS        "torus", N_("a torus"), .variant = VL_BANDWIDTH_TORUS
#define LARGE        "large", N_("real-world sizes"), .variant = VL_BANDWIDTH_LARGE
#define BAD          "bad", N_("a bad argument is refused"), .variant = VL_BANDWIDTH_BAD

static const struct vl_case cases[] = {
    GIVEN(division_check),
    GIVEN(planned_parameters),
    GIVEN(planned_chip),
    GIVEN(group_of),
    GIVEN(group_exchange_seconds),
    GIVEN(domains_met),
    GIVEN(rule_tokens),

    PLAN(planned_flops, PLAIN, .share = 0.3),
    PLAN(planned_flops, EXPERTS, .share = 0.4),
    PLAN(planned_flops, LARGE, .share = 0.2),
    PLAN(planned_flops, BAD, .share = 0.1),

    PLAN(planned_arithmetic, PLAIN, .share = 0.3),
    PLAN(planned_arithmetic, SINGLE, .share = 0.1),
    PLAN(planned_arithmetic, UNEVEN, .share = 0.3),
    PLAN(planned_arithmetic, LARGE, .share = 0.2),
    PLAN(planned_arithmetic, BAD, .share = 0.1),

    PLAN(planned_state_bytes, PLAIN, .share = 0.3),
    PLAN(planned_state_bytes, EXPERTS, .share = 0.4),
    PLAN(planned_state_bytes, LARGE, .share = 0.2),
    PLAN(planned_state_bytes, BAD, .share = 0.1),

    PLAN(planned_kept_bytes, PLAIN, .share = 0.2),
    PLAN(planned_kept_bytes, EXPERTS, .share = 0.25),
    PLAN(planned_kept_bytes, SINGLE, .share = 0.1),
    PLAN(planned_kept_bytes, UNEVEN, .share = 0.2),
    PLAN(planned_kept_bytes, LARGE, .share = 0.15),
    PLAN(planned_kept_bytes, BAD, .share = 0.1),

    PLAN(group_gather_seconds, "switch", N_("domains with a switch"), .share = 0.4,
         .variant = VL_BANDWIDTH_EXPERTS),
    PLAN(group_gather_seconds, TORUS, .share = 0.4),
    PLAN(group_gather_seconds, "tensor", N_("small groups"), .share = 0.1),
    PLAN(group_gather_seconds, BAD, .share = 0.1),

    PLAN(planned_traffic, PLAIN, .share = 0.2),
    PLAN(planned_traffic, EXPERTS, .share = 0.3),
    PLAN(planned_traffic, SINGLE, .share = 0.1),
    PLAN(planned_traffic, UNEVEN, .share = 0.15),
    PLAN(planned_traffic, LARGE, .share = 0.15),
    PLAN(planned_traffic, BAD, .share = 0.1),

    PLAN(planned_step, "drawn", N_("messages hidden completely and only in part"), .share = 0.5,
         .variant = VL_BANDWIDTH_EXPERTS),
    PLAN(planned_step, SINGLE, .share = 0.15),
    PLAN(planned_step, UNEVEN, .share = 0.25),
    PLAN(planned_step, BAD, .share = 0.1),

    CROSSOVER("between", N_("it becomes true between low and high"), .share = 0.35,
              .variant = VL_BANDWIDTH_BETWEEN, .bound = THOUSANDTH),
    CROSSOVER("fits", N_("it is true as soon as anything fits"), .share = 0.2,
              .variant = VL_BANDWIDTH_FITS, .bound = THOUSANDTH),
    CROSSOVER("low", N_("it is already true at low"), .share = 0.05, .variant = VL_BANDWIDTH_AT_LOW,
              .bound = CLOSE),
    CROSSOVER("equal", N_("both always take the same time, and slack is 0"), .share = 0.05,
              .variant = VL_BANDWIDTH_EQUAL, .bound = CLOSE),
    CROSSOVER("never", N_("it is not true even at high"), .share = 0.1,
              .variant = VL_BANDWIDTH_NEVER, .bound = CLOSE),
    CROSSOVER("point", N_("low is high"), .share = 0.05, .variant = VL_BANDWIDTH_POINT,
              .bound = CLOSE),
    CROSSOVER("error", N_("an error is passed on"), .share = 0.1, .variant = VL_BANDWIDTH_FAILS),
    CROSSOVER(BAD, .share = 0.1),

    COMPOSED(whole_plan, plan, PLAIN, .share = 0.25),
    COMPOSED(whole_plan, plan, EXPERTS, .share = 0.25),
    COMPOSED(whole_plan, plan, TORUS, .share = 0.25),
    COMPOSED(whole_plan, plan, LARGE, .share = 0.25),
    COMPOSED(best_plan, plan_search, "experts",
             N_("the best of all divisions, with a pipeline and without"), .share = 0.6,
             .variant = VL_BANDWIDTH_EXPERTS),
    COMPOSED(best_plan, plan_search, PLAIN, .share = 0.4),

    CHOICE(order, "simulated", N_("five layouts on simulated machines"), .share = 0.6,
           .bound = CLOSE, .needs = all_of_them),
    CASE("divisions_order", "vl_divisions_order", choices_many, divisions_many, "many",
         N_("many divisions, some of them nearly equally fast"), .share = 0.15, .bound = CLOSE,
         .needs = all_of_them, .variant = VL_BANDWIDTH_MANY),
    CASE("divisions_order", "vl_divisions_order", choices_many, divisions_many, "none",
         N_("nothing to do"), .share = 0.05, .bound = CLOSE, .variant = VL_BANDWIDTH_NONE,
         .idle = 1),
    CHOICE(order, "error", N_("an error is passed on"), .share = 0.1, .needs = all_of_them,
           .variant = VL_BANDWIDTH_FAILS),
    CHOICE(order, BAD, .share = 0.1),
    CHOICE(crossover, "simulated", N_("crossovers on simulated machines"), .share = 0.5,
           .bound = VL_FACTOR_REACH(VL_SIMULATED_FACTOR), .needs = search_too),
    CASE("divisions_crossover", "vl_divisions_crossover", choices_latency, divisions_latency,
         "latency", N_("machines on which latency counts"), .share = 0.1, .bound = THOUSANDTH,
         .needs = search_too),
    CASE("divisions_crossover", "vl_divisions_crossover", choices_crossover, divisions_ends, "low",
         N_("it is already true at low"), .share = 0.1, .variant = VL_BANDWIDTH_AT_LOW,
         .bound = CLOSE, .needs = search_too),
    CASE("divisions_crossover", "vl_divisions_crossover", choices_crossover, divisions_ends,
         "never", N_("it is not true even at high"), .share = 0.1, .variant = VL_BANDWIDTH_NEVER,
         .bound = CLOSE, .needs = search_too),
    CHOICE(crossover, "error", N_("an error is passed on"), .share = 0.1, .needs = search_too,
           .variant = VL_BANDWIDTH_FAILS),
    CHOICE(crossover, BAD, .share = 0.1),

    SEALED(state_bytes, N_("bytes of states on one chip"), .share = 0.4, .bound = THREE_DIGITS),
    SEALED(exchange_seconds, N_("seconds of a layer's exchanges"), .share = 0.4,
           .bound = THREE_DIGITS),
    SEALED(crossover_bandwidth, N_("a guess, within a factor of three"), .share = 0.2,
           .bound = VL_BANDWIDTH_REACH),
};

VL_LAB_CASES(bandwidth);
