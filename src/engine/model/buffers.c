/*
 * The stretches of a model, with rooms and wakes for as many micro-batches as live at once. They
 * point into the activations, which are carved later.
 */
#include "engine/model/inside.h"

#include "engine/check.h"
#include "engine/pipeline/pipeline.h"

#include <stdlib.h>

static enum vl_status list_room(struct vl_room *room, size_t layers)
{
    room->x = calloc(layers + 1, sizeof *room->x);
    room->saved = calloc(layers, sizeof *room->saved);
    room->routing = calloc(layers, sizeof *room->routing);
    return room->x != NULL && room->saved != NULL && room->routing != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status list_wake(struct vl_wake *wake, size_t layers)
{
    wake->dx = calloc(layers + 1, sizeof *wake->dx);
    wake->saved = calloc(layers, sizeof *wake->saved);
    wake->pending = calloc(layers, sizeof *wake->pending);
    return wake->dx != NULL && wake->saved != NULL && wake->pending != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status list_stretch(struct vl_stretch *s, const struct vl_model *m, size_t chunk)
{
    s->room_count = 1;
    s->wake_count = m->kind != VL_MODEL_READS ? 1 : 0;
    if (m->pipeline != NULL) {
        vl_pipeline_live(&s->room_count, &s->wake_count, m->pipeline, chunk);
        s->leaving =
            s->embeds ? NULL : calloc(m->pipeline->schedule.micro_batches, sizeof *s->leaving);
        if (!s->embeds && s->leaving == NULL)
            return VL_ENOMEM;
    }
    s->rooms = calloc(s->room_count, sizeof *s->rooms);
    s->wakes = calloc(s->wake_count + 1, sizeof *s->wakes);
    if (s->rooms == NULL || s->wakes == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < s->room_count; i++)
        VL_CHECK(list_room(&s->rooms[i], s->layers));
    for (size_t i = 0; i < s->wake_count; i++)
        VL_CHECK(list_wake(&s->wakes[i], s->layers));
    return VL_OK;
}

/* Neighbouring units of the layout, as far as they follow one another in the whole model. */
enum vl_status vl_rooms_create(struct vl_model *m)
{
    size_t chunks = m->pipeline != NULL ? m->pipeline->schedule.chunks : 1;
    const struct vl_layout *layout = &m->layout;
    m->stretches = calloc(chunks, sizeof *m->stretches);
    if (m->stretches == NULL)
        return VL_ENOMEM;
    m->stretch_count = chunks;
    for (size_t chunk = 0, unit = 0, layer = 0; chunk < chunks; chunk++) {
        struct vl_stretch *s = &m->stretches[chunk];
        s->unit = unit;
        s->embeds = layout->unit_of[unit] == 0;
        s->first_layer = layer;
        size_t end = unit + 1;
        while (end < layout->dense_units && layout->unit_of[end] == layout->unit_of[end - 1] + 1)
            end++;
        s->has_head = layout->unit_of[end - 1] == m->shape.layers + 1;
        s->layers = end - unit - (size_t)s->embeds - (size_t)s->has_head;
        VL_CHECK(list_stretch(s, m, chunk));
        unit = end;
        layer += s->layers;
    }
    return VL_OK;
}

void vl_rooms_free(struct vl_model *m)
{
    for (size_t i = 0; i < m->stretch_count; i++) {
        struct vl_stretch *s = &m->stretches[i];
        for (size_t k = 0; s->rooms != NULL && k < s->room_count; k++) {
            free(s->rooms[k].x);
            free(s->rooms[k].saved);
            free(s->rooms[k].routing);
        }
        for (size_t k = 0; s->wakes != NULL && k < s->wake_count; k++) {
            free(s->wakes[k].dx);
            free(s->wakes[k].saved);
            free(s->wakes[k].pending);
        }
        free(s->rooms);
        free(s->wakes);
        free(s->leaving);
    }
    free(m->stretches);
}
