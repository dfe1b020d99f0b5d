/*
 * What the programs of the clinic share: data that every rank can work out, lines that say whose they are, and
 * time that passes as it does on a large machine. Nothing in here is broken.
 *
 * All values are small whole numbers, so sums are exact in any order.
 */
#ifndef VIALATA_CLINIC_H
#define VIALATA_CLINIC_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Element i of a tensor, the same on all ranks: -8 to 8. The number of the tensor is the reader's choice. */
static inline double clinic_value(int tensor, int i)
{
    const char *seed = getenv("VIALATA_CLINIC_SEED");
    unsigned mix = (seed != NULL ? (unsigned)atoi(seed) : 1) * 0x9e3779b1u;
    const unsigned parts[] = {(unsigned)tensor, (unsigned)i};
    for (int part = 0; part < 2; part++)
        mix = ((mix ^ parts[part]) + 0x9e3779b9u) * 0x85ebca6bu, mix ^= mix >> 15;
    return (double)(mix % 17) - 8;
}

/* Print a line: "rank 2: ...". */
__attribute__((format(printf, 1, 2))) static inline void clinic_say(const char *format, ...)
{
    char line[400];
    int rank;
    va_list values;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    printf("rank %d: %s\n", rank, line);
    fflush(stdout);
}

/* Some ranks are slower than others: let this one wait so many milliseconds. */
static inline void clinic_pause(int milliseconds)
{
    const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    nanosleep(&time, NULL);
}

/* Compute for a while, and say how many of these requests are not completed yet. */
static inline void clinic_compute(const MPI_Request *requests, int count)
{
    int open = 0;
    for (int i = 0; i < count; i++)
        open += requests[i] != MPI_REQUEST_NULL;
    clinic_pause(20);
    clinic_say("computed, with %d of %d transfers under way", open, count);
}

#endif
