
#include <fcntl.h>

static int changes_the_toolchain(void)
{
    return open("/usr/bin/own", O_WRONLY | O_CREAT, 0755) >= 0 || unlink("/usr/bin/cc") == 0;
}
