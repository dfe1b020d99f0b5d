/*
 * Runs inside SimGrid: transfers that go on while their rank computes (simulate/ranks/flights.h),
 * and messages that are only asked for.
 *
 *   smpi_flights ELEMENTS
 *
 * prints seconds: of a ring all-reduce that is waited for; of one behind a computation that takes
 * twice as long; of one behind half of it; of one that is polled until it is done; of two at once;
 * and of one message to the next rank, tested until it is there. Then 1 if all sums are right.
 * Needs --cfg=smpi/privatization:dlopen: each rank has globals of its own.
 */
#include "simulate/ranks/flights.h"
#include "simulate/ranks/state.h"
#include "vialata/collectives.h"

#include <simgrid/actor.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks, right = 1;
static float *data[2];
static size_t n;

/* The ranks leave a barrier one after the other, so all wait for one moment. */
static double begin_together(void)
{
    double now = PMPI_Wtime(), latest;
    PMPI_Allreduce(&now, &latest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (size_t i = 0; i < n; i++)
        data[0][i] = data[1][i] = (float)(rank + 1);
    sg_actor_sleep_until(latest + 1);
    return PMPI_Wtime();
}

/* Until the last rank is done; the sums of the first 'arrays' are looked at. */
static double end_together(double begin, int arrays)
{
    double own = PMPI_Wtime() - begin, last;
    PMPI_Allreduce(&own, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int k = 0; k < arrays; k++)
        for (size_t i = 0; i < n; i++)
            right &= data[k][i] == (float)(ranks * (ranks + 1) / 2);
    return last;
}

static void start(struct vl_transfer **transfer, int k)
{
    if (vl_all_reduce_start(transfer, MPI_COMM_WORLD, data[k], n, k) != VL_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static double waited_for(void)
{
    struct vl_transfer *transfer;
    double begin = begin_together();
    start(&transfer, 0);
    vl_transfer_finish(transfer);
    return end_together(begin, 1);
}

static double behind(double seconds)
{
    struct vl_transfer *transfer;
    double begin = begin_together();
    start(&transfer, 0);
    vl_flights_launch(); /* as a phantom kernel does */
    sg_actor_sleep_for(seconds);
    vl_transfer_finish(transfer);
    return end_together(begin, 1);
}

static double polled(void)
{
    struct vl_transfer *transfer;
    int done = 0;
    double begin = begin_together();
    start(&transfer, 0);
    while (!done)
        vl_transfer_poll(transfer, &done);
    vl_transfer_finish(transfer);
    return end_together(begin, 1);
}

static double two_at_once(void)
{
    struct vl_transfer *transfer[2];
    double begin = begin_together();
    start(&transfer[0], 0);
    start(&transfer[1], 1);
    vl_transfer_finish(transfer[1]);
    vl_transfer_finish(transfer[0]);
    return end_together(begin, 2);
}

static double tested(void)
{
    MPI_Request requests[2];
    int done = 0;
    double begin = begin_together();
    MPI_Irecv(data[1], (int)n, MPI_FLOAT, (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD,
              &requests[0]);
    MPI_Isend(data[0], (int)n, MPI_FLOAT, (rank + 1) % ranks, 5, MPI_COMM_WORLD, &requests[1]);
    while (!done)
        MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
    double last = end_together(begin, 0);
    right &= data[1][n - 1] == (float)((rank + ranks - 1) % ranks + 1);
    return last;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    vl_rank_state_begin(ranks);
    for (int k = 0; k < 2; k++)
        data[k] = calloc(n, sizeof *data[k]);
    double alone = waited_for(), hidden = behind(2 * alone), half = behind(alone / 2);
    double asked = polled(), both = two_at_once(), message = tested();
    int everywhere;
    PMPI_Allreduce(&right, &everywhere, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.17g %.17g %.17g %.17g %.17g %.17g %d\n", alone, hidden, half, asked, both,
               message, everywhere);
    for (int k = 0; k < 2; k++)
        free(data[k]);
    MPI_Finalize();
    return 0;
}
