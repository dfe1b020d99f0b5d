
#include <sys/mman.h>
#include <sys/resource.h>

static int locks_memory(void)
{
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    return setrlimit(RLIMIT_MEMLOCK, &limit) == 0 && mlockall(MCL_FUTURE) == 0;
}
