/* Rank 2 skips the barrier that the others make. */
/* replaces: tree.c */
/* expect: broadcast.p4_empty hung rank_left */
/* says: rank 2 has returned; 3 of 4 ranks wait; MPI_Barrier; rank 0; rank 1; rank 3 */
#include "vialata/collectives.h"

enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    (void)data;
    (void)bytes;
    (void)root;
    if (rank == 2)
        return VL_OK;
    MPI_Barrier(comm); /* told */
    return VL_OK;
}
