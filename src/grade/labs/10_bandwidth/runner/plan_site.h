/*
 * What the calls of lab 10 share: questions in rows, as bandwidth.h describes them.
 */
#ifndef VIALATA_GRADE_LABS_10_BANDWIDTH_RUNNER_PLAN_SITE_H
#define VIALATA_GRADE_LABS_10_BANDWIDTH_RUNNER_PLAN_SITE_H

#include "grade/labs/10_bandwidth/plan_bag.h"
#include "runner/call.h"

/* Ask the submission a question whose results are poisoned before. */
typedef enum vl_status vl_ask(const struct vl_question *q);

/* An argument of the call that asks: NULL when it is this one's turn to be missing. */
#define VL_GIVEN(number, pointer) (q->missing == (number) ? NULL : (pointer))

/* An array (1,n) for each of the names, ended by NULL; 'ask' fills one column of them. If the
 * inputs are bad, each of the 'pointers' is missing once, and every such call must be refused. */
enum vl_status vl_ask_all(struct vl_bag *outputs, const struct vl_bag *inputs,
                          const char *const *names, vl_ask *ask, int pointers);

/* A call whose body asks one question. */
#define VL_ASK(name, names, pointers)                                                              \
    static enum vl_status ask_##name(const struct vl_question *q);                                 \
    VL_CALL(name)                                                                                  \
    {                                                                                              \
        return vl_ask_all(outputs, inputs, vl_names_##names, ask_##name, pointers);                \
    }                                                                                              \
    static enum vl_status ask_##name(const struct vl_question *q)

vl_call_function vl_call_division_check, vl_call_planned_parameters, vl_call_planned_chip,
    vl_call_group_of, vl_call_group_exchange_seconds, vl_call_rule_tokens, vl_call_planned_flops,
    vl_call_planned_arithmetic, vl_call_planned_state_bytes, vl_call_planned_kept_bytes,
    vl_call_group_gather_seconds, vl_call_planned_traffic, vl_call_planned_step, vl_call_whole_plan;

#endif
