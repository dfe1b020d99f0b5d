/*
 * Lab 04, on paper, finished: what a stage keeps and what it sends.
 */
#include "vialata/zero.h"

/* float32: 4 bytes of weight, 4 of gradient, 8 of m and v. Each stage shards one kind more. */
enum vl_status vl_zero_state_bytes(double *bytes, int stage, double parameters, int ranks)
{
    if (bytes == NULL || stage < 0 || stage > 3 || ranks < 1 || !(parameters >= 0.0))
        return VL_EINVAL; /* written so that a NaN is refused as well */
    double share = 1.0 / (double)ranks;
    double weights = stage < 3 ? 4.0 : 4.0 * share;
    double gradients = stage < 2 ? 4.0 : 4.0 * share;
    double moments = stage < 1 ? 8.0 : 8.0 * share;
    *bytes = (weights + gradients + moments) * parameters;
    return VL_OK;
}

/*
 * A ring of n elements sends n (P-1)/P from each rank. Stages 0 to 2: a reduce-scatter of the
 * gradients and an all-gather, of gradients or of weights. Stage 3: a reduce-scatter of the
 * gradients, and an all-gather of the weights for forward and another for backward.
 */
enum vl_status vl_zero_sent_elements(double *elements, int stage, double parameters, int ranks)
{
    if (elements == NULL || stage < 0 || stage > 3 || ranks < 1 || !(parameters >= 0.0))
        return VL_EINVAL;
    double rings = stage < 3 ? 2.0 : 3.0;
    *elements = rings * parameters * (double)(ranks - 1) / (double)ranks;
    return VL_OK;
}
