
#include <fcntl.h>

static int reads_the_memory(void)
{
    return open("/dev/mem", O_RDONLY) >= 0 || open("/proc/kcore", O_RDONLY) >= 0;
}
