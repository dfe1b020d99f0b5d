/*
 * What one unit computes for one micro-batch. The learner's hooks, where set, lend each unit its
 * memory and are told when its gradients are ready.
 */
#include "engine/model/inside.h"

#include "comm/span.h"
#include "engine/check.h"
#include "engine/model/outside.h"
#include "vialata/collectives.h"
#include "vialata/cross_entropy.h"
#include "vialata/embedding.h"
#include "vialata/linear.h"

#include <string.h>

/* ---- whose memory ---- */

/* Weights are only read. The cast is there because the same structure is used for gradients. */
enum vl_status vl_unit_borrow(float **weights, const struct vl_model *model, size_t unit)
{
    const struct vl_unit_hooks *hooks = model->learner.hooks;
    if (hooks != NULL && hooks->borrow != NULL) {
        const float *lent = NULL;
        VL_CHECK(hooks->borrow(hooks->context, unit, &lent));
        *weights = (float *)lent;
        return VL_OK;
    }
    *weights = model->learner.weights + model->layout.units[unit];
    return VL_OK;
}

enum vl_status vl_unit_give_back(const struct vl_model *model, size_t unit)
{
    const struct vl_unit_hooks *hooks = model->learner.hooks;
    return hooks != NULL && hooks->give_back != NULL ? hooks->give_back(hooks->context, unit)
                                                     : VL_OK;
}

enum vl_status vl_unit_prefetch(const struct vl_model *model, size_t unit)
{
    const struct vl_unit_hooks *hooks = model->learner.hooks;
    return hooks != NULL && hooks->prefetch != NULL ? hooks->prefetch(hooks->context, unit) : VL_OK;
}

enum vl_status vl_unit_gradients(float **gradients, const struct vl_model *model, size_t unit)
{
    const struct vl_unit_hooks *hooks = model->learner.hooks;
    if (hooks != NULL && hooks->gradients != NULL)
        return hooks->gradients(hooks->context, unit, gradients);
    *gradients = model->learner.gradients + model->layout.units[unit];
    return VL_OK;
}

size_t vl_layer_unit(const struct vl_visit *visit, size_t layer)
{
    return visit->stretch->unit + (visit->stretch->embeds ? 1 : 0) + layer;
}

size_t vl_layer_expert_unit(const struct vl_visit *visit, size_t layer)
{
    const struct vl_layout *layout = &visit->model->layout;
    return layout->experts.experts > 0 ? layout->dense_units + visit->stretch->first_layer + layer
                                       : 0;
}

static void fill_weights(struct vl_block_weights *w, const struct vl_model *m, float *unit,
                         float *experts)
{
    *w = vl_layout_block(unit, &m->layout);
    if (experts == NULL)
        return;
    w->moe.router = vl_layout_router(unit, &m->layout);
    vl_layout_experts(&w->moe.gate_up, &w->moe.down, experts, &m->layout);
}

enum vl_status vl_layer_borrow(struct vl_block_weights *weights, const struct vl_visit *visit,
                               size_t layer)
{
    const struct vl_model *m = visit->model;
    size_t expert_unit = vl_layer_expert_unit(visit, layer), e = m->layout.experts.experts;
    size_t number = visit->stretch->first_layer + layer;
    float *unit, *experts = NULL;
    VL_CHECK(vl_unit_borrow(&unit, m, vl_layer_unit(visit, layer)));
    if (expert_unit > 0)
        VL_CHECK(vl_unit_borrow(&experts, m, expert_unit));
    fill_weights(weights, m, unit, experts);
    weights->bias = e > 0 ? m->balance.bias + number * e : NULL;
    weights->counts = e > 0 ? m->balance.counts + number * e : NULL;
    weights->loss = (struct vl_moe_loss){.how = m->auxiliary,
                                         .sequence = m->shape.sequence,
                                         .batch_tokens = vl_model_batch_tokens(m),
                                         .scratch = m->balance_scratch,
                                         .shares = e > 0 ? m->balance.shares + number * e : NULL,
                                         .sum = m->balance.loss};
    return VL_OK;
}

enum vl_status vl_layer_give_back(const struct vl_visit *visit, size_t layer)
{
    size_t expert_unit = vl_layer_expert_unit(visit, layer);
    if (expert_unit > 0)
        VL_CHECK(vl_unit_give_back(visit->model, expert_unit));
    return vl_unit_give_back(visit->model, vl_layer_unit(visit, layer));
}

enum vl_status vl_layer_prefetch(const struct vl_visit *visit, size_t layer)
{
    size_t expert_unit = vl_layer_expert_unit(visit, layer);
    int is_head = layer == visit->stretch->layers;
    if (is_head && !visit->stretch->has_head)
        return VL_OK;
    VL_CHECK(vl_unit_prefetch(visit->model, vl_layer_unit(visit, layer)));
    return is_head || expert_unit == 0 ? VL_OK : vl_unit_prefetch(visit->model, expert_unit);
}

enum vl_status vl_layer_gradients(struct vl_block_weights *gradients, const struct vl_visit *visit,
                                  size_t layer)
{
    size_t expert_unit = vl_layer_expert_unit(visit, layer);
    float *unit, *experts = NULL;
    VL_CHECK(vl_unit_gradients(&unit, visit->model, vl_layer_unit(visit, layer)));
    if (expert_unit > 0)
        VL_CHECK(vl_unit_gradients(&experts, visit->model, expert_unit));
    fill_weights(gradients, visit->model, unit, experts);
    gradients->against = visit->model->balance.against;
    if (gradients->against != NULL)
        gradients->against += (visit->stretch->first_layer + layer) * 2 *
                              visit->model->moe.experts * visit->size.width;
    return VL_OK;
}

const struct vl_tensor_group *vl_model_group(const struct vl_model *model)
{
    return model->tensor.ranks > 1 ? &model->tensor : NULL;
}

/* A gain or router is whole at every place and must stay the same at all of them, so its gradient
 * is summed. Under sequence parallelism a place has a gain's gradient from its own tokens only; a
 * router's it always has from its own part of the experts only. */
static enum vl_status sum_over_places(const struct vl_model *m, size_t unit, float *gradients)
{
    size_t number = m->layout.unit_of[unit], d = m->shape.width;
    if (vl_model_group(m) == NULL || number == 0 || number > m->shape.layers + 1)
        return VL_OK;
    VL_CHECK(
        vl_tensor_gain_backward(gradients, d, &m->tensor)); /* the head's norm, or attention's */
    if (number > m->shape.layers)
        return VL_OK;
    struct vl_block_weights g = vl_layout_block(gradients, &m->layout);
    VL_CHECK(vl_tensor_gain_backward(g.ff_gain, d, &m->tensor));
    size_t experts = m->layout.experts.experts;
    return experts == 0 ? VL_OK
                        : vl_all_reduce(m->tensor.comm, vl_layout_router(gradients, &m->layout),
                                        experts * d);
}

enum vl_status vl_unit_ready(const struct vl_model *model, size_t unit, float *gradients)
{
    const struct vl_unit_hooks *hooks = model->learner.hooks;
    int heard = hooks != NULL && hooks->ready != NULL;
    if (heard || model->closing)
        VL_CHECK(sum_over_places(model, unit, gradients));
    return heard ? hooks->ready(hooks->context, unit) : VL_OK;
}

/* ---- visits ---- */

static enum vl_status fill_size(struct vl_visit *v, size_t rows, size_t sequence)
{
    const struct vl_model *m = v->model;
    v->n = rows * sequence;
    v->size = (struct vl_block_size){.batch = rows,
                                     .sequence = sequence,
                                     .width = m->shape.width,
                                     .heads = m->layout.heads,
                                     .head_width = m->shape.width / m->shape.heads,
                                     .ff = m->layout.ff,
                                     .rotary = m->rotary,
                                     .hooks = m->learner.hooks,
                                     .whole = m->whole,
                                     .sums = m->sums,
                                     .experts = m->moe.experts > 0 ? &m->moe : NULL,
                                     .moe_working = &m->moe_working};
    return vl_outside_share(&v->size, vl_model_group(m));
}

enum vl_status vl_visit_micro(struct vl_visit *visit, struct vl_model *model,
                              struct vl_stretch *stretch, size_t micro)
{
    const struct vl_model_batch *b = &model->batch;
    size_t first, rows, t = model->shape.sequence;
    if (micro >= b->micro_batches)
        return VL_EINVAL;
    VL_CHECK(vl_chunk(&first, &rows, b->rows, (int)micro, (int)b->micro_batches));
    *visit = (struct vl_visit){.model = model,
                               .stretch = stretch,
                               .tokens = b->tokens + first * t,
                               .targets = b->targets + first * t};
    return fill_size(visit, rows, t);
}

enum vl_status vl_visit_tokens(struct vl_visit *visit, struct vl_model *model,
                               const int32_t *tokens, size_t rows, size_t sequence)
{
    *visit = (struct vl_visit){.model = model,
                               .stretch = model->stretches,
                               .forward = model->stretches->forward_buffers,
                               .tokens = tokens};
    return fill_size(visit, rows, sequence);
}

/* ---- forward ---- */

static int64_t span_number(const struct vl_model *m, size_t unit)
{
    return (int64_t)m->layout.unit_of[unit];
}

static enum vl_status embed(const struct vl_visit *v)
{
    const struct vl_model *m = v->model;
    size_t unit = v->stretch->unit, d = m->shape.width, vocabulary = m->shape.vocabulary;
    float *weights;
    VL_CHECK(vl_unit_borrow(&weights, m, unit));
    VL_CHECK(vl_layer_prefetch(v, 0));
    double begin = vl_span_clock();
    float *x = v->forward->x[0], *sums = vl_outside_sums(x, &v->size);
    VL_CHECK(
        m->tensor.ranks > 1
            ? vl_tensor_embedding_forward(sums, weights, v->tokens, v->n, d, vocabulary, &m->tensor)
            : vl_embedding_forward(sums, weights, v->tokens, v->n, d, vocabulary));
    if (sums != x)
        memcpy(x, sums + v->size.own_first * d, v->size.own * d * sizeof *x);
    vl_span_compute("forward", 0, begin);
    return vl_unit_give_back(m, unit);
}

static enum vl_status layer_forward(const struct vl_visit *v, size_t l)
{
    struct vl_forward_buffer *buffer = v->forward;
    struct vl_block_weights w;
    VL_CHECK(vl_layer_borrow(&w, v, l));
    VL_CHECK(vl_layer_prefetch(v, l + 1));
    double begin = vl_span_clock();
    buffer->routing[l].planned = 0;
    VL_CHECK(vl_block_forward(buffer->x[l + 1], &buffer->saved[l], buffer->x[l], &w, &v->size));
    vl_span_compute("forward", span_number(v->model, vl_layer_unit(v, l)), begin);
    return vl_layer_give_back(v, l);
}

/* The last unit: the norm's gain (D), then the head (V,D). */
static enum vl_status head_forward(const struct vl_visit *v)
{
    const struct vl_model *m = v->model;
    size_t unit = vl_layer_unit(v, v->stretch->layers), d = m->shape.width;
    struct vl_forward_buffer *buffer = v->forward;
    float *gain;
    const float *in;
    VL_CHECK(vl_unit_borrow(&gain, m, unit));
    double begin = vl_span_clock();
    VL_CHECK(vl_outside_input(&in, buffer->final_normed, buffer->final_inv_rms,
                              buffer->x[v->stretch->layers], gain, &v->size));
    VL_CHECK(vl_linear_forward(buffer->logits, in, gain + d, v->n, d, m->layout.vocabulary));
    vl_span_compute("forward", span_number(m, unit), begin);
    return vl_unit_give_back(m, unit);
}

enum vl_status vl_visit_forward(const struct vl_visit *visit)
{
    if (visit->stretch->embeds)
        VL_CHECK(embed(visit));
    for (size_t l = 0; l < visit->stretch->layers; l++)
        VL_CHECK(layer_forward(visit, l));
    return visit->stretch->has_head ? head_forward(visit) : VL_OK;
}

enum vl_status vl_visit_losses(double *sum, const struct vl_visit *visit)
{
    struct vl_model *m = visit->model;
    float *logits = visit->forward->logits;
    size_t vocabulary = m->shape.vocabulary;
    VL_CHECK(m->tensor.ranks > 1
                 ? vl_tensor_cross_entropy_forward(m->losses, logits, m->scratch, logits,
                                                   visit->targets, visit->n, vocabulary, &m->tensor)
                 : vl_cross_entropy_forward(m->losses, logits, logits, visit->targets, visit->n,
                                            vocabulary));
    *sum = 0;
    for (size_t i = 0; i < visit->n; i++)
        *sum += (double)m->losses[i];
    return VL_OK;
}

/* ---- backward ---- */

/* From the probabilities to the gradient of the last layer's output. */
enum vl_status vl_head_backward_input(const struct vl_visit *visit, const float *gain)
{
    const struct vl_model *m = visit->model;
    const struct vl_forward_buffer *buffer = visit->forward;
    size_t d = m->shape.width, own = m->layout.vocabulary, layers = visit->stretch->layers;
    float scale = (float)(1.0 / (double)vl_model_batch_tokens(m)),
          *dnormed = visit->backward->final_dnormed;
    VL_CHECK(m->tensor.ranks > 1
                 ? vl_tensor_cross_entropy_backward(buffer->logits, buffer->logits, visit->targets,
                                                    scale, visit->n, m->shape.vocabulary,
                                                    &m->tensor)
                 : vl_cross_entropy_backward_input(buffer->logits, buffer->logits, visit->targets,
                                                   scale, visit->n, own));
    VL_CHECK(vl_linear_backward_input(dnormed, buffer->logits, gain + d, visit->n, d, own));
    VL_CHECK(vl_outside_enter_backward(dnormed, &visit->size));
    return vl_outside_norm_backward_input(visit->backward->dx[layers], dnormed, buffer->x[layers],
                                          gain, buffer->final_inv_rms, &visit->size);
}

enum vl_status vl_head_backward_weight(const struct vl_visit *visit, float *dgain)
{
    const struct vl_model *m = visit->model;
    const struct vl_forward_buffer *buffer = visit->forward;
    size_t d = m->shape.width;
    const float *in;
    VL_CHECK(vl_outside_input_again(&in, buffer->final_normed, &visit->size));
    VL_CHECK(vl_linear_backward_weight(dgain + d, buffer->logits, in, visit->n, d,
                                       m->layout.vocabulary));
    return vl_outside_norm_backward_weight(dgain, visit->backward->final_dnormed,
                                           buffer->x[visit->stretch->layers], buffer->final_inv_rms,
                                           &visit->size);
}

enum vl_status vl_layer_backward_input(const struct vl_visit *visit, size_t layer,
                                       const struct vl_block_weights *weights)
{
    struct vl_backward_buffer *buffer = visit->backward;
    return vl_block_backward_input(buffer->dx[layer], &buffer->pending[layer],
                                   buffer->dx[layer + 1], &buffer->saved[layer],
                                   visit->forward->x[layer], weights, &visit->size);
}

enum vl_status vl_layer_backward_weight(const struct vl_visit *visit, size_t layer,
                                        struct vl_block_weights *gradients)
{
    const struct vl_backward_buffer *buffer = visit->backward;
    return vl_block_backward_weight(gradients, &buffer->pending[layer], buffer->dx[layer + 1],
                                    &buffer->saved[layer], visit->forward->x[layer], &visit->size);
}

enum vl_status vl_embedding_backward(const struct vl_visit *visit, float *gradients)
{
    const struct vl_model *m = visit->model;
    size_t d = m->shape.width, vocabulary = m->shape.vocabulary;
    return m->tensor.ranks > 1
               ? vl_tensor_embedding_backward(gradients, visit->backward->dx[0], visit->tokens,
                                              visit->n, d, vocabulary, &m->tensor)
               : vl_embedding_backward_weight(gradients, visit->backward->dx[0], visit->tokens,
                                              visit->n, d, vocabulary);
}

/* ---- computing again ---- */

/* A layer whose weights are borrowed. */
struct again {
    const struct vl_visit *visit;
    size_t layer;
    const struct vl_block_weights *weights;
};

static enum vl_status forward_again(void *context)
{
    const struct again *a = context;
    const struct vl_visit *v = a->visit;
    double begin = vl_span_clock();
    VL_CHECK(vl_block_forward(v->forward->x[a->layer + 1], &v->backward->saved[a->layer],
                              v->forward->x[a->layer], a->weights, &v->size));
    vl_span_compute("again", span_number(v->model, vl_layer_unit(v, a->layer)), begin);
    return VL_OK;
}

static enum vl_status attention_again(void *context)
{
    const struct again *a = context;
    const struct vl_visit *v = a->visit;
    double begin = vl_span_clock();
    VL_CHECK(vl_block_attention(&v->backward->saved[a->layer], &v->size));
    vl_span_compute("again", span_number(v->model, vl_layer_unit(v, a->layer)), begin);
    return VL_OK;
}

enum vl_status vl_layer_restore(const struct vl_visit *visit, size_t layer,
                                const struct vl_block_weights *weights, size_t layers)
{
    struct again again = {visit, layer, weights};
    const struct vl_layer_again known = {&again, layer, layers, forward_again, attention_again};
    return vl_recompute_restore(&known, visit->model->recompute);
}
