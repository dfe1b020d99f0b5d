/*
 * Sharded weights are gathered before a layer needs them. In memory all shards have the same length: shorter ones
 * are padded with zeros, so that one all-gather can fetch them. After it, the padding is taken out. Each rank uses
 * the weights for its own batch, and the losses of all batches are added up.
 *
 *     3 shards of 8 weights    0 1 2 | 3 4 5 | 6 7 .
 */
#include "clinic.h"
#include <string.h>

#define WEIGHTS 30003

static int shard_count(int rank, int ranks)
{
    return WEIGHTS / ranks + (rank < WEIGHTS % ranks);
}

static int shard_first(int rank, int ranks)
{
    int first = 0;
    for (int before = 0; before < rank; before++)
        first += shard_count(before, ranks);
    return first;
}

static void take_padding_out(double *weights, int padded, int ranks)
{
    for (int r = 0; r < ranks; r++)
        memmove(weights + shard_first(r, ranks), weights + r * padded,
                (size_t)shard_count(r, ranks) * sizeof *weights);
}

static double loss_of(int batch, const double *weights)
{
    double loss = 0;
    for (int i = 0; i < WEIGHTS; i++)
        loss += weights[i] * ((i + batch) % 11 + 1);
    return loss;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int padded = shard_count(0, ranks), count = shard_count(rank, ranks);
    double *shard = calloc((size_t)padded, sizeof *shard);
    double *weights = calloc((size_t)(ranks * padded), sizeof *weights);
    for (int i = 0; i < count; i++)
        shard[i] = clinic_value(0, shard_first(rank, ranks) + i);
    MPI_Allgather(shard, count, MPI_DOUBLE, weights, count, MPI_DOUBLE, MPI_COMM_WORLD);
    take_padding_out(weights, padded, ranks);
    double own = loss_of(rank, weights), all;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    clinic_say("its loss is %.0f, and all losses add up to %.0f", own, all);
    free(shard);
    free(weights);
    MPI_Finalize();
    return 0;
}
