/* code: too_much_memory crashed_segfault crashed_signal */
#include "vialata/rmsnorm.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d)
{
    (void)y, (void)inv_rms, (void)x, (void)gain, (void)n, (void)d;
    for (int i = 0; i < 4; i++)
        if (fork() == 0)
            break;
    for (;;) {
        void *block = malloc(64u << 20);
        if (block == NULL)
            sleep(1);
        else
            memset(block, 1, 64u << 20);
    }
}
