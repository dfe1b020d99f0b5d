/* The last rank reduces one element less. */
/* replaces: tree.c */
/* expect: broadcast.p4_empty any collective_count */
/* says: rank 3; MPI_Reduce; a count of 7; with 8 */
#include "vialata/collectives.h"

enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    float numbers[8] = {0}, sum[8];
    int rank;
    MPI_Comm_rank(comm, &rank);
    (void)data;
    (void)bytes;
    (void)root;
    MPI_Reduce(numbers, sum, rank == 3 ? 7 : 8, MPI_FLOAT, MPI_SUM, 0, comm); /* told */
    return VL_OK;
}
