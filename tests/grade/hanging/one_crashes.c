/* One rank of several crashes. */
/* replaces: tree.c */
/* expect: broadcast.p4_empty crashed crashed_segfault */
/* says: rank 2, at */
#include "vialata/collectives.h"

enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    volatile int *nowhere = NULL;
    int rank;
    MPI_Comm_rank(comm, &rank);
    (void)data;
    (void)bytes;
    (void)root;
    if (rank == 2)
        *nowhere = 1; /* told */
    MPI_Barrier(comm);
    return VL_OK;
}
