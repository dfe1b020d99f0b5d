#include "engine/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/random.h"
#include "engine/block.h"
#include "engine/check.h"
#include "engine/layout.h"
#include "vialata/cross_entropy.h"
#include "vialata/embedding.h"
#include "vialata/linear.h"
#include "vialata/rmsnorm.h"
#include "vialata/rotary.h"

/* The batch in work: rows of T tokens, micro-batch after micro-batch. */
struct batch {
    const int32_t *tokens;
    const int32_t *targets;
    size_t rows; /* a micro-batch */
    size_t micro_batches;
};

struct vl_model {
    struct vl_shape shape;
    struct vl_layout layout;
    struct vl_learner learner;
    struct vl_arena state;       /* weights, gradients, m, v */
    struct vl_arena activations; /* all below */
    size_t rows;                 /* room for this many sequences */
    int learns;
    struct batch batch;

    float *rotary;                /* (T,K) */
    float **x;                    /* (L+1): x[l] (N,D) is the input of layer l */
    struct vl_block_saved *saved; /* (L), or one shared by all layers if nothing is learnt */
    struct vl_block_pending pending;
    float *final_inv_rms; /* (N) */
    float *final_normed;  /* (N,D) */
    float *logits;        /* (N,V), later probs, later their gradients */
    float *losses;        /* (N) */
    float *dx;            /* (N,D), the gradient of x on its way down */
    float *dx_next;       /* (N,D) */
};

static struct vl_block_size block_size(const struct vl_model *m, size_t rows, size_t sequence)
{
    const struct vl_shape *s = &m->shape;
    struct vl_block_size z = {rows,  sequence, s->width, s->heads, s->width / s->heads,
                              s->ff, m->rotary};
    return z;
}

static struct vl_block_weights unit_parts(const struct vl_model *m, float *flat, size_t layer)
{
    return vl_layout_block(flat + vl_layout_unit(&m->layout, &m->shape, layer + 1), &m->shape);
}

/* The last unit: the norm's gain (D), then the head (V,D). */
static float *final_gain(const struct vl_model *m, float *flat)
{
    return flat + vl_layout_unit(&m->layout, &m->shape, m->shape.layers + 1);
}

static enum vl_status forward_to_logits(struct vl_model *m, const int32_t *tokens, size_t rows,
                                        size_t sequence)
{
    const struct vl_shape *s = &m->shape;
    struct vl_block_size z = block_size(m, rows, sequence);
    size_t n = rows * sequence, d = s->width;
    VL_CHECK(vl_embedding_forward(m->x[0], m->learner.weights, tokens, n, d, s->vocabulary));
    for (size_t l = 0; l < s->layers; l++) {
        struct vl_block_weights w = unit_parts(m, m->learner.weights, l);
        VL_CHECK(vl_block_forward(m->x[l + 1], &m->saved[m->learns ? l : 0], m->x[l], &w, &z));
    }
    const float *gain = final_gain(m, m->learner.weights);
    VL_CHECK(vl_rmsnorm_forward(m->final_normed, m->final_inv_rms, m->x[s->layers], gain, n, d));
    return vl_linear_forward(m->logits, m->final_normed, gain + d, n, d, s->vocabulary);
}

static enum vl_status sum_losses(double *sum, struct vl_model *m, const int32_t *targets, size_t n)
{
    VL_CHECK(
        vl_cross_entropy_forward(m->losses, m->logits, m->logits, targets, n, m->shape.vocabulary));
    *sum = 0;
    for (size_t i = 0; i < n; i++)
        *sum += (double)m->losses[i];
    return VL_OK;
}

static size_t batch_tokens(const struct vl_model *m)
{
    return m->batch.micro_batches * m->batch.rows * m->shape.sequence;
}

static enum vl_status learner_forward(void *model, size_t micro, double *loss)
{
    struct vl_model *m = model;
    if (micro >= m->batch.micro_batches)
        return VL_EINVAL;
    size_t n = m->batch.rows * m->shape.sequence;
    VL_CHECK(forward_to_logits(m, m->batch.tokens + micro * n, m->batch.rows, m->shape.sequence));
    VL_CHECK(sum_losses(loss, m, m->batch.targets + micro * n, n));
    *loss /= (double)batch_tokens(m);
    return VL_OK;
}

/* Final norm and head: from the probabilities to the gradient of the last layer's output. */
static enum vl_status head_backward(struct vl_model *m, const int32_t *targets, size_t n)
{
    const struct vl_shape *s = &m->shape;
    size_t d = s->width, v = s->vocabulary;
    float *gain = final_gain(m, m->learner.weights);
    float *dgain = final_gain(m, m->learner.gradients);
    float scale = (float)(1.0 / (double)batch_tokens(m));
    VL_CHECK(vl_cross_entropy_backward_input(m->logits, m->logits, targets, scale, n, v));
    VL_CHECK(vl_linear_backward_input(m->dx_next, m->logits, gain + d, n, d, v));
    VL_CHECK(vl_rmsnorm_backward_input(m->dx, m->dx_next, m->x[s->layers], gain, m->final_inv_rms,
                                       n, d));
    VL_CHECK(vl_linear_backward_weight(dgain + d, m->logits, m->final_normed, n, d, v));
    return vl_rmsnorm_backward_weight(dgain, m->dx_next, m->x[s->layers], m->final_inv_rms, n, d);
}

static enum vl_status learner_backward(void *model, size_t micro)
{
    struct vl_model *m = model;
    if (micro >= m->batch.micro_batches || !m->learns)
        return VL_EINVAL;
    struct vl_block_size z = block_size(m, m->batch.rows, m->shape.sequence);
    size_t n = z.batch * z.sequence;
    VL_CHECK(head_backward(m, m->batch.targets + micro * n, n));
    for (size_t l = m->shape.layers; l-- > 0;) {
        struct vl_block_weights w = unit_parts(m, m->learner.weights, l);
        struct vl_block_weights g = unit_parts(m, m->learner.gradients, l);
        VL_CHECK(
            vl_block_backward_input(m->dx_next, &m->pending, m->dx, &m->saved[l], m->x[l], &w, &z));
        VL_CHECK(vl_block_backward_weight(&g, &m->pending, m->dx, &m->saved[l], m->x[l], &z));
        float *below = m->dx_next;
        m->dx_next = m->dx;
        m->dx = below;
    }
    return vl_embedding_backward_weight(m->learner.gradients, m->dx, m->batch.tokens + micro * n, n,
                                        m->shape.width, m->shape.vocabulary);
}

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

static enum vl_status create_state(struct vl_model *m)
{
    size_t n = m->layout.count;
    size_t arrays = m->learns ? 4 : 1;
    struct vl_learner *a = &m->learner;
    VL_CHECK(reserve(&m->state, arrays * vl_arena_size(n, sizeof(float))));
    a->weights = floats(&m->state, n);
    if (m->learns) {
        a->gradients = floats(&m->state, n);
        a->m = floats(&m->state, n);
        a->v = floats(&m->state, n);
    }
    a->count = n;
    a->tensors = m->layout.tensors;
    a->tensor_count = m->layout.tensor_count;
    a->forward = learner_forward;
    a->backward = learner_backward;
    a->model = m;
    return VL_OK;
}

static enum vl_status create_activations(struct vl_model *m)
{
    const struct vl_shape *s = &m->shape;
    struct vl_block_size z = block_size(m, m->rows, s->sequence);
    size_t n = m->rows * s->sequence, stream = n * s->width;
    size_t kept = m->learns ? s->layers : 1;        /* layers whose forward is kept */
    size_t streams = m->learns ? s->layers + 1 : 2; /* without learning x goes to and fro */
    size_t bytes =
        streams * vl_arena_size(stream, sizeof(float)) + kept * vl_block_saved_bytes(&z) +
        2 * vl_arena_size(n, sizeof(float)) + vl_arena_size(stream, sizeof(float)) +
        vl_arena_size(n * s->vocabulary, sizeof(float)) +
        vl_arena_size(s->sequence * z.head_width, sizeof(float)) +
        vl_arena_size(s->layers + 1, sizeof *m->x) + vl_arena_size(kept, sizeof *m->saved);
    if (m->learns)
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
    if (m->learns) {
        VL_CHECK(vl_block_pending_take(&m->pending, arena, &z));
        m->dx = floats(arena, stream);
        m->dx_next = floats(arena, stream);
    }
    return vl_rotary_table(m->rotary, s->sequence, z.head_width);
}

enum vl_status vl_model_create(struct vl_model **model, const struct vl_shape *shape, size_t rows,
                               int learns)
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
    m->learns = learns != 0;
    m->layout.tensors = calloc(vl_layout_tensors(shape), sizeof *m->layout.tensors);
    enum vl_status status = m->layout.tensors != NULL ? VL_OK : VL_ENOMEM;
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
    free(m);
}

static int ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), k = strlen(end);
    return n >= k && strcmp(name + n - k, end) == 0;
}

void vl_model_initialise(struct vl_model *m, uint64_t seed)
{
    /* Projections back into the residual stream are smaller, so that the sum of 2L of them does
     * not grow with depth (Radford et al. 2019, "GPT-2", section 2.3). */
    float deep = (float)(0.02 / sqrt(2.0 * (double)m->shape.layers));
    for (size_t i = 0; i < m->layout.tensor_count; i++) {
        const struct vl_tensor *t = &m->layout.tensors[i];
        float *w = m->learner.weights + t->offset;
        size_t n = t->rows * t->cols;
        int back = ends_with(t->name, "o_proj.weight") || ends_with(t->name, "down_proj.weight");
        if (!t->decays)
            for (size_t k = 0; k < n; k++)
                w[k] = 1.0f;
        else
            vl_random_fill_normal(w, n, back ? deep : 0.02f, seed, i, 0);
    }
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
    return (m->learns ? 4 : 1) * m->layout.count * sizeof(float);
}

size_t vl_model_activation_bytes(const struct vl_model *m)
{
    return m->activations.used;
}

enum vl_status vl_model_set_batch(struct vl_model *m, const int32_t *tokens, const int32_t *targets,
                                  size_t rows_per_micro, size_t micro_batches)
{
    if (rows_per_micro == 0 || micro_batches == 0 || tokens == NULL || targets == NULL)
        return VL_EINVAL;
    if (rows_per_micro > m->rows)
        return VL_ESHAPE;
    m->batch = (struct batch){tokens, targets, rows_per_micro, micro_batches};
    return VL_OK;
}

enum vl_status vl_model_logits(const float **logits, struct vl_model *m, const int32_t *tokens,
                               size_t rows, size_t sequence)
{
    if (rows > m->rows || sequence > m->shape.sequence)
        return VL_ESHAPE;
    *logits = m->logits;
    return forward_to_logits(m, tokens, rows, sequence);
}

enum vl_status vl_model_loss_sum(double *loss_sum, struct vl_model *m, const int32_t *tokens,
                                 const int32_t *targets, size_t rows)
{
    if (rows > m->rows)
        return VL_ESHAPE;
    VL_CHECK(forward_to_logits(m, tokens, rows, m->shape.sequence));
    return sum_losses(loss_sum, m, targets, rows * m->shape.sequence);
}
