/* open: user */
#include <sched.h>

static int pins_a_process(void)
{
    cpu_set_t set;
    return sched_getaffinity(PID, sizeof set, &set) == 0 &&
           sched_setaffinity(PID, sizeof set, &set) == 0;
}
