#include "runner/timed_model.h"

#include "base/random.h"
#include "runner/call.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FACTOR 747796405u /* of a generator whose highest bit looks random (O'Neill's PCG) */

static enum vl_status one_step(struct vl_timed_model *timed, size_t batch)
{
    size_t n = timed->rows * vl_model_shape(timed->model)->sequence;
    const int32_t *tokens = timed->tokens + batch * 2 * n;
    return timed->step(timed, tokens, tokens + n, batch + 1);
}

enum vl_status vl_timed_model_alone(struct vl_timed_model *timed, const int32_t *tokens,
                                    const int32_t *targets, uint64_t step)
{
    static const struct vl_adamw settings = {1e-3f, 0.9f, 0.95f, 1e-8f, 0.1f};
    enum vl_status status = vl_model_set_batch(timed->model, tokens, targets, timed->rows, 1);
    VL_NEXT(status, vl_training_step(vl_model_learner(timed->model), 1, &settings, 1.0f, step,
                                     &timed->result));
    return status;
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
    struct vl_timed_model *timed = vl_timed_begin(work, sizeof *timed, seed);
    enum vl_status status = timed ? vl_timed_model_open(timed, plan, stream, step) : VL_ENOMEM;
    if (status != VL_OK)
        return status;
    vl_model_initialise(timed->model, seed);
    const struct vl_learner *learner = vl_model_learner(timed->model);
    return vl_timed_model_start(timed, learner->weights, learner->count);
}

enum vl_status vl_timed_model_open(struct vl_timed_model *timed, const struct vl_model_plan *plan,
                                   uint64_t stream, vl_timed_step step)
{
    size_t numbers = 4 * plan->rows * plan->shape.sequence;
    timed->rows = plan->rows;
    timed->step = step;
    timed->tokens = vl_timed_keep(&timed->kept, calloc(numbers, sizeof *timed->tokens));
    for (size_t i = 0; timed->tokens && i < numbers; i++)
        timed->tokens[i] =
            (int32_t)vl_random_below(plan->shape.vocabulary, timed->kept.seed, stream, i);
    return timed->tokens ? vl_model_create_part(&timed->model, plan) : VL_ENOMEM;
}

enum vl_status vl_timed_model_start(struct vl_timed_model *timed, const float *weights,
                                    size_t count)
{
    timed->weights = weights;
    timed->count = count;
    timed->before = vl_timed_keep_floats(&timed->kept, count, 0);
    enum vl_status status = timed->before ? one_step(timed, 0) : VL_ENOMEM;
    if (status == VL_OK)
        memcpy(timed->before, weights, count * sizeof *weights);
    return status;
}

enum vl_status vl_timed_model_turn(void *work)
{
    return one_step(work, 1);
}

/* How far the weights moved, and how far in one direction: each with a sign that looks random. The first
 * is nearly the same for any gradient in the first steps of AdamW, and the second is not. */
static bool give_moved(struct vl_bag *outputs, const struct vl_timed_model *timed)
{
    double *moved = vl_bag_add_f64(outputs, "moved", 1, 2);
    double far = 0, along = 0;
    uint32_t sign = (uint32_t)timed->kept.seed | 1;
    for (size_t i = 0; i < timed->count; i++, sign *= FACTOR) {
        double by = (double)timed->weights[i] - (double)timed->before[i];
        far += by * by;
        along += sign >> 31 != 0 ? by : -by;
    }
    if (moved == NULL)
        return false;
    moved[0] = sqrt(far);
    moved[1] = along;
    return true;
}

enum vl_status vl_timed_model_finish(struct vl_bag *outputs, void *work)
{
    const struct vl_timed_model *timed = work;
    if (!vl_bag_set_real(outputs, "loss", timed->result.loss) ||
        !vl_bag_set_real(outputs, "gradient_norm", timed->result.gradient_norm) ||
        !give_moved(outputs, timed))
        return VL_ENOMEM;
    return VL_OK;
}

void vl_timed_model_release(void *work)
{
    struct vl_timed_model *timed = work;
    if (timed)
        vl_model_free(timed->model);
    vl_timed_release(timed);
}
