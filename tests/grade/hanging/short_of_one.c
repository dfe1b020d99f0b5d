/* On two levels, one rank of a pair skips the last step, and the other waits for it. */
/* replaces: levels.c */
/* expect: all_reduce_two_level.p8_pairs hung never_sent */
/* says: rank 4; MPI_COMM_WORLD */
#include "vialata/collectives.h"

enum vl_status vl_levels_create(struct vl_levels *levels, MPI_Comm comm, int ranks_per_node)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_split(comm, rank / ranks_per_node, rank, &levels->inside);
    MPI_Comm_split(comm, rank % ranks_per_node, rank, &levels->across);
    return VL_OK;
}

enum vl_status vl_levels_free(struct vl_levels *levels)
{
    MPI_Comm_free(&levels->across);
    MPI_Comm_free(&levels->inside);
    return VL_OK;
}

enum vl_status vl_all_reduce_two_level(const struct vl_levels *levels, float *data, size_t n)
{
    int rank, peer;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_rank(levels->inside, &peer);
    (void)n;
    if (rank == 4)
        MPI_Recv(data, 1, MPI_FLOAT, 1 - peer, 9, levels->inside, MPI_STATUS_IGNORE); /* told */
    return VL_OK;
}
