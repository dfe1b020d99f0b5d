/*
 * Timed calls of lab 03, on two ranks: one large sum, and the real step of a real model.
 */
#include "grade/runner/call.h"

#include "base/random.h"
#include "engine/model.h"
#include "vialata/data_parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int own_rank(void)
{
    int rank;
    MPI_Comm_rank(vl_case_comm(), &rank);
    return rank;
}

/* ---- reduce ---- */

enum { SUM = 1 << 19, SUMS = 3 };

struct sum {
    float *gradients;
};

static enum vl_status prepare_reduce(void **opaque, uint64_t seed)
{
    struct sum *sum = calloc(1, sizeof *sum);
    *opaque = sum;
    if (!sum)
        return VL_ENOMEM;
    sum->gradients = malloc(SUM * sizeof *sum->gradients);
    if (!sum->gradients)
        return VL_ENOMEM;
    uint64_t stream = (uint64_t)own_rank();
    for (size_t i = 0; i < SUM; i++) {
        uint64_t bits = vl_random_bits(seed, stream, i / 2) >> (i % 2 ? 40 : 8);
        sum->gradients[i] = (float)(bits & 0xffffff) * 0x1p-23f - 1.0f;
    }
    return VL_OK;
}

/* Some in a row, as steps come one after the other. */
static enum vl_status turn_reduce(void *opaque)
{
    struct sum *sum = opaque;
    enum vl_status status = VL_OK;
    for (int i = 0; i < SUMS && status == VL_OK; i++)
        status = vl_replica_reduce(vl_case_comm(), sum->gradients, SUM);
    return status;
}

static enum vl_status finish_reduce(struct vl_bag *outputs, void *opaque)
{
    const struct sum *sum = opaque;
    float *gradients = vl_bag_add_f32(outputs, "gradients", 1, SUM);
    if (!gradients)
        return VL_ENOMEM;
    memcpy(gradients, sum->gradients, SUM * sizeof *gradients);
    return VL_OK;
}

static void release_reduce(void *opaque)
{
    struct sum *sum = opaque;
    if (sum)
        free(sum->gradients);
    free(sum);
}

/* ---- the step: one before the clock starts touches all memory, on another batch ---- */

enum { ROWS = 3, SEQUENCE = 64, VOCABULARY = 256, LAYERS = 2, RANKS = 2 };

struct training {
    struct vl_model *model;
    int32_t *tokens; /* two batches: tokens, targets, tokens, targets; this replica's rows */
    float *before;   /* the weights as the clock starts */
    struct vl_transfer *flight[LAYERS + 2];
    struct vl_step_result result;
};

static const struct vl_adamw settings = {1e-3f, 0.9f, 0.95f, 1e-8f, 0.1f};

static enum vl_status one_step(struct training *training, size_t which)
{
    const int32_t *tokens = training->tokens + which * 2 * ROWS * SEQUENCE;
    const struct vl_model_batch batch = {.tokens = tokens,
                                         .targets = tokens + ROWS * SEQUENCE,
                                         .rows = ROWS,
                                         .micro_batches = 1,
                                         .total_rows = RANKS * ROWS};
    const struct vl_replicas replicas = {
        .comm = vl_case_comm(), .overlap = 1, .bucket_bytes = 0, .flight = training->flight};
    enum vl_status status = vl_model_set_part(training->model, &batch);
    if (status == VL_OK)
        status = vl_replica_step(&replicas, vl_model_learner(training->model), 1, &settings, 1.0f,
                                 which + 1, &training->result);
    return status;
}

static enum vl_status prepare_step(void **opaque, uint64_t seed)
{
    const struct vl_shape shape = {LAYERS, 128, 4, 352, VOCABULARY, SEQUENCE};
    struct training *training = calloc(1, sizeof *training);
    *opaque = training;
    if (!training)
        return VL_ENOMEM;
    training->tokens = calloc(4 * ROWS * SEQUENCE, sizeof *training->tokens);
    enum vl_status status = training->tokens
                                ? vl_model_create(&training->model, &shape, ROWS, VL_MODEL_LEARNS)
                                : VL_ENOMEM;
    if (status != VL_OK)
        return status;
    uint64_t stream = (uint64_t)own_rank();
    for (size_t i = 0; i < 4 * ROWS * SEQUENCE; i++)
        training->tokens[i] = (int32_t)vl_random_below(VOCABULARY, seed, stream, i);
    vl_model_initialise(training->model, seed);
    status = one_step(training, 0);
    const struct vl_learner *learner = vl_model_learner(training->model);
    training->before = malloc(learner->count * sizeof *training->before);
    if (!training->before)
        return VL_ENOMEM;
    memcpy(training->before, learner->weights, learner->count * sizeof *training->before);
    return status;
}

static enum vl_status turn_step(void *opaque)
{
    return one_step(opaque, 1);
}

static enum vl_status finish_step(struct vl_bag *outputs, void *opaque)
{
    const struct training *training = opaque;
    const struct vl_learner *learner = vl_model_learner(training->model);
    double moved = 0; /* an update left out does not show in the loss */
    for (size_t i = 0; i < learner->count; i++) {
        double by = (double)learner->weights[i] - (double)training->before[i];
        moved += by * by;
    }
    if (!vl_bag_set_real(outputs, "loss", training->result.loss) ||
        !vl_bag_set_real(outputs, "gradient_norm", training->result.gradient_norm) ||
        !vl_bag_set_real(outputs, "moved", sqrt(moved)))
        return VL_ENOMEM;
    return VL_OK;
}

static void release_step(void *opaque)
{
    struct training *training = opaque;
    if (!training)
        return;
    vl_model_free(training->model);
    free(training->tokens);
    free(training->before);
    free(training);
}

const struct vl_timed_call vl_timed_data_parallel[] = {
    {"vl_replica_reduce", prepare_reduce, turn_reduce, finish_reduce, release_reduce},
    {"vl_replica_step", prepare_step, turn_step, finish_step, release_step},
    {NULL, NULL, NULL, NULL, NULL},
};
