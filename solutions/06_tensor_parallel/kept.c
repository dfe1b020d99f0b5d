/*
 * Lab 06, station 5, finished: what is kept of a product's input.
 *
 * The rows of the other ranks are only borrowed: whole is the same memory for every layer. They are
 * gathered once for the product in forward, and once more for the gradient of its weights.
 */
#include "vialata/tensor_parallel.h"

#include <string.h>

/* The rows that nobody else keeps for this rank. */
static enum vl_status own_rows(size_t *first, size_t *rows, size_t n,
                               const struct vl_tensor_group *group)
{
    *first = 0;
    *rows = n;
    return group->sequence ? vl_tensor_part(first, rows, n, group) : VL_OK;
}

enum vl_status vl_tensor_kept_rows(size_t *rows, size_t n, const struct vl_tensor_group *group)
{
    size_t first;
    if (rows == NULL || group == NULL)
        return VL_EINVAL;
    return own_rows(&first, rows, n, group);
}

/* These rows, of arrays that must be there if there are elements. */
static enum vl_status own_part(size_t *first, size_t *rows, const float *whole, const float *kept,
                               size_t n, size_t d, const struct vl_tensor_group *group)
{
    int missing = (whole == NULL || kept == NULL) && n > 0 && d > 0;
    return group == NULL || missing ? VL_EINVAL : own_rows(first, rows, n, group);
}

enum vl_status vl_tensor_input_forward(float *whole, float *kept, size_t n, size_t d,
                                       const struct vl_tensor_group *group)
{
    size_t first, rows;
    enum vl_status status = own_part(&first, &rows, whole, kept, n, d, group);
    if (status != VL_OK || n * d == 0)
        return status;
    memcpy(kept, whole + first * d, rows * d * sizeof *kept);
    return vl_tensor_enter_forward(whole, n, d, group);
}

enum vl_status vl_tensor_input_backward(float *whole, const float *kept, size_t n, size_t d,
                                        const struct vl_tensor_group *group)
{
    size_t first, rows;
    enum vl_status status = own_part(&first, &rows, whole, kept, n, d, group);
    if (status != VL_OK || n * d == 0)
        return status;
    memcpy(whole + first * d, kept, rows * d * sizeof *kept);
    return vl_tensor_enter_forward(whole, n, d, group);
}
