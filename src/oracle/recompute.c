#include "oracle/recompute.h"

#include <stdbool.h>

size_t vl_oracle_place(enum vl_oracle_mode mode, enum vl_oracle_kind kind, size_t layer)
{
    /* The table of the contract: does every layer have a place of its own? */
    static const int own[VL_ORACLE_MODES][VL_ORACLE_KINDS] = {{1, 1, 1}, {1, 0, 1}, {1, 0, 0}};
    return own[mode][kind] ? layer : 0;
}

/* The last of the layers below 'end' that writes to a place. */
static size_t last_writer(enum vl_oracle_mode mode, enum vl_oracle_kind kind, size_t place,
                          size_t end)
{
    size_t writer = end;
    for (size_t layer = 0; layer < end; layer++)
        if (vl_oracle_place(mode, kind, layer) == place)
            writer = layer;
    return writer;
}

size_t vl_oracle_places(enum vl_oracle_mode mode, enum vl_oracle_kind kind, size_t layers)
{
    size_t places = 0; /* each is counted where it is written to for the last time */
    for (size_t layer = 0; layer < layers; layer++)
        places += last_writer(mode, kind, vl_oracle_place(mode, kind, layer), layers) == layer;
    return places;
}

/* A layer's arrays are lost if a later layer has written to the same place in forward. */
static bool is_lost(enum vl_oracle_mode mode, enum vl_oracle_kind kind, size_t layer, size_t layers)
{
    return last_writer(mode, kind, vl_oracle_place(mode, kind, layer), layers) != layer;
}

enum vl_oracle_lost vl_oracle_lost(enum vl_oracle_mode mode, size_t layer, size_t layers)
{
    if (is_lost(mode, VL_ORACLE_REST, layer, layers))
        return VL_ORACLE_LOST_REST;
    return is_lost(mode, VL_ORACLE_PROBS, layer, layers) ? VL_ORACLE_LOST_PROBS
                                                         : VL_ORACLE_LOST_NOTHING;
}

void vl_oracle_arrays(struct vl_oracle_array arrays[VL_ORACLE_ARRAYS],
                      const struct vl_oracle_shape *shape, size_t rows)
{
    uint64_t tokens = (uint64_t)rows * shape->sequence, d = shape->width, f = shape->ff;
    uint64_t heads = shape->heads, pairs = tokens * shape->sequence;
    const struct vl_oracle_array all[VL_ORACLE_ARRAYS] = {
        {"x", VL_ORACLE_INPUT, tokens * d},
        {"first 1/rms", VL_ORACLE_REST, tokens},
        {"first normed", VL_ORACLE_REST, tokens * d},
        {"qkv", VL_ORACLE_REST, tokens * d + tokens * d + tokens * d},
        {"probs", VL_ORACLE_PROBS, pairs * heads},
        {"attention", VL_ORACLE_REST, tokens * d},
        {"mid", VL_ORACLE_REST, tokens * d},
        {"second 1/rms", VL_ORACLE_REST, tokens},
        {"second normed", VL_ORACLE_REST, tokens * d},
        {"gate", VL_ORACLE_REST, tokens * f},
        {"up", VL_ORACLE_REST, tokens * f},
        {"active", VL_ORACLE_REST, tokens * f},
    };
    for (size_t i = 0; i < VL_ORACLE_ARRAYS; i++)
        arrays[i] = all[i];
}

uint64_t vl_oracle_elements(enum vl_oracle_kind kind, const struct vl_oracle_shape *shape,
                            size_t rows)
{
    struct vl_oracle_array arrays[VL_ORACLE_ARRAYS];
    uint64_t elements = 0;
    vl_oracle_arrays(arrays, shape, rows);
    for (size_t i = 0; i < VL_ORACLE_ARRAYS; i++)
        elements += arrays[i].kind == kind ? arrays[i].elements : 0;
    return elements;
}

uint64_t vl_oracle_kept_bytes(enum vl_oracle_mode mode, const struct vl_oracle_shape *shape,
                              size_t rows)
{
    uint64_t bytes = 0;
    for (int kind = 0; kind < VL_ORACLE_KINDS; kind++)
        bytes += vl_oracle_places(mode, (enum vl_oracle_kind)kind, shape->layers) *
                 vl_oracle_elements((enum vl_oracle_kind)kind, shape, rows) * sizeof(float);
    return bytes;
}

/* A token times a matrix: a multiply and an add for each of its elements. */
static double product(size_t rows, size_t cols)
{
    return 2.0 * (double)rows * (double)cols;
}

double vl_oracle_attention_flops(const struct vl_oracle_shape *shape)
{
    double scores = product(shape->sequence, shape->width);
    double averages = product(shape->width, shape->sequence);
    return scores + averages;
}

double vl_oracle_layer_flops(const struct vl_oracle_shape *shape)
{
    size_t d = shape->width, f = shape->ff;
    double q = product(d, d), k = product(d, d), v = product(d, d), o = product(d, d);
    double gate = product(f, d), up = product(f, d), down = product(d, f);
    return q + k + v + vl_oracle_attention_flops(shape) + o + gate + up + down;
}

double vl_oracle_step_flops(const struct vl_oracle_shape *shape)
{
    double forward = product(shape->vocabulary, shape->width);
    for (size_t layer = 0; layer < shape->layers; layer++)
        forward += vl_oracle_layer_flops(shape);
    /* Backward does each product twice: once for the input, once for the weights. */
    return forward + 2 * forward;
}

double vl_oracle_again_flops(enum vl_oracle_mode mode, const struct vl_oracle_shape *shape)
{
    double flops = 0;
    for (size_t layer = 0; layer < shape->layers; layer++) {
        enum vl_oracle_lost lost = vl_oracle_lost(mode, layer, shape->layers);
        if (lost == VL_ORACLE_LOST_REST)
            flops += vl_oracle_layer_flops(shape);
        else if (lost == VL_ORACLE_LOST_PROBS)
            flops += vl_oracle_attention_flops(shape);
    }
    return flops;
}
