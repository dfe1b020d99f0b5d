/*
 * Lab 06, stations 1 and 4: enter and leave.
 *
 * Begin with vl_tensor_leave_forward without sequence parallelism. It is a few lines, it needs no
 * other function of yours, and with it the forward of a cut layer is right. Then, in a terminal:
 *
 *     ./vialata grade 06 --only vl_tensor_leave_forward
 *
 * The contracts are in include/vialata/tensor_parallel.h; vl_all_reduce, vl_all_gather and
 * vl_reduce_scatter are lab 02's. Remove a (void) line as soon as you use its argument.
 *
 * Four operators, and yet only two things are done. Which two? Write each as a static function.
 * Until station 4, return VL_TODO where group->sequence is not zero.
 */
#include "vialata/tensor_parallel.h"

/* include/vialata/tensor_parallel.h: before the first products of a layer. */
enum vl_status vl_tensor_enter_forward(float *x, size_t n, size_t d,
                                       const struct vl_tensor_group *group)
{
    (void)x;
    (void)n;
    (void)d;
    (void)group;
    /* TODO(06): refuse a missing x if there are elements. Without sequence parallelism, is there
     * anything left to do? */
    /* TODO(06): sequence parallelism: refuse an N that t does not divide; all rows go round. */
    return VL_TODO;
}

/* include/vialata/tensor_parallel.h: after the backward of the first products. */
enum vl_status vl_tensor_enter_backward(float *dx, size_t n, size_t d,
                                        const struct vl_tensor_group *group)
{
    (void)dx;
    (void)n;
    (void)d;
    (void)group;
    /* TODO(06): the ranks' gradients of x are added up: all rows everywhere, or on each rank its
     * own rows. */
    return VL_TODO;
}

/* include/vialata/tensor_parallel.h: after the last product of a layer. */
enum vl_status vl_tensor_leave_forward(float *y, size_t n, size_t d,
                                       const struct vl_tensor_group *group)
{
    (void)y;
    (void)n;
    (void)d;
    (void)group;
    /* TODO(06): every rank has a part of the sum. Without sequence parallelism: who needs it? */
    /* TODO(06): sequence parallelism: refuse an N that t does not divide; who needs which rows? */
    return VL_TODO;
}

/* include/vialata/tensor_parallel.h: before the backward of the last product. */
enum vl_status vl_tensor_leave_backward(float *dy, size_t n, size_t d,
                                        const struct vl_tensor_group *group)
{
    (void)dy;
    (void)n;
    (void)d;
    (void)group;
    /* TODO(06): each rank's part went into the same sum. Which rows of dy does it need, and which
     * does it have? */
    return VL_TODO;
}

/* include/vialata/tensor_parallel.h: the gradient of a norm's gain, once a step. */
enum vl_status vl_tensor_gain_backward(float *dgain, size_t d, const struct vl_tensor_group *group)
{
    (void)dgain;
    (void)d;
    (void)group;
    /* TODO(06): over which tokens has this rank added? Over which should it? */
    return VL_TODO;
}
