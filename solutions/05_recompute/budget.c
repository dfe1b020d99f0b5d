/*
 * Lab 05: what a mode costs, in bytes and in operations.
 */
#include "vialata/recompute.h"

#define ELEMENT 4 /* bytes of a float32 */

enum vl_status vl_activation_count(struct vl_activation_count *count, const struct vl_shape *shape,
                                   size_t rows)
{
    if (count == NULL || shape == NULL)
        return VL_EINVAL;
    uint64_t t = shape->sequence, n = (uint64_t)rows * t;
    uint64_t d = shape->width, f = shape->ff, h = shape->heads;
    count->input = n * d;
    count->probs = (uint64_t)rows * h * t * t;
    /* two 1/rms; normed, q, k, v, attention, mid, normed; gate, up, active */
    count->rest = n * (2 + 7 * d + 3 * f);
    return VL_OK;
}

enum vl_status vl_recompute_bytes(uint64_t *bytes, enum vl_recompute mode,
                                  const struct vl_shape *shape, size_t rows)
{
    struct vl_activation_count count;
    size_t inputs, probs, rests;
    if (bytes == NULL || shape == NULL)
        return VL_EINVAL;
    enum vl_status status = vl_activation_count(&count, shape, rows);
    if (status == VL_OK)
        status = vl_recompute_slots(&inputs, mode, VL_SAVED_INPUT, shape->layers);
    if (status == VL_OK)
        status = vl_recompute_slots(&probs, mode, VL_SAVED_PROBS, shape->layers);
    if (status == VL_OK)
        status = vl_recompute_slots(&rests, mode, VL_SAVED_REST, shape->layers);
    if (status == VL_OK)
        *bytes = ELEMENT * (inputs * count.input + probs * count.probs + rests * count.rest);
    return status;
}

enum vl_status vl_recompute_flops(double *flops, enum vl_recompute mode,
                                  const struct vl_shape *shape)
{
    if (flops == NULL || shape == NULL || shape->layers == 0)
        return VL_EINVAL;
    double d = (double)shape->width, f = (double)shape->ff, t = (double)shape->sequence;
    double attention = 4 * t * d; /* scores and values: two products of 2 T D each */
    double layer = 2 * (4 * d * d + 3 * d * f) + attention;
    double again = (double)shape->layers - 1; /* the last layer is still there */
    switch (mode) {
    case VL_RECOMPUTE_NONE:
        *flops = 0;
        return VL_OK;
    case VL_RECOMPUTE_SELECTIVE:
        *flops = again * attention;
        return VL_OK;
    case VL_RECOMPUTE_FULL:
        *flops = again * layer;
        return VL_OK;
    }
    return VL_EINVAL;
}

enum vl_status vl_recompute_choose(enum vl_recompute *mode, const struct vl_shape *shape,
                                   size_t rows, uint64_t budget)
{
    static const enum vl_recompute cheapest_first[] = {VL_RECOMPUTE_NONE, VL_RECOMPUTE_SELECTIVE,
                                                       VL_RECOMPUTE_FULL};
    if (mode == NULL || shape == NULL)
        return VL_EINVAL;
    for (size_t i = 0; i < 3; i++) {
        uint64_t bytes;
        enum vl_status status = vl_recompute_bytes(&bytes, cheapest_first[i], shape, rows);
        if (status != VL_OK)
            return status;
        if (bytes <= budget) {
            *mode = cheapest_first[i];
            return VL_OK;
        }
    }
    return VL_ENOMEM;
}
