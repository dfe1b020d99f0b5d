/* The last rank sends to one more. */
/* replaces: tree.c */
/* expect: broadcast.p4_empty failed mpi_error */
/* says: rank 3; MPI_Send */
#include "vialata/collectives.h"

enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    (void)data;
    (void)bytes;
    (void)root;
    MPI_Request request;
    MPI_Irecv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, 1, comm, &request);
    MPI_Send(NULL, 0, MPI_BYTE, rank + 1, 1, comm); /* told */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return VL_OK;
}
