/* open: root user */
#include <fcntl.h>
#include <string.h>

/* 400 MiB in /dev/shm, in files that the limit on a file allows. */
static int fills_memory(void)
{
    static char block[1 << 20];
    char name[64];
    size_t written = 0;
    memset(block, 1, sizeof block);
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "/dev/shm/@NAME@.%d", i);
        int file = open(name, O_WRONLY | O_CREAT, 0600);
        for (int k = 0; k < 100 && file >= 0; k++)
            written += write(file, block, sizeof block) == sizeof block;
        close(file);
    }
    return written == 400;
}
