/* code: used_threads */
/* only: 01 rmsnorm_forward.speed */
/* It runs wherever it likes. */
#include "../attack.h"

#include <sys/syscall.h>

ATTACK
{
    unsigned char everywhere[128];
    memset(everywhere, 255, sizeof everywhere);
    syscall(SYS_sched_setaffinity, 0, sizeof everywhere, everywhere);
    ANSWER;
    return VL_OK;
}
