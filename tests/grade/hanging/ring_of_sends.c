/* Each sends to the right before it receives from the left. */
/* replaces: tree.c */
/* expect: broadcast.p4_synchronous hung send_needs_buffer */
/* says: rank 0; rank 1; rank 2; rank 3; MPI_Send; in a circle */
#include "vialata/collectives.h"

enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    (void)root;
    MPI_Send(data, (int)bytes, MPI_BYTE, (rank + 1) % ranks, 5, comm); /* told */
    MPI_Recv(data, (int)bytes, MPI_BYTE, (rank - 1 + ranks) % ranks, 5, comm, MPI_STATUS_IGNORE);
    return VL_OK;
}
