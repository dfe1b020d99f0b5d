/* code: defines_main */
#include "vialata/rmsnorm.h"

int main(void)
{
    return 0;
}

enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d)
{
    (void)y, (void)inv_rms, (void)x, (void)gain, (void)n, (void)d;
    return VL_OK;
}
