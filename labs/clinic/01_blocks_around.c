/*
 * An all-gather around a ring: every rank begins with one block of the weights, and P - 1 steps later it has all of
 * them. In each step a rank passes on, to its right, the block that came last from its left.
 *
 *     rank 0 --> rank 1 --> rank 2 --> rank 3
 *        ^                               |
 *        '-------------------------------'
 */
#include "clinic.h"

#define BLOCK 100000 /* elements in a block */

static void fill(double *block, int owner)
{
    for (int i = 0; i < BLOCK; i++)
        block[i] = clinic_value(owner, i);
}

static void gather(double *weights, int rank, int ranks)
{
    int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    for (int step = 0; step < ranks - 1; step++) {
        double *out = weights + (size_t)((rank + ranks - step) % ranks) * BLOCK;
        double *in = weights + (size_t)((left + ranks - step) % ranks) * BLOCK;
        MPI_Send(out, BLOCK, MPI_DOUBLE, right, step, MPI_COMM_WORLD);
        MPI_Recv(in, BLOCK, MPI_DOUBLE, left, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double *weights = calloc((size_t)ranks * BLOCK, sizeof *weights);
    fill(weights + (size_t)rank * BLOCK, rank);
    gather(weights, rank, ranks);
    for (int owner = 0; owner < ranks; owner++) {
        double sum = 0;
        for (int i = 0; i < BLOCK; i++)
            sum += weights[(size_t)owner * BLOCK + i] * (i % 3 + 1);
        clinic_say("block %d adds up to %.0f", owner, sum);
    }
    free(weights);
    MPI_Finalize();
    return 0;
}
