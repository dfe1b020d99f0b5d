/*
 * What the calls of lab 10 share: questions in rows, as bandwidth.h describes them.
 */
#ifndef VIALATA_GRADE_LABS_10_BANDWIDTH_RUNNER_PLAN_SITE_H
#define VIALATA_GRADE_LABS_10_BANDWIDTH_RUNNER_PLAN_SITE_H

#include "grade/labs/10_bandwidth/plan_bag.h"

/* Ask the submission a question whose results are poisoned before. */
typedef enum vl_status vl_ask(const struct vl_question *q);

/* An array (1,n) for each of the names, ended by NULL; 'ask' fills one column of them. If the
 * inputs are bad, 'refuse' makes calls that must all be refused; NULL if nothing can be bad. */
enum vl_status vl_ask_all(struct vl_bag *outputs, const struct vl_bag *inputs,
                          const char *const *names, vl_ask *ask, vl_ask *refuse);

/* A call whose body asks one question. */
#define VL_ASK(name, names, refuse)                                                                \
    static enum vl_status ask_##name(const struct vl_question *q);                                 \
    VL_CALL(name)                                                                                  \
    {                                                                                              \
        return vl_ask_all(outputs, inputs, vl_names_##names, ask_##name, refuse);                  \
    }                                                                                              \
    static enum vl_status ask_##name(const struct vl_question *q)

/* Of several calls that must all be refused: the first status that is not VL_EINVAL. */
enum vl_status vl_first_unrefused(const enum vl_status *statuses, size_t count);
#define VL_REFUSED(...)                                                                            \
    vl_first_unrefused((const enum vl_status[]){__VA_ARGS__},                                      \
                       sizeof((const enum vl_status[]){__VA_ARGS__}) / sizeof(enum vl_status))

#define VL_CALL(name)                                                                              \
    enum vl_status vl_call_##name(struct vl_bag *outputs, const struct vl_bag *inputs)
typedef VL_CALL(function);
vl_call_function vl_call_division_check, vl_call_planned_parameters, vl_call_planned_chip,
    vl_call_group_of, vl_call_group_exchange_seconds, vl_call_rule_tokens, vl_call_planned_flops,
    vl_call_planned_arithmetic, vl_call_planned_state_bytes, vl_call_planned_kept_bytes,
    vl_call_group_gather_seconds, vl_call_planned_traffic, vl_call_planned_step, vl_call_whole_plan;

#endif
