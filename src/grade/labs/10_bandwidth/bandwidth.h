/*
 * Lab 10 inside the grader: makers of inputs, truths and suspects.
 *
 * A case puts several questions at once, a row for each (grade/plan_bag.h); results have a column
 * for each. Beside the plans there is, where it matters:
 *
 *   chip (n,5)       dense and expert layers, common, experts, unit
 *   group (n,2)      inside, across          bytes (n,2)    work (n,2)    loads (n,4)
 *   members (n,2)    of a group, and their stride
 *
 * All of these are float64, and right: a wrong function costs itself alone.
 */
#ifndef VIALATA_GRADE_LABS_10_BANDWIDTH_BANDWIDTH_H
#define VIALATA_GRADE_LABS_10_BANDWIDTH_BANDWIDTH_H

#include "grade/catalogue/case.h"
#include "grade/labs/10_bandwidth/plan_bag.h"
#include "oracle/planner.h"

/* What is special about a case; 'variant' of struct vl_case. */
enum vl_bandwidth_variant {
    VL_BANDWIDTH_PLAIN,   /* no experts, no latents */
    VL_BANDWIDTH_EXPERTS, /* both; some layers without */
    VL_BANDWIDTH_ALONE,   /* one stage */
    VL_BANDWIDTH_UNEVEN,  /* stages with chunks, of which the layers are no multiple */
    VL_BANDWIDTH_TORUS,
    VL_BANDWIDTH_LARGE, /* sizes as they are in the world */
    VL_BANDWIDTH_BAD,   /* outside the contract */
    /* crossovers */
    VL_BANDWIDTH_BETWEEN,
    VL_BANDWIDTH_AT_LOW,
    VL_BANDWIDTH_NEVER,
    VL_BANDWIDTH_FITS,  /* it holds as soon as anything fits */
    VL_BANDWIDTH_FAILS, /* a rival answers with an error */
    VL_BANDWIDTH_POINT  /* low is high */
};

#define VL_BANDWIDTH_CALLS 40 /* of the rivals, at most */

/* What the planner finds for the sealed case, in bytes/s (tests/solutions/test_planner_claims.c),
 * and the guesses that are good ones: within a factor of ten, either way. */
#define VL_BANDWIDTH_FOUND  4.7e10
#define VL_BANDWIDTH_FACTOR 10
#define VL_BANDWIDTH_MIDDLE                                                                        \
    (VL_BANDWIDTH_FOUND * (VL_BANDWIDTH_FACTOR + 1.0 / VL_BANDWIDTH_FACTOR) / 2)
#define VL_BANDWIDTH_REACH                                                                         \
    ((VL_BANDWIDTH_FACTOR - 1.0 / VL_BANDWIDTH_FACTOR) /                                           \
     (VL_BANDWIDTH_FACTOR + 1.0 / VL_BANDWIDTH_FACTOR))

VL_MAKE(plan);
VL_MAKE(plan_search);
VL_MAKE(plan_crossover);
VL_MAKE(plan_prediction);

VL_TRUTH(division_check);
VL_TRUTH(planned_parameters);
VL_TRUTH(planned_chip);
VL_TRUTH(group_of);
VL_TRUTH(group_exchange_seconds);
VL_TRUTH(rule_tokens);
VL_TRUTH(planned_flops);
VL_TRUTH(planned_arithmetic);
VL_TRUTH(planned_state_bytes);
VL_TRUTH(planned_kept_bytes);
VL_TRUTH(group_gather_seconds);
VL_TRUTH(planned_traffic);
VL_TRUTH(planned_step);
VL_TRUTH(crossover);
VL_TRUTH(whole_plan);
VL_TRUTH(best_plan);
VL_TRUTH(predict_state_bytes);
VL_TRUTH(predict_exchange_seconds);
VL_TRUTH(predict_crossover_bandwidth);

/* The results of one question, with a mistake in them; mistake 0 is the truth. */
typedef void vl_plan_answer(double *results, const struct vl_plan *plan,
                            const struct vl_bag *inputs, size_t row, int mistake);
vl_plan_answer vl_plan_flops, vl_plan_arithmetic, vl_plan_state, vl_plan_kept, vl_plan_gather,
    vl_plan_traffic, vl_plan_step, vl_plan_whole;

/* All questions: an array (1,n) for each of the names. */
enum vl_status vl_plan_answers(struct vl_bag *answer, const char *const *names,
                               const struct vl_bag *inputs, vl_plan_answer *of, int mistake);

/* The names of the results, ended by NULL. */
extern const char *const vl_plan_flops_names[], *const vl_plan_arithmetic_names[],
                                                    *const vl_plan_bytes_names[],
                                                        *const vl_plan_gather_names[],
                                                            *const vl_plan_traffic_names[],
                                                                *const vl_plan_step_names[],
                                                                    *const vl_plan_whole_names[];

/* A family of wrong answers for MISTAKE (grade/mistake.h): cases of refusals have none. */
#define VL_PLAN_FAMILY(family, names)                                                              \
    static enum vl_status family(struct vl_bag *wrong, const struct vl_bag *inputs, int mistake)   \
    {                                                                                              \
        return vl_bag_int(inputs, "bad")                                                           \
                   ? VL_OK                                                                         \
                   : vl_plan_answers(wrong, names, inputs, vl_plan_##family, mistake);             \
    }

struct vl_oracle_chip vl_plan_chip_read(const struct vl_bag *inputs, size_t row);
/* As vl_division_check says. */
int vl_plan_can_be(const struct vl_plan *plan);
/* Seconds of the fastest division of 'chips' with so many stages at most (0: any); the memory
 * counts or not. Infinite if there is none. */
double vl_plan_best_seconds(const struct vl_setting *setting, size_t chips, size_t most_pipeline,
                            int memory_counts);

extern const struct vl_suspect vl_suspects_planned_flops[];
extern const struct vl_suspect vl_suspects_planned_arithmetic[];
extern const struct vl_suspect vl_suspects_planned_state_bytes[];
extern const struct vl_suspect vl_suspects_planned_kept_bytes[];
extern const struct vl_suspect vl_suspects_group_gather_seconds[];
extern const struct vl_suspect vl_suspects_planned_traffic[];
extern const struct vl_suspect vl_suspects_planned_step[];
extern const struct vl_suspect vl_suspects_crossover[];
extern const struct vl_suspect vl_suspects_whole_plan[];
extern const struct vl_suspect vl_suspects_best_plan[];
extern const struct vl_suspect vl_suspects_predict_state_bytes[];
extern const struct vl_suspect vl_suspects_predict_exchange_seconds[];
extern const struct vl_suspect vl_suspects_predict_crossover_bandwidth[];

extern const struct vl_lab_cases vl_cases_bandwidth;

#endif
