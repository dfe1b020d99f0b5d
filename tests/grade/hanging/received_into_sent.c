/* One buffer for what leaves and for what comes. */
/* replaces: exchange.c */
/* expect: exchange.p2_mib failed buffer_shared */
/* says: receives in MPI_Recv; still sends; memory of its own */
#include "vialata/collectives.h"

#include <string.h>

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    MPI_Request request;
    if (n > 0)
        memcpy(received, sent, n * sizeof *received);
    MPI_Isend(received, (int)n, MPI_FLOAT, peer, tag, comm, &request);         /* told */
    MPI_Recv(received, (int)n, MPI_FLOAT, peer, tag, comm, MPI_STATUS_IGNORE); /* told */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return VL_OK;
}
