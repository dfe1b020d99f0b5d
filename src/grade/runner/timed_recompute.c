/*
 * Timed calls of lab 05: steps of a real model that computes again. Layers enough that one too many
 * shows, and a step before the clock starts, on another batch, that touches all memory.
 */
#include "grade/runner/call.h"

#include "base/random.h"
#include "engine/model.h"
#include "vialata/training_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LAYERS = 3, WIDTH = 96, HEADS = 4, FF = 256, ROWS = 4, SEQUENCE = 64, VOCABULARY = 256 };

struct training {
    struct vl_model *model;
    int32_t *tokens; /* two batches: tokens, targets, tokens, targets */
    float *before;   /* the weights as the clock starts */
    struct vl_step_result result;
};

static const struct vl_adamw settings = {1e-3f, 0.9f, 0.95f, 1e-8f, 0.1f};

static enum vl_status one_step(struct training *training, size_t batch)
{
    const int32_t *tokens = training->tokens + batch * 2 * ROWS * SEQUENCE;
    enum vl_status status =
        vl_model_set_batch(training->model, tokens, tokens + ROWS * SEQUENCE, ROWS, 1);
    if (status == VL_OK)
        status = vl_training_step(vl_model_learner(training->model), 1, &settings, 1.0f, batch + 1,
                                  &training->result);
    return status;
}

static enum vl_status prepare(void **opaque, uint64_t seed, enum vl_recompute mode)
{
    const struct vl_shape shape = {LAYERS, WIDTH, HEADS, FF, VOCABULARY, SEQUENCE};
    struct training *training = calloc(1, sizeof *training);
    *opaque = training;
    if (!training)
        return VL_ENOMEM;
    training->tokens = calloc(4 * ROWS * SEQUENCE, sizeof *training->tokens);
    enum vl_status status = training->tokens ? vl_model_create_within(&training->model, &shape,
                                                                      ROWS, VL_MODEL_LEARNS, mode)
                                             : VL_ENOMEM;
    if (status != VL_OK)
        return status;
    for (size_t i = 0; i < 4 * ROWS * SEQUENCE; i++)
        training->tokens[i] = (int32_t)vl_random_below(VOCABULARY, seed, 0, i);
    vl_model_initialise(training->model, seed);
    status = one_step(training, 0);
    const struct vl_learner *learner = vl_model_learner(training->model);
    training->before = malloc(learner->count * sizeof *training->before);
    if (!training->before)
        return VL_ENOMEM;
    memcpy(training->before, learner->weights, learner->count * sizeof *training->before);
    return status;
}

static enum vl_status prepare_full(void **opaque, uint64_t seed)
{
    return prepare(opaque, seed, VL_RECOMPUTE_FULL);
}

static enum vl_status prepare_selective(void **opaque, uint64_t seed)
{
    return prepare(opaque, seed, VL_RECOMPUTE_SELECTIVE);
}

static enum vl_status turn(void *opaque)
{
    return one_step(opaque, 1);
}

static enum vl_status finish(struct vl_bag *outputs, void *opaque)
{
    struct training *training = opaque;
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

static void release(void *opaque)
{
    struct training *training = opaque;
    if (!training)
        return;
    vl_model_free(training->model);
    free(training->tokens);
    free(training->before);
    free(training);
}

const struct vl_timed_call vl_timed_recompute[] = {
    {"full_step", prepare_full, turn, finish, release},
    {"selective_step", prepare_selective, turn, finish, release},
    {NULL, NULL, NULL, NULL, NULL},
};
