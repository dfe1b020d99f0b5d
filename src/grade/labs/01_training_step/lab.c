/*
 * Lab 1: what a submission consists of, and what each function is worth.
 */
#include "grade/catalogue/shapes.h"

#include "base/text.h"

static const char *const files[] = {"worked.c", "forward.c", "backward.c", "step.c",
                                    "budget.c", "predict.c", NULL};

/* In the order a student meets them. Worked functions earn nothing, but damage is reported. */
static const struct vl_lab_function functions[] = {
    {"vl_linear_forward", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_embedding_forward", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_embedding_backward_weight", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_rotary_table", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_rotary_forward", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_rotary_backward_input", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_rmsnorm_forward", "forward.c", 3, VL_GROUP_NUMERICS, 2},
    {"vl_swiglu_forward", "forward.c", 3, VL_GROUP_NUMERICS, 2},
    {"vl_cross_entropy_forward", "forward.c", 3, VL_GROUP_NUMERICS, 2},
    {"vl_attention_forward", "forward.c", 5, VL_GROUP_NUMERICS, 4},

    {"vl_linear_backward_input", "backward.c", 3, VL_GROUP_NUMERICS, 2},
    {"vl_linear_backward_weight", "backward.c", 3, VL_GROUP_NUMERICS, 2},
    {"vl_swiglu_backward_input", "backward.c", 3, VL_GROUP_NUMERICS, 0},
    {"vl_cross_entropy_backward_input", "backward.c", 3, VL_GROUP_NUMERICS, 0},
    {"vl_rmsnorm_backward_input", "backward.c", 4, VL_GROUP_NUMERICS, 0},
    {"vl_rmsnorm_backward_weight", "backward.c", 2, VL_GROUP_NUMERICS, 0},
    {"vl_attention_backward_input", "backward.c", 6, VL_GROUP_NUMERICS, 4},

    {"vl_gradient_norm", "step.c", 1, VL_GROUP_NUMERICS, 0},
    {"vl_adamw_update", "step.c", 4, VL_GROUP_NUMERICS, 2},
    {"vl_training_step", "step.c", 3, VL_GROUP_NUMERICS, 5},

    {"vl_parameter_count", "budget.c", 6, VL_GROUP_PREDICTION, 0},
    {"vl_flops_per_token", "budget.c", 6, VL_GROUP_PREDICTION, 0},
    {"vl_mfu", "budget.c", 4, VL_GROUP_PREDICTION, 0},
    {"vl_predict_training", "predict.c", 9, VL_GROUP_PREDICTION, 0},

    {"ten_steps", NULL, 4, VL_GROUP_NUMERICS, 0},
};

/* What predict.c asks about. */
static const struct vl_sealed_shape shapes[] = {
    {"LAYERS", 4, {3, 5, 6}},
    {"WIDTH", 256, {192, 320, 384}},
    {"HEADS", 4, {2, 4, 8}},
    {"FF", 704, {512, 576, 640, 768, 832}},
    {"VOCABULARY", 512, {384, 640, 768, 1024}},
    {"SEQUENCE", 128, {64, 96, 160, 192, 256}},
    {"BATCH", 8, {4, 6, 10, 12}},
};

VL_LAB(training_step, .number = 1, .folder = "01_training_step", .trains = 1,
       .train = "--steps 100", .kernels = 1, .title = N_("The training step"),
       .summary = N_("Write the arithmetic of one transformer training step, forward and "
                     "backward, on one device."));
