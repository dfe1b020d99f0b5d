/* code: crashed_segfault */
/* says: overflow.c: */
#include "vialata/rmsnorm.h"

static volatile int depth;

static int deeper(int n)
{
    char room[4096];
    room[n % 4096] = (char)n;
    depth = n;
    return deeper(n + 1) + room[depth % 4096];
}

enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d)
{
    (void)y, (void)inv_rms, (void)x, (void)gain, (void)n, (void)d;
    return deeper(0) ? VL_OK : VL_TODO;
}
