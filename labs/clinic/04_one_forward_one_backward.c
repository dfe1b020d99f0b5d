/*
 * A pipeline that works one forward, one backward (1F1B). A stage first runs ahead by as many micro-batches as there
 * are stages after it. Then it alternates, and at the end only backward passes are left. F2 is the forward pass of
 * micro-batch 2, and B2 is its backward pass. On three stages:
 *
 *     stage 0     F0 F1 F2 B0 F3 B1 B2 B3
 *     stage 1     F0 F1 B0 F2 B1 F3 B2 B3
 *     stage 2     F0 B0 F1 B1 F2 B2 F3 B3
 */
#include "clinic.h"

#define MICRO_BATCHES 4
#define WIDTH         60000 /* elements in an activation or a gradient */

static double activation[MICRO_BATCHES][WIDTH], gradient[WIDTH], weight;
static MPI_Request sent[MICRO_BATCHES];

static void forward(int micro, int stage, int stages)
{
    double *x = activation[micro];
    if (stage > 0)
        MPI_Recv(x, WIDTH, MPI_DOUBLE, stage - 1, micro, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < WIDTH; i++)
        x[i] += clinic_value(10 * stage + micro, i);
    if (stage < stages - 1)
        MPI_Isend(x, WIDTH, MPI_DOUBLE, stage + 1, micro, MPI_COMM_WORLD, &sent[micro]);
}

static void backward(int micro, int stage, int stages)
{
    if (stage < stages - 1) {
        MPI_Wait(&sent[micro], MPI_STATUS_IGNORE);
        MPI_Recv(gradient, WIDTH, MPI_DOUBLE, stage + 1, micro, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < WIDTH; i++) {
        gradient[i] = stage < stages - 1 ? gradient[i] + i % 3 : activation[micro][i];
        weight += gradient[i] * activation[micro][i] * (micro + 1);
    }
    if (stage > 0)
        MPI_Send(gradient, WIDTH, MPI_DOUBLE, stage - 1, micro, MPI_COMM_WORLD);
}

static void run(int stage, int stages)
{
    int ahead = stages - 1 - stage < MICRO_BATCHES ? stages - 1 - stage : MICRO_BATCHES;
    for (int micro = 0; micro < ahead; micro++)
        forward(micro, stage, stages);
    for (int micro = ahead; micro < MICRO_BATCHES; micro++) {
        forward(micro, stage, stages);
        backward(micro - ahead, stage, stages);
    }
    for (int micro = MICRO_BATCHES - 1; micro >= MICRO_BATCHES - ahead; micro--)
        backward(micro, stage, stages);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    run(rank, ranks);
    clinic_say("the gradient of the weight is %.0f", weight);
    MPI_Finalize();
    return 0;
}
