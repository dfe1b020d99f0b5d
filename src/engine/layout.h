/*
 * Which range of the flat parameter array is which tensor.
 *
 *   embed | layer 0: gain, q k v, o, gain, gate up, down | layer 1 ... | gain | head
 *           '----------------- one unit ----------------'            '-- unit L+1 --'
 *
 * Neighbours on purpose: q, k, v are one (3D,D) matrix, gate and up one (2F,D) matrix, and a unit
 * is one range, so later labs can send or release a unit as a whole.
 */
#ifndef VIALATA_ENGINE_LAYOUT_H
#define VIALATA_ENGINE_LAYOUT_H

#include "engine/block.h"
#include "vialata/shape.h"
#include "vialata/status.h"
#include "vialata/training_step.h"
#include <stddef.h>

struct vl_layout {
    struct vl_tensor *tensors;
    size_t tensor_count;
    size_t count;       /* elements of all tensors together */
    size_t layer_count; /* elements of one layer */
    size_t *units;      /* (L+3): first element of each unit, then the end */
};

/* Tensors a model of this shape has: for sizing the memory vl_layout_fill writes to. */
size_t vl_layout_tensors(const struct vl_shape *shape);

/* Fill layout->tensors (room for vl_layout_tensors), layout->units (room for L+3) and the counts.
 */
void vl_layout_fill(struct vl_layout *layout, const struct vl_shape *shape);

/* Where the parts of a layer lie, given where its unit begins in some flat array. */
struct vl_block_weights vl_layout_block(float *unit, const struct vl_shape *shape);

#endif
