/*
 * The memory of a forward and backward: measured first, then carved out of one arena. How many
 * slots the layers share is recomputation's affair (vialata/recompute.h).
 */
#include "engine/inside.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/check.h"
#include "vialata/rotary.h"

/* An arena, with the advice to back it by large pages: a step walks through all of it, and with
 * small pages it waits for address translations. Only advice: refused, nothing changes. */
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

static int learns(const struct vl_model *m)
{
    return m->kind != VL_MODEL_READS;
}

/* Slots of a kind, and the slot of each layer. A model that does not learn forgets everything. */
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

static float *floats(struct vl_model *m, size_t n)
{
    return vl_arena_take(&m->activations, n, sizeof(float));
}

/* Each layer's saved arrays: those of its slots, one after the other. */
static enum vl_status take_saved(struct vl_model *m, const struct vl_block_size *z, size_t rests,
                                 size_t probs)
{
    size_t layers = m->shape.layers, slot;
    struct vl_block_saved *slots = vl_arena_take(&m->activations, rests, sizeof *slots);
    float **rooms = vl_arena_take(&m->activations, probs, sizeof *rooms);
    for (size_t i = 0; i < rests; i++)
        VL_CHECK(vl_block_saved_take(&slots[i], &m->activations, z));
    for (size_t i = 0; i < probs; i++)
        rooms[i] = floats(m, vl_block_probs(z));
    for (size_t layer = 0; layer < layers; layer++) {
        VL_CHECK(find_slot(&slot, m, VL_SAVED_REST, layer, rests));
        m->saved[layer] = slots[slot];
        VL_CHECK(find_slot(&slot, m, VL_SAVED_PROBS, layer, probs));
        m->saved[layer].probs = rooms[slot];
    }
    m->kept_bytes += sizeof(float) * (rests * vl_block_rest(z) + probs * vl_block_probs(z));
    return VL_OK;
}

/* x[l] is the input of layer l, x[L] the output of the last. Without learning x goes to and fro. */
static void take_streams(struct vl_model *m, size_t stream)
{
    size_t layers = m->shape.layers, streams = learns(m) ? layers + 1 : 2;
    for (size_t l = 0; l < streams && l <= layers; l++)
        m->x[l] = floats(m, stream);
    for (size_t l = streams; l <= layers; l++)
        m->x[l] = m->x[l % 2];
    m->kept_bytes += sizeof(float) * (streams - 1) * stream;
}

enum vl_status vl_activations_create(struct vl_model *m)
{
    const struct vl_shape *s = &m->shape;
    const struct vl_block_size z = {.batch = m->rows,
                                    .sequence = s->sequence,
                                    .width = s->width,
                                    .heads = s->heads,
                                    .head_width = s->width / s->heads,
                                    .ff = s->ff};
    size_t n = m->rows * s->sequence, stream = n * s->width, rests, probs;
    VL_CHECK(find_slots(&rests, m, VL_SAVED_REST));
    VL_CHECK(find_slots(&probs, m, VL_SAVED_PROBS));
    size_t streams = learns(m) ? s->layers + 1 : 2;
    size_t bytes =
        (streams + 1) * vl_arena_size(stream, sizeof(float)) + rests * vl_block_saved_bytes(&z) +
        probs * vl_arena_size(vl_block_probs(&z), sizeof(float)) +
        2 * vl_arena_size(n, sizeof(float)) + vl_arena_size(n * s->vocabulary, sizeof(float)) +
        vl_arena_size(s->sequence * z.head_width, sizeof(float)) +
        vl_arena_size(s->layers + 1, sizeof *m->x) + vl_arena_size(s->layers, sizeof *m->saved) +
        vl_arena_size(rests, sizeof *m->saved) + vl_arena_size(probs, sizeof(float *));
    if (learns(m))
        bytes += vl_block_pending_bytes(&z) + 2 * vl_arena_size(stream, sizeof(float));
    VL_CHECK(vl_activations_reserve(&m->activations, bytes));

    m->rotary = floats(m, s->sequence * z.head_width);
    m->x = vl_arena_take(&m->activations, s->layers + 1, sizeof *m->x);
    m->saved = vl_arena_take(&m->activations, s->layers, sizeof *m->saved);
    take_streams(m, stream);
    VL_CHECK(take_saved(m, &z, rests, probs));
    m->final_inv_rms = floats(m, n);
    m->final_normed = floats(m, stream);
    m->logits = floats(m, n * s->vocabulary);
    m->losses = floats(m, n);
    if (learns(m)) {
        VL_CHECK(vl_block_pending_take(&m->pending, &m->activations, &z));
        m->dx = floats(m, stream);
        m->dx_next = floats(m, stream);
    }
    return vl_rotary_table(m->rotary, s->sequence, z.head_width);
}
