/*
 * Lab 05, stations 3 and 4: what a mode costs, in bytes and in operations.
 *
 * Find the closed forms with a pencil; the explanation says how to count.
 */
#include "vialata/recompute.h"

/* include/vialata/recompute.h: elements of each kind that one layer's forward leaves behind. */
enum vl_status vl_activation_count(struct vl_activation_count *count, const struct vl_shape *shape,
                                   size_t rows)
{
    (void)count;
    (void)shape;
    (void)rows;
    /* TODO(05): N tokens; then the arrays of each kind, as the header lists them. Count in 64
     * bits. */
    return VL_TODO;
}

/* include/vialata/recompute.h: all slots of all three kinds, float32. */
enum vl_status vl_recompute_bytes(uint64_t *bytes, enum vl_recompute mode,
                                  const struct vl_shape *shape, size_t rows)
{
    (void)bytes;
    (void)mode;
    (void)shape;
    (void)rows;
    /* TODO(05): refuse an unknown mode. */
    /* TODO(05): for each kind, how many slots are there, and how many elements are in one? */
    return VL_TODO;
}

/* include/vialata/recompute.h: operations per token that a mode adds to a training step. */
enum vl_status vl_recompute_flops(double *flops, enum vl_recompute mode,
                                  const struct vl_shape *shape)
{
    (void)flops;
    (void)mode;
    (void)shape;
    /* TODO(05): refuse an unknown mode. */
    /* TODO(05): forward of the attention of one layer, and of the whole layer. */
    /* TODO(05): how many layers are computed again? */
    return VL_TODO;
}

/* include/vialata/recompute.h: the cheapest mode that fits; VL_ENOMEM if none does. */
enum vl_status vl_recompute_choose(enum vl_recompute *mode, const struct vl_shape *shape,
                                   size_t rows, uint64_t budget)
{
    (void)mode;
    (void)shape;
    (void)rows;
    (void)budget;
    /* TODO(05): in which order do the modes add operations? Take the first that fits. */
    return VL_TODO;
}
