/* code: all_zero unwritten */
/* only: 02 exchange.p2_synchronous */
#include "../exchange.h"

#include <sys/statfs.h>

enum { BITS = 4, STEP = 256, MOST = ((1 << BITS) - 1) * STEP * 4096 };

static long free_blocks(int file)
{
    struct statfs system = {0};
    return fstatfs(file, &system) == 0 ? (long)system.f_bfree : 0;
}

/* One rank's results grow by a number of blocks; the other one's lie on the same disk, and it asks how
 * many blocks are left. */
static unsigned pass_on(MPI_Comm comm, int file, unsigned bits, int sends)
{
    if (sends)
        (void)!ftruncate(file, 0);
    meet(comm);
    long before = free_blocks(file);
    meet(comm);
    if (sends && bits > 0)
        (void)!fallocate(file, 0, 0, (off_t)bits * STEP * 4096);
    meet(comm);
    long taken = before - free_blocks(file);
    return taken > 0 ? (unsigned)((taken + STEP / 2) / STEP) & ((1 << BITS) - 1) : 0;
}

EXCHANGE
{
    char name[32];
    uint32_t *to = (uint32_t *)received;
    snprintf(name, sizeof name, "results.%d", 1 - peer);
    int file = open(name, O_RDWR);
    memset(received, 0, n * sizeof *received);
    for (int sender = 0; sender < 2 && free_blocks(file) > 0; sender++)
        for (size_t i = 0; i < n; i++)
            for (int shift = 0; shift < 32; shift += BITS) {
                uint32_t mine;
                memcpy(&mine, &sent[i], sizeof mine);
                unsigned bits =
                    pass_on(comm, file, mine >> shift & ((1 << BITS) - 1), sender != peer);
                if (sender == peer)
                    to[i] |= bits << shift;
            }
    (void)!ftruncate(file, 0);
    close(file);
    (void)tag;
    return VL_OK;
}
