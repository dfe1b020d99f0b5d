/* One rank computes forever, and the others wait for it. */
/* replaces: tree.c */
/* expect: broadcast.p4_empty hung hung */
/* says: rank 2 is at; 3 of 4 ranks wait; MPI_Barrier; a loop that cannot end */
#include "vialata/collectives.h"

enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    volatile double x = 1;
    int rank;
    MPI_Comm_rank(comm, &rank);
    (void)data;
    (void)bytes;
    (void)root;
    while (rank == 2 && x != 0) /* told */
        continue;
    MPI_Barrier(comm); /* told */
    return VL_OK;
}
