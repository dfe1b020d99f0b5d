
#include <fcntl.h>

static int changes_settings(void)
{
    return open("/proc/sys/kernel/core_pattern", O_WRONLY) >= 0 ||
           open("/proc/sysrq-trigger", O_WRONLY) >= 0;
}
