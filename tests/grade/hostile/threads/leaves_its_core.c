/* code: used_threads too_slow */
/* only: 01 rmsnorm_forward.speed */
/* It runs wherever it likes, if it is allowed to. */
#include "../attack.h"

#include <sys/syscall.h>

ATTACK
{
    unsigned char everywhere[128];
    memset(everywhere, 255, sizeof everywhere);
    syscall(SYS_sched_setaffinity, 0, sizeof everywhere, everywhere);
    for (int slowly = 0; slowly < 20; slowly++)
        ANSWER;
    return VL_OK;
}
