/*
 * Lab 09, station 1, finished: the counts of all ranks, and the bias that follows them.
 */
#include "vialata/expert_balance.h"

#include <stdlib.h>
#include <string.h>

enum vl_status vl_balance_bias_update(float *bias, const double *counts, size_t experts, float u)
{
    if (experts > 0 && (bias == NULL || counts == NULL))
        return VL_EINVAL;
    double sum = 0.0;
    for (size_t e = 0; e < experts; e++)
        sum += counts[e];
    /* Counts are whole, so the rounded mean equals a count only if the mean itself does. */
    double mean = sum / (double)experts;
    for (size_t e = 0; e < experts; e++) {
        if (counts[e] < mean)
            bias[e] += u;
        else if (counts[e] > mean)
            bias[e] -= u;
    }
    return VL_OK;
}

/* Not the all-reduce of lab 02: that one adds in float32, which counts exactly only up to 2^24. */
enum vl_status vl_load_reduce(MPI_Comm comm, double *counts, size_t experts)
{
    int rank, ranks;
    if (experts == 0)
        return VL_OK;
    if (counts == NULL)
        return VL_EINVAL;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    size_t n = (size_t)ranks * experts;
    double *all = malloc(n * sizeof *all);
    if (all == NULL)
        return VL_ENOMEM;
    memcpy(all + (size_t)rank * experts, counts, experts * sizeof *counts);
    enum vl_status status = vl_all_gather(comm, all, n, sizeof *all);
    for (size_t e = 0; e < experts && status == VL_OK; e++) {
        counts[e] = 0.0;
        for (size_t r = 0; r < (size_t)ranks; r++)
            counts[e] += all[r * experts + e];
    }
    free(all);
    return status;
}
