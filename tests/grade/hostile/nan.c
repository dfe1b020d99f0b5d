/* code: not_a_number */
#include "vialata/rmsnorm.h"

#include <math.h>

enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d)
{
    (void)y, (void)inv_rms, (void)x, (void)gain, (void)n, (void)d;
    for (size_t i = 0; i < n * d; i++)
        y[i] = NAN;
    for (size_t i = 0; i < n; i++)
        inv_rms[i] = NAN;
    return VL_OK;
}
