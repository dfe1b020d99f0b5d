/*
 * One step of a pipeline. The first stage looks up tokens in the embedding, and the last one uses the same embedding
 * for its output. So both have a gradient for it, and the first stage adds the two up.
 *
 *     activations     stage 0 --> stage 1 --> stage 2 --> stage 3
 *     gradients       stage 0 <-- stage 1 <-- stage 2 <-- stage 3
 *     embedding       stage 0 <-------------------------- stage 3
 */
#include "clinic.h"

#define WIDTH 400 /* elements in an activation, and in the embedding */

enum { ACTIVATION, GRADIENT, EMBEDDING }; /* tags */

static double activation[WIDTH], gradient[WIDTH], embedding[WIDTH];

static void send(const double *what, int stage, int tag)
{
    MPI_Send(what, WIDTH, MPI_DOUBLE, stage, tag, MPI_COMM_WORLD);
}

static void receive(double *what, int stage, int tag)
{
    MPI_Recv(what, WIDTH, MPI_DOUBLE, stage, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void forward(int stage, int stages)
{
    if (stage > 0)
        receive(activation, stage - 1, ACTIVATION);
    for (int i = 0; i < WIDTH; i++)
        activation[i] += clinic_value(stage, i);
    if (stage < stages - 1)
        send(activation, stage + 1, ACTIVATION);
}

static void backward(int stage, int stages)
{
    if (stage < stages - 1)
        receive(gradient, stage + 1, GRADIENT);
    for (int i = 0; i < WIDTH; i++)
        gradient[i] = 2 * gradient[i] + activation[i];
    if (stage > 0)
        send(gradient, stage - 1, GRADIENT);
}

static void add_embedding(int stage, int stages)
{
    for (int i = 0; i < WIDTH; i++)
        embedding[i] = gradient[i] * (i % 3 + 1);
    if (stage == stages - 1)
        send(embedding, 0, EMBEDDING);
    if (stage == 0) {
        double other[WIDTH];
        receive(other, stage + 1, EMBEDDING);
        for (int i = 0; i < WIDTH; i++)
            embedding[i] += other[i];
    }
}

int main(int argc, char **argv)
{
    int rank, ranks;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    forward(rank, ranks);
    backward(rank, ranks);
    add_embedding(rank, ranks);
    for (int i = 0; i < WIDTH; i++)
        sum += gradient[i] * (i % 5 + 1) + embedding[i] * (i % 7 + 1);
    clinic_say("the gradients of stage %d add up to %.0f", rank, sum);
    MPI_Finalize();
    return 0;
}
