/* open: root user */
#include <fcntl.h>
#include <sys/mman.h>

/* In files without a name: what counts the memory of a case does not see them. */
static int keeps_memory_in_files(void)
{
    int kept = 0;
    for (int i = 0; i < 4; i++)
        kept += posix_fallocate(memfd_create("own", 0), 0, 100 << 20) == 0;
    return kept == 4;
}
