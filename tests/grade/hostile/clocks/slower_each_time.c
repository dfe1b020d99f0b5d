/* code: unsteady_times */
/* only: 01 rmsnorm_forward.speed */
#include "../attack.h"
#include <time.h>

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* No two turns take about the same time, so none is believed. Slow it is all the same. */
ATTACK
{
    static double most = 2e5;
    static int64_t returned;
    if (now() - returned > 5000)
        most *= most < 1e8 ? 1.9 : 1;
    ANSWER;
    for (int64_t began = now(); now() < began + (int64_t)most;)
        ;
    returned = now();
    return VL_OK;
}
