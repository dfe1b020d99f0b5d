/*
 * Lab 2: what a submission consists of, and what each function is worth.
 */
#include "grade/catalogue/shapes.h"

#include "base/text.h"

static const char *const files[] = {"worked.c", "exchange.c", "transfer.c", "tree.c", "pairs.c",
                                    "levels.c", "cost.c",     "predict.c",  NULL};

static const struct vl_lab_function functions[] = {
    {"vl_chunk", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_reduce_scatter", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_all_gather", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_all_reduce", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_exchange", "exchange.c", 5, VL_GROUP_NUMERICS, 0},

    {"vl_send_start", "transfer.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_receive_start", "transfer.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_transfer_finish", "transfer.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_reduce_scatter_start", "transfer.c", 9, VL_GROUP_NUMERICS, 5},
    {"vl_all_gather_start", "transfer.c", 8, VL_GROUP_NUMERICS, 5},
    {"vl_all_reduce_start", "transfer.c", 8, VL_GROUP_NUMERICS, 8},
    {"vl_transfer_poll", "transfer.c", 3, VL_GROUP_NUMERICS, 0},

    {"vl_broadcast", "tree.c", 7, VL_GROUP_NUMERICS, 4},
    {"vl_all_to_all", "pairs.c", 6, VL_GROUP_NUMERICS, 3},
    {"vl_levels_create", "levels.c", 1, VL_GROUP_NUMERICS, 0},
    {"vl_levels_free", "levels.c", 1, VL_GROUP_NUMERICS, 0},
    {"vl_all_reduce_two_level", "levels.c", 2, VL_GROUP_NUMERICS, 0},

    {"broadcast_traffic", NULL, 3, VL_GROUP_COMMUNICATION, 0},
    {"reduce_scatter_traffic", NULL, 3, VL_GROUP_COMMUNICATION, 0},
    {"all_gather_traffic", NULL, 3, VL_GROUP_COMMUNICATION, 0},
    {"all_reduce_traffic", NULL, 2, VL_GROUP_COMMUNICATION, 0},
    {"all_to_all_traffic", NULL, 2, VL_GROUP_COMMUNICATION, 0},
    {"two_level_traffic", NULL, 2, VL_GROUP_COMMUNICATION, 0},

    {"vl_broadcast_seconds", "cost.c", 1, VL_GROUP_PREDICTION, 0},
    {"vl_reduce_scatter_seconds", "cost.c", 1, VL_GROUP_PREDICTION, 0},
    {"vl_all_gather_seconds", "cost.c", 1, VL_GROUP_PREDICTION, 0},
    {"vl_all_reduce_seconds", "cost.c", 1, VL_GROUP_PREDICTION, 0},
    {"vl_two_level_seconds", "cost.c", 2, VL_GROUP_PREDICTION, 0},
    {"vl_predict_collectives", "predict.c", 4, VL_GROUP_PREDICTION, 0},
};

/* What predict.c asks about. */
static const struct vl_sealed_shape shapes[] = {
    {"RANKS", 4, {5, 8, 10}},
    {"ELEMENTS", 1000000, {1200000, 1600000, 2000000, 2400000}},
    {"TREE_RANKS", 8, {16, 32, 64, 128}},
    {"ALPHA_US", 10, {5, 20, 25, 40}},
    {"BETA_PS", 100, {50, 125, 160, 200, 250, 400}},
};

VL_LAB(collectives, .number = 2, .folder = "02_collectives", .trains = 1,
       .train = "--dp 2 --steps 100", .in_every_step = 1, .title = N_("Collectives"),
       .summary = N_("Build the roads: broadcast, all-reduce and all-to-all from point-to-point "
                     "messages."));
