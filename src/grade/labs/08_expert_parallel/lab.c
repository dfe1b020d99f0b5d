/*
 * Lab 8: what a submission consists of, and what each function is worth.
 */
#include "grade/catalogue/shapes.h"

#include "base/text.h"

static const char *const files[] = {"worked.c",  "router.c", "plan.c",    "travel.c",
                                    "experts.c", "cost.c",   "predict.c", NULL};

static const struct vl_lab_function functions[] = {
    {"vl_experts_forward", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_router_forward", "router.c", 6, VL_GROUP_NUMERICS, 0},
    {"vl_router_backward", "router.c", 5, VL_GROUP_NUMERICS, 0},
    {"vl_router_limited", "router.c", 5, VL_GROUP_NUMERICS, 0},

    {"vl_dispatch_plan", "plan.c", 7, VL_GROUP_NUMERICS, 0},
    {"vl_dispatch_forward", "travel.c", 4, VL_GROUP_NUMERICS, 0},
    {"vl_dispatch_backward", "travel.c", 4, VL_GROUP_NUMERICS, 0},
    {"vl_combine_forward", "travel.c", 4, VL_GROUP_NUMERICS, 0},
    {"vl_combine_backward", "travel.c", 5, VL_GROUP_NUMERICS, 0},

    {"vl_experts_backward_input", "experts.c", 3, VL_GROUP_NUMERICS, 0},
    {"vl_experts_backward_weight", "experts.c", 3, VL_GROUP_NUMERICS, 0},

    /* Router, dispatch, experts, combine; forward and backward. */
    {"expert_layer", NULL, 4, VL_GROUP_NUMERICS, 15},
    /* What travels alone, without the experts. */
    {"there_and_back", NULL, 0, VL_GROUP_THROUGHPUT, 10},

    {"plan_traffic", NULL, 4, VL_GROUP_COMMUNICATION, 0},
    {"dispatch_traffic", NULL, 4, VL_GROUP_COMMUNICATION, 0},
    {"combine_traffic", NULL, 4, VL_GROUP_COMMUNICATION, 0},

    {"vl_router_node_rows", "router.c", 2, VL_GROUP_COMMUNICATION, 0},

    {"vl_expert_sent_bytes", "cost.c", 4, VL_GROUP_PREDICTION, 0},
    {"vl_predict_expert_parallel", "predict.c", 7, VL_GROUP_PREDICTION, 0},
};

/* What predict.c asks about. */
static const struct vl_sealed_shape shapes[] = {
    {"WIDTH", 128, {64, 96, 192, 256}},
    {"EXPERTS", 8, {6, 10, 12, 16}},
    {"FF", 352, {160, 224, 320, 448, 544}},
    {"ROWS", 8, {4, 6, 10, 12}},
    {"SEQUENCE", 128, {64, 96, 192, 256}},
    {"RANKS", 2, {0}},
    {"SHARED", 1, {0}},
    {"CHOSEN", 2, {0}},
};

VL_LAB(expert_parallel, .number = 8, .folder = "08_expert_parallel", .trains = 1,
       .train = "--ep 2 --experts 8 --top-k 2 --steps 100", .title = N_("Expert parallelism"),
       .summary = N_("Route every token to a few experts that live on other ranks."));
