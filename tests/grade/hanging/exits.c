/* One rank ends its process. */
/* replaces: tree.c */
/* expect: broadcast.p4_empty crashed rank_left */
/* says: rank 1 ended its process; never calls exit */
#include "vialata/collectives.h"

#include <stdlib.h>
#include <unistd.h>

enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    (void)data;
    (void)bytes;
    (void)root;
    if (rank == 1) {
        usleep(300000); /* the others are waiting by then */
        exit(0);        /* told */
    }
    MPI_Barrier(comm); /* told */
    return VL_OK;
}
