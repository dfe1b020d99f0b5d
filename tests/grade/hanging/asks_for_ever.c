/* A receive for which there is no send, tested again and again instead of waited for. */
/* replaces: exchange.c */
/* expect: exchange.p2_kib hung never_sent */
/* says: rank 0; MPI_Test; from rank 1; tag 77; rank 1 has returned */
#include "vialata/collectives.h"

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Request request;
    int done = 0;
    MPI_Sendrecv(sent, (int)n, MPI_FLOAT, peer, tag, received, (int)n, MPI_FLOAT, peer, tag, comm,
                 MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Irecv(received, (int)n, MPI_FLOAT, peer, 77, comm, &request);
    while (rank == 0 && !done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* told */
    return VL_OK;
}
