/*
 * Lab 10: the numbers, written down before computing.
 */
#include "vialata/crossover.h"

enum vl_status vl_predict_plan(struct vl_plan_prediction *prediction)
{
    if (prediction == NULL)
        return VL_EINVAL;
    prediction->state_bytes = 12062500000;
    prediction->exchange_seconds = 0.012331;
    prediction->crossover_bandwidth = 4.7e10;
    return VL_OK;
}
