/*
 * Data parallelism with two buckets of gradients. While the first is being averaged over all ranks, the second is
 * still being computed; then each rank takes a step with both.
 */
#include "clinic.h"

#define BUCKET 50000 /* elements in a bucket */

static double gradients[2][BUCKET], weights[2][BUCKET];

static void backward(int bucket, int rank)
{
    for (int i = 0; i < BUCKET; i++)
        gradients[bucket][i] = clinic_value(10 * rank + bucket, i);
}

static void update(int bucket, int ranks)
{
    for (int i = 0; i < BUCKET; i++)
        weights[bucket][i] -= gradients[bucket][i] / ranks;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Request under_way[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int bucket = 1; bucket >= 0; bucket--) {
        backward(bucket, rank);
        if (rank == 1)
            clinic_pause(50);
        MPI_Iallreduce(MPI_IN_PLACE, gradients[bucket], BUCKET, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                       &under_way[bucket]);
    }
    for (int bucket = 0; bucket < 2; bucket++) {
        update(bucket, ranks);
        MPI_Wait(&under_way[bucket], MPI_STATUS_IGNORE);
    }
    for (int bucket = 0; bucket < 2; bucket++) {
        double sum = 0;
        for (int i = 0; i < BUCKET; i++)
            sum += weights[bucket][i] * ranks * (i % 5 + 1);
        clinic_say("bucket %d of the weights adds up to %.0f", bucket, sum);
    }
    MPI_Finalize();
    return 0;
}
