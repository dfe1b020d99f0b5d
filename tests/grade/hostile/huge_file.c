/* code: crashed_signal */
/* says: SIGXFSZ */
#include "vialata/rmsnorm.h"

#include <fcntl.h>
#include <unistd.h>

enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d)
{
    (void)y, (void)inv_rms, (void)x, (void)gain, (void)n, (void)d;
    static char block[1 << 20];
    int file = open("huge", O_CREAT | O_WRONLY, 0600);
    while (write(file, block, sizeof block) > 0)
        ;
    return VL_OK;
}
