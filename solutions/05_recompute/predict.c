/*
 * Lab 05: the numbers, written down before measuring.
 */
#include "vialata/recompute.h"

enum vl_status vl_predict_recompute(struct vl_recompute_prediction *prediction)
{
    if (prediction == NULL)
        return VL_EINVAL;
    prediction->none_bytes = 42500096;
    prediction->selective_bytes = 36208640;
    prediction->full_bytes = 12197888;
    prediction->full_share = 0.2415;
    return VL_OK;
}
