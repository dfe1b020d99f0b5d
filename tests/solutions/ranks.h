/*
 * For programs that try a reference on several ranks: failed checks are printed, messages are
 * counted, and arrays can be filled with numbers. Included by the file with main().
 */
#ifndef RANKS_H
#define RANKS_H

#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static uint64_t sent_bytes, sent_messages; /* by MPI_Isend */

/* Defined as PMPI_Issend before this is included, every send waits: buffering then hides
 * nothing. */
#ifndef RANKS_ISEND
#define RANKS_ISEND PMPI_Isend
#endif

/* After the condition: a format and its arguments, which say where it was checked. */
#define RANKS_HOLD(condition, ...)                                                                 \
    do {                                                                                           \
        if (!(condition) && ++failures < 10) {                                                     \
            char who[200];                                                                         \
            snprintf(who, sizeof who, __VA_ARGS__);                                                \
            fprintf(stderr, "%s:%d: %s: %s does not hold (%s)\n", __FILE__, __LINE__, who,         \
                    #condition, __func__);                                                         \
        }                                                                                          \
    } while (0)

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    int bytes;
    MPI_Type_size(type, &bytes);
    sent_bytes += (uint64_t)count * (uint64_t)bytes;
    sent_messages++;
    return RANKS_ISEND(buffer, count, type, to, tag, comm, request);
}

/* All bits are set, which is NaN as a float and impossible as a count, so that what was never
 * written is noticed. */
static inline void *bytes_for(size_t bytes)
{
    void *x = malloc(bytes + 1);
    if (x == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    memset(x, 0xff, bytes + 1);
    return x;
}

static inline float *floats(size_t n)
{
    return bytes_for(n * sizeof(float)); /* no more, so that a sanitizer sees one too many */
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
    float *x = floats(n);
    for (size_t i = 0; i < n; i++)
        x[i] = noise(i, seed);
    return x;
}

static inline float *copy_of(const float *x, size_t n)
{
    float *y = floats(n);
    memcpy(y, x, n * sizeof *y);
    return y;
}

#endif
