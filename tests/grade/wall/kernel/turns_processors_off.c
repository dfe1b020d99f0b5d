
#include <fcntl.h>

static int turns_processors_off(void)
{
    return open("/sys/devices/system/cpu/cpu1/online", O_WRONLY) >= 0;
}
