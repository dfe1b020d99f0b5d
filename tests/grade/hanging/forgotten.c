/* Right numbers, and a request that nobody waits for. */
/* replaces: exchange.c */
/* expect: exchange.p2_kib failed request_not_completed */
/* says: rank 0; MPI_Isend; each needs a wait */
#include "vialata/collectives.h"

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    MPI_Request request;
    MPI_Isend(sent, (int)n, MPI_FLOAT, peer, tag, comm, &request); /* told */
    MPI_Recv(received, (int)n, MPI_FLOAT, peer, tag, comm, MPI_STATUS_IGNORE);
    return VL_OK;
}
