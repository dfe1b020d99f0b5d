/*
 * For programs that try a reference on several ranks: what does not hold is said, what is sent is
 * counted, and there is memory with numbers in it. Included by the file with the main.
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

/* PMPI_Issend, defined before this is included, has every send wait: buffering then hides nothing.
 */
#ifndef RANKS_ISEND
#define RANKS_ISEND PMPI_Isend
#endif

/* The words after the condition, a format and what it needs, say who and when. */
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

/* All bits set: in floats NaN, in counts more than there can be. What is not written is seen. */
static inline void *bytes_for(size_t bytes)
{
    void *x = malloc(bytes + 1);
    if (x == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    memset(x, 0xff, bytes + 1);
    return x;
}

static inline float *room(size_t n)
{
    return bytes_for(n * sizeof(float)); /* no more, so that a sanitizer sees the one too many */
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

#endif
