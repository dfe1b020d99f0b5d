#include "oracle/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct builder {
    struct vl_oracle_tensor *tensors;
    size_t count, offset;
};

/* Gains are known by their names, not by having one row: a matrix may have one row too. */
static void add(struct builder *b, const char *name, size_t rows, size_t cols, int multiplies)
{
    struct vl_oracle_tensor *tensor = &b->tensors[b->count++];
    snprintf(tensor->name, sizeof tensor->name, "%.63s", name);
    tensor->offset = b->offset;
    tensor->rows = rows;
    tensor->cols = cols;
    tensor->decays = strstr(name, "norm.weight") == NULL;
    tensor->multiplies = multiplies;
    b->offset += rows * cols;
}

static void add_in_layer(struct builder *b, size_t layer, const char *name, size_t rows,
                         size_t cols, int multiplies)
{
    char full[96];
    snprintf(full, sizeof full, "model.layers.%zu.%s.weight", layer, name);
    add(b, full, rows, cols, multiplies);
}

struct vl_oracle_tensor *vl_oracle_layout(size_t *count, const struct vl_oracle_shape *shape)
{
    size_t d = shape->width, f = shape->ff;
    struct builder b = {calloc(3 + shape->layers * VL_ORACLE_LAYER_TENSORS, sizeof *b.tensors), 0,
                        0};
    if (!b.tensors)
        return NULL;
    add(&b, "model.embed_tokens.weight", shape->vocabulary, d, 0);
    for (size_t l = 0; l < shape->layers; l++) {
        add_in_layer(&b, l, "input_layernorm", 1, d, 0);
        add_in_layer(&b, l, "self_attn.q_proj", d, d, 1);
        add_in_layer(&b, l, "self_attn.k_proj", d, d, 1);
        add_in_layer(&b, l, "self_attn.v_proj", d, d, 1);
        add_in_layer(&b, l, "self_attn.o_proj", d, d, 1);
        add_in_layer(&b, l, "post_attention_layernorm", 1, d, 0);
        add_in_layer(&b, l, "mlp.gate_proj", f, d, 1);
        add_in_layer(&b, l, "mlp.up_proj", f, d, 1);
        add_in_layer(&b, l, "mlp.down_proj", d, f, 1);
    }
    add(&b, "model.norm.weight", 1, d, 0);
    add(&b, "lm_head.weight", shape->vocabulary, d, 1);
    *count = b.count;
    return b.tensors;
}
