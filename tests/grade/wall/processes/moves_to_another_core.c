/* open: root user */
#include <sched.h>

/* Away from the one where its time is taken. */
static int moves_to_another_core(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 &&
           sched_setaffinity(0, sizeof set, &set) == 0;
}
