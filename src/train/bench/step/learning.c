#include "train/bench/step/learning.h"

#include "base/random.h"
#include "engine/check.h"
#include "engine/model/model.h"

#include <stdlib.h>

const struct vl_bench_shape vl_bench_shapes[VL_BENCH_SHAPES] = {
    {{.layers = 4, .width = 256, .heads = 4, .ff = 704, .vocabulary = 512, .sequence = 128}, 8},
    {{.layers = 6, .width = 512, .heads = 8, .ff = 1376, .vocabulary = 4096, .sequence = 256}, 4},
};

enum vl_status vl_learning_open(struct vl_learning *learning, const struct vl_bench_shape *shape)
{
    size_t n = shape->batch * shape->shape.sequence;
    *learning = (struct vl_learning){.tokens = calloc(2 * n, sizeof *learning->tokens)};
    int32_t *tokens = learning->tokens;
    if (tokens == NULL)
        return VL_ENOMEM;
    VL_CHECK(vl_model_create(&learning->model, &shape->shape, shape->batch, VL_MODEL_LEARNS));
    learning->learner = vl_model_learner(learning->model);
    for (size_t i = 0; i < 2 * n; i++)
        tokens[i] = (int32_t)vl_random_below(shape->shape.vocabulary, 1, 0, i);
    vl_model_initialise(learning->model, 1);
    return vl_model_set_batch(learning->model, tokens, tokens + n, shape->batch, 1);
}

void vl_learning_close(struct vl_learning *learning)
{
    vl_model_free(learning->model);
    free(learning->tokens);
    *learning = (struct vl_learning){.model = NULL};
}

enum vl_status vl_learning_step(struct vl_learning *learning)
{
    const struct vl_adamw settings = {1e-3f, 0.9f, 0.95f, 1e-8f, 0.1f};
    struct vl_step_result step = {0};
    enum vl_status status =
        vl_training_step(learning->learner, 1, &settings, 1.0f, ++learning->steps, &step);
    learning->loss = step.loss;
    return status;
}
