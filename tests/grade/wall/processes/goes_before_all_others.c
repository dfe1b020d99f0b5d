
#include <sched.h>
#include <sys/resource.h>

static int goes_before_all_others(void)
{
    return setpriority(PRIO_PROCESS, 0, -20) == 0 ||
           sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){1}) == 0;
}
