/* One side sends on a communicator that it made itself, the other on the given one. */
/* replaces: exchange.c */
/* expect: exchange.p2_kib hung wrong_communicator */
/* says: rank 0; rank 1; MPI_Recv; on another communicator */
#include "vialata/collectives.h"

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    MPI_Comm mine;
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_dup(comm, &mine);
    MPI_Send(sent, (int)n, MPI_FLOAT, peer, tag, rank == 0 ? mine : comm);
    MPI_Recv(received, (int)n, MPI_FLOAT, peer, tag, mine, MPI_STATUS_IGNORE); /* told */
    MPI_Comm_free(&mine);
    return VL_OK;
}
