/*
 * A backward pass goes from the last layer to the first. As soon as a layer has its gradients, they are summed over
 * all ranks while the layers before it are computed. Rank 0 also keeps a log: for each layer, the sum of the squares
 * of its gradients.
 *
 *     compute     layer 2 | layer 1 | layer 0 |
 *     transfer            | layer 2 ----------->
 *                                   | layer 1 ----->
 */
#include "clinic.h"

#define LAYERS  3
#define WEIGHTS 20000 /* in a layer */

static double gradients[LAYERS][WEIGHTS], squares[LAYERS];
static MPI_Request transfers[LAYERS];

static void backward(int layer, int rank)
{
    clinic_compute(&transfers[layer + 1], LAYERS - 1 - layer);
    for (int i = 0; i < WEIGHTS; i++)
        gradients[layer][i] = clinic_value(10 * layer + rank, i);
}

static void start_sum(int layer)
{
    MPI_Iallreduce(MPI_IN_PLACE, gradients[layer], WEIGHTS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                   &transfers[layer]);
}

static void note_squares(int layer)
{
    MPI_Wait(&transfers[layer], MPI_STATUS_IGNORE);
    for (int i = 0; i < WEIGHTS; i++)
        squares[layer] += gradients[layer][i] * gradients[layer][i];
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int layer = LAYERS - 1; layer >= 0; layer--) {
        backward(layer, rank);
        start_sum(layer);
        if (rank == 0)
            note_squares(layer);
    }
    MPI_Waitall(LAYERS, transfers, MPI_STATUSES_IGNORE);
    for (int layer = 0; layer < LAYERS; layer++) {
        double sum = 0;
        for (int i = 0; i < WEIGHTS; i++)
            sum += gradients[layer][i] * (i % 7 + 1);
        clinic_say("layer %d has gradients that add up to %.0f", layer, sum);
        if (rank == 0)
            clinic_say("layer %d has squares that add up to %.0f", layer, squares[layer]);
    }
    MPI_Finalize();
    return 0;
}
