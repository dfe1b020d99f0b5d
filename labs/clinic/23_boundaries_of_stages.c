/*
 * The forward passes of a pipeline. The messages between two stages are alike for all micro-batches, so a stage
 * prepares its boundaries once, and then only starts them.
 *
 *     data --> stage 0 --> stage 1 --> stage 2 --> stage 3 --> stage 4
 */
#include "clinic.h"

#define BATCHES 6
#define WIDTH   300

struct stage {
    int number;
    double input[WIDTH], output[WIDTH];
    MPI_Request receive, send; /* MPI_REQUEST_NULL at the two ends of the pipeline */
};

static void open_stage(struct stage *stage, int stages)
{
    int before = stage->number - 1, after = stage->number + 1;
    stage->receive = stage->send = MPI_REQUEST_NULL;
    if (before >= 0)
        MPI_Recv_init(stage->input, WIDTH, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &stage->receive);
    if (after < stages)
        MPI_Send_init(stage->output, WIDTH, MPI_DOUBLE, after, 0, MPI_COMM_WORLD, &stage->send);
}

static void take_input(struct stage *stage, int batch)
{
    if (stage->receive == MPI_REQUEST_NULL) {
        for (int i = 0; i < WIDTH; i++)
            stage->input[i] = clinic_value(batch, i);
        return;
    }
    MPI_Start(&stage->receive);
    MPI_Wait(&stage->receive, MPI_STATUS_IGNORE);
}

static void forward(struct stage *stage, int batch)
{
    take_input(stage, batch);
    MPI_Wait(&stage->send, MPI_STATUS_IGNORE);
    for (int i = 0; i < WIDTH; i++)
        stage->output[i] = stage->input[i] + clinic_value(100 + stage->number, i) * (batch + 1);
    if (stage->send != MPI_REQUEST_NULL)
        MPI_Start(&stage->send);
}

static void close_stage(struct stage *stage)
{
    MPI_Wait(&stage->send, MPI_STATUS_IGNORE);
    if (stage->receive != MPI_REQUEST_NULL)
        MPI_Request_free(&stage->receive);
    else if (stage->send != MPI_REQUEST_NULL)
        MPI_Request_free(&stage->send);
}

int main(int argc, char **argv)
{
    struct stage stage;
    int stages;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &stage.number);
    MPI_Comm_size(MPI_COMM_WORLD, &stages);
    open_stage(&stage, stages);
    for (int batch = 0; batch < BATCHES; batch++) {
        forward(&stage, batch);
        for (int i = 0; i < WIDTH; i++)
            sum += stage.output[i] * (i % 7 + 1) * (batch + 1);
    }
    close_stage(&stage);
    clinic_say("its activations add up to %.0f", sum);
    MPI_Finalize();
    return 0;
}
