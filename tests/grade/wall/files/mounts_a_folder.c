
#include <sys/mount.h>

static int mounts_a_folder(void)
{
    return mount("none", "/tmp", "tmpfs", 0, "") == 0;
}
