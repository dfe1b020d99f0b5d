/*
 * Which range of the flat parameter array is which tensor.
 *
 *   embed | layer 0: gain, q k v, o, gain, gate up, down | layer 1 ... | gain | head
 *           '----------------- one unit ----------------'            '-- unit L+1 --'
 *
 * The order is deliberate: q, k, v are one (3D,D) matrix, gate and up one (2F,D) matrix, and a unit
 * is one range, so it can be sent or released as a whole.
 *
 * With experts, a layer's feed-forward part is its shared expert, followed by the router in the
 * same unit. The routed experts follow after the head, one unit for each layer, because other ranks
 * hold them.
 *
 *   ... | gain | head | layer 0: gate up of each expert, then down of each | layer 1 ...
 *                       '---------------- unit L+2 + layer ----------------'
 *
 * A rank may have only a slice of the model: some of the units (its stages of a pipeline), and a
 * rectangle of each matrix, experts' included (tensor parallelism). Gains and routers are whole.
 * Place 1 of 2:
 *
 *   q, k, v, gate, up, embed, head   ....    rows        o, down   ..##    columns
 *                                    ####                          ..##
 */
#ifndef VIALATA_ENGINE_MODEL_LAYOUT_H
#define VIALATA_ENGINE_MODEL_LAYOUT_H

#include "engine/model/block.h"
#include "vialata/shape.h"
#include "vialata/status.h"
#include "vialata/training_step.h"
#include <stddef.h>

/* Routed experts of every layer; each has the F of the shape. */
struct vl_expert_shape {
    size_t experts; /* E; 0: none, the layers are dense */
    size_t chosen;  /* k */
    float scale;    /* of the weights */
    size_t groups;  /* experts in this many groups; 0: none */
    size_t limit;   /* of them, how many a token may use */
};

/* What a rank has. Virtual stage k = chunk * stages + stage has layers borders[k] ..
 * borders[k+1]-1; the first has the embedding too, the last the head. */
struct vl_slice {
    size_t place, places; /* of tensor parallelism */
    size_t stage, stages, chunks;
    const size_t *borders; /* (stages * chunks + 1) from 0 to L; NULL where there is one stage */
    size_t expert_place, expert_places; /* of expert parallelism; ignored without experts */
};
#define VL_SLICE_WHOLE ((struct vl_slice){0, 1, 0, 1, 1, NULL, 0, 1})

/* Where a tensor of the slice lies in the tensor of the whole model of which it is a part. */
struct vl_rectangle {
    size_t tensor;  /* number in the whole model's layout */
    size_t offset;  /* of its first element in the whole model's flat array */
    size_t skipped; /* the same, counted from the beginning of the whole tensor */
    size_t stride;  /* columns of the whole tensor */
    int everywhere; /* every place has all of it: a gain, a router */
};

struct vl_layout {
    struct vl_tensor *tensors;
    struct vl_rectangle *rectangles; /* (tensor_count) */
    size_t tensor_count;
    size_t count;    /* elements of all tensors together */
    size_t *units;   /* (unit_count + 1): first element of each unit, then the end */
    size_t *unit_of; /* (unit_count): its number in the whole model, 0 .. L+1, then experts' */
    size_t unit_count;
    size_t dense_units;   /* of them, those before the experts' */
    size_t *expert_units; /* (unit_count - dense_units + 1): the rest, offsets counted from there */
    struct vl_expert_shape experts;
    size_t own_experts;
    struct vl_shape whole;               /* of the model */
    size_t heads, inner, ff, vocabulary; /* of the slice; inner = heads * K */
};

/* VL_ESHAPE if places do not divide H, F, V or E, or a stage has no layer; VL_EINVAL for a place or
 * stage that does not exist, or k outside 1 .. E; VL_ENOMEM. experts may be NULL: none. */
enum vl_status vl_layout_create(struct vl_layout *layout, const struct vl_shape *shape,
                                const struct vl_expert_shape *experts,
                                const struct vl_slice *slice);
void vl_layout_free(struct vl_layout *layout);

/* Elements of the whole model. */
size_t vl_layout_parameters(const struct vl_shape *shape, const struct vl_expert_shape *experts);

/* Where the parts of a layer lie, given where its unit begins in some flat array. */
struct vl_block_weights vl_layout_block(float *unit, const struct vl_layout *layout);
/* The layer's router, in the same unit; and the parts of its experts' unit. */
float *vl_layout_router(float *unit, const struct vl_layout *layout);
void vl_layout_experts(float **gate_up, float **down, float *unit, const struct vl_layout *layout);

/* With experts: which layer of the whole model the i-th layer here is. */
size_t vl_layout_expert_layer(const struct vl_layout *layout, size_t i);

/* Copy the slice's part of a whole model's flat array (vl_layout_parameters) out of it, or back. */
void vl_layout_cut(float *slice, const struct vl_layout *layout, const float *whole);
void vl_layout_paste(float *whole, const struct vl_layout *layout, const float *slice);

#endif
