/*
 * Lab 3: what a submission consists of, and what each function is worth.
 */
#include "grade/catalogue/shapes.h"

#include "base/text.h"

static const char *const files[] = {"worked.c", "replicas.c", "buckets.c",
                                    "step.c",   "predict.c",  NULL};

static const struct vl_lab_function functions[] = {
    {"vl_replica_rows", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_replica_sum", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_chunked_norm", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_replica_equalise", "replicas.c", 6, VL_GROUP_NUMERICS, 0},
    {"vl_replica_reduce", "replicas.c", 8, VL_GROUP_NUMERICS, 8},

    {"vl_buckets_begin", "buckets.c", 2, VL_GROUP_NUMERICS, 0},
    {"vl_buckets_ready", "buckets.c", 10, VL_GROUP_NUMERICS, 0},
    {"vl_buckets_poll", "buckets.c", 4, VL_GROUP_NUMERICS, 0},
    {"vl_buckets_finish", "buckets.c", 4, VL_GROUP_NUMERICS, 0},

    {"vl_replica_step", "step.c", 12, VL_GROUP_NUMERICS, 17},
    {"replicas_train", NULL, 4, VL_GROUP_NUMERICS, 0},

    {"reduce_traffic", NULL, 4, VL_GROUP_COMMUNICATION, 0},
    {"accumulation_traffic", NULL, 4, VL_GROUP_COMMUNICATION, 0},
    {"overlap", NULL, 6, VL_GROUP_COMMUNICATION, 0},
    {"bucket_traffic", NULL, 3, VL_GROUP_COMMUNICATION, 0},

    {"vl_predict_data_parallel", "predict.c", 8, VL_GROUP_PREDICTION, 0},
};

/* What predict.c asks about. */
static const struct vl_sealed_shape shapes[] = {
    {"LAYERS", 4, {3, 5, 6}},
    {"WIDTH", 128, {64, 192, 256}},
    {"FF", 352, {160, 224, 320, 448, 544}},
    {"VOCABULARY", 256, {192, 320, 384, 448}},
    {"RANKS", 4, {4, 8, 16}},
    {"MICRO_BATCHES", 8, {6, 10, 12, 20}},
    {"HEADS", 4, {0}},
    {"SEQUENCE", 128, {0}},
};

VL_LAB(data_parallel, .number = 3, .folder = "03_data_parallel", .trains = 1,
       .train = "--dp 2 --accumulate 2 --steps 100", .title = N_("Data parallelism"),
       .summary = N_("Train one model on many shares of the data, and sum the gradients in time."));
