/* A gather is started, and nobody finishes it. */
/* replaces: levels.c */
/* expect: all_reduce_two_level.p4_one_node failed transfer_not_finished */
/* says: rank 0; vl_all_gather_start; vl_transfer_finish */
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
    struct vl_transfer *transfer;
    vl_all_reduce(levels->inside, data, n);
    return vl_all_gather_start(&transfer, levels->inside, data, n, sizeof *data, 3); /* told */
}
