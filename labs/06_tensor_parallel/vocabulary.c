/*
 * Lab 06, station 2: an embedding of which each rank has a few rows.
 *
 * All ranks see the same tokens, so they refuse together and nobody waits for anybody: look at all
 * tokens before anything is sent.
 *
 *     ./vialata grade 06 --only vl_tensor_embedding_forward
 */
#include "vialata/tensor_parallel.h"

/* include/vialata/tensor_parallel.h: the rows of the table for these tokens. */
enum vl_status vl_tensor_embedding_forward(float *out, const float *table, const int32_t *tokens,
                                           size_t n, size_t d, size_t vocabulary,
                                           const struct vl_tensor_group *group)
{
    (void)out;
    (void)table;
    (void)tokens;
    (void)n;
    (void)d;
    (void)vocabulary;
    (void)group;
    /* TODO(06): which rows of the table are here? worked.c knows. Refuse tokens outside
     * 0 .. V-1. */
    /* TODO(06): a token whose row is here: copy the row. Any other token: what changes no sum? */
    /* TODO(06): from parts to the whole. You have written that already. */
    return VL_TODO;
}

/* include/vialata/tensor_parallel.h: the gradients of these tokens' rows, added to dtable. */
enum vl_status vl_tensor_embedding_backward(float *dtable, float *dx, const int32_t *tokens,
                                            size_t n, size_t d, size_t vocabulary,
                                            const struct vl_tensor_group *group)
{
    (void)dtable;
    (void)dx;
    (void)tokens;
    (void)n;
    (void)d;
    (void)vocabulary;
    (void)group;
    /* TODO(06): under sequence parallelism, whose rows of dx are here, and whose are needed? */
    /* TODO(06): for each token whose row is here, add its row of dx. A token may come twice. */
    return VL_TODO;
}
