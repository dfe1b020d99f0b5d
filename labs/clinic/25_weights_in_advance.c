/*
 * ZeRO, stage 3: each layer has one owner that keeps its weights, and the other ranks get them only for the time
 * they are used. While a layer is computed, the weights of the next one are already on their way.
 *
 *     transfer    layer 0 | layer 1       | layer 2       |
 *     compute             | layer 0       | layer 1       | layer 2       |
 */
#include "clinic.h"

#define LAYERS 3
#define WIDTH  20000 /* weights in a layer */

struct model {
    int rank, ranks;
    double weights[LAYERS][WIDTH];
    MPI_Request arrival[LAYERS];
};

static int owns(const struct model *model, int layer)
{
    return layer % model->ranks == model->rank;
}

static void load(struct model *model)
{
    for (int layer = 0; layer < LAYERS; layer++) {
        model->arrival[layer] = MPI_REQUEST_NULL;
        for (int i = 0; owns(model, layer) && i < WIDTH; i++)
            model->weights[layer][i] = clinic_value(layer, i);
    }
}

static void start_transfer(struct model *model, int layer)
{
    MPI_Ibcast(model->weights[layer], WIDTH, MPI_DOUBLE, layer % model->ranks, MPI_COMM_WORLD,
               &model->arrival[layer]);
}

static double compute(struct model *model, int layer)
{
    double output = 0;
    clinic_compute(&model->arrival[layer + 1], layer + 1 < LAYERS);
    for (int i = 0; i < WIDTH; i++)
        output += model->weights[layer][i] * clinic_value(100 + model->rank, i);
    return output;
}

int main(int argc, char **argv)
{
    static struct model model;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &model.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &model.ranks);
    load(&model);
    for (int layer = 0; layer < LAYERS; layer++) {
        if (layer == 0 || owns(&model, layer))
            start_transfer(&model, layer);
        MPI_Wait(&model.arrival[layer], MPI_STATUS_IGNORE);
        if (layer + 1 < LAYERS && !owns(&model, layer + 1))
            start_transfer(&model, layer + 1);
        clinic_say("layer %d gives %.0f", layer, compute(&model, layer));
    }
    MPI_Finalize();
    return 0;
}
