/* Both receive before they send. */
/* replaces: exchange.c */
/* expect: exchange.p2_kib hung hung_cycle */
/* says: rank 0; rank 1; MPI_Recv; in a circle; send first */
#include "vialata/collectives.h"

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    MPI_Recv(received, (int)n, MPI_FLOAT, peer, tag, comm, MPI_STATUS_IGNORE); /* told */
    MPI_Send(sent, (int)n, MPI_FLOAT, peer, tag, comm);
    return VL_OK;
}
