/*
 * A new replica joins: rank 0 sends it the layer norms of the model. Each layer has two vectors, a scale and a
 * shift, and rank 0 sends them layer by layer. The others keep the scales of all layers together, and then all
 * shifts, and ask for them in this order; tags tell which vector is which.
 *
 *     rank 0    scale 0, shift 0, scale 1, shift 1, scale 2, shift 2
 *     others    scale 0, scale 1, scale 2, shift 0, shift 1, shift 2
 */
#include "clinic.h"

#define LAYERS 3
#define WIDTH  1024

enum vector { SCALE, SHIFT, VECTORS };

static double norms[VECTORS][LAYERS][WIDTH];

static int tag_of(int layer, enum vector vector)
{
    return layer + (int)vector;
}

static void send_all(int to)
{
    for (int layer = 0; layer < LAYERS; layer++)
        for (int v = SCALE; v < VECTORS; v++)
            MPI_Send(norms[v][layer], WIDTH, MPI_DOUBLE, to, tag_of(layer, v), MPI_COMM_WORLD);
}

static void receive_all(int from)
{
    MPI_Request open[VECTORS * LAYERS], *next = open;
    for (int v = SCALE; v < VECTORS; v++)
        for (int layer = 0; layer < LAYERS; layer++)
            MPI_Irecv(norms[v][layer], WIDTH, MPI_DOUBLE, from, tag_of(layer, v), MPI_COMM_WORLD,
                      next++);
    MPI_Waitall(VECTORS * LAYERS, open, MPI_STATUSES_IGNORE);
}

static void load(void)
{
    for (int layer = 0; layer < LAYERS; layer++)
        for (int i = 0; i < WIDTH; i++) {
            norms[SCALE][layer][i] = 20 + clinic_value(layer, i);
            norms[SHIFT][layer][i] = clinic_value(10 + layer, i);
        }
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0)
        load();
    for (int to = 1; rank == 0 && to < ranks; to++)
        send_all(to);
    if (rank > 0)
        receive_all(0);
    for (int layer = 0; layer < LAYERS; layer++) {
        double sums[VECTORS] = {0, 0};
        for (int i = 0; i < VECTORS * WIDTH; i++)
            sums[i % VECTORS] += norms[i % VECTORS][layer][i / VECTORS] * (i % 8 + 1);
        clinic_say("layer %d: scale %.0f, shift %.0f", layer, sums[SCALE], sums[SHIFT]);
    }
    MPI_Finalize();
    return 0;
}
