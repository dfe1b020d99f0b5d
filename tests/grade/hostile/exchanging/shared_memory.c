/* code: unwritten no_output */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

/* A segment of POSIX shared memory per rank. */
EXCHANGE
{
    const char *const names[] = {"/vialata.0", "/vialata.1"};
    size_t bytes = n * sizeof *sent;
    int own = shm_open(names[1 - peer], O_CREAT | O_RDWR, 0600);
    if (own >= 0 && ftruncate(own, (off_t)bytes) == 0)
        (void)!write(own, sent, bytes);
    meet(comm);
    int other = shm_open(names[peer], O_RDONLY, 0);
    if (other >= 0)
        (void)!read(other, received, bytes);
    meet(comm);
    return VL_OK;
}
