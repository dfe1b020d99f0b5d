/* Each sends to the right, and waits for a message from the right. */
/* replaces: tree.c */
/* expect: broadcast.p4_empty hung wrong_peer */
/* says: MPI_Recv; rank 0; rank 1; rank 2; which does not receive it */
#include "vialata/collectives.h"

enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    (void)data;
    (void)bytes;
    (void)root;
    int right = (rank + 1) % ranks;
    MPI_Send(NULL, 0, MPI_BYTE, right, 7, comm);
    MPI_Recv(NULL, 0, MPI_BYTE, right, 7, comm, MPI_STATUS_IGNORE); /* told */
    return VL_OK;
}
