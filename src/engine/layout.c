#include "engine/layout.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TENSORS_A_LAYER = 9, TENSORS_OUTSIDE = 3 };

size_t vl_layout_tensors(const struct vl_shape *shape)
{
    return shape->layers * TENSORS_A_LAYER + TENSORS_OUTSIDE;
}

/* Told and not guessed from the rows: a matrix may have one row, where F = 1. */
enum kind { GAIN, MATRIX };

__attribute__((format(printf, 5, 6))) static void
add(struct vl_layout *layout, enum kind kind, size_t rows, size_t cols, const char *name, ...)
{
    struct vl_tensor *tensor = &layout->tensors[layout->tensor_count++];
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(tensor->name, sizeof tensor->name, name, arguments);
    va_end(arguments);
    tensor->offset = layout->count;
    tensor->rows = rows;
    tensor->cols = cols;
    tensor->decays = kind == MATRIX; /* matrices decay, gains do not */
    layout->count += rows * cols;
}

void vl_layout_fill(struct vl_layout *layout, const struct vl_shape *shape)
{
    size_t d = shape->width, f = shape->ff;
    layout->tensor_count = 0;
    layout->count = 0;
    layout->layer_count = 4 * d * d + 3 * d * f + 2 * d;
    add(layout, MATRIX, shape->vocabulary, d, "model.embed_tokens.weight");
    for (size_t l = 0; l < shape->layers; l++) {
        add(layout, GAIN, 1, d, "model.layers.%zu.input_layernorm.weight", l);
        add(layout, MATRIX, d, d, "model.layers.%zu.self_attn.q_proj.weight", l);
        add(layout, MATRIX, d, d, "model.layers.%zu.self_attn.k_proj.weight", l);
        add(layout, MATRIX, d, d, "model.layers.%zu.self_attn.v_proj.weight", l);
        add(layout, MATRIX, d, d, "model.layers.%zu.self_attn.o_proj.weight", l);
        add(layout, GAIN, 1, d, "model.layers.%zu.post_attention_layernorm.weight", l);
        add(layout, MATRIX, f, d, "model.layers.%zu.mlp.gate_proj.weight", l);
        add(layout, MATRIX, f, d, "model.layers.%zu.mlp.up_proj.weight", l);
        add(layout, MATRIX, d, f, "model.layers.%zu.mlp.down_proj.weight", l);
    }
    add(layout, GAIN, 1, d, "model.norm.weight");
    add(layout, MATRIX, shape->vocabulary, d, "lm_head.weight");
    layout->units[0] = 0;
    for (size_t unit = 1; unit <= shape->layers + 1; unit++)
        layout->units[unit] = shape->vocabulary * d + (unit - 1) * layout->layer_count;
    layout->units[shape->layers + 2] = layout->count;
}

struct vl_block_weights vl_layout_block(float *unit, const struct vl_shape *shape)
{
    size_t d = shape->width, f = shape->ff;
    struct vl_block_weights w;
    w.attention_gain = unit;
    w.qkv = w.attention_gain + d;
    w.o = w.qkv + 3 * d * d;
    w.ff_gain = w.o + d * d;
    w.gate_up = w.ff_gain + d;
    w.down = w.gate_up + 2 * f * d;
    return w;
}
