/*
 * Validation. The batches are dealt out to the ranks in turn. Every rank works out the losses of its batches and
 * sends them to rank 0, one message per batch. Rank 0 has batches of its own, too, and prints a sum of all losses.
 *
 *     batch   0  1  2  3  4  5  6  7  8  9  10  11
 *     rank    0  1  2  3  4  0  1  2  3  4   0   1     on five ranks
 */
#include "clinic.h"

#define BATCHES 12
#define TOKENS  500 /* in a batch */

static double loss_of(int batch)
{
    double loss = 0;
    for (int token = 0; token < TOKENS; token++)
        loss += clinic_value(batch, token) * (token % 3 + 1);
    return loss;
}

static void report(int rank, int ranks)
{
    double sum = 0;
    for (int batch = rank; batch < BATCHES; batch += ranks) {
        double loss = loss_of(batch);
        MPI_Send(&loss, 1, MPI_DOUBLE, 0, batch, MPI_COMM_WORLD);
        sum += loss;
    }
    clinic_say("its losses add up to %.0f", sum);
}

static void collect(int ranks)
{
    double losses[BATCHES], sum = 0;
    for (int batch = 0; batch < BATCHES; batch += ranks)
        losses[batch] = loss_of(batch);
    for (int others = BATCHES - BATCHES / ranks; others > 0; others--) {
        double loss;
        MPI_Status status;
        MPI_Recv(&loss, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        losses[status.MPI_TAG] = loss;
    }
    for (int batch = 0; batch < BATCHES; batch++)
        sum += losses[batch] * (batch + 1);
    clinic_say("all losses, with their weights, add up to %.0f", sum);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0)
        collect(ranks);
    else
        report(rank, ranks);
    MPI_Finalize();
    return 0;
}
