/*
 * Lab 4: what a submission consists of, and what each function is worth.
 */
#include "grade/catalogue/shapes.h"

#include "base/text.h"

static const char *const files[] = {"worked.c",    "plan.c",       "update.c",
                                    "gradients.c", "parameters.c", "step.c",
                                    "cost.c",      "predict.c",    NULL};

static const struct vl_lab_function functions[] = {
    {"vl_shard_piece", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_zero_plan", "plan.c", 7, VL_GROUP_MEMORY, 0},

    {"vl_zero_norm", "update.c", 5, VL_GROUP_NUMERICS, 0},
    {"vl_zero_update", "update.c", 10, VL_GROUP_NUMERICS, 5},

    {"vl_zero_gradients", "gradients.c", 5, VL_GROUP_NUMERICS, 0},
    {"vl_zero_ready", "gradients.c", 7, VL_GROUP_NUMERICS, 0},
    {"vl_zero_poll", "gradients.c", 2, VL_GROUP_NUMERICS, 0},
    {"vl_zero_finish", "gradients.c", 3, VL_GROUP_NUMERICS, 0},

    {"vl_zero_borrow", "parameters.c", 6, VL_GROUP_NUMERICS, 0},
    {"vl_zero_give_back", "parameters.c", 2, VL_GROUP_NUMERICS, 0},
    {"vl_zero_prefetch", "parameters.c", 4, VL_GROUP_NUMERICS, 0},

    {"vl_zero_step", "step.c", 6, VL_GROUP_NUMERICS, 15},
    {"zero_traffic", NULL, 8, VL_GROUP_COMMUNICATION, 0},
    {"weights_ahead", NULL, 3, VL_GROUP_COMMUNICATION, 0},

    {"vl_zero_state_bytes", "cost.c", 2, VL_GROUP_PREDICTION, 0},
    {"vl_zero_sent_elements", "cost.c", 2, VL_GROUP_PREDICTION, 0},
    {"vl_predict_zero", "predict.c", 8, VL_GROUP_PREDICTION, 0},
};

/* What predict.c asks about. */
static const struct vl_sealed_shape shapes[] = {
    {"LAYERS", 4, {3, 5, 6}},
    {"WIDTH", 128, {64, 192, 256}},
    {"FF", 352, {160, 224, 320, 448, 544}},
    {"VOCABULARY", 256, {192, 320, 384, 448}},
    {"RANKS", 4, {4, 8, 16}},
    {"HEADS", 4, {0}},
    {"SEQUENCE", 128, {0}},
};

VL_LAB(zero, .number = 4, .folder = "04_zero", .trains = 1, .train = "--dp 2 --zero 3 --steps 100",
       .title = N_("ZeRO"),
       .summary = N_("Share out optimizer state, gradients and parameters so that no rank holds "
                     "all of them."));
