/*
 * Lab 10: the numbers, written down before computing.
 */
#include "vialata/crossover.h"

enum vl_status vl_predict_plan(struct vl_plan_prediction *prediction)
{
    if (prediction == NULL)
        return VL_EINVAL;
    *prediction = (struct vl_plan_prediction){0};
    return VL_OK;
}
