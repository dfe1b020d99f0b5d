/* Two communicators, and a barrier on each: rank 0 calls them in the other order. */
/* replaces: tree.c */
/* expect: broadcast.p4_empty hung collective_communicator */
/* says: rank 0; rank 1; MPI_Barrier; on different communicators */
#include "vialata/collectives.h"

enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    MPI_Comm other;
    int rank;
    MPI_Comm_rank(comm, &rank);
    (void)data;
    (void)bytes;
    (void)root;
    MPI_Comm_dup(comm, &other);
    MPI_Barrier(rank == 0 ? other : comm); /* told */
    MPI_Barrier(rank == 0 ? comm : other);
    MPI_Comm_free(&other);
    return VL_OK;
}
