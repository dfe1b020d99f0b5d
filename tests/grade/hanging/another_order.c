/* A barrier and a broadcast, in another order on one rank. */
/* replaces: tree.c */
/* expect: broadcast.p4_empty any collective_order */
/* says: rank 3; MPI_Bcast; MPI_Barrier; in the same order */
#include "vialata/collectives.h"

enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    int one = 1;
    int rank;
    MPI_Comm_rank(comm, &rank);
    (void)data;
    (void)bytes;
    (void)root;
    if (rank == 3) {
        MPI_Bcast(&one, 1, MPI_INT, 3, comm); /* told */
        MPI_Barrier(comm);
    } else {
        MPI_Barrier(comm); /* told */
        MPI_Bcast(&one, 1, MPI_INT, 3, comm);
    }
    return VL_OK;
}
