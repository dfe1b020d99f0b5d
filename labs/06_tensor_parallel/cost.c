/*
 * Lab 06, on paper: what is sent, and what is kept.
 *
 * Find the closed forms with a pencil; the explanation says how to count.
 */
#include "vialata/tensor_parallel.h"

/* include/vialata/tensor_parallel.h: how often N x D elements are summed (or handed out). */
enum vl_status vl_tensor_all_reduces(uint64_t *count, size_t layers)
{
    (void)count;
    (void)layers;
    /* TODO(06): count in the drawings: a layer, the embedding, the head; forward and backward. */
    return VL_TODO;
}

/* include/vialata/tensor_parallel.h: bytes that one rank sends in forward and backward. */
enum vl_status vl_tensor_sent_bytes(double *bytes, const struct vl_shape *shape, size_t rows,
                                    int ranks)
{
    (void)bytes;
    (void)shape;
    (void)rows;
    (void)ranks;
    /* TODO(06): refuse fewer ranks than one. */
    /* TODO(06): what does one rank send in a ring all-reduce of N D elements, and how many are
     * there? */
    /* TODO(06): and the cross-entropy: one all-gather, one all-reduce. In doubles, in bytes. */
    return VL_TODO;
}

/* include/vialata/tensor_parallel.h: bytes that one rank sends in addition under sequence
 * parallelism. */
enum vl_status vl_tensor_again_bytes(uint64_t *bytes, const struct vl_shape *shape, size_t rows,
                                     int ranks)
{
    (void)bytes;
    (void)shape;
    (void)rows;
    (void)ranks;
    /* TODO(06): refuse fewer ranks than one. */
    /* TODO(06): which inputs are gathered in forward? Each of them goes round once more. */
    return VL_TODO;
}

/* include/vialata/tensor_parallel.h: bytes that the layers keep for backward on one rank. */
enum vl_status vl_tensor_kept_bytes(uint64_t *bytes, const struct vl_shape *shape, size_t rows,
                                    int ranks, int sequence)
{
    (void)bytes;
    (void)shape;
    (void)rows;
    (void)ranks;
    (void)sequence;
    /* TODO(06): refuse fewer ranks than one. */
    /* TODO(06): count per token, in two parts: what is outside enter and leave, and what is
     * inside. */
    /* TODO(06): which of the two do the ranks share, and which only under sequence parallelism? */
    return VL_TODO;
}
