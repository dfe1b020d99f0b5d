/*
 * For check_tensor_parallel.py: everything is tried on four kinds of group. Included by the file
 * with main().
 */
#ifndef RANKS_TENSOR_H
#define RANKS_TENSOR_H

#include "ranks.h"
#include "vialata/tensor_parallel.h"

static struct vl_tensor_group group;

#define HOLDS(condition)                                                                           \
    RANKS_HOLD(condition, "rank %d of %d%s", group.rank, group.ranks,                              \
               group.sequence ? ", sequence" : "")

/* The largest difference, relative to the largest expected number. */
static inline double distance(const float *x, const float *truth, size_t n)
{
    double worst = 0.0, scale = 0.0;
    for (size_t i = 0; i < n; i++) {
        double off = fabs((double)x[i] - (double)truth[i]);
        if (isnan(off))
            return NAN; /* near nothing */
        worst = fmax(worst, off);
        scale = fmax(scale, fabs((double)truth[i]));
    }
    return worst / fmax(scale, 1e-30);
}

/* The rows of (n, d) that mean something outside of a layer: all, or this rank's chunk. */
static inline void outside(size_t *first, size_t *count, size_t n)
{
    *first = 0;
    *count = n;
    if (group.sequence)
        vl_chunk(first, count, n, group.rank, group.ranks);
}

static inline void spoil_others(float *x, float with, size_t n, size_t d)
{
    size_t first, count;
    outside(&first, &count, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; (i < first || i >= first + count) && j < d; j++)
            x[i * d + j] = with;
}

/* Is x (n,d), as far as it means something, the truth to within 'bound'? */
static inline int near_outside(const float *x, const float *truth, size_t n, size_t d, double bound)
{
    size_t first, count;
    outside(&first, &count, n);
    return distance(x + first * d, truth + first * d, count * d) <= bound;
}

/* The ranks in order and in reverse, with and without sequence parallelism. Returns what a main
 * should. */
static inline int on_every_group(void (*try)(void))
{
    MPI_Init(NULL, NULL);
    int me, all = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int kind = 0; kind < 4; kind++) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, kind < 2 ? me : -me, &group.comm);
        MPI_Comm_rank(group.comm, &group.rank);
        MPI_Comm_size(group.comm, &group.ranks);
        group.sequence = kind % 2;
        try();
        MPI_Comm_free(&group.comm);
    }
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 0;
}

#endif
