/*
 * Lab 5: what a submission consists of, and what each function is worth.
 */
#include "grade/catalogue/shapes.h"

#include "base/text.h"

static const char *const files[] = {"worked.c", "slots.c", "budget.c", "predict.c", NULL};

static const struct vl_lab_function functions[] = {
    {"vl_activation_rule_bytes", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_recompute_slots", "slots.c", 8, VL_GROUP_NUMERICS, 0},
    {"vl_recompute_slot", "slots.c", 8, VL_GROUP_NUMERICS, 0},
    {"vl_recompute_restore", "slots.c", 14, VL_GROUP_NUMERICS, 0},

    {"vl_activation_count", "budget.c", 6, VL_GROUP_PREDICTION, 0},
    {"vl_recompute_bytes", "budget.c", 6, VL_GROUP_PREDICTION, 0},
    {"vl_recompute_flops", "budget.c", 4, VL_GROUP_PREDICTION, 0},
    {"vl_recompute_choose", "budget.c", 8, VL_GROUP_NUMERICS, 0},
    {"vl_predict_recompute", "predict.c", 6, VL_GROUP_PREDICTION, 0},

    {"peak_bytes", NULL, 12, VL_GROUP_MEMORY, 0},
    {"same_bits", NULL, 10, VL_GROUP_NUMERICS, 0},
    /* Whole steps of the engine: computing something twice shows in their time. */
    {"full_step", NULL, 0, VL_GROUP_THROUGHPUT, 9},
    {"selective_step", NULL, 0, VL_GROUP_THROUGHPUT, 9},
};

/* What predict.c asks about. */
static const struct vl_sealed_shape shapes[] = {
    {"LAYERS", 4, {3, 5, 6}},
    {"WIDTH", 128, {64, 96, 192, 256}},
    {"HEADS", 4, {4, 8}},
    {"FF", 352, {160, 224, 288, 416, 448, 544}},
    {"VOCABULARY", 256, {192, 320, 384, 512}},
    {"SEQUENCE", 128, {112, 160, 192, 224}},
    {"ROWS", 8, {9, 10, 12}},
};

VL_LAB(recompute, .number = 5, .folder = "05_recompute", .trains = 1,
       .train = "--recompute full --steps 100", .in_every_step = 1, .title = N_("Recomputation"),
       .summary = N_("Forget activations in forward and compute them again in backward, to fit in "
                     "memory."));
