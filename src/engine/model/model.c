#include "engine/model/model.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/random.h"
#include "engine/check.h"
#include "engine/model/inside.h"
#include "engine/pipeline/pipeline.h"

static float *floats(struct vl_arena *arena, size_t n)
{
    return vl_arena_take(arena, n, sizeof(float));
}

/* How many flat arrays the model itself allocates. */
static size_t arrays_of(const struct vl_model *m)
{
    static const size_t arrays[] = {
        [VL_MODEL_READS] = 1, [VL_MODEL_LEARNS] = 4, [VL_MODEL_LENT] = 0};
    return arrays[m->kind];
}

static enum vl_status create_state(struct vl_model *m)
{
    size_t n = m->layout.count;
    struct vl_learner *a = &m->learner;
    if (m->kind != VL_MODEL_LENT) {
        VL_CHECK(vl_activations_reserve(&m->state, arrays_of(m) * vl_arena_size(n, sizeof(float))));
        a->weights = floats(&m->state, n);
    }
    if (m->kind == VL_MODEL_LEARNS) {
        a->gradients = floats(&m->state, n);
        a->m = floats(&m->state, n);
        a->v = floats(&m->state, n);
    }
    a->count = n;
    a->tensors = m->layout.tensors;
    a->tensor_count = m->layout.tensor_count;
    a->units = m->layout.units;
    a->unit_count = m->layout.unit_count;
    a->forward = vl_pass_forward;
    a->backward = vl_pass_backward;
    a->model = m;
    return VL_OK;
}

enum vl_status vl_model_create(struct vl_model **model, const struct vl_shape *shape, size_t rows,
                               enum vl_model_kind kind)
{
    return vl_model_create_within(model, shape, rows, kind, VL_RECOMPUTE_NONE);
}

enum vl_status vl_model_create_within(struct vl_model **model, const struct vl_shape *shape,
                                      size_t rows, enum vl_model_kind kind,
                                      enum vl_recompute recompute)
{
    const struct vl_model_plan plan = {
        .shape = *shape, .rows = rows, .kind = kind, .recompute = recompute};
    return vl_model_create_part(model, &plan);
}

static enum vl_status create_layout(struct vl_model *m, const struct vl_model_plan *plan)
{
    struct vl_slice slice = VL_SLICE_WHOLE;
    if (m->tensor.ranks > 1) {
        slice.place = (size_t)m->tensor.rank;
        slice.places = (size_t)m->tensor.ranks;
    }
    if (plan->schedule != NULL) {
        slice.stage = plan->stage;
        slice.stages = plan->schedule->stages;
        slice.chunks = plan->schedule->chunks;
        slice.borders = plan->borders;
    }
    if (plan->experts.experts > 0) {
        slice.expert_place = (size_t)plan->expert_rank;
        slice.expert_places = plan->expert_ranks > 1 ? (size_t)plan->expert_ranks : 1;
    }
    return vl_layout_create(&m->layout, &m->shape, &plan->experts, &slice);
}

static enum vl_status create_balance(struct vl_model *m, size_t layers)
{
    size_t e = m->moe.experts;
    struct vl_model_balance *b = &m->balance;
    b->layers = layers;
    b->bias = calloc(layers * e, sizeof *b->bias);
    b->counts = calloc(layers * e, sizeof *b->counts);
    b->shares = calloc(layers * e, sizeof *b->shares);
    m->balance_scratch = calloc(2 * e, sizeof *m->balance_scratch);
    b->loss = calloc(1, sizeof *b->loss);
    if (m->moe.measured)
        b->against = calloc(layers * 2 * e * m->shape.width, sizeof *b->against);
    return b->bias == NULL || b->counts == NULL || b->shares == NULL || b->loss == NULL ||
                   m->balance_scratch == NULL || (m->moe.measured && b->against == NULL)
               ? VL_ENOMEM
               : VL_OK;
}

static enum vl_status create_experts(struct vl_model *m, const struct vl_model_plan *plan)
{
    const struct vl_layout *layout = &m->layout;
    size_t layers = layout->unit_count - layout->dense_units, e = plan->experts.experts;
    if (e == 0)
        return VL_OK;
    int alone = plan->expert_ranks <= 1;
    m->moe = (struct vl_moe_size){.comm = alone ? MPI_COMM_SELF : plan->expert_comm,
                                  .rank = alone ? 0 : plan->expert_rank,
                                  .ranks = alone ? 1 : plan->expert_ranks,
                                  .experts = e,
                                  .chosen = plan->experts.chosen,
                                  .scale = plan->experts.scale,
                                  .groups = {plan->experts.groups, plan->experts.limit},
                                  .width = m->shape.width,
                                  .ff = layout->ff,
                                  .place = m->tensor.ranks > 1 ? m->tensor.rank : 0,
                                  .tokens = m->rows * m->shape.sequence,
                                  .measured = plan->auxiliary.interference};
    m->auxiliary = plan->auxiliary;
    VL_CHECK(vl_moe_check(&m->moe));
    return create_balance(m, layers);
}

static enum vl_status create_pipeline(struct vl_model *m, const struct vl_model_plan *plan)
{
    if (plan->schedule == NULL)
        return VL_OK;
    if (plan->schedule->stages < 2 || m->kind == VL_MODEL_READS)
        return VL_EINVAL;
    m->micro_loss = calloc(plan->schedule->micro_batches, sizeof *m->micro_loss);
    m->unfinished = calloc(2 * m->shape.layers + 2, sizeof *m->unfinished);
    if (m->micro_loss == NULL || m->unfinished == NULL)
        return VL_ENOMEM;
    return vl_pipeline_create(&m->pipeline, plan->stages, plan->stage, plan->schedule);
}

enum vl_status vl_model_create_part(struct vl_model **model, const struct vl_model_plan *plan)
{
    *model = NULL;
    VL_CHECK(vl_shape_check(&plan->shape));
    if (plan->rows == 0)
        return VL_ESHAPE;
    struct vl_model *m = calloc(1, sizeof *m);
    if (m == NULL)
        return VL_ENOMEM;
    m->shape = plan->shape;
    m->rows = plan->rows;
    m->kind = plan->kind;
    m->recompute = plan->recompute;
    m->tensor = plan->tensor;
    enum vl_status status = create_layout(m, plan);
    if (status == VL_OK)
        status = create_experts(m, plan);
    if (status == VL_OK)
        status = create_pipeline(m, plan);
    if (status == VL_OK)
        status = create_state(m);
    if (status == VL_OK)
        status = vl_activations_create(m);
    if (status != VL_OK) {
        vl_model_free(m);
        return status;
    }
    *model = m;
    return VL_OK;
}

void vl_model_free(struct vl_model *model)
{
    if (model == NULL)
        return;
    vl_activations_free(model);
    vl_arena_free(&model->state);
    vl_pipeline_free(model->pipeline);
    vl_layout_free(&model->layout);
    free(model->micro_loss);
    free(model->unfinished);
    free(model->balance.bias);
    free(model->balance.counts);
    free(model->balance.shares);
    free(model->balance.loss);
    free(model->balance.against);
    free(model->balance_scratch);
    free(model);
}

/* The part of tensor t that lies in [first, first + count) of the flat array, row by row: a weight
 * depends only on its place in the whole model. */
static void initialise_part(float *out, const struct vl_model *m, size_t t, size_t first,
                            size_t count, uint64_t seed)
{
    /* Projections back into the residual stream are smaller, so that the sum of 2L of them does
     * not grow with depth (Radford et al. 2019, "GPT-2", section 2.3). */
    float deep = (float)(0.02 / sqrt(2.0 * (double)m->shape.layers));
    const struct vl_tensor *tensor = &m->layout.tensors[t];
    const struct vl_rectangle *in = &m->layout.rectangles[t];
    size_t begin = tensor->offset, end = begin + tensor->rows * tensor->cols;
    size_t from = begin > first ? begin : first, to = end < first + count ? end : first + count;
    float scale = vl_path_ends_in(tensor->name, "o_proj.weight") ||
                          vl_path_ends_in(tensor->name, "down_proj.weight")
                      ? deep
                      : 0.02f;
    for (size_t k = from, stop; k < to; k = stop) {
        size_t row = (k - begin) / tensor->cols, col = (k - begin) % tensor->cols;
        stop = begin + (row + 1) * tensor->cols < to ? begin + (row + 1) * tensor->cols : to;
        size_t number = in->skipped + row * in->stride + col;
        if (tensor->decays)
            vl_random_fill_normal(out + (k - first), stop - k, scale, seed, in->tensor, number);
        else
            for (size_t i = k; i < stop; i++)
                out[i - first] = 1.0f;
    }
}

void vl_model_initial_weights(float *out, const struct vl_model *model, size_t first, size_t count,
                              uint64_t seed)
{
    for (size_t t = 0; t < model->layout.tensor_count; t++)
        initialise_part(out, model, t, first, count, seed);
}

void vl_model_initialise(struct vl_model *model, uint64_t seed)
{
    vl_model_initial_weights(model->learner.weights, model, 0, model->layout.count, seed);
}

const struct vl_shape *vl_model_shape(const struct vl_model *model)
{
    return &model->shape;
}

const struct vl_layout *vl_model_layout(const struct vl_model *model)
{
    return &model->layout;
}

const struct vl_model_balance *vl_model_balance(const struct vl_model *model)
{
    return model->layout.experts.experts > 0 ? &model->balance : NULL;
}

void vl_model_clear_load(struct vl_model *model)
{
    struct vl_model_balance *b = &model->balance;
    size_t n = b->layers * model->layout.experts.experts;
    if (n == 0)
        return;
    memset(b->counts, 0, n * sizeof *b->counts);
    memset(b->shares, 0, n * sizeof *b->shares);
    *b->loss = 0.0;
    if (b->against != NULL)
        memset(b->against, 0, 2 * n * model->shape.width * sizeof *b->against);
}

const struct vl_schedule *vl_model_schedule(const struct vl_model *model)
{
    return model->pipeline != NULL ? &model->pipeline->schedule : NULL;
}

struct vl_learner *vl_model_learner(struct vl_model *model)
{
    return &model->learner;
}

size_t vl_model_state_bytes(const struct vl_model *model)
{
    return arrays_of(model) * model->layout.count * sizeof(float);
}

size_t vl_model_activation_bytes(const struct vl_model *model)
{
    return model->activations.used;
}

size_t vl_model_kept_bytes(const struct vl_model *model)
{
    return model->kept_bytes;
}
