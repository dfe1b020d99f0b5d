/*
 * Lab 06, station 2, finished: an embedding of which each rank has a few rows.
 *
 * One rank has a token's row. The others put zeros, and then the parts are summed, as those of any
 * layer are: an embedding is a layer that is only left, never entered.
 */
#include "vialata/tensor_parallel.h"

#include <string.h>

/* All ranks see the same tokens, so they refuse together and none waits for another. */
static enum vl_status check(const void *table, const float *x, const int32_t *tokens, size_t n,
                            size_t d, size_t vocabulary, const struct vl_tensor_group *group)
{
    size_t first, count;
    enum vl_status status = vl_tensor_part(&first, &count, vocabulary, group);
    if (status != VL_OK)
        return status;
    if (group->sequence && n % (size_t)group->ranks != 0)
        return VL_ESHAPE;
    if (n > 0 && (tokens == NULL || (d > 0 && (table == NULL || x == NULL))))
        return VL_EINVAL;
    for (size_t i = 0; i < n; i++)
        if (tokens[i] < 0 || (size_t)tokens[i] >= vocabulary)
            return VL_EINVAL;
    return VL_OK;
}

enum vl_status vl_tensor_embedding_forward(float *out, const float *table, const int32_t *tokens,
                                           size_t n, size_t d, size_t vocabulary,
                                           const struct vl_tensor_group *group)
{
    size_t first, count;
    enum vl_status status = check(table, out, tokens, n, d, vocabulary, group);
    if (status == VL_OK)
        status = vl_tensor_part(&first, &count, vocabulary, group);
    if (status != VL_OK)
        return status;
    for (size_t i = 0; i < n && d > 0; i++) {
        size_t row = (size_t)tokens[i] - first; /* huge if the token comes before ours */
        if (row < count)
            memcpy(out + i * d, table + row * d, d * sizeof *out);
        else
            memset(out + i * d, 0, d * sizeof *out);
    }
    return vl_tensor_leave_forward(out, n, d, group);
}

enum vl_status vl_tensor_embedding_backward(float *dtable, float *dx, const int32_t *tokens,
                                            size_t n, size_t d, size_t vocabulary,
                                            const struct vl_tensor_group *group)
{
    size_t first, count;
    enum vl_status status = check(dtable, dx, tokens, n, d, vocabulary, group);
    if (status == VL_OK)
        status = vl_tensor_part(&first, &count, vocabulary, group);
    if (status == VL_OK) /* any token may be ours, whoever has had its gradient */
        status = vl_tensor_leave_backward(dx, n, d, group);
    if (status != VL_OK)
        return status;
    for (size_t i = 0; i < n; i++) {
        size_t row = (size_t)tokens[i] - first;
        if (row >= count)
            continue;
        for (size_t j = 0; j < d; j++) /* a token may come twice: add */
            dtable[row * d + j] += dx[i * d + j];
    }
    return VL_OK;
}
