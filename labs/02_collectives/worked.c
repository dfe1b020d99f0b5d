/*
 * Lab 02, the worked functions: read them first; the others build on them.
 *
 * vl_chunk says who owns what. A blocking collective is one that is started and then finished.
 */
#include "vialata/collectives.h"

enum vl_status vl_chunk(size_t *first, size_t *count, size_t n, int rank, int ranks)
{
    if (first == NULL || count == NULL || rank < 0 || rank >= ranks)
        return VL_EINVAL;
    size_t r = (size_t)rank, share = n / (size_t)ranks, left = n % (size_t)ranks;
    *first = r * share + (r < left ? r : left); /* every chunk before this one may be longer */
    *count = share + (r < left);
    return VL_OK;
}

enum vl_status vl_reduce_scatter(MPI_Comm comm, float *data, size_t n)
{
    struct vl_transfer *transfer = NULL;
    enum vl_status status = vl_reduce_scatter_start(&transfer, comm, data, n, 0);
    return status == VL_OK ? vl_transfer_finish(transfer) : status;
}

enum vl_status vl_all_gather(MPI_Comm comm, void *data, size_t n, size_t element_bytes)
{
    struct vl_transfer *transfer = NULL;
    enum vl_status status = vl_all_gather_start(&transfer, comm, data, n, element_bytes, 0);
    return status == VL_OK ? vl_transfer_finish(transfer) : status;
}

enum vl_status vl_all_reduce(MPI_Comm comm, float *data, size_t n)
{
    struct vl_transfer *transfer = NULL;
    enum vl_status status = vl_all_reduce_start(&transfer, comm, data, n, 0);
    return status == VL_OK ? vl_transfer_finish(transfer) : status;
}
