/*
 * Lab 06, stations 1 and 4, finished: enter and leave.
 *
 * Enter gives the same x to every rank, so backward sums the ranks' gradients of x. Leave sums what
 * the ranks have computed, so backward gives the same dy to all of them. Each is the other's mirror
 * image. Sequence parallelism only cuts the all-reduce in two, and puts one half where nothing was
 * sent before.
 */
#include "vialata/tensor_parallel.h"

/* A chunk must be whole rows, and as many on every rank. Otherwise the chunks of N rows are not the
 * chunks of N x D elements that the collectives cut. */
static enum vl_status check(const float *x, size_t n, size_t d, const struct vl_tensor_group *group)
{
    if (group == NULL || group->rank < 0 || group->rank >= group->ranks)
        return VL_EINVAL;
    if (x == NULL && n > 0 && d > 0)
        return VL_EINVAL;
    return group->sequence && n % (size_t)group->ranks != 0 ? VL_ESHAPE : VL_OK;
}

/* Outside -> inside, where every rank needs the whole: each rank's rows go round. */
static enum vl_status gather(float *x, size_t n, size_t d, const struct vl_tensor_group *group)
{
    enum vl_status status = check(x, n, d, group);
    if (status != VL_OK || !group->sequence)
        return status;
    return vl_all_gather(group->comm, x, n * d, sizeof *x);
}

/* Inside -> outside: every rank has a part of the sum. */
static enum vl_status sum(float *x, size_t n, size_t d, const struct vl_tensor_group *group)
{
    enum vl_status status = check(x, n, d, group);
    if (status != VL_OK)
        return status;
    return group->sequence ? vl_reduce_scatter(group->comm, x, n * d)
                           : vl_all_reduce(group->comm, x, n * d);
}

enum vl_status vl_tensor_enter_forward(float *x, size_t n, size_t d,
                                       const struct vl_tensor_group *group)
{
    return gather(x, n, d, group);
}

enum vl_status vl_tensor_enter_backward(float *dx, size_t n, size_t d,
                                        const struct vl_tensor_group *group)
{
    return sum(dx, n, d, group);
}

enum vl_status vl_tensor_leave_forward(float *y, size_t n, size_t d,
                                       const struct vl_tensor_group *group)
{
    return sum(y, n, d, group);
}

enum vl_status vl_tensor_leave_backward(float *dy, size_t n, size_t d,
                                        const struct vl_tensor_group *group)
{
    return gather(dy, n, d, group);
}

/* A gain meets every token. Where each rank has seen only its own tokens, the sum over the tokens
 * is a sum over the ranks too. */
enum vl_status vl_tensor_gain_backward(float *dgain, size_t d, const struct vl_tensor_group *group)
{
    if (group == NULL || (dgain == NULL && d > 0))
        return VL_EINVAL;
    return group->sequence ? vl_all_reduce(group->comm, dgain, d) : VL_OK;
}
