/* code: unwritten no_output wrong_value */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

/* Every process whose number may be the other rank's is read at the address that it gives. */
EXCHANGE
{
    size_t bytes = n * sizeof *sent;
    struct iovec here = {received, bytes};
    struct iovec there = {(void *)(intptr_t)swap(comm, (intptr_t)sent, peer), bytes};
    char path[64];
    int pid = (int)swap(comm, getpid(), peer);
    for (int other = 1; other < 100; other++)
        if (other != getpid() || pid != getpid()) {
            process_vm_readv(other, &here, 1, &there, 1, 0);
            snprintf(path, sizeof path, "/proc/%d/mem", other);
            int file = open(path, O_RDONLY);
            (void)!pread(file, received, bytes, (off_t)(intptr_t)there.iov_base);
            close(file);
        }
    meet(comm);
    return VL_OK;
}
