/*
 * Lab 10 inside the grader: makers of inputs, and truths.
 *
 * What travels between grader and runner is in plan_bag.h and choice_bag.h.
 */
#ifndef VIALATA_GRADE_LABS_10_BANDWIDTH_BANDWIDTH_H
#define VIALATA_GRADE_LABS_10_BANDWIDTH_BANDWIDTH_H

#include "grade/catalogue/case.h"
#include "grade/judge/inspect.h"
#include "grade/labs/10_bandwidth/plan_bag.h"
#include "oracle/planner.h"

#include <stdbool.h>

struct vl_choice;
struct vl_maker;
struct vl_simulated_set;

/* What is special about a case; 'variant' of struct vl_case. */
enum vl_bandwidth_variant {
    VL_BANDWIDTH_PLAIN,   /* no experts, no latents */
    VL_BANDWIDTH_EXPERTS, /* both; some layers may have no experts */
    VL_BANDWIDTH_ALONE,   /* one stage */
    VL_BANDWIDTH_UNEVEN,  /* stages with chunks; the layers cannot be divided evenly */
    VL_BANDWIDTH_TORUS,
    VL_BANDWIDTH_LARGE, /* sizes of real models */
    VL_BANDWIDTH_BAD,   /* outside the contract */
    /* crossovers: where the condition begins to hold */
    VL_BANDWIDTH_BETWEEN,
    VL_BANDWIDTH_AT_LOW,
    VL_BANDWIDTH_NEVER,
    VL_BANDWIDTH_FITS,  /* as soon as anything fits */
    VL_BANDWIDTH_FAILS, /* nowhere: a call of the rivals fails */
    VL_BANDWIDTH_POINT, /* low is high */
    VL_BANDWIDTH_EQUAL, /* both take the same time, and slack is 0 */
    /* orders: many divisions, or none */
    VL_BANDWIDTH_MANY,
    VL_BANDWIDTH_NONE
};

/* Whatever is within a factor of the number found is within this reach (relative) of this middle. */
#define VL_FACTOR_MIDDLE(found, factor) ((found) * ((factor) + 1.0 / (factor)) / 2)
#define VL_FACTOR_REACH(factor)         (((factor)-1.0 / (factor)) / ((factor) + 1.0 / (factor)))

/* What a question is made of. */
vl_sizes_function vl_sizes_of_question;

#define VL_BANDWIDTH_CALLS 40 /* a crossover may ask the rivals this often */

/* What the planner finds for the sealed case, in bytes/s (tests/solutions/test_planner_claims.c). A
 * guess may be wrong by a factor of three, either way. */
#define VL_BANDWIDTH_FOUND  5.1e10
#define VL_BANDWIDTH_FACTOR 3
#define VL_BANDWIDTH_MIDDLE VL_FACTOR_MIDDLE(VL_BANDWIDTH_FOUND, VL_BANDWIDTH_FACTOR)
#define VL_BANDWIDTH_REACH  VL_FACTOR_REACH(VL_BANDWIDTH_FACTOR)

vl_make_function vl_make_plan, vl_make_plan_search, vl_make_plan_crossover, vl_make_choices_order,
    vl_make_choices_crossover, vl_make_choices_latency, vl_make_choices_many;

vl_truth_function vl_truth_division_check, vl_truth_planned_parameters, vl_truth_planned_chip,
    vl_truth_group_of, vl_truth_group_exchange_seconds, vl_truth_domains_met, vl_truth_rule_tokens,
    vl_truth_planned_flops, vl_truth_planned_arithmetic, vl_truth_planned_state_bytes,
    vl_truth_planned_kept_bytes, vl_truth_group_gather_seconds, vl_truth_planned_traffic,
    vl_truth_planned_step, vl_truth_crossover, vl_truth_whole_plan, vl_truth_best_plan,
    vl_truth_divisions_order, vl_truth_divisions_crossover, vl_truth_divisions_latency,
    vl_truth_divisions_ends, vl_truth_divisions_many, vl_truth_predict_state_bytes,
    vl_truth_predict_exchange_seconds, vl_truth_predict_crossover_bandwidth;

/* A number from least to most. */
double vl_draw_amount(struct vl_maker *m, double least, double most);

/* Does the lab's own planner find the crossover of this set (simulated/sets.h)? */
bool vl_choice_can_cross(size_t number);
/* By the oracle's planner: is the simple layout of a choice as fast as the staged one? */
bool vl_choice_holds(const struct vl_choice *choice, double bandwidth);
/* What is asked of a set, and of several: so many that fit (at most all of them), drawn. NULL, and m->failed,
 * without memory. */
struct vl_choice vl_choice_of(const struct vl_simulated_set *set);
size_t vl_choices_that_fit(size_t count, bool (*fits)(size_t number));
struct vl_choice *vl_choices_draw(struct vl_maker *m, size_t count, bool (*fits)(size_t number));
/* What is wrong with a choice, in words (choices_tell.c). */
vl_inspection vl_tell_divisions_order, vl_tell_divisions_crossover;

/* Is the division possible? As vl_division_check says. */
bool vl_plan_can_be(const struct vl_plan *plan);
/* Seconds of the fastest division of 'chips' with at most so many stages (0: any), infinite if
 * there is none. It need not fit into memory unless memory_counts. */
double vl_plan_best_seconds(const struct vl_setting *setting, size_t chips, size_t most_pipeline,
                            int memory_counts);

#endif
