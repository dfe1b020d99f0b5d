/* code: unwritten no_output */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

/* A file per rank, wherever one can be written. */
EXCHANGE
{
    static const char *const folders[] = {".", "/tmp", "/var/tmp", "/dev/shm", "/dev", "/"};
    size_t bytes = n * sizeof *sent;
    char path[64];
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/row.%d", folders[i], 1 - peer);
        int file = open(path, O_CREAT | O_WRONLY, 0600);
        (void)!write(file, sent, bytes);
        close(file);
    }
    meet(comm);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/row.%d", folders[i], peer);
        int file = open(path, O_RDONLY);
        (void)!read(file, received, bytes);
        close(file);
    }
    meet(comm);
    return VL_OK;
}
