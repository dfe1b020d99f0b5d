/* One rank finds an error and returns; those after it still wait for what it should pass on. */
/* replaces: tree.c */
/* expect: broadcast.p4_empty hung rank_left */
/* says: rank 1 has returned with the status VL_ENOMEM; 2 of 4 ranks wait; rank 2; rank 3 */
#include "vialata/collectives.h"

enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    (void)data;
    (void)bytes;
    (void)root;
    if (rank == 1)
        return VL_ENOMEM;
    if (rank > 0)
        MPI_Recv(NULL, 0, MPI_BYTE, rank - 1, 6, comm, MPI_STATUS_IGNORE); /* told */
    if (rank + 1 < ranks)
        MPI_Send(NULL, 0, MPI_BYTE, rank + 1, 6, comm);
    return VL_OK;
}
