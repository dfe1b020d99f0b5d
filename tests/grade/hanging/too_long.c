/* The receive is one element too short. */
/* replaces: exchange.c */
/* expect: exchange.p2_kib failed message_truncated */
/* says: rank 0; rank 1; MPI_Recv; has room for */
#include "vialata/collectives.h"

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    MPI_Request request;
    MPI_Isend(sent, (int)n, MPI_FLOAT, peer, tag, comm, &request);
    MPI_Recv(received, (int)n - 1, MPI_FLOAT, peer, tag, comm, MPI_STATUS_IGNORE); /* told */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return VL_OK;
}
