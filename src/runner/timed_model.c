#include "runner/timed_model.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct training {
    struct vl_model *model;
    int32_t *tokens; /* two batches: tokens, targets, tokens, targets */
    float *before;   /* the weights as the clock starts */
    size_t rows;
    vl_timed_step step;
    struct vl_step_result result;
};

static enum vl_status one_step(struct training *training, size_t batch)
{
    size_t n = training->rows * vl_model_shape(training->model)->sequence;
    const int32_t *tokens = training->tokens + batch * 2 * n;
    return training->step(training->model, tokens, tokens + n, training->rows, batch + 1,
                          &training->result);
}

enum vl_status vl_timed_model_alone(struct vl_model *model, const int32_t *tokens,
                                    const int32_t *targets, size_t rows, uint64_t step,
                                    struct vl_step_result *result)
{
    static const struct vl_adamw settings = {1e-3f, 0.9f, 0.95f, 1e-8f, 0.1f};
    enum vl_status status = vl_model_set_batch(model, tokens, targets, rows, 1);
    return status == VL_OK
               ? vl_training_step(vl_model_learner(model), 1, &settings, 1.0f, step, result)
               : status;
}

enum vl_status vl_timed_model_prepare(void **work, const struct vl_shape *shape, size_t rows,
                                      enum vl_recompute mode, uint64_t seed, uint64_t stream,
                                      vl_timed_step step)
{
    const struct vl_model_plan plan = {
        .shape = *shape, .rows = rows, .kind = VL_MODEL_LEARNS, .recompute = mode};
    return vl_timed_model_prepare_part(work, &plan, seed, stream, step);
}

enum vl_status vl_timed_model_prepare_part(void **work, const struct vl_model_plan *plan,
                                           uint64_t seed, uint64_t stream, vl_timed_step step)
{
    size_t numbers = 4 * plan->rows * plan->shape.sequence;
    struct training *training = calloc(1, sizeof *training);
    *work = training;
    if (!training)
        return VL_ENOMEM;
    training->rows = plan->rows;
    training->step = step;
    training->tokens = calloc(numbers, sizeof *training->tokens);
    enum vl_status status =
        training->tokens ? vl_model_create_part(&training->model, plan) : VL_ENOMEM;
    if (status != VL_OK)
        return status;
    for (size_t i = 0; i < numbers; i++)
        training->tokens[i] = (int32_t)vl_random_below(plan->shape.vocabulary, seed, stream, i);
    vl_model_initialise(training->model, seed);
    status = one_step(training, 0);
    const struct vl_learner *learner = vl_model_learner(training->model);
    training->before = malloc(learner->count * sizeof *training->before);
    if (!training->before)
        return VL_ENOMEM;
    memcpy(training->before, learner->weights, learner->count * sizeof *training->before);
    return status;
}

enum vl_status vl_timed_model_turn(void *work)
{
    return one_step(work, 1);
}

enum vl_status vl_timed_model_finish(struct vl_bag *outputs, void *work)
{
    const struct training *training = work;
    const struct vl_learner *learner = vl_model_learner(training->model);
    double moved = 0;
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

void vl_timed_model_release(void *work)
{
    struct training *training = work;
    if (!training)
        return;
    vl_model_free(training->model);
    free(training->tokens);
    free(training->before);
    free(training);
}
