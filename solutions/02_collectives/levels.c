/*
 * Lab 02: two levels. Inside a node the road is broad, between nodes it is narrow, so everything
 * that can be done inside is done there: only 1 / ranks_per_node of the data goes across.
 */
#include "vialata/collectives.h"

enum vl_status vl_levels_create(struct vl_levels *levels, MPI_Comm comm, int ranks_per_node)
{
    int rank, ranks;
    if (levels == NULL)
        return VL_EINVAL;
    *levels = (struct vl_levels){.inside = MPI_COMM_NULL, .across = MPI_COMM_NULL};
    if (ranks_per_node < 1)
        return VL_EINVAL;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (ranks % ranks_per_node != 0)
        return VL_ESHAPE;

    int node = rank / ranks_per_node, place = rank % ranks_per_node;
    int code = MPI_Comm_split(comm, node, place, &levels->inside);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_split(comm, place, node, &levels->across);
    if (code == MPI_SUCCESS)
        return VL_OK;
    vl_levels_free(levels);
    return VL_EINVAL;
}

static void free_communicator(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL)
        MPI_Comm_free(comm); /* leaves MPI_COMM_NULL */
}

enum vl_status vl_levels_free(struct vl_levels *levels)
{
    if (levels == NULL)
        return VL_OK;
    free_communicator(&levels->across);
    free_communicator(&levels->inside);
    return VL_OK;
}

enum vl_status vl_all_reduce_two_level(const struct vl_levels *levels, float *data, size_t n)
{
    if (levels == NULL || (data == NULL && n > 0))
        return VL_EINVAL;
    int place, ranks_per_node;
    MPI_Comm_rank(levels->inside, &place);
    MPI_Comm_size(levels->inside, &ranks_per_node);
    if (n == 0)
        return VL_OK;

    size_t first, count;
    enum vl_status status = vl_chunk(&first, &count, n, place, ranks_per_node);
    if (status == VL_OK)
        status = vl_reduce_scatter(levels->inside, data, n);
    if (status == VL_OK)
        status = vl_all_reduce(levels->across, data + first, count);
    if (status == VL_OK)
        status = vl_all_gather(levels->inside, data, n, sizeof *data);
    return status;
}
