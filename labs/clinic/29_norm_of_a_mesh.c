/*
 * Before a step, gradients are clipped by their norm. That takes the sum of the squares of all gradients of the
 * model. The model is on a mesh, where two ranks share each stage of a pipeline:
 *
 *     up          each rank has half of it       stage 0     rank 0   rank 1
 *     up bias     each rank has half of it       stage 1     rank 2   rank 3
 *     down        each rank has half of it       stage 2     rank 4   rank 5
 *     down bias   both ranks have all of it
 *     gain        both ranks have all of it
 */
#include "clinic.h"

#define SHARING 2 /* ranks that share a stage */
#define WIDTH   24
#define HALF    48 /* of the hidden width */

enum { UP, UP_BIAS, DOWN, DOWN_BIAS, GAIN, TENSORS };

/* Over this part of a tensor. */
static double squares(int tensor, int first, int count)
{
    double sum = 0;
    for (int i = first; i < first + count; i++)
        sum += clinic_value(tensor, i) * clinic_value(tensor, i);
    return sum;
}

static double own_squares(int stage, int place)
{
    int tensor = stage * TENSORS, matrix = HALF * WIDTH;
    double sum = squares(tensor + UP, place * matrix, matrix);
    sum += squares(tensor + UP_BIAS, place * HALF, HALF);
    sum += squares(tensor + DOWN, place * matrix, matrix);
    sum += squares(tensor + DOWN_BIAS, 0, WIDTH);
    if (place == 0)
        sum += squares(tensor + GAIN, 0, WIDTH);
    return sum;
}

static double sum_over(double value, MPI_Comm comm)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, comm);
    return value;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm row, column;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int stage = rank / SHARING, place = rank % SHARING;
    MPI_Comm_split(MPI_COMM_WORLD, stage, place, &row);
    MPI_Comm_split(MPI_COMM_WORLD, place, stage, &column);
    double in_stage = sum_over(own_squares(stage, place), row);
    double in_model = sum_over(in_stage, column);
    clinic_say("the squares add up to %.0f in stage %d, and to %.0f in the model", in_stage, stage,
               in_model);
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    MPI_Finalize();
    return 0;
}
