/*
 * Lab 03, station 1, finished: replicas that begin equal and stay equal.
 */
#include "vialata/data_parallel.h"

enum { PIECE = 1 << 28 }; /* elements: 1 GiB, so that no single message outgrows an int of bytes */

enum vl_status vl_replica_equalise(MPI_Comm comm, float *weights, size_t n)
{
    if (weights == NULL && n > 0)
        return VL_EINVAL;
    for (size_t done = 0; done < n; done += PIECE) {
        size_t count = n - done < PIECE ? n - done : PIECE;
        enum vl_status status = vl_broadcast(comm, weights + done, count * sizeof *weights, 0);
        if (status != VL_OK)
            return status;
    }
    return VL_OK;
}

/* A sum and no division: losses carry 1 / tokens of the whole batch already. */
enum vl_status vl_replica_reduce(MPI_Comm comm, float *gradients, size_t n)
{
    if (gradients == NULL && n > 0)
        return VL_EINVAL;
    return vl_all_reduce(comm, gradients, n);
}
