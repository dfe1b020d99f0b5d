
#include <fcntl.h>

static int changes_its_program(void)
{
    return open("/proc/self/exe", O_WRONLY) >= 0;
}
