/* code: too_much_output */
#include "vialata/rmsnorm.h"

#include <stdio.h>

enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d)
{
    (void)y, (void)inv_rms, (void)x, (void)gain, (void)n, (void)d;
    for (;;)
        puts("all work and no play makes a long line of output, again and again and again");
}
