/*
 * Lab 06, given: which part of a layer is this rank's.
 *
 * Read it first; heads, columns of the feed-forward and rows of the vocabulary are all shared out
 * with it.
 */
#include "vialata/tensor_parallel.h"

/* vl_chunk would hand out uneven parts as well. Here they are refused: a rank with one head more
 * would keep all others waiting in every layer. */
enum vl_status vl_tensor_part(size_t *first, size_t *count, size_t n,
                              const struct vl_tensor_group *group)
{
    if (first == NULL || count == NULL || group == NULL)
        return VL_EINVAL;
    if (group->rank < 0 || group->rank >= group->ranks)
        return VL_EINVAL;
    if (n % (size_t)group->ranks != 0)
        return VL_ESHAPE;
    return vl_chunk(first, count, n, group->rank, group->ranks);
}
