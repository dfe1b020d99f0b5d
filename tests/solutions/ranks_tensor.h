/*
 * For check_tensor_parallel.py: what does not hold is said, what is sent is
 * counted, and everything is tried on four kinds of group. Included by the file with the main.
 */
#ifndef RANKS_TENSOR_H
#define RANKS_TENSOR_H

#include "vialata/tensor_parallel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static uint64_t sent_bytes; /* by MPI_Isend */
static struct vl_tensor_group group;

#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        if (!(condition) && ++failures < 10)                                                       \
            fprintf(stderr, "%s:%d: rank %d of %d%s: %s does not hold (%s)\n", __FILE__, __LINE__, \
                    group.rank, group.ranks, group.sequence ? ", sequence" : "", #condition,       \
                    __func__);                                                                     \
    } while (0)

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    int bytes;
    MPI_Type_size(type, &bytes);
    sent_bytes += (uint64_t)count * (uint64_t)bytes;
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

static inline float *room(size_t n)
{
    float *x = malloc((n + 1) * sizeof *x);
    if (x == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (size_t i = 0; i < n; i++)
        x[i] = NAN; /* what is not written is seen */
    return x;
}

/* Between -1 and 1, the same on every rank: number i of the sequence 'seed'. */
static inline float noise(size_t i, size_t seed)
{
    uint64_t x = (uint64_t)i * 0x9e3779b97f4a7c15u + (uint64_t)seed * 0xd1b54a32d192ed03u;
    x = (x ^ (x >> 31)) * 0xbf58476d1ce4e5b9u;
    return (float)((double)(x >> 40) / (double)(1 << 23) - 1.0);
}

static inline float *noises(size_t n, size_t seed)
{
    float *x = room(n);
    for (size_t i = 0; i < n; i++)
        x[i] = noise(i, seed);
    return x;
}

static inline float *copy_of(const float *x, size_t n)
{
    float *y = room(n);
    memcpy(y, x, n * sizeof *y);
    return y;
}

/* The largest difference, beside the largest number there should be. */
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
