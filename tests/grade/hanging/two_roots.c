/* Every rank takes the rank before it for the root. */
/* replaces: tree.c */
/* expect: broadcast.p4_empty hung collective_root */
/* says: rank 0; rank 1; MPI_Bcast; with root; the same root */
#include "vialata/collectives.h"

enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    int numbers[65536] = {0};
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    (void)data;
    (void)bytes;
    (void)root;
    MPI_Bcast(numbers, 65536, MPI_INT, (rank + ranks - 1) % ranks, comm); /* told */
    return VL_OK;
}
