/*
 * The forward pass of a pipeline. Each rank is a stage: it takes the activations of a micro-batch from the stage
 * before it, computes its layer, and sends the result to the next stage. The inputs are kept for the backward pass.
 *
 *     rank 0    m0  m1  m2
 *     rank 1        m0  m1  m2
 *     rank 2            m0  m1  m2
 */
#include "clinic.h"

#define MICRO_BATCHES 3
#define ACTIVATIONS   60000 /* of a micro-batch, between two stages */

static double inputs[MICRO_BATCHES][ACTIVATIONS], outputs[ACTIVATIONS];

static void embed(double *activations, int micro)
{
    for (int i = 0; i < ACTIVATIONS; i++)
        activations[i] = clinic_value(micro, i);
}

static void layer(const double *in, double *out, int stage)
{
    for (int i = 0; i < ACTIVATIONS; i++)
        out[i] = 2 * in[i] + stage + 1;
}

static void forward(int stage, int last)
{
    MPI_Request sent[MICRO_BATCHES];
    for (int micro = 0; micro < MICRO_BATCHES; micro++) {
        sent[micro] = MPI_REQUEST_NULL;
        if (stage == 0)
            embed(inputs[micro], micro);
        else
            MPI_Recv(inputs[micro], ACTIVATIONS, MPI_DOUBLE, stage - 1, micro, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        layer(inputs[micro], outputs, stage);
        if (stage < last)
            MPI_Isend(outputs, ACTIVATIONS, MPI_DOUBLE, stage + 1, micro, MPI_COMM_WORLD,
                      &sent[micro]);
    }
    MPI_Waitall(MICRO_BATCHES, sent, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    clinic_pause(60 * rank); /* a later stage is ready later */
    forward(rank, ranks - 1);
    for (int micro = 0; micro < MICRO_BATCHES; micro++) {
        double sum = 0;
        for (int i = 0; i < ACTIVATIONS; i++)
            sum += inputs[micro][i] * (i % 7 + 1);
        clinic_say("the input of micro-batch %d adds up to %.0f", micro, sum);
    }
    MPI_Finalize();
    return 0;
}
