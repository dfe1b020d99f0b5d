/*
 * The stretches of a model, with buffers for as many micro-batches as live at once. The buffers
 * point into the activations, which are carved later.
 */
#include "engine/model/inside.h"

#include "engine/check.h"
#include "engine/pipeline/pipeline.h"

#include <stdlib.h>

static enum vl_status list_forward(struct vl_forward_buffer *buffer, size_t layers)
{
    buffer->x = calloc(layers + 1, sizeof *buffer->x);
    buffer->saved = calloc(layers, sizeof *buffer->saved);
    buffer->routing = calloc(layers, sizeof *buffer->routing);
    return buffer->x != NULL && buffer->saved != NULL && buffer->routing != NULL ? VL_OK
                                                                                 : VL_ENOMEM;
}

static enum vl_status list_backward(struct vl_backward_buffer *buffer, size_t layers)
{
    buffer->dx = calloc(layers + 1, sizeof *buffer->dx);
    buffer->saved = calloc(layers, sizeof *buffer->saved);
    buffer->pending = calloc(layers, sizeof *buffer->pending);
    return buffer->dx != NULL && buffer->saved != NULL && buffer->pending != NULL ? VL_OK
                                                                                  : VL_ENOMEM;
}

static enum vl_status list_stretch(struct vl_stretch *s, const struct vl_model *m, size_t chunk)
{
    s->forward_count = 1;
    s->backward_count = m->kind != VL_MODEL_READS ? 1 : 0;
    if (m->pipeline != NULL) {
        vl_pipeline_live(&s->forward_count, &s->backward_count, m->pipeline, chunk);
        s->leaving =
            s->embeds ? NULL : calloc(m->pipeline->schedule.micro_batches, sizeof *s->leaving);
        if (!s->embeds && s->leaving == NULL)
            return VL_ENOMEM;
    }
    s->forward_buffers = calloc(s->forward_count, sizeof *s->forward_buffers);
    s->backward_buffers = calloc(s->backward_count + 1, sizeof *s->backward_buffers);
    if (s->forward_buffers == NULL || s->backward_buffers == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < s->forward_count; i++)
        VL_CHECK(list_forward(&s->forward_buffers[i], s->layers));
    for (size_t i = 0; i < s->backward_count; i++)
        VL_CHECK(list_backward(&s->backward_buffers[i], s->layers));
    return VL_OK;
}

/* A stretch: units of the layout that also follow one another in the whole model. */
enum vl_status vl_buffers_create(struct vl_model *model)
{
    size_t chunks = model->pipeline != NULL ? model->pipeline->schedule.chunks : 1;
    const struct vl_layout *layout = &model->layout;
    model->stretches = calloc(chunks, sizeof *model->stretches);
    if (model->stretches == NULL)
        return VL_ENOMEM;
    model->stretch_count = chunks;
    for (size_t chunk = 0, unit = 0, layer = 0; chunk < chunks; chunk++) {
        struct vl_stretch *s = &model->stretches[chunk];
        s->unit = unit;
        s->embeds = layout->unit_of[unit] == 0;
        s->first_layer = layer;
        size_t end = unit + 1;
        while (end < layout->dense_units && layout->unit_of[end] == layout->unit_of[end - 1] + 1)
            end++;
        s->has_head = layout->unit_of[end - 1] == model->shape.layers + 1;
        s->layers = end - unit - (size_t)s->embeds - (size_t)s->has_head;
        VL_CHECK(list_stretch(s, model, chunk));
        unit = end;
        layer += s->layers;
    }
    return VL_OK;
}

void vl_buffers_free(struct vl_model *model)
{
    for (size_t i = 0; i < model->stretch_count; i++) {
        struct vl_stretch *s = &model->stretches[i];
        for (size_t k = 0; s->forward_buffers != NULL && k < s->forward_count; k++) {
            free(s->forward_buffers[k].x);
            free(s->forward_buffers[k].saved);
            free(s->forward_buffers[k].routing);
        }
        for (size_t k = 0; s->backward_buffers != NULL && k < s->backward_count; k++) {
            free(s->backward_buffers[k].dx);
            free(s->backward_buffers[k].saved);
            free(s->backward_buffers[k].pending);
        }
        free(s->forward_buffers);
        free(s->backward_buffers);
        free(s->leaving);
    }
    free(model->stretches);
}
