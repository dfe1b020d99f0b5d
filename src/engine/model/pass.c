/*
 * Forward and backward of a model that is whole here, unit by unit: one micro-batch at a time, in
 * the only pair of buffers.
 */
#include "engine/model/inside.h"

#include "comm/span.h"
#include "engine/check.h"

static enum vl_status visit_micro(struct vl_visit *v, struct vl_model *m, size_t micro)
{
    struct vl_stretch *all = m->stretches;
    if (m->pipeline != NULL) /* its schedule runs several micro-batches at once */
        return VL_EINVAL;
    VL_CHECK(vl_visit_micro(v, m, all, micro));
    v->forward = all->forward_buffers;
    v->backward = all->backward_buffers;
    return VL_OK;
}

enum vl_status vl_pass_forward(void *model, size_t micro, double *loss)
{
    struct vl_model *m = model;
    struct vl_visit v;
    VL_CHECK(visit_micro(&v, m, micro));
    VL_CHECK(vl_visit_forward(&v));
    VL_CHECK(vl_visit_losses(loss, &v));
    *loss /= (double)vl_model_batch_tokens(m);
    return VL_OK;
}

/* ---- backward: both parts of a unit, then the unit below ---- */

/* The unit below a layer, or below the head, comes next. */
static enum vl_status prefetch_below(const struct vl_visit *v, size_t layer)
{
    return layer > 0 ? vl_layer_prefetch(v, layer - 1) : vl_unit_prefetch(v->model, 0);
}

static enum vl_status head_backward(const struct vl_visit *v)
{
    struct vl_model *m = v->model;
    size_t unit = m->layout.dense_units - 1;
    float *weights, *gradients;
    VL_CHECK(vl_unit_borrow(&weights, m, unit));
    VL_CHECK(prefetch_below(v, v->stretch->layers));
    VL_CHECK(vl_unit_gradients(&gradients, m, unit));
    double begin = vl_span_clock();
    VL_CHECK(vl_head_backward_input(v, weights));
    VL_CHECK(vl_block_poll(m->learner.hooks));
    VL_CHECK(vl_head_backward_weight(v, gradients));
    vl_span_compute("backward", (int64_t)unit, begin);
    VL_CHECK(vl_unit_ready(m, unit, gradients));
    return vl_unit_give_back(m, unit);
}

static enum vl_status layer_backward(const struct vl_visit *v, size_t layer)
{
    struct vl_model *m = v->model;
    size_t unit = vl_layer_unit(v, layer), expert_unit = vl_layer_expert_unit(v, layer);
    struct vl_block_weights weights, gradients;
    VL_CHECK(vl_layer_borrow(&weights, v, layer));
    VL_CHECK(prefetch_below(v, layer));
    VL_CHECK(vl_layer_restore(v, layer, &weights, v->stretch->layers));
    VL_CHECK(vl_layer_gradients(&gradients, v, layer));
    double begin = vl_span_clock();
    VL_CHECK(vl_layer_backward_input(v, layer, &weights));
    VL_CHECK(vl_layer_backward_weight(v, layer, &gradients));
    vl_span_compute("backward", (int64_t)unit, begin);
    if (expert_unit > 0)
        VL_CHECK(vl_unit_ready(m, expert_unit, gradients.moe.gate_up));
    VL_CHECK(vl_unit_ready(m, unit, gradients.attention_gain)); /* where the unit begins */
    return vl_layer_give_back(v, layer);
}

/* Its weights are not needed here, but every unit is borrowed before its backward. */
static enum vl_status embedding_backward(const struct vl_visit *v)
{
    struct vl_model *m = v->model;
    float *weights, *gradients;
    VL_CHECK(vl_unit_borrow(&weights, m, 0));
    VL_CHECK(vl_unit_gradients(&gradients, m, 0));
    double begin = vl_span_clock();
    VL_CHECK(vl_embedding_backward(v, gradients));
    vl_span_compute("backward", 0, begin);
    VL_CHECK(vl_unit_ready(m, 0, gradients));
    return vl_unit_give_back(m, 0);
}

enum vl_status vl_pass_backward(void *model, size_t micro)
{
    struct vl_model *m = model;
    struct vl_visit v;
    if (m->kind == VL_MODEL_READS)
        return VL_EINVAL;
    VL_CHECK(visit_micro(&v, m, micro));
    m->closing = micro + 1 == m->batch.micro_batches;
    VL_CHECK(head_backward(&v));
    for (size_t l = v.stretch->layers; l-- > 0;)
        VL_CHECK(layer_backward(&v, l));
    VL_CHECK(embedding_backward(&v));
    vl_span_mark("backward ends");
    return VL_OK;
}

/* ---- evaluation, for callers outside the engine ---- */

/* Only where the model is whole: other ranks do not take part. */
static enum vl_status visit_tokens(struct vl_visit *v, struct vl_model *m, const int32_t *tokens,
                                   size_t rows, size_t sequence)
{
    if (m->pipeline != NULL || m->tensor.ranks > 1)
        return VL_EINVAL;
    if (rows > m->rows || sequence > m->shape.sequence)
        return VL_ESHAPE;
    return vl_visit_tokens(v, m, tokens, rows, sequence);
}

enum vl_status vl_model_logits(const float **logits, struct vl_model *model, const int32_t *tokens,
                               size_t rows, size_t sequence)
{
    struct vl_visit v;
    VL_CHECK(visit_tokens(&v, model, tokens, rows, sequence));
    *logits = v.forward->logits;
    return vl_visit_forward(&v);
}

enum vl_status vl_model_loss_sum(double *loss_sum, struct vl_model *model, const int32_t *tokens,
                                 const int32_t *targets, size_t rows)
{
    struct vl_visit v;
    VL_CHECK(visit_tokens(&v, model, tokens, rows, model->shape.sequence));
    v.targets = targets;
    VL_CHECK(vl_visit_forward(&v));
    return vl_visit_losses(loss_sum, &v);
}
