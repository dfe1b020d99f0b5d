/*
 * Lab 01, the budget: what training costs, worked out without running anything.
 *
 * Find the closed forms with a pencil; the explanation says how to count, the header what counts.
 */
#include "vialata/budget.h"

/* include/vialata/budget.h: go through the drawing of shape.h and count every box. */
enum vl_status vl_parameter_count(uint64_t *all, uint64_t *multiplying,
                                  const struct vl_shape *shape)
{
    (void)all;
    (void)multiplying;
    (void)shape;
    /* TODO(01): the matrices and gains of one layer; then L layers; then what is outside them. */
    /* TODO(01): of these, the ones a token is multiplied with. */
    return VL_TODO;
}

/* include/vialata/budget.h: forward and backward together, attention in full. */
enum vl_status vl_flops_per_token(double *flops, const struct vl_shape *shape)
{
    (void)flops;
    (void)shape;
    /* TODO(01): what one multiplying parameter costs a token, forward and backward. */
    /* TODO(01): what attention adds, which has no parameters of its own. */
    return VL_TODO;
}

/* include/vialata/budget.h: useful operations per second, as a share of the peak. */
enum vl_status vl_mfu(double *mfu, double tokens_per_second, double flops_per_token, double peak)
{
    (void)mfu;
    (void)tokens_per_second;
    (void)flops_per_token;
    (void)peak;
    /* TODO(01): refuse a peak that is not above zero (a NaN is not above zero either). */
    return VL_TODO;
}
