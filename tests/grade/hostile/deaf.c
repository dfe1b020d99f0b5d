/* code: hung */
#include "vialata/rmsnorm.h"

#include <signal.h>
#include <unistd.h>

enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d)
{
    (void)y, (void)inv_rms, (void)x, (void)gain, (void)n, (void)d;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (int number = 1; number < 65; number++)
        signal(number, SIG_IGN);
    for (;;)
        pause();
}
