/*
 * Lab 10: the bandwidth above which no pipeline is needed.
 */
#include "vialata/crossover.h"

#include <math.h>

static enum vl_status holds_at(int *holds, double bandwidth, double slack,
                               const struct vl_rivals *rivals)
{
    double without, of_all;
    enum vl_status status = rivals->best(rivals->context, &without, &of_all, bandwidth);
    *holds = status == VL_OK && isfinite(without) && without <= (1 + slack) * of_all;
    return status;
}

/* The precision asked for is relative, so the range is halved at its geometric mean. */
enum vl_status vl_crossover(double *bandwidth, double low, double high, double slack,
                            const struct vl_rivals *rivals)
{
    int holds;
    if (bandwidth == NULL || rivals == NULL || !(low > 0) || !(high >= low) || !(slack >= 0))
        return VL_EINVAL;
    enum vl_status status = holds_at(&holds, low, slack, rivals);
    if (status != VL_OK || holds) {
        *bandwidth = low;
        return status;
    }
    status = holds_at(&holds, high, slack, rivals);
    if (status != VL_OK || !holds) {
        *bandwidth = INFINITY;
        return status;
    }
    while (high > 1.001 * low) {
        double middle = sqrt(low * high);
        status = holds_at(&holds, middle, slack, rivals);
        if (status != VL_OK)
            return status;
        *(holds ? &high : &low) = middle;
    }
    *bandwidth = high;
    return VL_OK;
}
