/* Right numbers, and one message more than anybody receives. */
/* replaces: exchange.c */
/* expect: exchange.p2_kib failed message_not_received */
/* says: rank 0 sent 1 message with tag 8 to rank 1; never received */
#include "vialata/collectives.h"

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    MPI_Sendrecv(sent, (int)n, MPI_FLOAT, peer, tag, received, (int)n, MPI_FLOAT, peer, tag, comm,
                 MPI_STATUS_IGNORE);
    MPI_Send(sent, 1, MPI_FLOAT, peer, 8, comm);
    return VL_OK;
}
