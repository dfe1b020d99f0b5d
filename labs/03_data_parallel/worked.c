/*
 * Lab 03, given: who has which rows, a number summed over all replicas, and the norm.
 *
 * Three small functions to read first. They show the two habits of this lab: everything travels
 * through vialata/collectives.h, and every sum has a fixed order.
 */
#include "vialata/data_parallel.h"

#include <math.h>
#include <stdlib.h>

/* Rows are cut the way a ring cuts elements, so two replicas differ by one row at most. */
enum vl_status vl_replica_rows(size_t *first, size_t *count, size_t rows, int replica, int replicas)
{
    return vl_chunk(first, count, rows, replica, replicas);
}

/*
 * Everybody gets all P values and adds them in the same order: so all have the same bits. An
 * all-reduce would do that too, but it adds floats, and a loss deserves its float64.
 */
enum vl_status vl_replica_sum(MPI_Comm comm, double *value)
{
    int rank, ranks;
    if (value == NULL)
        return VL_EINVAL;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    double *values = malloc((size_t)ranks * sizeof *values);
    if (values == NULL)
        return VL_ENOMEM;
    values[rank] = *value; /* P elements over P ranks: chunk r is element r */

    struct vl_transfer *transfer;
    enum vl_status status =
        vl_all_gather_start(&transfer, comm, values, (size_t)ranks, sizeof *values, 0);
    if (status == VL_OK)
        status = vl_transfer_finish(transfer);
    if (status == VL_OK) {
        double sum = 0.0;
        for (int r = 0; r < ranks; r++)
            sum += values[r];
        *value = sum;
    }
    free(values);
    return status;
}

/*
 * One sum for each chunk, and then the sum of those: the brackets are where P ranks would have put
 * them if each had added up its own chunk alone. No 'omp simd' in the inner loop: it would move the
 * brackets. (The square of a float fits in a double exactly, so only the additions round.)
 */
enum vl_status vl_chunked_norm(double *norm, const float *gradients, const size_t *units,
                               size_t unit_count, int ranks)
{
    if (norm == NULL || units == NULL || ranks < 1)
        return VL_EINVAL;
    if (gradients == NULL && units[unit_count] > units[0])
        return VL_EINVAL;
    double squares = 0.0;
    for (size_t unit = 0; unit < unit_count; unit++) {
        for (int r = 0; r < ranks; r++) {
            size_t first, count;
            enum vl_status status =
                vl_chunk(&first, &count, units[unit + 1] - units[unit], r, ranks);
            if (status != VL_OK)
                return status;
            const float *chunk = gradients + units[unit] + first;
            double own = 0.0;
            for (size_t i = 0; i < count; i++)
                own += (double)chunk[i] * (double)chunk[i];
            squares += own;
        }
    }
    *norm = sqrt(squares);
    return VL_OK;
}
