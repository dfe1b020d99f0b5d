/*
 * A mixture of experts. The two ranks of a row hold different experts and send each other tokens. The ranks of a
 * column hold copies of the same experts, which stay equal because their gradients are averaged. Every rank has
 * tokens of its own. The loss of the step is the mean over all ranks.
 *
 *                 experts A        experts B
 *                  rank 0   <--->   rank 1
 *                  rank 2   <--->   rank 3
 *                  rank 4   <--->   rank 5
 */
#include "clinic.h"

#define COLUMNS 2
#define TOKENS  50 /* that a rank has for the experts of each column */

struct mesh {
    int rank, column;
    MPI_Comm in_row, in_column;
};

static struct mesh make_mesh(void)
{
    struct mesh mesh;
    MPI_Comm_rank(MPI_COMM_WORLD, &mesh.rank);
    mesh.column = mesh.rank % COLUMNS;
    MPI_Comm_split(MPI_COMM_WORLD, mesh.rank / COLUMNS, mesh.rank, &mesh.in_row);
    MPI_Comm_split(MPI_COMM_WORLD, mesh.column, mesh.rank, &mesh.in_column);
    return mesh;
}

static void travel(const double *from, double *to, const struct mesh *mesh)
{
    MPI_Alltoall(from, TOKENS, MPI_DOUBLE, to, TOKENS, MPI_DOUBLE, mesh->in_row);
}

static double mean(double value, MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, comm);
    return value / size;
}

int main(int argc, char **argv)
{
    double tokens[COLUMNS * TOKENS], guests[COLUMNS * TOKENS], gradient = 0, loss = 0;
    MPI_Init(&argc, &argv);
    struct mesh mesh = make_mesh();
    for (int i = 0; i < COLUMNS * TOKENS; i++)
        tokens[i] = clinic_value(mesh.rank, i);
    travel(tokens, guests, &mesh);
    for (int i = 0; i < COLUMNS * TOKENS; i++) {
        gradient += guests[i] * (i % 5 + 1);
        guests[i] *= mesh.column + 2;
    }
    travel(guests, tokens, &mesh);
    for (int i = 0; i < COLUMNS * TOKENS; i++)
        loss += tokens[i] * tokens[i] * (i % 3 + 1);
    gradient = mean(gradient, mesh.in_column);
    loss = mean(loss, mesh.in_column);
    clinic_say("60 times: the gradient is %.0f, the loss is %.0f", 60 * gradient, 60 * loss);
    MPI_Comm_free(&mesh.in_row);
    MPI_Comm_free(&mesh.in_column);
    MPI_Finalize();
    return 0;
}
