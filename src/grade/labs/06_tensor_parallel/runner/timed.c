/*
 * Timed calls of lab 06, on two ranks: the way through layers, and both ends of a model with a
 * large vocabulary. Half of each turn is without sequence parallelism, half with it.
 */
#include "runner/call.h"
#include "runner/timed_model.h"
#include "runner/timed_work.h"

#include "base/random.h"
#include "vialata/tensor_parallel.h"

#include <stdlib.h>
#include <string.h>

enum { N = 1024, D = 512, V = 4096, LOSS_N = 256 };
enum { PASS_N = 512, PASS_D = 256, LAYERS = 4 }; /* small enough for a cache: steady times */

/* What a turn works on; what a function does not need is NULL. */
struct work {
    struct vl_tensor_group group;
    float *x, *table, *dtable, *logits, *losses, *scratch;
    float *probs;
    int32_t *tokens;
};

static void release(void *opaque)
{
    struct work *w = opaque;
    if (!w)
        return;
    free(w->x);
    free(w->table);
    free(w->dtable);
    free(w->logits);
    free(w->losses);
    free(w->scratch);
    free(w->probs);
    free(w->tokens);
    free(w);
}

static struct work *begin(void **opaque, uint64_t seed, size_t n)
{
    struct work *w = calloc(1, sizeof *w);
    *opaque = w;
    if (!w)
        return NULL;
    w->group.comm = vl_case_comm();
    MPI_Comm_rank(w->group.comm, &w->group.rank);
    MPI_Comm_size(w->group.comm, &w->group.ranks);
    w->tokens = malloc(n * sizeof *w->tokens);
    for (size_t i = 0; w->tokens != NULL && i < n; i++)
        w->tokens[i] = (int32_t)vl_random_below(V, seed, 1000, i);
    return w->tokens != NULL ? w : NULL;
}

static enum vl_status kept(struct vl_bag *outputs, const char *name, const float *array, size_t n)
{
    float *copy = vl_bag_add_f32(outputs, name, 1, n);
    if (copy == NULL)
        return VL_ENOMEM;
    memcpy(copy, array, n * sizeof *copy);
    return VL_OK;
}

/* ---- through layers ---- */

static enum vl_status prepare_passes(void **opaque, uint64_t seed)
{
    struct work *w = begin(opaque, seed, PASS_N);
    if (w)
        w->x = vl_timed_floats((size_t)PASS_N * PASS_D, 1, seed, (uint64_t)w->group.rank);
    return w && w->x ? VL_OK : VL_ENOMEM;
}

/* There and back again; as in a model, every rank has the same rows outside of a layer. */
static enum vl_status pass(struct work *w)
{
    enum vl_status status = vl_tensor_enter_forward(w->x, PASS_N, PASS_D, &w->group);
    if (status == VL_OK)
        status = vl_tensor_leave_forward(w->x, PASS_N, PASS_D, &w->group);
    if (status == VL_OK)
        status = vl_tensor_leave_backward(w->x, PASS_N, PASS_D, &w->group);
    return status == VL_OK ? vl_tensor_enter_backward(w->x, PASS_N, PASS_D, &w->group) : status;
}

static enum vl_status turn_passes(void *opaque)
{
    struct work *w = opaque;
    enum vl_status status = VL_OK;
    for (int layer = 0; status == VL_OK && layer < 2 * LAYERS; layer++) {
        w->group.sequence = layer >= LAYERS;
        status = pass(w);
    }
    return status;
}

static enum vl_status finish_passes(struct vl_bag *outputs, void *opaque)
{
    const struct work *w = opaque;
    size_t own = (size_t)PASS_N * PASS_D / (size_t)w->group.ranks;
    return kept(outputs, "x", w->x + (size_t)w->group.rank * own, own);
}

/* ---- the embedding ---- */

static enum vl_status prepare_embedding(void **opaque, uint64_t seed)
{
    struct work *w = begin(opaque, seed, N);
    if (!w)
        return VL_ENOMEM;
    size_t own = (size_t)V / (size_t)w->group.ranks * D;
    w->x = vl_timed_floats((size_t)N * D, 1, seed, 0);
    w->table = vl_timed_floats(own, 1, seed, 1 + (uint64_t)w->group.rank);
    w->dtable = vl_timed_floats(own, 0, seed, 0);
    return w->x && w->table && w->dtable ? VL_OK : VL_ENOMEM;
}

static enum vl_status turn_embedding(void *opaque)
{
    struct work *w = opaque;
    enum vl_status status = VL_OK;
    for (int sequence = 0; status == VL_OK && sequence < 2; sequence++) {
        w->group.sequence = sequence;
        status = vl_tensor_embedding_forward(w->x, w->table, w->tokens, N, D, V, &w->group);
        if (status == VL_OK)
            status = vl_tensor_embedding_backward(w->dtable, w->x, w->tokens, N, D, V, &w->group);
    }
    return status;
}

static enum vl_status finish_embedding(struct vl_bag *outputs, void *opaque)
{
    const struct work *w = opaque;
    return kept(outputs, "dtable", w->dtable, (size_t)V / (size_t)w->group.ranks * D);
}

/* ---- the loss ---- */

static enum vl_status prepare_loss(void **opaque, uint64_t seed)
{
    struct work *w = begin(opaque, seed, LOSS_N);
    if (!w)
        return VL_ENOMEM;
    size_t ranks = (size_t)w->group.ranks, own = (size_t)LOSS_N * V / ranks;
    w->logits = vl_timed_floats(own, 4, seed, (uint64_t)w->group.rank);
    w->probs = vl_timed_floats(own, 0, seed, 0);
    w->losses = vl_timed_floats(LOSS_N, 0, seed, 0);
    w->scratch = vl_timed_floats(LOSS_N * (ranks + 2), 0, seed, 0);
    return w->logits && w->probs && w->losses && w->scratch ? VL_OK : VL_ENOMEM;
}

static enum vl_status turn_loss(void *opaque)
{
    struct work *w = opaque;
    enum vl_status status = vl_tensor_cross_entropy_forward(
        w->losses, w->probs, w->scratch, w->logits, w->tokens, LOSS_N, V, &w->group);
    return status == VL_OK ? vl_tensor_cross_entropy_backward(w->probs, w->probs, w->tokens,
                                                              1.0f / LOSS_N, LOSS_N, V, &w->group)
                           : status;
}

static enum vl_status finish_loss(struct vl_bag *outputs, void *opaque)
{
    const struct work *w = opaque;
    enum vl_status status = kept(outputs, "losses", w->losses, LOSS_N);
    return status == VL_OK
               ? kept(outputs, "dlogits", w->probs, (size_t)LOSS_N * V / (size_t)w->group.ranks)
               : status;
}

/* ---- a step of a model ---- */

/* Every rank moves its own part; nobody is clipped, so the norm may be each rank's own. */
static enum vl_status step_model(struct vl_model *model, const int32_t *tokens,
                                 const int32_t *targets, size_t rows, uint64_t step,
                                 struct vl_step_result *result)
{
    static const struct vl_adamw settings = {1e-3f, 0.9f, 0.95f, 1e-8f, 0.1f};
    struct vl_learner *own = vl_model_learner(model);
    enum vl_status status = vl_model_set_batch(model, tokens, targets, rows, 1);
    memset(own->gradients, 0, own->count * sizeof *own->gradients);
    if (status == VL_OK)
        status = own->forward(own->model, 0, &result->loss);
    if (status == VL_OK)
        status = own->backward(own->model, 0);
    if (status == VL_OK)
        status = vl_gradient_norm(&result->gradient_norm, own->gradients, own->count);
    return status == VL_OK ? vl_adamw_update(own->weights, own->m, own->v, own->gradients, 1.0f,
                                             &settings, step, own->count)
                           : status;
}

/* All ranks have the same tokens: the same seed, and the same stream. */
static enum vl_status prepare_model(void **opaque, uint64_t seed)
{
    struct vl_model_plan plan = {.shape = {2, 128, 4, 352, 512, 64},
                                 .rows = 4,
                                 .kind = VL_MODEL_LEARNS,
                                 .tensor = {.comm = vl_case_comm(), .sequence = 1}};
    MPI_Comm_rank(plan.tensor.comm, &plan.tensor.rank);
    MPI_Comm_size(plan.tensor.comm, &plan.tensor.ranks);
    return vl_timed_model_prepare_part(opaque, &plan, seed, 0, step_model);
}

const struct vl_timed_call vl_timed_tensor_parallel[] = {
    {"layer_passes", prepare_passes, turn_passes, finish_passes, release},
    {"vl_tensor_embedding_forward", prepare_embedding, turn_embedding, finish_embedding, release},
    {"vl_tensor_cross_entropy_forward", prepare_loss, turn_loss, finish_loss, release},
    {"whole_model", prepare_model, vl_timed_model_turn, vl_timed_model_finish,
     vl_timed_model_release},
    {NULL, NULL, NULL, NULL, NULL},
};
