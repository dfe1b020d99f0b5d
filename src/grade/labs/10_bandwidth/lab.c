/*
 * Lab 10: what a submission consists of, and what each function is worth.
 */
#include "grade/catalogue/shapes.h"

#include "base/text.h"

static const char *const files[] = {"worked.c",   "compute.c",   "memory.c", "roads.c",
                                    "step.c",     "crossover.c", "choose.c", "predict.c",
                                    "products.c", "compose.c",   "search.c", NULL};

static const struct vl_lab_function functions[] = {
    {"vl_division_check", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_planned_parameters", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_planned_chip", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_group_of", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_group_exchange_seconds", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_domains_met", "worked.c", 0, VL_GROUP_NUMERICS, 0},
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
    {"whole_plan", NULL, 2, VL_GROUP_PREDICTION, 0},
    {"best_plan", NULL, 2, VL_GROUP_PREDICTION, 0},
    /* And used: its answers are compared with those of a simulator. */
    {"vl_divisions_order", "choose.c", 3, VL_GROUP_PREDICTION, 0},
    {"vl_divisions_crossover", "choose.c", 3, VL_GROUP_PREDICTION, 0},

    {"vl_predict_plan", "predict.c", 10, VL_GROUP_PREDICTION, 0},
};

/* What predict.c asks about. */
static const struct vl_sealed_shape shapes[] = {
    {"COMMON", 1000, {800, 900, 1200, 1500}},
    {"EXPERTS", 600, {400, 500, 700, 800}},
    {"TOKENS", 4096, {2048, 3072, 6144, 8192}},
    {"INSIDE", 160, {130, 140, 150, 200}},
    {"ACROSS", 50, {40, 45, 60}},
};

VL_LAB(
    bandwidth, .number = 10, .folder = "10_bandwidth", .trains = 0, .title = N_("Bandwidth"),
    .summary = N_("Work out which layout a machine's links allow, and when a pipeline is needed."));
