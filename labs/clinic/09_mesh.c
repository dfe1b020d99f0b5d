/*
 * A mesh of ranks. A row holds the whole model, cut into two parts. A column holds copies of one part, and adds up
 * their gradients.
 *
 *                 part 0     part 1
 *     replica 0   rank 0     rank 1
 *     replica 1   rank 2     rank 3
 *     replica 2   rank 4     rank 5
 *
 * After the step, the ranks of a row work out the norm of the whole model. Replica 0 also saves the model: its first
 * rank collects the two parts.
 */
#include "clinic.h"

#define PARTS 2
#define PART  400 /* elements in a part */

static double gradient[PART], weights[PART];
static MPI_Comm row, column;

static void step(int rank)
{
    for (int i = 0; i < PART; i++)
        gradient[i] = clinic_value(rank, i);
    MPI_Allreduce(MPI_IN_PLACE, gradient, PART, MPI_DOUBLE, MPI_SUM, column);
    for (int i = 0; i < PART; i++)
        weights[i] -= gradient[i];
}

static double square_norm(void)
{
    double sum = 0;
    for (int i = 0; i < PART; i++)
        sum += weights[i] * weights[i];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, row);
    return sum;
}

static void save(int part)
{
    double model[PARTS * PART], sum = 0;
    MPI_Gather(weights, PART, MPI_DOUBLE, model, PART, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (part != 0)
        return;
    for (int i = 0; i < PARTS * PART; i++)
        sum += model[i] * (i % 9 + 1);
    clinic_say("saves a model that adds up to %.0f", sum);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int replica = rank / PARTS, part = rank % PARTS;
    MPI_Comm_split(MPI_COMM_WORLD, replica, rank, &row);
    MPI_Comm_split(MPI_COMM_WORLD, part, rank, &column);
    step(rank);
    clinic_say("the square of the norm is %.0f", square_norm());
    if (replica == 0)
        save(part);
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    MPI_Finalize();
    return 0;
}
