/* The request of a send is freed instead of waited for. */
/* replaces: exchange.c */
/* expect: exchange.p2_mib failed request_freed */
/* says: frees the request of MPI_Isend; Wait for it instead */
#include "vialata/collectives.h"

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    MPI_Request request;
    MPI_Isend(sent, (int)n, MPI_FLOAT, peer, tag, comm, &request); /* told */
    MPI_Request_free(&request);
    MPI_Recv(received, (int)n, MPI_FLOAT, peer, tag, comm, MPI_STATUS_IGNORE);
    return VL_OK;
}
