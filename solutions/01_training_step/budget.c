/*
 * Lab 01, station 3, finished: the budget of training, on paper.
 */
#include "vialata/budget.h"

/* The matrices of one layer: q, k, v and o are (D,D); gate, up and down are D by F. */
static uint64_t layer_multiplying(const struct vl_shape *shape)
{
    uint64_t d = shape->width, f = shape->ff;
    return 4 * d * d + 3 * d * f;
}

enum vl_status vl_parameter_count(uint64_t *all, uint64_t *multiplying,
                                  const struct vl_shape *shape)
{
    if (all == NULL || multiplying == NULL || shape == NULL)
        return VL_EINVAL;
    uint64_t head = (uint64_t)shape->vocabulary * shape->width;
    uint64_t gains = (2 * (uint64_t)shape->layers + 1) * shape->width;
    *multiplying = shape->layers * layer_multiplying(shape) + head;
    *all = *multiplying + head + gains; /* the embedding is as large as the head */
    return VL_OK;
}

/*
 * A parameter that multiplies costs a token 2 operations forward, 2 for the gradient of the input
 * and 2 for its own: 6 N. Attention in full: scores and values are 2 T D operations each, forward;
 * twice that backward: 12 T D per layer.
 */
enum vl_status vl_flops_per_token(double *flops, const struct vl_shape *shape)
{
    if (flops == NULL)
        return VL_EINVAL;
    uint64_t all, multiplying;
    enum vl_status status = vl_parameter_count(&all, &multiplying, shape);
    if (status != VL_OK)
        return status;
    double attention =
        12.0 * (double)shape->layers * (double)shape->width * (double)shape->sequence;
    *flops = 6.0 * (double)multiplying + attention;
    return VL_OK;
}

enum vl_status vl_mfu(double *mfu, double tokens_per_second, double flops_per_token, double peak)
{
    if (mfu == NULL || !(peak > 0.0)) /* written so that a NaN is refused as well */
        return VL_EINVAL;
    *mfu = tokens_per_second * flops_per_token / peak;
    return VL_OK;
}
