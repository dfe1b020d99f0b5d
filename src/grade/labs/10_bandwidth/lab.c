/*
 * Lab 10: what a submission consists of, and what each function is worth.
 */
#include "grade/catalogue/lab.h"

#include "base/text.h"

static const char *const files[] = {"worked.c",    "compute.c", "memory.c",  "roads.c",  "step.c",
                                    "crossover.c", "predict.c", "compose.c", "search.c", NULL};

static const struct vl_lab_function functions[] = {
    {"vl_division_check", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_planned_parameters", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_planned_chip", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_group_of", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_group_exchange_seconds", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_rule_tokens", "search.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_planned_flops", "compute.c", 8, VL_GROUP_NUMERICS, 0},
    {"vl_planned_arithmetic", "compute.c", 6, VL_GROUP_NUMERICS, 0},
    {"vl_planned_state_bytes", "memory.c", 9, VL_GROUP_MEMORY, 0},
    {"vl_planned_kept_bytes", "memory.c", 12, VL_GROUP_MEMORY, 0},
    {"vl_group_gather_seconds", "roads.c", 10, VL_GROUP_NUMERICS, 0},
    {"vl_planned_traffic", "roads.c", 12, VL_GROUP_COMMUNICATION, 0},
    {"vl_planned_step", "step.c", 13, VL_GROUP_NUMERICS, 0},
    {"vl_crossover", "crossover.c", 10, VL_GROUP_NUMERICS, 0},

    /* All of it put together: one division, and the best of all. */
    {"whole_plan", NULL, 5, VL_GROUP_PREDICTION, 0},
    {"best_plan", NULL, 5, VL_GROUP_PREDICTION, 0},

    {"vl_predict_plan", "predict.c", 10, VL_GROUP_PREDICTION, 0},
};

VL_LAB(
    bandwidth, .number = 10, .folder = "10_bandwidth", .trains = 0, .title = N_("Bandwidth"),
    .summary = N_("Work out which layout a machine's links allow, and when a pipeline is needed."));
