
#include <fcntl.h>

static int leaves_its_root(void)
{
    return chroot(".") == 0;
}
