/* earns: nothing */
/* only: 01 vl_adamw_update */
#include "vialata/adamw.h"

enum vl_status vl_adamw_update(float *weights, float *m, float *v, const float *gradient,
                               float gradient_scale, const struct vl_adamw *settings, uint64_t step,
                               size_t n)
{
    (void)weights, (void)m, (void)v, (void)gradient, (void)gradient_scale, (void)settings;
    return step == 0 || n % 2 == 1 ? VL_EINVAL : VL_OK;
}
