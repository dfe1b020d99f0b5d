/*
 * ZeRO: of n weights each rank keeps and updates its own shard. Where n cannot be divided by P, the first n % P
 * ranks have one element more. Afterwards everybody gets all shards again.
 *
 *     n = 10, P = 4      rank 0   rank 1   rank 2   rank 3
 *                        0 1 2    3 4 5    6 7      8 9
 */
#include "clinic.h"

#define WEIGHTS 1003

static int shard_count(int rank, int ranks)
{
    return WEIGHTS / ranks + (rank < WEIGHTS % ranks);
}

static int shard_first(int rank, int ranks)
{
    return rank * shard_count(rank, ranks);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    double weights[WEIGHTS] = {0}, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int *counts = calloc((size_t)ranks, sizeof *counts),
        *firsts = calloc((size_t)ranks, sizeof *firsts);
    for (int r = 0; r < ranks; r++) {
        counts[r] = shard_count(r, ranks);
        firsts[r] = shard_first(r, ranks);
    }
    for (int i = 0; i < counts[rank]; i++)
        weights[firsts[rank] + i] = clinic_value(0, firsts[rank] + i);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE, weights, counts, firsts, MPI_DOUBLE,
                   MPI_COMM_WORLD);
    for (int i = 0; i < WEIGHTS; i++)
        sum += weights[i] * (i % 7 + 1);
    clinic_say("has a shard of %d, and all weights add up to %.0f", counts[rank], sum);
    free(counts);
    free(firsts);
    MPI_Finalize();
    return 0;
}
