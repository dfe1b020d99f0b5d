/* The tag depends on the rank, so the two ends use different ones. */
/* replaces: exchange.c */
/* expect: exchange.p2_kib hung wrong_tag */
/* expect: exchange.p2_synchronous hung wrong_tag */
/* says: rank 0; rank 1; MPI_Waitall|MPI_Wait; its tag is */
#include "vialata/collectives.h"

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Request both[2];
    MPI_Irecv(received, (int)n, MPI_FLOAT, peer, tag + rank, comm, &both[0]);
    MPI_Isend(sent, (int)n, MPI_FLOAT, peer, tag + rank, comm, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE); /* told */
    return VL_OK;
}
