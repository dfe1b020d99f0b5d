/* open: user */
#include <sys/resource.h>

static int limits_a_process(void)
{
    struct rlimit limit;
    return prlimit(PID, RLIMIT_NOFILE, NULL, &limit) == 0;
}
