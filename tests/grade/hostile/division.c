/* code: crashed_signal */
/* says: SIGFPE */
#include "vialata/rmsnorm.h"

static volatile int nine = 9, zero;

enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d)
{
    (void)y, (void)inv_rms, (void)x, (void)gain, (void)n, (void)d;
    return (enum vl_status)(nine / zero);
}
