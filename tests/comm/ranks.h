/*
 * What the programs ranks_*.c share. check_ranks.py starts each on several ranks; it checks, and
 * exits with 1 if any check failed on any rank. Every rank can look at every beacon.
 */
#ifndef VIALATA_TESTS_COMM_RANKS_H
#define VIALATA_TESTS_COMM_RANKS_H

#include "comm/beacon.h"
#include "comm/count.h"
#include "comm/meter.h"

#include <fcntl.h>
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_RANKS 8

static int rank, ranks, failures;
static const char *scene;
static struct vl_beacon *beacons; /* of all ranks */
static struct vl_beacon *mine;

static void check_equal(long long got, long long expected, const char *what, int line)
{
    if (got == expected)
        return;
    failures++;
    printf("rank %d of %d, %s, line %d: %s is %lld, not %lld\n", rank, ranks, scene, line, what,
           got, expected);
}

#define EQUAL(got, expected) check_equal((long long)(got), (long long)(expected), #got, __LINE__)
#define TRUE(what)           check_equal((what) != 0, 1, #what, __LINE__)

/* Begin a new case, with the meter at zero. */
static void begin(const char *name, int strict, int synchronous)
{
    scene = name;
    PMPI_Barrier(MPI_COMM_WORLD);
    vl_beacon_begin(strict, synchronous);
    vl_meter_reset();
    PMPI_Barrier(MPI_COMM_WORLD);
}

static inline void row_is(uint32_t communicator, uint32_t operation, long long calls,
                          long long sent, long long sent_bytes, long long received,
                          long long received_bytes)
{
    const struct vl_meter_row *row = vl_meter_row(communicator, operation);
    EQUAL(row->calls, calls);
    EQUAL(row->sent_messages, sent);
    EQUAL(row->sent_bytes, sent_bytes);
    EQUAL(row->received_messages, received);
    EQUAL(row->received_bytes, received_bytes);
}

static inline const struct vl_beacon_channel *channel(uint32_t communicator, int peer, int tag)
{
    static const struct vl_beacon_channel none;
    for (uint32_t i = 0; i < mine->channels_used; i++) {
        const struct vl_beacon_channel *one = &mine->channel[i];
        if (one->communicator == communicator && one->peer == peer && one->tag == tag)
            return one;
    }
    return &none;
}

/* The path of a file for the beacons is the last argument. */
static void start(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int file = open(argv[argc - 1], O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, (off_t)(MOST_RANKS * sizeof *beacons)) != 0)
        PMPI_Abort(MPI_COMM_WORLD, 2);
    beacons = mmap(NULL, MOST_RANKS * sizeof *beacons, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (beacons == MAP_FAILED)
        PMPI_Abort(MPI_COMM_WORLD, 2);
    mine = &beacons[rank];
    vl_beacon_use(mine);
}

static int finish(void)
{
    int all = 0;
    PMPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    vl_beacon_end(0);
    fflush(stdout);
    MPI_Finalize();
    return all != 0;
}

#endif
