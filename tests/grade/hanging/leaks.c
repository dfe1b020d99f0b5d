/* Right numbers, and a communicator that nobody frees. */
/* replaces: exchange.c */
/* expect: exchange.p2_kib failed communicator_leaked */
/* says: rank 0; MPI_Comm_free */
#include "vialata/collectives.h"

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    MPI_Comm mine;
    MPI_Comm_dup(comm, &mine); /* told */
    MPI_Sendrecv(sent, (int)n, MPI_FLOAT, peer, tag, received, (int)n, MPI_FLOAT, peer, tag, mine,
                 MPI_STATUS_IGNORE);
    return VL_OK;
}
