/*
 * An interleaved pipeline. Each rank holds two pieces of the model, so every micro-batch passes through all ranks
 * twice.
 *
 *     round 0     rank 0 --> rank 1 --> rank 2 --> rank 3 --.
 *              .--------------------------------------------'
 *     round 1  '> rank 0 --> rank 1 --> rank 2 --> rank 3
 *
 * The tag of a message names its micro-batch, and the round of the piece that it goes to.
 */
#include "clinic.h"

#define ROUNDS        2
#define MICRO_BATCHES 3
#define WIDTH         200 /* elements in an activation */

static double activation[ROUNDS][MICRO_BATCHES][WIDTH];
static MPI_Request sent[ROUNDS * MICRO_BATCHES];
static int sends;

static int tag_of(int round, int micro)
{
    return round * MICRO_BATCHES + micro;
}

static void receive(int round, int micro, int from)
{
    MPI_Recv(activation[round][micro], WIDTH, MPI_DOUBLE, from, tag_of(round, micro),
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send(int round, int micro, int to, int tag)
{
    MPI_Isend(activation[round][micro], WIDTH, MPI_DOUBLE, to, tag, MPI_COMM_WORLD, &sent[sends++]);
}

static void forward(int round, int micro, int rank, int ranks)
{
    int first = round == 0 && rank == 0, last = round == ROUNDS - 1 && rank == ranks - 1;
    if (!first)
        receive(round, micro, (rank + ranks - 1) % ranks);
    for (int i = 0; i < WIDTH; i++)
        activation[round][micro][i] += clinic_value(10 * rank + round, i) * (micro + 1);
    if (!last)
        send(round, micro, (rank + 1) % ranks, tag_of(round, micro));
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int round = 0; round < ROUNDS; round++) {
        double sum = 0;
        for (int micro = 0; micro < MICRO_BATCHES; micro++) {
            forward(round, micro, rank, ranks);
            for (int i = 0; i < WIDTH; i++)
                sum += activation[round][micro][i] * (i % 4 + micro + 1);
        }
        clinic_say("the activations of round %d add up to %.0f", round, sum);
    }
    MPI_Waitall(sends, sent, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
