/*
 * What the calls of lab 10 share: questions in rows, as grade/bandwidth.h describes them.
 */
#ifndef VIALATA_GRADE_LABS_10_BANDWIDTH_RUNNER_PLAN_SITE_H
#define VIALATA_GRADE_LABS_10_BANDWIDTH_RUNNER_PLAN_SITE_H

#include "grade/labs/10_bandwidth/plan_bag.h"
#include "vialata/crossover.h"

/* One question of the inputs, with all that may belong to it; its results hold poison before. */
struct vl_question {
    struct vl_plan plan;
    struct vl_chip chip;
    struct vl_group group;
    struct vl_work work;
    struct vl_loads loads;
    const double *bytes, *members;
    double *results;
};

struct vl_question vl_question_of(const struct vl_bag *inputs, size_t row, double *results);

/* An array (1,n) for each of the names, ended by NULL; 'ask' fills a column of them. */
enum vl_status vl_ask_all(struct vl_bag *outputs, const struct vl_bag *inputs,
                          const char *const *names,
                          enum vl_status (*ask)(const struct vl_question *q));

/* Of several calls that must all be refused: the first status that is no VL_EINVAL. */
enum vl_status vl_first_unrefused(const enum vl_status *statuses, size_t count);
#define VL_REFUSED(...)                                                                            \
    vl_first_unrefused((const enum vl_status[]){__VA_ARGS__},                                      \
                       sizeof((const enum vl_status[]){__VA_ARGS__}) / sizeof(enum vl_status))

/* What is computed and held, and what is given (calls_plan.c). */
#define VL_CALL(name)                                                                              \
    enum vl_status vl_call_##name(struct vl_bag *outputs, const struct vl_bag *inputs)
VL_CALL(division_check);
VL_CALL(planned_parameters);
VL_CALL(planned_chip);
VL_CALL(group_of);
VL_CALL(group_exchange);
VL_CALL(rule_tokens);
VL_CALL(planned_flops);
VL_CALL(planned_arithmetic);
VL_CALL(planned_state);
VL_CALL(planned_kept);

#endif
