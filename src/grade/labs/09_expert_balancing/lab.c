/*
 * Lab 9: what a submission consists of, and what each function is worth.
 */
#include "grade/catalogue/shapes.h"

#include "base/text.h"

static const char *const files[] = {"worked.c", "bias.c", "loss.c", "predict.c", NULL};

static const struct vl_lab_function functions[] = {
    {"vl_load_add", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_load_max_violation", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_balance_bias_update", "bias.c", 10, VL_GROUP_NUMERICS, 0},
    {"vl_load_reduce", "bias.c", 8, VL_GROUP_NUMERICS, 0},

    {"vl_balance_shares_add", "loss.c", 6, VL_GROUP_NUMERICS, 0},
    {"vl_balance_loss", "loss.c", 8, VL_GROUP_NUMERICS, 0},
    {"vl_balance_loss_backward", "loss.c", 14, VL_GROUP_NUMERICS, 0},
    {"vl_balance_interference", "loss.c", 6, VL_GROUP_NUMERICS, 0},

    {"load_traffic", NULL, 8, VL_GROUP_COMMUNICATION, 0},
    /* A small router is run for many global batches; what counts is how even its load gets. */
    {"balance_by_bias", NULL, 14, VL_GROUP_NUMERICS, 0},
    {"balance_by_loss", NULL, 10, VL_GROUP_NUMERICS, 0},

    {"vl_predict_expert_balancing", "predict.c", 16, VL_GROUP_PREDICTION, 0},
};

/* What predict.c asks about. */
static const struct vl_sealed_shape shapes[] = {
    {"EXPERTS", 8, {10, 12, 16, 20, 24, 32}},
    {"RANKS", 4, {5, 6, 8, 12}},
    {"GAP", 50, {30, 40, 60, 70, 80, 90}},
    {"CHOSEN", 2, {0}},
};

VL_LAB(expert_balancing, .number = 9, .folder = "09_expert_balancing", .trains = 1,
       .train = "--experts 8 --top-k 2 --balance bias --steps 100", .title = N_("Expert balancing"),
       .summary = N_("Keep the experts equally busy, with a loss or with a bias, and compare."));
