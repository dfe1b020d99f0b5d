/* open: user */
#include <sys/resource.h>

static int slows_a_process_down(void)
{
    return setpriority(PRIO_PROCESS, PID, 19) == 0;
}
