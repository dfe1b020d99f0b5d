/*
 * What happens after each epoch of training. The last rank keeps the log. It decides how many batches are used to
 * validate the model, and lets the others know. Then all ranks validate, and their losses are added up for the log.
 *
 *     rank 0, 1, ...     train | hear how many | validate | hand in the loss
 *     the last rank      train | tell how many | validate | add up the losses
 */
#include "clinic.h"

#define EPOCHS  3
#define WEIGHTS 600

static double weights[WEIGHTS];

static void train(int epoch, int rank)
{
    double gradient[WEIGHTS];
    for (int i = 0; i < WEIGHTS; i++)
        gradient[i] = clinic_value(10 * rank + epoch, i);
    MPI_Allreduce(MPI_IN_PLACE, gradient, WEIGHTS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < WEIGHTS; i++)
        weights[i] -= gradient[i];
}

static double validate(int batches, int rank)
{
    double loss = 0;
    for (int batch = 0; batch < batches; batch++)
        for (int i = rank; i < WEIGHTS; i += batch + 1)
            loss += weights[i] * (i % 3 + 1);
    return loss;
}

static void keep_log(int epoch, int rank)
{
    int batches = 4 + 2 * epoch;
    double sum = 0, loss = validate(batches, rank);
    MPI_Reduce(&loss, &sum, 1, MPI_DOUBLE, MPI_SUM, rank, MPI_COMM_WORLD);
    MPI_Bcast(&batches, 1, MPI_INT, rank, MPI_COMM_WORLD);
    clinic_say("epoch %d: on %d batches, the losses add up to %.0f", epoch, batches, sum);
}

static void take_part(int epoch, int rank, int logger)
{
    int batches = 0;
    MPI_Bcast(&batches, 1, MPI_INT, logger, MPI_COMM_WORLD);
    double loss = validate(batches, rank);
    MPI_Reduce(&loss, NULL, 1, MPI_DOUBLE, MPI_SUM, logger, MPI_COMM_WORLD);
    clinic_say("epoch %d: on %d batches, the loss is %.0f", epoch, batches, loss);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        train(epoch, rank);
        if (rank == ranks - 1)
            keep_log(epoch, rank);
        else
            take_part(epoch, rank, ranks - 1);
    }
    MPI_Finalize();
    return 0;
}
