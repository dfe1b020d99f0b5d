/*
 * Lab 7: what a submission consists of, and what each function is worth.
 */
#include "grade/catalogue/shapes.h"

#include "base/text.h"

static const char *const files[] = {"worked.c",  "one_f_one_b.c", "interleaved.c",
                                    "actions.c", "run.c",         "bubble.c",
                                    "predict.c", "zero_bubble.c", NULL};

static const struct vl_lab_function functions[] = {
    {"vl_schedule_afab", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_schedule_tag", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_schedule_1f1b", "one_f_one_b.c", 8, VL_GROUP_NUMERICS, 0},
    {"vl_schedule_interleaved", "interleaved.c", 10, VL_GROUP_NUMERICS, 0},
    /* Both schedules, run on paper. */
    {"bubble", NULL, 6, VL_GROUP_NUMERICS, 0},
    {"live_chunks", NULL, 6, VL_GROUP_MEMORY, 0},

    {"vl_schedule_actions", "actions.c", 16, VL_GROUP_COMMUNICATION, 0},
    {"vl_stage_run", "run.c", 18, VL_GROUP_NUMERICS, 0},
    {"stage_traffic", NULL, 4, VL_GROUP_COMMUNICATION, 0},
    {"whole_pipeline", NULL, 8, VL_GROUP_NUMERICS, 0},

    {"vl_bubble_of_ideal", "bubble.c", 6, VL_GROUP_PREDICTION, 0},
    {"vl_live_afab", "bubble.c", 2, VL_GROUP_PREDICTION, 0},
    {"vl_live_1f1b", "bubble.c", 5, VL_GROUP_PREDICTION, 0},
    {"vl_live_interleaved", "bubble.c", 5, VL_GROUP_PREDICTION, 0},
    {"vl_predict_pipeline", "predict.c", 6, VL_GROUP_PREDICTION, 0},

    {"vl_schedule_zb_h1", "zero_bubble.c", 0, VL_GROUP_BONUS, 0},
};

/* What predict.c asks about. */
static const struct vl_sealed_shape shapes[] = {
    {"WIDTH", 128, {64, 192, 256, 320}},
    {"SEQUENCE", 128, {64, 96, 192, 256}},
    {"MICRO_BATCHES", 8, {16, 32, 40, 64}},
    {"STAGES", 4, {4, 8}},
    {"CHUNKS", 2, {2, 4, 5}},
};

VL_LAB(pipeline_parallel, .number = 7, .folder = "07_pipeline_parallel", .trains = 1,
       .train = "--pp 2 --micro-batches 8 --steps 100", .title = N_("Pipeline parallelism"),
       .summary = N_("Cut the model into stages, write the schedule, and measure the bubble."));
