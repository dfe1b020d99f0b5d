/* code: bytes_unmetered */
/* says: counted */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

/* By TCP, past MPI. It works, and is seen. */
EXCHANGE
{
    struct stream past_mpi = open_stream(comm, peer);
    unblock(past_mpi.file);
    pump(past_mpi.file, sent, past_mpi.file, received, n * sizeof *sent);
    meet(comm);
    return VL_OK;
}
