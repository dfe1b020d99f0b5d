/* code: crashed_segfault */
/* says: segfault.c: */
#include "vialata/rmsnorm.h"

enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d)
{
    (void)y, (void)inv_rms, (void)x, (void)gain, (void)n, (void)d;
    *(volatile float *)8 = 1;
    return VL_OK;
}
