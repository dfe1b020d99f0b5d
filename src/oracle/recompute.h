/*
 * The truth about recomputation, counted and not derived: it walks over the arrays that a layer
 * leaves behind, the places they are written to, and the products of a forward. Conventions are
 * those of vialata/recompute.h.
 */
#ifndef VIALATA_ORACLE_RECOMPUTE_H
#define VIALATA_ORACLE_RECOMPUTE_H

#include "oracle/transformer.h"

/* In the order of vialata/recompute.h. */
enum vl_oracle_mode { VL_ORACLE_NONE, VL_ORACLE_SELECTIVE, VL_ORACLE_FULL, VL_ORACLE_MODES };
enum vl_oracle_kind { VL_ORACLE_INPUT, VL_ORACLE_PROBS, VL_ORACLE_REST, VL_ORACLE_KINDS };

/* Where a layer writes its arrays of a kind: layers with the same place overwrite each other. */
size_t vl_oracle_place(enum vl_oracle_mode mode, enum vl_oracle_kind kind, size_t layer);

/* How many different places 'layers' layers write to. */
size_t vl_oracle_places(enum vl_oracle_mode mode, enum vl_oracle_kind kind, size_t layers);

/* What is missing when the backward of a layer begins, after forward and the backward of the layers
 * above: nothing, the probabilities alone, or the rest too. */
enum vl_oracle_lost { VL_ORACLE_LOST_NOTHING, VL_ORACLE_LOST_PROBS, VL_ORACLE_LOST_REST };
enum vl_oracle_lost vl_oracle_lost(enum vl_oracle_mode mode, size_t layer, size_t layers);

/* One array that a layer's forward leaves behind. */
struct vl_oracle_array {
    const char *name;
    enum vl_oracle_kind kind;
    uint64_t elements;
};
#define VL_ORACLE_ARRAYS 12
void vl_oracle_arrays(struct vl_oracle_array arrays[VL_ORACLE_ARRAYS],
                      const struct vl_oracle_shape *shape, size_t rows);

uint64_t vl_oracle_elements(enum vl_oracle_kind kind, const struct vl_oracle_shape *shape,
                            size_t rows);
uint64_t vl_oracle_kept_bytes(enum vl_oracle_mode mode, const struct vl_oracle_shape *shape,
                              size_t rows);

/* Operations per token: of one layer's forward, of its attention alone, of a step of the whole
 * model without recomputation; and what a mode adds to it. */
double vl_oracle_layer_flops(const struct vl_oracle_shape *shape);
double vl_oracle_attention_flops(const struct vl_oracle_shape *shape);
double vl_oracle_step_flops(const struct vl_oracle_shape *shape);
double vl_oracle_again_flops(enum vl_oracle_mode mode, const struct vl_oracle_shape *shape);

#endif
