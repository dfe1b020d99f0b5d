/*
 * ZeRO: the weights of four tensors are laid end to end, and each rank keeps and updates an equal shard of them. A
 * shard may begin or end within a tensor. Gradients are summed over all ranks, each shard on its own rank. Then all
 * ranks get all weights again.
 *
 *     tensors     |         0         |1|     2     |  3  |
 *     4 ranks     |  rank 0 |  rank 1 |  rank 2 |  rank 3 |
 */
#include "clinic.h"

#define TENSORS 4
#define WEIGHTS 1000

static const int sizes[TENSORS] = {500, 40, 310, 150};

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Weights first to first + count of all. */
static void load(double *shard, int first, int count)
{
    for (int tensor = 0, begin = 0; tensor < TENSORS; begin += sizes[tensor++]) {
        int from = larger(first, begin), to = smaller(first + count, begin + sizes[tensor]);
        for (int at = from; at < to; at++)
            shard[at - first] = clinic_value(tensor, at - from);
    }
}

static void update(double *shard, int count, int rank)
{
    double gradients[WEIGHTS], sums[WEIGHTS];
    for (int at = 0; at < WEIGHTS; at++)
        gradients[at] = clinic_value(10 + rank, at);
    MPI_Reduce_scatter_block(gradients, sums, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        shard[i] -= sums[i];
}

int main(int argc, char **argv)
{
    int rank, ranks;
    double shard[WEIGHTS] = {0}, weights[WEIGHTS], sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int count = WEIGHTS / ranks;
    load(shard, rank * count, count);
    update(shard, count, rank);
    MPI_Allgather(shard, count, MPI_DOUBLE, weights, count, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int at = 0; at < WEIGHTS; at++)
        sum += weights[at] * (at % 7 + 1);
    clinic_say("all weights add up to %.0f", sum);
    MPI_Finalize();
    return 0;
}
