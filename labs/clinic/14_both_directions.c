/*
 * A reduce-scatter around a ring, in both directions at once, so that the links are busy both ways. Each block of
 * the gradients has two halves: partial sums of the first halves travel to the right, those of the second halves to
 * the left. After P - 1 steps, rank r has the sum of block r over all ranks.
 *
 *     rank 0  --first-->   rank 1  --first-->   rank 2  --first-->   rank 0
 *             <-second--           <-second--           <-second--
 */
#include "clinic.h"

#define HALF 3000 /* elements in half a block */

static double *gradients, scratch[HALF];

static double *half(int block, int ranks, int way)
{
    return gradients + (size_t)(block % ranks * 2 + way) * HALF;
}

static void add(double *sum, const double *part)
{
    for (int i = 0; i < HALF; i++)
        sum[i] += part[i];
}

static void step(int rank, int ranks, int now)
{
    const int ahead[2] = {1, ranks - 1}, behind[2] = {ranks - 1, 1};
    MPI_Request transfers[4];
    for (int way = 0; way < 2; way++) {
        int next = (rank + ahead[way]) % ranks, before = (rank + behind[way]) % ranks;
        MPI_Irecv(scratch, HALF, MPI_DOUBLE, before, way, MPI_COMM_WORLD, &transfers[way]);
        MPI_Isend(half(rank + behind[way] * now, ranks, way), HALF, MPI_DOUBLE, next, way,
                  MPI_COMM_WORLD, &transfers[2 + way]);
    }
    MPI_Waitall(4, transfers, MPI_STATUSES_IGNORE);
    for (int way = 0; way < 2; way++)
        add(half(rank + behind[way] * (now + 1), ranks, way), scratch);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    gradients = calloc((size_t)ranks * 2 * HALF, sizeof *gradients);
    for (int i = 0; i < ranks * 2 * HALF; i++)
        gradients[i] = clinic_value(rank, i);
    for (int now = 1; now < ranks; now++)
        step(rank, ranks, now);
    for (int way = 0; way < 2; way++) {
        double sum = 0;
        for (int i = 0; i < HALF; i++)
            sum += half(rank, ranks, way)[i] * (i % 5 + 1);
        clinic_say("half %d of its block adds up to %.0f", way, sum);
    }
    free(gradients);
    MPI_Finalize();
    return 0;
}
