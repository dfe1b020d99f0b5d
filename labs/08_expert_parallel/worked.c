/*
 * Lab 08, given: the experts' forward. All rows of one expert come first, then all rows of the
 * next, so each is the feed-forward part of lab 01 on a piece of the same arrays.
 */
#include "vialata/expert_parallel.h"
#include "vialata/linear.h"
#include "vialata/swiglu.h"

enum vl_status vl_experts_forward(float *out, float *opened, float *active, const float *rows,
                                  const struct vl_experts *experts)
{
    size_t d = experts->width, f = experts->ff, first = 0;
    for (size_t e = 0; e < experts->count; e++) {
        size_t n = experts->rows_of[e];
        const float *gate_up = experts->gate_up + e * 2 * f * d, *down = experts->down + e * d * f;
        enum vl_status status = VL_OK;
        if (n > 0)
            status =
                vl_linear_forward(opened + first * 2 * f, rows + first * d, gate_up, n, d, 2 * f);
        if (n > 0 && status == VL_OK)
            status = vl_swiglu_forward(active + first * f, opened + first * 2 * f, n, f);
        if (n > 0 && status == VL_OK)
            status = vl_linear_forward(out + first * d, active + first * f, down, n, f, d);
        if (status != VL_OK)
            return status;
        first += n;
    }
    return VL_OK;
}
