/* Both send before they receive: right for short messages, and only by luck. */
/* replaces: exchange.c */
/* expect: exchange.p2_mib hung hung_cycle */
/* expect: exchange.p2_synchronous hung send_needs_buffer */
/* says: rank 0; rank 1; MPI_Send; in a circle */
#include "vialata/collectives.h"

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    MPI_Send(sent, (int)n, MPI_FLOAT, peer, tag, comm); /* told */
    MPI_Recv(received, (int)n, MPI_FLOAT, peer, tag, comm, MPI_STATUS_IGNORE);
    return VL_OK;
}
