/*
 * Lab 08, station 4, finished: the experts' backward, in two parts as everywhere.
 */
#include "vialata/expert_parallel.h"
#include "vialata/linear.h"
#include "vialata/swiglu.h"

enum vl_status vl_experts_backward_input(float *drows, float *dopened, float *dactive,
                                         const float *dout, const float *opened,
                                         const struct vl_experts *experts)
{
    size_t d = experts->width, f = experts->ff, first = 0;
    for (size_t e = 0; e < experts->count; e++) {
        size_t n = experts->rows_of[e];
        if (n == 0)
            continue;
        float *own = dopened + first * 2 * f;
        enum vl_status status = vl_linear_backward_input(dactive + first * f, dout + first * d,
                                                         experts->down + e * d * f, n, f, d);
        if (status == VL_OK)
            status =
                vl_swiglu_backward_input(own, dactive + first * f, opened + first * 2 * f, n, f);
        if (status == VL_OK)
            status = vl_linear_backward_input(drows + first * d, own,
                                              experts->gate_up + e * 2 * f * d, n, d, 2 * f);
        if (status != VL_OK)
            return status;
        first += n;
    }
    return VL_OK;
}

/* An expert without rows adds nothing: its gradients stay as they are. */
enum vl_status vl_experts_backward_weight(float *dgate_up, float *ddown, const float *dout,
                                          const float *dopened, const float *active,
                                          const float *rows, const struct vl_experts *experts)
{
    size_t d = experts->width, f = experts->ff, first = 0;
    for (size_t e = 0; e < experts->count; e++) {
        size_t n = experts->rows_of[e];
        if (n == 0)
            continue;
        enum vl_status status = vl_linear_backward_weight(ddown + e * d * f, dout + first * d,
                                                          active + first * f, n, f, d);
        if (status == VL_OK)
            status = vl_linear_backward_weight(dgate_up + e * 2 * f * d, dopened + first * 2 * f,
                                               rows + first * d, n, d, 2 * f);
        if (status != VL_OK)
            return status;
        first += n;
    }
    return VL_OK;
}
