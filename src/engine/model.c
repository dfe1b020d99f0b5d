#include "engine/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/random.h"
#include "engine/check.h"
#include "engine/inside.h"
#include "vialata/rotary.h"

static float *floats(struct vl_arena *arena, size_t n)
{
    return vl_arena_take(arena, n, sizeof(float));
}

/* An arena, with the advice to back it by large pages: a step walks through all of it, and with
 * small pages it waits for address translations. Only advice: refused, nothing changes. */
static enum vl_status reserve(struct vl_arena *arena, size_t bytes)
{
    VL_CHECK(vl_arena_create(arena, bytes));
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = ((uintptr_t)arena->memory + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)arena->memory + arena->size) / page * page;
    if (start < end)
        (void)madvise((void *)start, end - start, MADV_HUGEPAGE);
    return VL_OK;
}

/* Does it keep what backward asks for? */
static int learns(const struct vl_model *m)
{
    return m->kind != VL_MODEL_READS;
}

/* Flat arrays that are the model's own. */
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
        VL_CHECK(reserve(&m->state, arrays_of(m) * vl_arena_size(n, sizeof(float))));
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
    a->unit_count = m->shape.layers + 2;
    a->forward = vl_pass_forward;
    a->backward = vl_pass_backward;
    a->model = m;
    return VL_OK;
}

static enum vl_status create_activations(struct vl_model *m)
{
    const struct vl_shape *s = &m->shape;
    struct vl_block_size z = {.batch = m->rows,
                              .sequence = s->sequence,
                              .width = s->width,
                              .heads = s->heads,
                              .head_width = s->width / s->heads,
                              .ff = s->ff};
    size_t n = m->rows * s->sequence, stream = n * s->width;
    size_t kept = learns(m) ? s->layers : 1;        /* layers whose forward is kept */
    size_t streams = learns(m) ? s->layers + 1 : 2; /* without learning x goes to and fro */
    size_t bytes =
        streams * vl_arena_size(stream, sizeof(float)) + kept * vl_block_saved_bytes(&z) +
        2 * vl_arena_size(n, sizeof(float)) + vl_arena_size(stream, sizeof(float)) +
        vl_arena_size(n * s->vocabulary, sizeof(float)) +
        vl_arena_size(s->sequence * z.head_width, sizeof(float)) +
        vl_arena_size(s->layers + 1, sizeof *m->x) + vl_arena_size(kept, sizeof *m->saved);
    if (learns(m))
        bytes += vl_block_pending_bytes(&z) + 2 * vl_arena_size(stream, sizeof(float));
    struct vl_arena *arena = &m->activations;
    VL_CHECK(reserve(arena, bytes));

    m->rotary = floats(arena, s->sequence * z.head_width);
    m->x = vl_arena_take(arena, s->layers + 1, sizeof *m->x);
    m->saved = vl_arena_take(arena, kept, sizeof *m->saved);
    for (size_t l = 0; l < streams && l <= s->layers; l++)
        m->x[l] = floats(arena, stream);
    for (size_t l = streams; l <= s->layers; l++)
        m->x[l] = m->x[l % 2];
    for (size_t l = 0; l < kept; l++)
        VL_CHECK(vl_block_saved_take(&m->saved[l], arena, &z));
    m->final_inv_rms = floats(arena, n);
    m->final_normed = floats(arena, stream);
    m->logits = floats(arena, n * s->vocabulary);
    m->losses = floats(arena, n);
    if (learns(m)) {
        VL_CHECK(vl_block_pending_take(&m->pending, arena, &z));
        m->dx = floats(arena, stream);
        m->dx_next = floats(arena, stream);
    }
    return vl_rotary_table(m->rotary, s->sequence, z.head_width);
}

enum vl_status vl_model_create(struct vl_model **model, const struct vl_shape *shape, size_t rows,
                               enum vl_model_kind kind)
{
    *model = NULL;
    VL_CHECK(vl_shape_check(shape));
    if (rows == 0)
        return VL_ESHAPE;
    struct vl_model *m = calloc(1, sizeof *m);
    if (m == NULL)
        return VL_ENOMEM;
    m->shape = *shape;
    m->rows = rows;
    m->kind = kind;
    m->layout.tensors = calloc(vl_layout_tensors(shape), sizeof *m->layout.tensors);
    m->layout.units = calloc(shape->layers + 3, sizeof *m->layout.units);
    enum vl_status status =
        m->layout.tensors != NULL && m->layout.units != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK) {
        vl_layout_fill(&m->layout, shape);
        status = create_state(m);
    }
    if (status == VL_OK)
        status = create_activations(m);
    if (status != VL_OK) {
        vl_model_free(m);
        return status;
    }
    *model = m;
    return VL_OK;
}

void vl_model_free(struct vl_model *m)
{
    if (m == NULL)
        return;
    vl_arena_free(&m->activations);
    vl_arena_free(&m->state);
    free(m->layout.tensors);
    free(m->layout.units);
    free(m);
}

static int ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), k = strlen(end);
    return n >= k && strcmp(name + n - k, end) == 0;
}

/* The part of tensor t that lies in [first, first + count) of the flat array. */
static void initialise_part(float *out, const struct vl_model *m, size_t t, size_t first,
                            size_t count, uint64_t seed)
{
    /* Projections back into the residual stream are smaller, so that the sum of 2L of them does
     * not grow with depth (Radford et al. 2019, "GPT-2", section 2.3). */
    float deep = (float)(0.02 / sqrt(2.0 * (double)m->shape.layers));
    const struct vl_tensor *tensor = &m->layout.tensors[t];
    size_t begin = tensor->offset, end = begin + tensor->rows * tensor->cols;
    size_t from = begin > first ? begin : first, to = end < first + count ? end : first + count;
    int back =
        ends_with(tensor->name, "o_proj.weight") || ends_with(tensor->name, "down_proj.weight");
    if (from >= to)
        return;
    if (!tensor->decays)
        for (size_t k = from; k < to; k++)
            out[k - first] = 1.0f;
    else
        vl_random_fill_normal(out + (from - first), to - from, back ? deep : 0.02f, seed, t,
                              from - begin);
}

void vl_model_initial_weights(float *out, const struct vl_model *m, size_t first, size_t count,
                              uint64_t seed)
{
    for (size_t t = 0; t < m->layout.tensor_count; t++)
        initialise_part(out, m, t, first, count, seed);
}

void vl_model_initialise(struct vl_model *m, uint64_t seed)
{
    vl_model_initial_weights(m->learner.weights, m, 0, m->layout.count, seed);
}

const struct vl_shape *vl_model_shape(const struct vl_model *m)
{
    return &m->shape;
}

struct vl_learner *vl_model_learner(struct vl_model *m)
{
    return &m->learner;
}

size_t vl_model_state_bytes(const struct vl_model *m)
{
    return (arrays_of(m)) * m->layout.count * sizeof(float);
}

size_t vl_model_activation_bytes(const struct vl_model *m)
{
    return m->activations.used;
}
