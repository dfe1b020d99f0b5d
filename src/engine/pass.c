/*
 * Forward and backward of the whole model, unit by unit. Whoever hangs in the learner's hooks lends
 * each unit its memory and hears when its gradients are ready.
 */
#include "engine/inside.h"

#include "comm/span.h"
#include "engine/check.h"
#include "vialata/collectives.h"
#include "vialata/cross_entropy.h"
#include "vialata/embedding.h"
#include "vialata/linear.h"
#include "vialata/rmsnorm.h"

/* ---- units ---- */

/* Weights are only read: the cast is for a structure that serves gradients too. */
static enum vl_status borrow(float **weights, const struct vl_model *m, size_t unit)
{
    const struct vl_unit_hooks *hooks = m->learner.hooks;
    if (hooks != NULL && hooks->borrow != NULL) {
        const float *lent = NULL;
        VL_CHECK(hooks->borrow(hooks->context, unit, &lent));
        *weights = (float *)lent;
        return VL_OK;
    }
    *weights = m->learner.weights + m->layout.units[unit];
    return VL_OK;
}

static enum vl_status give_back(const struct vl_model *m, size_t unit)
{
    const struct vl_unit_hooks *hooks = m->learner.hooks;
    return hooks != NULL && hooks->give_back != NULL ? hooks->give_back(hooks->context, unit)
                                                     : VL_OK;
}

static enum vl_status gradients_of(float **gradients, const struct vl_model *m, size_t unit)
{
    const struct vl_unit_hooks *hooks = m->learner.hooks;
    if (hooks != NULL && hooks->gradients != NULL)
        return hooks->gradients(hooks->context, unit, gradients);
    *gradients = m->learner.gradients + m->layout.units[unit];
    return VL_OK;
}

static enum vl_status ready(const struct vl_model *m, size_t unit)
{
    const struct vl_unit_hooks *hooks = m->learner.hooks;
    return hooks != NULL && hooks->ready != NULL ? hooks->ready(hooks->context, unit) : VL_OK;
}

/* ---- sizes ---- */

static struct vl_block_size block_size(const struct vl_model *m, size_t rows, size_t sequence)
{
    const struct vl_shape *s = &m->shape;
    struct vl_block_size z = {rows,  sequence,  s->width,        s->heads, s->width / s->heads,
                              s->ff, m->rotary, m->learner.hooks};
    return z;
}

/* The rows of a micro-batch. */
static enum vl_status micro_rows(size_t *first, size_t *rows, const struct vl_model *m,
                                 size_t micro)
{
    const struct vl_model_batch *b = &m->batch;
    if (micro >= b->micro_batches)
        return VL_EINVAL;
    return vl_chunk(first, rows, b->rows, (int)micro, (int)b->micro_batches);
}

static double batch_tokens(const struct vl_model *m)
{
    return (double)m->batch.total_rows * (double)m->shape.sequence;
}

/* ---- forward ---- */

static enum vl_status embed(struct vl_model *m, const int32_t *tokens, size_t n)
{
    float *weights;
    double begin = vl_span_clock();
    VL_CHECK(borrow(&weights, m, 0));
    VL_CHECK(
        vl_embedding_forward(m->x[0], weights, tokens, n, m->shape.width, m->shape.vocabulary));
    vl_span_compute("forward", 0, begin);
    return give_back(m, 0);
}

static enum vl_status layer_forward(struct vl_model *m, size_t layer, const struct vl_block_size *z)
{
    float *weights;
    size_t unit = layer + 1;
    VL_CHECK(borrow(&weights, m, unit));
    double begin = vl_span_clock();
    struct vl_block_weights w = vl_layout_block(weights, &m->shape);
    VL_CHECK(vl_block_forward(m->x[layer + 1], &m->saved[layer], m->x[layer], &w, z));
    vl_span_compute("forward", (int64_t)unit, begin);
    return give_back(m, unit);
}

/* The last unit: the norm's gain (D), then the head (V,D). */
static enum vl_status head_forward(struct vl_model *m, size_t n)
{
    const struct vl_shape *s = &m->shape;
    size_t unit = s->layers + 1, d = s->width;
    float *gain;
    VL_CHECK(borrow(&gain, m, unit));
    double begin = vl_span_clock();
    VL_CHECK(vl_rmsnorm_forward(m->final_normed, m->final_inv_rms, m->x[s->layers], gain, n, d));
    VL_CHECK(vl_linear_forward(m->logits, m->final_normed, gain + d, n, d, s->vocabulary));
    vl_span_compute("forward", (int64_t)unit, begin);
    return give_back(m, unit);
}

static enum vl_status forward_to_logits(struct vl_model *m, const int32_t *tokens, size_t rows,
                                        size_t sequence)
{
    struct vl_block_size z = block_size(m, rows, sequence);
    size_t n = rows * sequence;
    VL_CHECK(embed(m, tokens, n));
    for (size_t l = 0; l < m->shape.layers; l++)
        VL_CHECK(layer_forward(m, l, &z));
    return head_forward(m, n);
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

enum vl_status vl_pass_forward(void *model, size_t micro, double *loss)
{
    struct vl_model *m = model;
    size_t first, rows, t = m->shape.sequence;
    VL_CHECK(micro_rows(&first, &rows, m, micro));
    VL_CHECK(forward_to_logits(m, m->batch.tokens + first * t, rows, t));
    VL_CHECK(sum_losses(loss, m, m->batch.targets + first * t, rows * t));
    *loss /= batch_tokens(m);
    return VL_OK;
}

/* ---- backward ---- */

/* From the probabilities to the gradient of the last layer's output. */
static enum vl_status head_backward_input(struct vl_model *m, const float *gain,
                                          const int32_t *targets, size_t n)
{
    const struct vl_shape *s = &m->shape;
    size_t d = s->width, v = s->vocabulary;
    float scale = (float)(1.0 / batch_tokens(m));
    VL_CHECK(vl_cross_entropy_backward_input(m->logits, m->logits, targets, scale, n, v));
    VL_CHECK(vl_linear_backward_input(m->dx_next, m->logits, gain + d, n, d, v));
    return vl_rmsnorm_backward_input(m->dx, m->dx_next, m->x[s->layers], gain, m->final_inv_rms, n,
                                     d);
}

static enum vl_status head_backward_weight(struct vl_model *m, float *dgain, size_t n)
{
    const struct vl_shape *s = &m->shape;
    size_t d = s->width;
    VL_CHECK(vl_linear_backward_weight(dgain + d, m->logits, m->final_normed, n, d, s->vocabulary));
    return vl_rmsnorm_backward_weight(dgain, m->dx_next, m->x[s->layers], m->final_inv_rms, n, d);
}

static enum vl_status head_backward(struct vl_model *m, const int32_t *targets, size_t n)
{
    size_t unit = m->shape.layers + 1;
    float *gain, *dgain;
    VL_CHECK(borrow(&gain, m, unit));
    VL_CHECK(gradients_of(&dgain, m, unit));
    double begin = vl_span_clock();
    VL_CHECK(head_backward_input(m, gain, targets, n));
    VL_CHECK(vl_block_poll(m->learner.hooks));
    VL_CHECK(head_backward_weight(m, dgain, n));
    vl_span_compute("backward", (int64_t)unit, begin);
    VL_CHECK(ready(m, unit));
    return give_back(m, unit);
}

/* A layer whose weights are borrowed, for computing again. */
struct again {
    struct vl_model *model;
    size_t layer;
    const struct vl_block_weights *weights;
    const struct vl_block_size *size;
};

static enum vl_status forward_again(void *context)
{
    const struct again *a = context;
    struct vl_model *m = a->model;
    double begin = vl_span_clock();
    VL_CHECK(vl_block_forward(m->x[a->layer + 1], &m->saved[a->layer], m->x[a->layer], a->weights,
                              a->size));
    vl_span_compute("again", (int64_t)a->layer + 1, begin);
    return VL_OK;
}

static enum vl_status attention_again(void *context)
{
    const struct again *a = context;
    double begin = vl_span_clock();
    VL_CHECK(vl_block_attention(&a->model->saved[a->layer], a->size));
    vl_span_compute("again", (int64_t)a->layer + 1, begin);
    return VL_OK;
}

static enum vl_status restore(struct vl_model *m, size_t layer, const struct vl_block_weights *w,
                              const struct vl_block_size *z)
{
    struct again again = {m, layer, w, z};
    const struct vl_layer_again known = {&again, layer, m->shape.layers, forward_again,
                                         attention_again};
    return vl_recompute_restore(&known, m->recompute);
}

static enum vl_status layer_backward(struct vl_model *m, size_t layer,
                                     const struct vl_block_size *z)
{
    size_t unit = layer + 1;
    float *weights, *gradients;
    VL_CHECK(borrow(&weights, m, unit));
    struct vl_block_weights w = vl_layout_block(weights, &m->shape);
    VL_CHECK(restore(m, layer, &w, z));
    VL_CHECK(gradients_of(&gradients, m, unit));
    double begin = vl_span_clock();
    struct vl_block_weights g = vl_layout_block(gradients, &m->shape);
    VL_CHECK(vl_block_backward_input(m->dx_next, &m->pending, m->dx, &m->saved[layer], m->x[layer],
                                     &w, z));
    VL_CHECK(vl_block_backward_weight(&g, &m->pending, m->dx, &m->saved[layer], m->x[layer], z));
    vl_span_compute("backward", (int64_t)unit, begin);
    float *below = m->dx_next;
    m->dx_next = m->dx;
    m->dx = below;
    VL_CHECK(ready(m, unit));
    return give_back(m, unit);
}

/* Its weights are not needed here, but the rule is one for all units: borrowed before backward. */
static enum vl_status embedding_backward(struct vl_model *m, const int32_t *tokens, size_t n)
{
    float *weights, *gradients;
    VL_CHECK(borrow(&weights, m, 0));
    VL_CHECK(gradients_of(&gradients, m, 0));
    double begin = vl_span_clock();
    VL_CHECK(vl_embedding_backward_weight(gradients, m->dx, tokens, n, m->shape.width,
                                          m->shape.vocabulary));
    vl_span_compute("backward", 0, begin);
    VL_CHECK(ready(m, 0));
    return give_back(m, 0);
}

enum vl_status vl_pass_backward(void *model, size_t micro)
{
    struct vl_model *m = model;
    size_t first, rows, t = m->shape.sequence;
    if (m->kind == VL_MODEL_READS)
        return VL_EINVAL;
    VL_CHECK(micro_rows(&first, &rows, m, micro));
    struct vl_block_size z = block_size(m, rows, t);
    VL_CHECK(head_backward(m, m->batch.targets + first * t, rows * t));
    for (size_t l = m->shape.layers; l-- > 0;)
        VL_CHECK(layer_backward(m, l, &z));
    VL_CHECK(embedding_backward(m, m->batch.tokens + first * t, rows * t));
    vl_span_mark("backward ends");
    return VL_OK;
}

/* ---- what the model is asked from outside ---- */

enum vl_status vl_model_set_part(struct vl_model *m, const struct vl_model_batch *batch)
{
    size_t most = batch->micro_batches > 0
                      ? (batch->rows + batch->micro_batches - 1) / batch->micro_batches
                      : 0;
    if (batch->micro_batches == 0 || batch->total_rows == 0 || batch->total_rows < batch->rows ||
        (batch->rows > 0 && (batch->tokens == NULL || batch->targets == NULL)))
        return VL_EINVAL;
    if (most > m->rows)
        return VL_ESHAPE;
    m->batch = *batch;
    return VL_OK;
}

enum vl_status vl_model_set_batch(struct vl_model *m, const int32_t *tokens, const int32_t *targets,
                                  size_t rows_per_micro, size_t micro_batches)
{
    size_t rows = rows_per_micro * micro_batches;
    const struct vl_model_batch batch = {tokens, targets, rows, micro_batches, rows};
    return vl_model_set_part(m, &batch);
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
