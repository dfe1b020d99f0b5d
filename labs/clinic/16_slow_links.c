/*
 * Gradients are added up over nodes of two ranks each. Links between nodes are slow, so on the way up the leader of
 * a node, its first rank, sends the node's sum in single precision. The total comes down in double precision.
 * (Small whole numbers are exact in both.)
 *
 *     rank 0   <--  rank 2, rank 4     the leaders, up and down
 *       |             |       |
 *     rank 1        rank 3  rank 5
 */
#include "clinic.h"

#define NODE      2    /* ranks on a node */
#define GRADIENTS 5000 /* on each rank */

static double gradients[GRADIENTS];
static float wire[GRADIENTS];

static void up(int rank, int ranks)
{
    for (int i = 0; i < GRADIENTS; i++)
        wire[i] = (float)gradients[i];
    if (rank > 0)
        MPI_Send(wire, GRADIENTS, MPI_FLOAT, 0, 1, MPI_COMM_WORLD);
    for (int leader = NODE; rank == 0 && leader < ranks; leader += NODE) {
        MPI_Recv(wire, GRADIENTS, MPI_FLOAT, leader, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < GRADIENTS; i++)
            gradients[i] += wire[i];
    }
}

static void down(int rank, int ranks)
{
    if (rank > 0)
        MPI_Recv(gradients, GRADIENTS, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int leader = NODE; rank == 0 && leader < ranks; leader += NODE)
        MPI_Send(gradients, GRADIENTS, MPI_FLOAT, leader, 2, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    double sum = 0;
    MPI_Comm node;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split(MPI_COMM_WORLD, rank / NODE, rank, &node);
    for (int i = 0; i < GRADIENTS; i++)
        gradients[i] = clinic_value(rank, i);
    MPI_Allreduce(MPI_IN_PLACE, gradients, GRADIENTS, MPI_DOUBLE, MPI_SUM, node);
    if (rank % NODE == 0) {
        up(rank, ranks);
        down(rank, ranks);
    }
    MPI_Bcast(gradients, GRADIENTS, MPI_DOUBLE, 0, node);
    for (int i = 0; i < GRADIENTS; i++)
        sum += gradients[i] * (i % 9 + 1);
    clinic_say("the gradients of all ranks add up to %.0f", sum);
    MPI_Comm_free(&node);
    MPI_Finalize();
    return 0;
}
