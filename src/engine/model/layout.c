#include "engine/model/layout.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TENSORS_A_LAYER = 9, TENSORS_OUTSIDE = 3, TENSORS_AN_EXPERT = 3 };

/* Which side of a matrix is split; WHOLE: neither. A gain is named, not recognised by its one row:
 * a matrix may have one row too (F = 1). */
enum kind { GAIN, ROWS, COLUMNS, WHOLE };

/* Without the routed experts, which are elsewhere. */
static size_t layer_elements(const struct vl_shape *s, const struct vl_expert_shape *x)
{
    return 4 * s->width * s->width + 3 * s->width * s->ff + 2 * s->width + x->experts * s->width;
}

static size_t dense_elements(const struct vl_shape *s, const struct vl_expert_shape *x)
{
    return 2 * s->vocabulary * s->width + s->layers * layer_elements(s, x) + s->width;
}

static size_t tensors_a_layer(const struct vl_expert_shape *x)
{
    return TENSORS_A_LAYER + (x->experts > 0 ? 1 : 0);
}

size_t vl_layout_parameters(const struct vl_shape *shape, const struct vl_expert_shape *experts)
{
    const struct vl_expert_shape none = {0};
    experts = experts != NULL ? experts : &none;
    return dense_elements(shape, experts) +
           shape->layers * experts->experts * 3 * shape->width * shape->ff;
}

/* What is being filled, and where its next tensor is in the whole model. */
struct filling {
    struct vl_layout *layout;
    const struct vl_slice *slice;
    size_t tensor;
    size_t offset;
};

/* One tensor, (rows, cols) in the whole model. */
__attribute__((format(printf, 5, 6))) static void
add(struct filling *f, enum kind kind, size_t rows, size_t cols, const char *name, ...)
{
    struct vl_layout *layout = f->layout;
    struct vl_tensor *tensor = &layout->tensors[layout->tensor_count];
    size_t places = f->slice->places, place = f->slice->place;
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(tensor->name, sizeof tensor->name, name, arguments);
    va_end(arguments);
    tensor->offset = layout->count;
    tensor->rows = kind == ROWS ? rows / places : rows;
    tensor->cols = kind == COLUMNS ? cols / places : cols;
    tensor->decays = kind != GAIN; /* matrices decay, gains do not */
    size_t skipped = kind == ROWS      ? place * tensor->rows * cols
                     : kind == COLUMNS ? place * tensor->cols
                                       : 0;
    layout->rectangles[layout->tensor_count++] = (struct vl_rectangle){
        f->tensor++, f->offset + skipped, skipped, cols, kind == GAIN || kind == WHOLE};
    layout->count += tensor->rows * tensor->cols;
    f->offset += rows * cols;
}

static void begin_unit(struct vl_layout *layout, size_t unit)
{
    layout->units[layout->unit_count] = layout->count;
    layout->unit_of[layout->unit_count++] = unit;
}

static void add_layer(struct filling *f, size_t l)
{
    const struct vl_shape *s = &f->layout->whole;
    size_t d = s->width, ff = s->ff;
    const struct vl_expert_shape *x = &f->layout->experts;
    const char *ff_name = x->experts > 0 ? "mlp.shared_experts" : "mlp";
    begin_unit(f->layout, l + 1);
    f->tensor = 1 + l * tensors_a_layer(x);
    f->offset = s->vocabulary * d + l * layer_elements(s, x);
    add(f, GAIN, 1, d, "model.layers.%zu.input_layernorm.weight", l);
    add(f, ROWS, d, d, "model.layers.%zu.self_attn.q_proj.weight", l);
    add(f, ROWS, d, d, "model.layers.%zu.self_attn.k_proj.weight", l);
    add(f, ROWS, d, d, "model.layers.%zu.self_attn.v_proj.weight", l);
    add(f, COLUMNS, d, d, "model.layers.%zu.self_attn.o_proj.weight", l);
    add(f, GAIN, 1, d, "model.layers.%zu.post_attention_layernorm.weight", l);
    add(f, ROWS, ff, d, "model.layers.%zu.%s.gate_proj.weight", l, ff_name);
    add(f, ROWS, ff, d, "model.layers.%zu.%s.up_proj.weight", l, ff_name);
    add(f, COLUMNS, d, ff, "model.layers.%zu.%s.down_proj.weight", l, ff_name);
    if (x->experts > 0)
        add(f, WHOLE, x->experts, d, "model.layers.%zu.mlp.gate.weight", l);
}

/* Expert e of layer l is number l E + e of all; this rank's own follow one another. */
static void add_experts(struct filling *f, size_t l)
{
    struct vl_layout *layout = f->layout;
    const struct vl_shape *s = &layout->whole;
    size_t d = s->width, ff = s->ff, all = layout->experts.experts, own = layout->own_experts;
    size_t first = f->slice->expert_place * own;
    size_t begin = dense_elements(s, &layout->experts) + l * all * 3 * ff * d;
    size_t number = TENSORS_OUTSIDE + s->layers * tensors_a_layer(&layout->experts) +
                    l * all * TENSORS_AN_EXPERT;
    begin_unit(layout, s->layers + 2 + l);
    for (size_t e = first; e < first + own; e++) {
        f->tensor = number + 2 * e;
        f->offset = begin + 2 * e * ff * d;
        add(f, ROWS, ff, d, "model.layers.%zu.mlp.experts.%zu.gate_proj.weight", l, e);
        add(f, ROWS, ff, d, "model.layers.%zu.mlp.experts.%zu.up_proj.weight", l, e);
    }
    for (size_t e = first; e < first + own; e++) {
        f->tensor = number + 2 * all + e;
        f->offset = begin + (2 * all + e) * ff * d;
        add(f, COLUMNS, d, ff, "model.layers.%zu.mlp.experts.%zu.down_proj.weight", l, e);
    }
}

static void fill(struct vl_layout *layout, const struct vl_slice *slice)
{
    const struct vl_shape *s = &layout->whole;
    const size_t whole[] = {0, s->layers}, *borders = slice->borders ? slice->borders : whole;
    size_t last = slice->stages * slice->chunks - 1;
    struct filling f = {.layout = layout, .slice = slice};
    for (size_t chunk = 0; chunk < slice->chunks; chunk++) {
        size_t k = chunk * slice->stages + slice->stage;
        if (k == 0) {
            begin_unit(layout, 0);
            add(&f, ROWS, s->vocabulary, s->width, "model.embed_tokens.weight");
        }
        for (size_t l = borders[k]; l < borders[k + 1]; l++)
            add_layer(&f, l);
        if (k == last) {
            begin_unit(layout, s->layers + 1);
            f.tensor = 1 + s->layers * tensors_a_layer(&layout->experts);
            f.offset = s->vocabulary * s->width + s->layers * layer_elements(s, &layout->experts);
            add(&f, GAIN, 1, s->width, "model.norm.weight");
            add(&f, ROWS, s->vocabulary, s->width, "lm_head.weight");
        }
    }
    layout->dense_units = layout->unit_count;
    for (size_t chunk = 0; chunk < slice->chunks && layout->experts.experts > 0; chunk++) {
        size_t k = chunk * slice->stages + slice->stage;
        for (size_t l = borders[k]; l < borders[k + 1]; l++)
            add_experts(&f, l);
    }
    layout->units[layout->unit_count] = layout->count;
    for (size_t i = layout->dense_units; i <= layout->unit_count; i++)
        layout->expert_units[i - layout->dense_units] =
            layout->units[i] - layout->units[layout->dense_units];
}

static enum vl_status check_experts(const struct vl_expert_shape *x, const struct vl_slice *slice)
{
    if (x->experts == 0)
        return slice->expert_places > 1 ? VL_EINVAL : VL_OK;
    if (x->chosen < 1 || x->chosen > x->experts || slice->expert_place >= slice->expert_places)
        return VL_EINVAL;
    return x->experts % slice->expert_places == 0 ? VL_OK : VL_ESHAPE;
}

static enum vl_status check(const struct vl_shape *s, const struct vl_slice *slice)
{
    size_t stages = slice->stages * slice->chunks;
    if (slice->places == 0 || slice->place >= slice->places || stages == 0 ||
        slice->stage >= slice->stages || (stages > 1 && slice->borders == NULL))
        return VL_EINVAL;
    if (s->heads % slice->places != 0 || s->ff % slice->places != 0 ||
        s->vocabulary % slice->places != 0)
        return VL_ESHAPE;
    if (slice->borders == NULL)
        return VL_OK;
    if (slice->borders[0] != 0 || slice->borders[stages] != s->layers)
        return VL_ESHAPE;
    for (size_t k = 0; k < stages; k++)
        if (slice->borders[k] >= slice->borders[k + 1])
            return VL_ESHAPE;
    return VL_OK;
}

enum vl_status vl_layout_create(struct vl_layout *layout, const struct vl_shape *shape,
                                const struct vl_expert_shape *experts, const struct vl_slice *slice)
{
    *layout = (struct vl_layout){.whole = *shape};
    if (experts != NULL)
        layout->experts = *experts;
    enum vl_status status = check(shape, slice);
    if (status == VL_OK)
        status = check_experts(&layout->experts, slice);
    if (status != VL_OK)
        return status;
    size_t x = layout->experts.experts, own = x > 0 ? x / slice->expert_places : 0;
    size_t most = shape->layers * (tensors_a_layer(&layout->experts) + own * TENSORS_AN_EXPERT) +
                  TENSORS_OUTSIDE;
    layout->own_experts = own;
    layout->heads = shape->heads / slice->places;
    layout->inner = shape->width / slice->places;
    layout->ff = shape->ff / slice->places;
    layout->vocabulary = shape->vocabulary / slice->places;
    layout->tensors = calloc(most, sizeof *layout->tensors);
    layout->rectangles = calloc(most, sizeof *layout->rectangles);
    layout->units = calloc(2 * shape->layers + 3, sizeof *layout->units);
    layout->unit_of = calloc(2 * shape->layers + 2, sizeof *layout->unit_of);
    layout->expert_units = calloc(shape->layers + 1, sizeof *layout->expert_units);
    if (layout->tensors == NULL || layout->rectangles == NULL || layout->units == NULL ||
        layout->unit_of == NULL || layout->expert_units == NULL) {
        vl_layout_free(layout);
        return VL_ENOMEM;
    }
    fill(layout, slice);
    return VL_OK;
}

void vl_layout_free(struct vl_layout *layout)
{
    free(layout->tensors);
    free(layout->rectangles);
    free(layout->units);
    free(layout->unit_of);
    free(layout->expert_units);
    *layout = (struct vl_layout){0};
}

struct vl_block_weights vl_layout_block(float *unit, const struct vl_layout *layout)
{
    size_t d = layout->whole.width, inner = layout->inner;
    struct vl_block_weights w = {.attention_gain = unit};
    w.qkv = w.attention_gain + d;
    w.o = w.qkv + 3 * inner * d;
    w.ff_gain = w.o + d * inner;
    w.gate_up = w.ff_gain + d;
    w.down = w.gate_up + 2 * layout->ff * d;
    return w;
}

float *vl_layout_router(float *unit, const struct vl_layout *layout)
{
    return vl_layout_block(unit, layout).down + layout->whole.width * layout->ff;
}

void vl_layout_experts(float **gate_up, float **down, float *unit, const struct vl_layout *layout)
{
    *gate_up = unit;
    *down = unit + layout->own_experts * 2 * layout->ff * layout->whole.width;
}

size_t vl_layout_expert_layer(const struct vl_layout *layout, size_t i)
{
    return layout->unit_of[layout->dense_units + i] - (layout->whole.layers + 2);
}

void vl_layout_cut(float *slice, const struct vl_layout *layout, const float *whole)
{
    for (size_t t = 0; t < layout->tensor_count; t++) {
        const struct vl_tensor *own = &layout->tensors[t];
        const struct vl_rectangle *in = &layout->rectangles[t];
        for (size_t row = 0; row < own->rows; row++)
            memcpy(slice + own->offset + row * own->cols, whole + in->offset + row * in->stride,
                   own->cols * sizeof *slice);
    }
}

void vl_layout_paste(float *whole, const struct vl_layout *layout, const float *slice)
{
    for (size_t t = 0; t < layout->tensor_count; t++) {
        const struct vl_tensor *own = &layout->tensors[t];
        const struct vl_rectangle *in = &layout->rectangles[t];
        for (size_t row = 0; row < own->rows; row++)
            memcpy(whole + in->offset + row * in->stride, slice + own->offset + row * own->cols,
                   own->cols * sizeof *whole);
    }
}
