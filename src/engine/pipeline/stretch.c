#include "engine/pipeline/stretch.h"

#include "comm/span.h"
#include "engine/check.h"
#include "engine/pipeline/pipeline.h"

#include <string.h>

/* ---- buffers: found if the micro-batch has one, else taken ---- */

static enum vl_status find_forward(struct vl_forward_buffer **buffer, struct vl_stretch *stretch,
                                   size_t micro)
{
    struct vl_forward_buffer *unused = NULL;
    for (size_t i = 0; i < stretch->forward_count; i++) {
        *buffer = &stretch->forward_buffers[i];
        if ((*buffer)->taken == micro + 1)
            return VL_OK;
        if ((*buffer)->taken == 0 && unused == NULL)
            unused = *buffer;
    }
    *buffer = unused;
    if (unused == NULL) /* impossible: vl_pipeline_live counted the buffers */
        return VL_EINTERNAL;
    unused->taken = micro + 1;
    return VL_OK;
}

static enum vl_status find_backward(struct vl_backward_buffer **buffer, struct vl_stretch *stretch,
                                    size_t micro)
{
    struct vl_backward_buffer *unused = NULL;
    for (size_t i = 0; i < stretch->backward_count; i++) {
        *buffer = &stretch->backward_buffers[i];
        if ((*buffer)->taken == micro + 1)
            return VL_OK;
        if ((*buffer)->taken == 0 && unused == NULL)
            unused = *buffer;
    }
    *buffer = unused;
    if (unused == NULL)
        return VL_EINTERNAL;
    unused->taken = micro + 1;
    if (stretch->leaving != NULL)
        unused->dx[0] = stretch->leaving[micro];
    return VL_OK;
}

static enum vl_status visit(struct vl_visit *v, struct vl_model *m, const struct vl_task *task)
{
    if (task->chunk >= m->stretch_count)
        return VL_EINVAL;
    struct vl_stretch *stretch = &m->stretches[task->chunk];
    VL_CHECK(vl_visit_micro(v, m, stretch, task->micro_batch));
    VL_CHECK(find_forward(&v->forward, stretch, task->micro_batch));
    if (task->kind == VL_TASK_FORWARD)
        return VL_OK;
    VL_CHECK(find_backward(&v->backward, stretch, task->micro_batch));
    for (size_t l = 0; l < stretch->layers; l++) {
        if (!m->forgets_rest)
            v->backward->saved[l] = v->forward->saved[l];
        v->backward->saved[l].routing = v->forward->saved[l].routing;
    }
    return VL_OK;
}

void vl_stretches_begin(struct vl_model *model, size_t micro_batches)
{
    for (size_t i = 0; i < model->stretch_count; i++) {
        for (size_t k = 0; k < model->stretches[i].forward_count; k++)
            model->stretches[i].forward_buffers[k].taken = 0;
        for (size_t k = 0; k < model->stretches[i].backward_count; k++)
            model->stretches[i].backward_buffers[k].taken = 0;
    }
    model->unready = model->layout.dense_units;
    model->unready_experts = model->layout.unit_count - model->layout.dense_units;
    for (size_t unit = 0; unit < model->layout.unit_count; unit++)
        model->unfinished[unit] = micro_batches;
    memset(model->micro_loss, 0, micro_batches * sizeof *model->micro_loss);
}

/* ---- what is sent and received ---- */

/* Of a gradient all rows are in memory, of x only those that travel. */
static void own_tokens(float **values, size_t *count, const struct vl_visit *v, float *gradient)
{
    *values = gradient + v->size.own_first * v->size.width;
    *count = v->size.own * v->size.width;
}

static void own_stream(float **values, size_t *count, const struct vl_visit *v, float *x)
{
    *values = x;
    *count = v->size.own * v->size.width;
}

enum vl_status vl_stretch_input(float **values, size_t *count, struct vl_model *model,
                                const struct vl_task *task)
{
    struct vl_visit v;
    VL_CHECK(visit(&v, model, task));
    if (task->kind == VL_TASK_FORWARD)
        own_stream(values, count, &v, v.forward->x[0]);
    else
        own_tokens(values, count, &v, v.backward->dx[v.stretch->layers]);
    return VL_OK;
}

/* Gradients have their own memory: a backward buffer may be reused before they have arrived. */
enum vl_status vl_stretch_output(float **values, size_t *count, struct vl_model *model,
                                 const struct vl_task *task)
{
    struct vl_visit v;
    if (task->chunk >= model->stretch_count)
        return VL_EINVAL;
    VL_CHECK(vl_visit_micro(&v, model, &model->stretches[task->chunk], task->micro_batch));
    if (task->kind != VL_TASK_FORWARD) {
        if (v.stretch->leaving == NULL)
            return VL_EINVAL;
        own_tokens(values, count, &v, v.stretch->leaving[task->micro_batch]);
        return VL_OK;
    }
    VL_CHECK(find_forward(&v.forward, v.stretch, task->micro_batch));
    own_stream(values, count, &v, v.forward->x[v.stretch->layers]);
    return VL_OK;
}

/* ---- F ---- */

static enum vl_status forward(const struct vl_visit *v, size_t micro)
{
    struct vl_model *m = v->model;
    VL_CHECK(vl_visit_forward(v));
    if (!v->stretch->has_head)
        return VL_OK;
    VL_CHECK(vl_visit_losses(&m->micro_loss[micro], v));
    m->micro_loss[micro] /= (double)vl_model_batch_tokens(m);
    return VL_OK;
}

/* ---- B ---- */

static enum vl_status head_input(const struct vl_visit *v)
{
    size_t unit = vl_layer_unit(v, v->stretch->layers);
    float *weights;
    VL_CHECK(vl_unit_borrow(&weights, v->model, unit));
    VL_CHECK(vl_head_backward_input(v, weights));
    return vl_unit_give_back(v->model, unit);
}

/* Later micro-batches have overwritten the slots since. With one layer more than there are as the
 * count, no layer counts as the last one, so none takes its slot to be still valid. */
static enum vl_status layer_input(const struct vl_visit *v, size_t layer)
{
    struct vl_block_weights weights;
    VL_CHECK(vl_layer_borrow(&weights, v, layer));
    VL_CHECK(vl_layer_restore(v, layer, &weights, v->stretch->layers + 1));
    VL_CHECK(vl_layer_backward_input(v, layer, &weights));
    return vl_layer_give_back(v, layer);
}

static enum vl_status backward(const struct vl_visit *v)
{
    if (v->stretch->has_head)
        VL_CHECK(head_input(v));
    for (size_t l = v->stretch->layers; l-- > 0;)
        VL_CHECK(layer_input(v, l));
    return VL_OK;
}

/* ---- W ---- */

/* Report units as ready, last unit first, in whatever order the schedule finishes them; dense units
 * and experts' units separately. */
static enum vl_status tell(struct vl_model *m, size_t *unready, size_t first)
{
    m->closing = 1;
    while (*unready > 0 && m->unfinished[first + *unready - 1] == 0) {
        float *gradients;
        size_t unit = first + *unready - 1;
        VL_CHECK(vl_unit_gradients(&gradients, m, unit));
        VL_CHECK(vl_unit_ready(m, unit, gradients));
        --*unready;
    }
    m->closing = 0;
    return VL_OK;
}

static enum vl_status done(struct vl_model *m, size_t unit, float *gradients, int every)
{
    m->unfinished[unit]--;
    if (every)
        return vl_unit_ready(m, unit, gradients);
    return unit < m->layout.dense_units ? tell(m, &m->unready, 0)
                                        : tell(m, &m->unready_experts, m->layout.dense_units);
}

static enum vl_status head_weight(const struct vl_visit *v, int every)
{
    size_t unit = vl_layer_unit(v, v->stretch->layers);
    float *gradients;
    VL_CHECK(vl_unit_gradients(&gradients, v->model, unit));
    VL_CHECK(vl_head_backward_weight(v, gradients));
    return done(v->model, unit, gradients, every);
}

static enum vl_status layer_weight(const struct vl_visit *v, size_t layer, int every)
{
    size_t expert_unit = vl_layer_expert_unit(v, layer);
    struct vl_block_weights gradients;
    VL_CHECK(vl_layer_gradients(&gradients, v, layer));
    VL_CHECK(vl_layer_backward_weight(v, layer, &gradients));
    if (expert_unit > 0)
        VL_CHECK(done(v->model, expert_unit, gradients.moe.gate_up, every));
    return done(v->model, vl_layer_unit(v, layer), gradients.attention_gain, every);
}

static enum vl_status embedding_weight(const struct vl_visit *v, int every)
{
    size_t unit = v->stretch->unit;
    float *gradients;
    VL_CHECK(vl_unit_gradients(&gradients, v->model, unit));
    VL_CHECK(vl_embedding_backward(v, gradients));
    return done(v->model, unit, gradients, every);
}

static enum vl_status weight(const struct vl_visit *v, int every)
{
    if (v->stretch->has_head)
        VL_CHECK(head_weight(v, every));
    for (size_t l = v->stretch->layers; l-- > 0;)
        VL_CHECK(layer_weight(v, l, every));
    if (v->stretch->embeds)
        VL_CHECK(embedding_weight(v, every));
    v->forward->taken = 0;
    v->backward->taken = 0;
    return VL_OK;
}

/* ---- a task ---- */

enum vl_status vl_stretch_compute(struct vl_model *model, const struct vl_task *task, int every)
{
    static const char *const names[] = {"F", "B", "W"};
    struct vl_visit v;
    double begin = vl_span_clock();
    VL_CHECK(visit(&v, model, task));
    if (task->kind == VL_TASK_FORWARD)
        VL_CHECK(forward(&v, task->micro_batch));
    else if (task->kind == VL_TASK_BACKWARD)
        VL_CHECK(backward(&v));
    else
        VL_CHECK(weight(&v, every));
    vl_span_compute(names[task->kind], task->chunk * VL_SPAN_CHUNK + task->micro_batch, begin);
    return VL_OK;
}
