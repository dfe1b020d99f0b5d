/* open: root user */
#include <fcntl.h>

/* The disk, or the memory where TMPDIR is memory: the limit is on one file, not on all. */
static int fills_its_folder(void)
{
    int filled = 0;
    for (int i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "full.%d", i);
        filled += posix_fallocate(open(name, O_RDWR | O_CREAT, 0600), 0, 100 << 20) == 0;
        unlink(name);
    }
    return filled == 4;
}
