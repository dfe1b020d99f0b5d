#include "sandbox/process_limit.h"

#include <errno.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <time.h>

#define START_SECONDS 10.0   /* for a wall to be put up, on a busy machine */
#define STEP          200000 /* nanoseconds between two looks */

/* Since Linux 5.14 a namespace of users has counts of its own. */
static bool kernel_counts_apart(void)
{
    struct utsname system;
    int major = 0, minor = 0;
    return uname(&system) == 0 && sscanf(system.release, "%d.%d", &major, &minor) == 2 &&
           (major > 5 || (major == 5 && minor >= 14));
}

rlim_t vl_process_limit_outside(const struct vl_process *process, const struct vl_sandbox *sandbox,
                                size_t most)
{
    const struct vl_sandbox mine = {.user = sandbox->user, .apart = 1};
    if (sandbox->apart)
        return most;
    if (process->walled && kernel_counts_apart())
        return RLIM_INFINITY;
    return most + 2 * vl_sandbox_count(&mine, NULL); /* threads count too, roughly */
}

bool vl_process_limit_inside(struct vl_process *process, size_t most)
{
    const struct rlimit bound = {most, most};
    double until = vl_clock() + START_SECONDS;
    while (vl_clock() < until) {
        pid_t program = vl_process_program(process);
        if (program > 0 && prlimit(program, RLIMIT_NPROC, &bound, NULL) == 0)
            return true;
        if (vl_process_poll(process, 0))
            return true;
        nanosleep(&(struct timespec){.tv_nsec = STEP}, NULL);
    }
    errno = ETIME;
    return false;
}
