/*
 * Timed calls of lab 06, on two ranks: the operators around layers, both ends of a model with a
 * large vocabulary, and a small model. The operators and the embedding run without sequence
 * parallelism for half of each turn, and with it for the other half.
 */
#include "grade/labs/06_tensor_parallel/runner/tensor_site.h"
#include "runner/call.h"
#include "runner/timed_model.h"
#include "runner/timed_work.h"

#include "base/random.h"
#include "vialata/tensor_parallel.h"

#include <stdlib.h>
#include <string.h>

enum { N = 1024, D = 512, V = 4096, LOSS_N = 256 };
enum { PASS_N = 512, PASS_D = 256, PASSES = 4 }; /* small enough for a cache: steady times */

/* What a turn works on; what a function does not need is NULL. */
struct work {
    struct vl_timed_work kept;
    struct vl_tensor_group group;
    size_t share; /* elements of this rank's share */
    float *passed[PASSES], *x[2], *dx[2], *table, *dtable, *logits, *losses, *scratch, *probs;
    int32_t *tokens;
};

/* Join the group; n tokens, and this rank's share of 'whole' elements. */
static void begin(struct work *w, size_t n, size_t whole)
{
    w->group = vl_tensor_site_group(0);
    w->share = whole / (size_t)w->group.ranks;
    w->tokens = vl_timed_keep(&w->kept, malloc(n * sizeof *w->tokens));
    for (size_t i = 0; w->tokens != NULL && i < n; i++)
        w->tokens[i] = (int32_t)vl_random_below(V, w->kept.seed, 1000, i);
}

/* ---- through layers ---- */

VL_TIMED_PREPARE(passes, struct work)
{
    static const char *const names[PASSES] = {"x", "dx", "x of a sequence", "dx of a sequence"};
    const size_t whole = (size_t)PASS_N * PASS_D;
    begin(w, PASS_N, 0);
    for (int i = 0; i < PASSES; i++) {
        w->passed[i] = vl_timed_keep_floats(&w->kept, whole, 1);
        vl_timed_result(&w->kept, names[i], w->passed[i], whole);
    }
}

/* Out of one layer and into the next, forward with x and backward with dx. The other way round a rank
 * would know its rows of the sum: what all have, times their number. */
static enum vl_status pass(struct work *w, float *x, float *dx)
{
    enum vl_status status = vl_tensor_leave_forward(x, PASS_N, PASS_D, &w->group);
    VL_NEXT(status, vl_tensor_enter_forward(x, PASS_N, PASS_D, &w->group));
    VL_NEXT(status, vl_tensor_enter_backward(dx, PASS_N, PASS_D, &w->group));
    VL_NEXT(status, vl_tensor_leave_backward(dx, PASS_N, PASS_D, &w->group));
    return status;
}

static enum vl_status turn_passes(void *opaque)
{
    struct work *w = opaque;
    enum vl_status status = VL_OK;
    for (int sequence = 0; sequence < 2; sequence++) {
        w->group.sequence = sequence;
        VL_NEXT(status, pass(w, w->passed[2 * sequence], w->passed[2 * sequence + 1]));
    }
    return status;
}

/* ---- the embedding ---- */

/* The gradients of x are not x: a rank that has a token's row would know its gradient without being told.
 * Every rank has the same ones for the first half of a turn; for the second, each has its own rows. */
VL_TIMED_PREPARE(embedding, struct work)
{
    const size_t whole = (size_t)N * D;
    begin(w, 2 * N, (size_t)V * D); /* other tokens for each half of the turn */
    for (int sequence = 0; sequence < 2; sequence++) {
        w->kept.stream = sequence ? 2 + (uint64_t)w->group.rank : 0;
        w->x[sequence] = vl_timed_keep_floats(&w->kept, whole, 0);
        w->dx[sequence] = vl_timed_keep_floats(&w->kept, whole, 1);
    }
    w->kept.stream = 100 + 2 * (uint64_t)w->group.rank;
    w->table = vl_timed_keep_floats(&w->kept, w->share, 1);
    w->dtable = vl_timed_keep_floats(&w->kept, w->share, 0);
    const size_t own = whole / (size_t)w->group.ranks;
    vl_timed_result(&w->kept, "x", w->x[0], whole);
    vl_timed_result(&w->kept, "x of a sequence", w->x[1] + (size_t)w->group.rank * own, own);
    vl_timed_result(&w->kept, "dtable", w->dtable, w->share);
}

static enum vl_status turn_embedding(void *opaque)
{
    struct work *w = opaque;
    enum vl_status status = VL_OK;
    for (int sequence = 0; sequence < 2; sequence++) {
        w->group.sequence = sequence;
        const int32_t *tokens = w->tokens + sequence * N;
        VL_NEXT(status,
                vl_tensor_embedding_forward(w->x[sequence], w->table, tokens, N, D, V, &w->group));
        VL_NEXT(status, vl_tensor_embedding_backward(w->dtable, w->dx[sequence], tokens, N, D, V,
                                                     &w->group));
    }
    return status;
}

/* ---- the loss ---- */

VL_TIMED_PREPARE(loss, struct work)
{
    begin(w, LOSS_N, (size_t)LOSS_N * V);
    w->logits = vl_timed_keep_floats(&w->kept, w->share, 4);
    w->probs = vl_timed_keep_floats(&w->kept, w->share, 0);
    w->losses = vl_timed_keep_floats(&w->kept, LOSS_N, 0);
    w->scratch = vl_timed_keep_floats(&w->kept, LOSS_N * ((size_t)w->group.ranks + 2), 0);
    vl_timed_result(&w->kept, "losses", w->losses, LOSS_N);
    vl_timed_result(&w->kept, "dlogits", w->probs, w->share);
}

static enum vl_status turn_loss(void *opaque)
{
    struct work *w = opaque;
    enum vl_status status = vl_tensor_cross_entropy_forward(
        w->losses, w->probs, w->scratch, w->logits, w->tokens, LOSS_N, V, &w->group);
    VL_NEXT(status, vl_tensor_cross_entropy_backward(w->probs, w->probs, w->tokens, 1.0f / LOSS_N,
                                                     LOSS_N, V, &w->group));
    return status;
}

/* ---- a step of a model ---- */

/* Every rank updates its part. Nothing is clipped, so each rank may use the norm of its part. */
static enum vl_status step_model(struct vl_timed_model *timed, const int32_t *tokens,
                                 const int32_t *targets, uint64_t step)
{
    static const struct vl_adamw settings = {1e-3f, 0.9f, 0.95f, 1e-8f, 0.1f};
    struct vl_learner *own = vl_model_learner(timed->model);
    struct vl_step_result *result = &timed->result;
    enum vl_status status = vl_model_set_batch(timed->model, tokens, targets, timed->rows, 1);
    memset(own->gradients, 0, own->count * sizeof *own->gradients);
    VL_NEXT(status, own->forward(own->model, 0, &result->loss));
    VL_NEXT(status, own->backward(own->model, 0));
    VL_NEXT(status, vl_gradient_norm(&result->gradient_norm, own->gradients, own->count));
    VL_NEXT(status, vl_adamw_update(own->weights, own->m, own->v, own->gradients, 1.0f, &settings,
                                    step, own->count));
    return status;
}

/* All ranks have the same tokens: the same seed, and the same stream. */
static enum vl_status prepare_model(void **opaque, uint64_t seed)
{
    const struct vl_model_plan plan = {.shape = {2, 128, 4, 352, 512, 64},
                                       .rows = 4,
                                       .kind = VL_MODEL_LEARNS,
                                       .tensor = vl_tensor_site_group(1)};
    return vl_timed_model_prepare_part(opaque, &plan, seed, 0, step_model);
}

const struct vl_timed_call vl_timed_tensor_parallel[] = {
    VL_TIMED("layer_passes", passes),
    VL_TIMED("vl_tensor_embedding_forward", embedding),
    VL_TIMED("vl_tensor_cross_entropy_forward", loss),
    VL_TIMED_MODEL("whole_model", model),
    {NULL, NULL, NULL, NULL, NULL},
};
