/*
 * The memory of forward and backward, carved out of one arena. The same walk is done twice: first
 * to measure, then to take.
 *
 * The recomputation mode (vialata/recompute.h) says how many slots the layers share. A model that
 * is whole here has one forward buffer, with its layers' slots in it. In a pipeline several
 * micro-batches live at once. Each has a forward buffer for what the mode keeps; what the mode
 * forgets is in slots that all of them share, and is restored into a backward buffer.
 */
#include "engine/model/inside.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/check.h"
#include "engine/model/outside.h"
#include "engine/pipeline/pipeline.h"
#include "vialata/rotary.h"

/* Create an arena and ask for large pages: a step walks through all of it, and with small pages it
 * waits for address translations. If the kernel refuses, nothing else changes. */
enum vl_status vl_activations_reserve(struct vl_arena *arena, size_t bytes)
{
    VL_CHECK(vl_arena_create(arena, bytes));
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = ((uintptr_t)arena->memory + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)arena->memory + arena->size) / page * page;
    if (start < end)
        (void)madvise((void *)start, end - start, MADV_HUGEPAGE);
    return VL_OK;
}

/* ---- the walk ---- */

struct carver {
    struct vl_model *model;
    struct vl_block_size size;
    int taking;   /* 0: only measuring, and every pointer is NULL */
    size_t bytes; /* so far */
    size_t kept;
    struct vl_block_pending working; /* only its working memory is set */
};

static float *floats(struct carver *c, size_t n)
{
    c->bytes += vl_arena_size(n, sizeof(float));
    return c->taking ? vl_arena_take(&c->model->activations, n, sizeof(float)) : NULL;
}

/* Floats that forward leaves behind for backward. */
static float *kept_floats(struct carver *c, size_t n)
{
    c->kept += n * sizeof(float);
    return floats(c, n);
}

static enum vl_status saved(struct carver *c, struct vl_block_saved *saved)
{
    c->bytes += vl_block_saved_bytes(&c->size);
    c->kept += vl_block_rest(&c->size) * sizeof(float);
    return c->taking ? vl_block_saved_take(saved, &c->model->activations, &c->size) : VL_OK;
}

static enum vl_status pending(struct carver *c, struct vl_block_pending *pending)
{
    c->bytes += vl_block_pending_bytes(&c->size);
    *pending = c->working;
    return c->taking ? vl_block_pending_take(pending, &c->model->activations, &c->size) : VL_OK;
}

/* Layers run one at a time, so all of them share this memory. */
static enum vl_status working(struct carver *c)
{
    c->bytes += vl_block_working_bytes(&c->size);
    return c->taking ? vl_block_working_take(&c->working, &c->model->activations, &c->size) : VL_OK;
}

/* Choices are kept in every mode: a layer computed again sends tokens to the same experts. */
static enum vl_status routings(struct carver *c, struct vl_forward_buffer *buffer, size_t layers)
{
    for (size_t l = 0; l < layers && c->size.experts != NULL; l++) {
        c->bytes += vl_moe_routing_bytes(c->size.experts);
        if (c->taking)
            VL_CHECK(
                vl_moe_routing_take(&buffer->routing[l], &c->model->activations, c->size.experts));
        buffer->saved[l].routing = &buffer->routing[l];
    }
    return VL_OK;
}

static enum vl_status moe_working(struct carver *c)
{
    struct vl_model *m = c->model;
    if (c->size.experts == NULL)
        return VL_OK;
    c->bytes += vl_moe_working_bytes(c->size.experts);
    return c->taking ? vl_moe_working_take(&m->moe_working, &m->activations, c->size.experts)
                     : VL_OK;
}

/* x of all tokens, as gradients are; and of this rank's own. */
static size_t whole(const struct carver *c)
{
    return c->size.batch * c->size.sequence * c->size.width;
}

static size_t stream(const struct carver *c)
{
    return c->size.own * c->size.width;
}

/* Where the tokens are shared out, all layers see the rows of the other ranks in the same memory. A
 * router's input is still needed while the sum of the experts grows. */
static void gathered(struct carver *c)
{
    struct vl_model *m = c->model;
    m->whole = floats(c, whole(c));
    m->sums = c->size.experts != NULL ? floats(c, whole(c)) : m->whole;
}

static bool learns(const struct vl_model *m)
{
    return m->kind != VL_MODEL_READS;
}

static void head(struct carver *c, struct vl_forward_buffer *buffer)
{
    buffer->final_inv_rms = floats(c, c->size.own);
    buffer->final_normed = floats(c, c->size.kept * c->size.width);
    buffer->logits = floats(c, c->size.batch * c->size.sequence * c->model->layout.vocabulary);
}

/* ---- a model that is whole here ---- */

/* How many slots of a kind there are. A model that does not learn forgets everything: one slot. */
static enum vl_status find_slots(size_t *slots, const struct vl_model *m, enum vl_saved_kind kind)
{
    *slots = 1;
    if (learns(m))
        VL_CHECK(vl_recompute_slots(slots, m->recompute, kind, m->shape.layers));
    return *slots >= 1 && *slots <= m->shape.layers ? VL_OK : VL_EINVAL;
}

static enum vl_status find_slot(size_t *slot, const struct vl_model *m, enum vl_saved_kind kind,
                                size_t layer, size_t slots)
{
    *slot = 0;
    if (learns(m))
        VL_CHECK(vl_recompute_slot(slot, m->recompute, kind, layer, m->shape.layers));
    return *slot < slots ? VL_OK : VL_EINVAL;
}

/* Take the slots, then point each layer's saved arrays to those of its slot. */
static enum vl_status take_slots(struct carver *c, struct vl_forward_buffer *buffer)
{
    const struct vl_model *m = c->model;
    size_t layers = m->shape.layers, rests, probs, slot;
    VL_CHECK(find_slots(&rests, m, VL_SAVED_REST));
    VL_CHECK(find_slots(&probs, m, VL_SAVED_PROBS));
    struct vl_block_saved *slots = calloc(rests, sizeof *slots);
    float **probs_slots = calloc(probs, sizeof *probs_slots);
    enum vl_status status = slots != NULL && probs_slots != NULL ? VL_OK : VL_ENOMEM;
    for (size_t i = 0; i < rests && status == VL_OK; i++)
        status = saved(c, &slots[i]);
    for (size_t i = 0; i < probs && status == VL_OK; i++)
        probs_slots[i] = kept_floats(c, vl_block_probs(&c->size));
    for (size_t layer = 0; layer < layers && status == VL_OK; layer++) {
        status = find_slot(&slot, m, VL_SAVED_REST, layer, rests);
        if (status != VL_OK)
            break;
        buffer->saved[layer] = slots[slot];
        status = find_slot(&slot, m, VL_SAVED_PROBS, layer, probs);
        if (status == VL_OK)
            buffer->saved[layer].probs = probs_slots[slot];
    }
    free(slots);
    free(probs_slots);
    return status;
}

/* x[l] is the input of layer l, x[L] the output of the last. Without learning, x alternates between
 * two buffers, as the gradients always do. */
static enum vl_status carve_whole(struct carver *c)
{
    struct vl_stretch *all = c->model->stretches;
    struct vl_forward_buffer *forward = all->forward_buffers;
    size_t layers = all->layers, streams = learns(c->model) ? layers + 1 : 2;
    for (size_t l = 0; l <= layers; l++)
        forward->x[l] = l >= streams      ? forward->x[l % 2]
                        : l + 1 < streams ? kept_floats(c, stream(c))
                                          : floats(c, stream(c));
    VL_CHECK(take_slots(c, forward));
    VL_CHECK(routings(c, forward, layers));
    head(c, forward);
    if (!learns(c->model))
        return VL_OK;
    struct vl_backward_buffer *backward = all->backward_buffers;
    VL_CHECK(pending(c, &backward->pending[0]));
    backward->dx[layers] = floats(c, whole(c));
    backward->final_dnormed = floats(c, whole(c)); /* read before the next layer's dx is written */
    for (size_t l = 0; l < layers; l++) {
        backward->pending[l] = backward->pending[0];
        backward->dx[l] = (layers - l) % 2 == 0 ? backward->dx[layers] : backward->final_dnormed;
        backward->saved[l] = forward->saved[l];
    }
    return VL_OK;
}

/* ---- a stage of a pipeline ---- */

/* Does the mode forget this kind? Asked for one layer more than there are: with a single layer, one
 * slot would otherwise look the same whether or not it is shared. */
static enum vl_status forgets(int *forgotten, const struct vl_model *m, enum vl_saved_kind kind,
                              size_t layers)
{
    size_t slots;
    VL_CHECK(vl_recompute_slots(&slots, m->recompute, kind, layers + 1));
    *forgotten = slots <= layers;
    return VL_OK;
}

/* What all buffers share. */
struct shared {
    int rest_forgotten, probs_forgotten;
    struct vl_block_saved rest;
    float *probs;
};

static enum vl_status carve_forward(struct carver *c, const struct vl_stretch *s,
                                    struct vl_forward_buffer *buffer, const struct shared *shared)
{
    for (size_t l = 0; l <= s->layers; l++)
        buffer->x[l] = l < s->layers ? kept_floats(c, stream(c)) : floats(c, stream(c));
    for (size_t l = 0; l < s->layers; l++) {
        buffer->saved[l] = shared->rest;
        if (!shared->rest_forgotten)
            VL_CHECK(saved(c, &buffer->saved[l]));
        buffer->saved[l].probs =
            shared->probs_forgotten ? shared->probs : kept_floats(c, vl_block_probs(&c->size));
    }
    if (s->has_head)
        head(c, buffer);
    return routings(c, buffer, s->layers);
}

/* dx of every layer, for the weight part. Without the embedding, dx[0] is sent to the stage before
 * and has its memory in 'leaving'. A rest that is kept is in the forward buffer. */
static enum vl_status carve_backward(struct carver *c, const struct vl_stretch *s,
                                     struct vl_backward_buffer *buffer, const struct shared *shared)
{
    for (size_t l = s->embeds ? 0 : 1; l <= s->layers; l++)
        buffer->dx[l] = floats(c, whole(c));
    for (size_t l = 0; l < s->layers; l++) {
        VL_CHECK(pending(c, &buffer->pending[l]));
        if (!shared->rest_forgotten)
            continue;
        VL_CHECK(saved(c, &buffer->saved[l]));
        buffer->saved[l].probs = shared->probs;
    }
    if (s->has_head)
        buffer->final_dnormed = floats(c, whole(c));
    return VL_OK;
}

static enum vl_status carve_stretch(struct carver *c, struct vl_stretch *s,
                                    const struct shared *shared)
{
    for (size_t i = 0; i < s->forward_count; i++)
        VL_CHECK(carve_forward(c, s, &s->forward_buffers[i], shared));
    for (size_t i = 0; i < s->backward_count; i++)
        VL_CHECK(carve_backward(c, s, &s->backward_buffers[i], shared));
    return VL_OK;
}

/* A gradient to be sent may use the memory of one that has certainly arrived by then. */
static void carve_leaving(struct carver *c, struct vl_stretch *s)
{
    const struct vl_pipeline *pipeline = c->model->pipeline;
    size_t chunk = (size_t)(s - c->model->stretches), m = pipeline->schedule.micro_batches;
    const size_t *slots = pipeline->slots + chunk * m;
    for (size_t slot = 0; slot < pipeline->slot_counts[chunk]; slot++) {
        float *gradient = floats(c, whole(c));
        for (size_t i = 0; i < m; i++)
            if (slots[i] == slot)
                s->leaving[i] = gradient;
    }
}

static enum vl_status carve_stage(struct carver *c)
{
    struct vl_model *m = c->model;
    struct shared shared = {0};
    VL_CHECK(forgets(&shared.rest_forgotten, m, VL_SAVED_REST, m->shape.layers));
    VL_CHECK(forgets(&shared.probs_forgotten, m, VL_SAVED_PROBS, m->shape.layers));
    m->forgets_rest = shared.rest_forgotten;
    if (shared.rest_forgotten)
        VL_CHECK(saved(c, &shared.rest));
    if (shared.probs_forgotten)
        shared.probs = kept_floats(c, vl_block_probs(&c->size));
    for (size_t i = 0; i < m->stretch_count; i++) {
        VL_CHECK(carve_stretch(c, &m->stretches[i], &shared));
        carve_leaving(c, &m->stretches[i]);
    }
    return VL_OK;
}

static enum vl_status carve(struct carver *c)
{
    struct vl_model *m = c->model;
    size_t n = m->rows * m->shape.sequence;
    m->rotary = floats(c, m->shape.sequence * c->size.head_width);
    m->losses = floats(c, n);
    if (learns(m))
        VL_CHECK(working(c));
    VL_CHECK(moe_working(c));
    if (m->tensor.ranks > 1)
        m->scratch = floats(c, n * (size_t)(m->tensor.ranks + 2));
    if (m->tensor.ranks > 1 && m->tensor.sequence)
        gathered(c);
    return m->pipeline != NULL ? carve_stage(c) : carve_whole(c);
}

enum vl_status vl_activations_create(struct vl_model *model)
{
    struct carver c = {.model = model,
                       .size = {.batch = model->rows,
                                .sequence = model->shape.sequence,
                                .width = model->shape.width,
                                .heads = model->layout.heads,
                                .head_width = model->shape.width / model->shape.heads,
                                .ff = model->layout.ff,
                                .experts = model->moe.experts > 0 ? &model->moe : NULL}};
    VL_CHECK(vl_outside_share(&c.size, vl_model_group(model)));
    VL_CHECK(vl_buffers_create(model));
    VL_CHECK(carve(&c));
    VL_CHECK(vl_activations_reserve(&model->activations, c.bytes));
    c.taking = 1;
    c.kept = 0;
    VL_CHECK(carve(&c));
    model->kept_bytes = c.kept;
    return vl_rotary_table(model->rotary, model->shape.sequence, c.size.head_width);
}

void vl_activations_free(struct vl_model *model)
{
    vl_buffers_free(model);
    vl_arena_free(&model->activations);
}
