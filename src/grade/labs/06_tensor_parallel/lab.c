/*
 * Lab 6: what a submission consists of, and what each function is worth.
 */
#include "grade/catalogue/shapes.h"

#include "base/text.h"

static const char *const files[] = {"worked.c",        "operators.c", "kept.c",    "vocabulary.c",
                                    "cross_entropy.c", "cost.c",      "predict.c", NULL};

static const struct vl_lab_function functions[] = {
    {"vl_tensor_part", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_tensor_leave_forward", "operators.c", 4, VL_GROUP_NUMERICS, 0},
    {"vl_tensor_enter_forward", "operators.c", 3, VL_GROUP_NUMERICS, 0},
    {"vl_tensor_enter_backward", "operators.c", 3, VL_GROUP_NUMERICS, 0},
    {"vl_tensor_leave_backward", "operators.c", 3, VL_GROUP_NUMERICS, 0},
    {"vl_tensor_gain_backward", "operators.c", 3, VL_GROUP_NUMERICS, 0},

    {"vl_tensor_kept_rows", "kept.c", 2, VL_GROUP_NUMERICS, 0},
    {"vl_tensor_input_forward", "kept.c", 3, VL_GROUP_NUMERICS, 0},
    {"vl_tensor_input_backward", "kept.c", 4, VL_GROUP_NUMERICS, 0},

    {"vl_tensor_embedding_forward", "vocabulary.c", 5, VL_GROUP_NUMERICS, 3},
    {"vl_tensor_embedding_backward", "vocabulary.c", 5, VL_GROUP_NUMERICS, 0},

    {"vl_tensor_cross_entropy_forward", "cross_entropy.c", 8, VL_GROUP_NUMERICS, 5},
    {"vl_tensor_cross_entropy_backward", "cross_entropy.c", 4, VL_GROUP_NUMERICS, 0},

    {"whole_model", NULL, 4, VL_GROUP_NUMERICS, 6},
    /* Through all layers: enter and leave, forward and backward. */
    {"layer_passes", NULL, 0, VL_GROUP_THROUGHPUT, 5},

    {"layer_traffic", NULL, 4, VL_GROUP_COMMUNICATION, 0},
    {"embedding_traffic", NULL, 2, VL_GROUP_COMMUNICATION, 0},
    {"cross_entropy_traffic", NULL, 3, VL_GROUP_COMMUNICATION, 0},
    {"model_traffic", NULL, 2, VL_GROUP_COMMUNICATION, 0},
    /* What the engine takes from its arena for a model. */
    {"model_memory", NULL, 4, VL_GROUP_MEMORY, 0},

    {"vl_tensor_all_reduces", "cost.c", 2, VL_GROUP_PREDICTION, 0},
    {"vl_tensor_sent_bytes", "cost.c", 3, VL_GROUP_PREDICTION, 0},
    {"vl_tensor_again_bytes", "cost.c", 2, VL_GROUP_PREDICTION, 0},
    {"vl_tensor_kept_bytes", "cost.c", 3, VL_GROUP_PREDICTION, 0},
    {"vl_predict_tensor_parallel", "predict.c", 5, VL_GROUP_PREDICTION, 0},
};

/* What predict.c asks about. */
static const struct vl_sealed_shape shapes[] = {
    {"LAYERS", 4, {3, 5, 6, 7, 8}},
    {"WIDTH", 128, {64, 192, 256, 320}},
    {"FF", 352, {160, 224, 320, 448, 544}},
    {"VOCABULARY", 256, {192, 320, 384, 512}},
    {"SEQUENCE", 128, {64, 96, 192, 256}},
    {"ROWS", 8, {4, 6, 10, 12}},
    {"RANKS", 2, {0}},
};

VL_LAB(
    tensor_parallel, .number = 6, .folder = "06_tensor_parallel", .trains = 1,
    .train = "--tp 2 --sequence-parallel --steps 100", .title = N_("Tensor parallelism"),
    .summary = N_("Split every matrix over ranks, and learn why they should sit close together."));
