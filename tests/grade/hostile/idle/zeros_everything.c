/* earns: nothing */
/* only: 01 vl_rmsnorm_backward_weight */
#include "vialata/rmsnorm.h"

enum vl_status vl_rmsnorm_backward_weight(float *dgain, const float *dy, const float *x,
                                          const float *inv_rms, size_t n, size_t d)
{
    (void)dy, (void)x, (void)inv_rms, (void)n;
    for (size_t j = 0; j < d; j++)
        dgain[j] = 0;
    return VL_OK;
}
