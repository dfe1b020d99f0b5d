/* code: hung too_much_memory */
#include "vialata/rmsnorm.h"

#include <unistd.h>

enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d)
{
    (void)y, (void)inv_rms, (void)x, (void)gain, (void)n, (void)d;
    for (;;)
        fork();
}
