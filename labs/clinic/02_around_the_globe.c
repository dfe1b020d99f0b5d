/*
 * A convolution around the globe. The map is cut into strips of columns, one strip per rank. To smooth its strip, a
 * rank needs one more column from each of its two neighbours. The last strip and the first are neighbours, too.
 *
 *     | rank 0 | rank 1 | rank 2 | rank 3 | rank 4 | rank 0 ...
 *
 * Two neighbours trade columns with each other. An even rank begins with its right neighbour, an odd rank with its
 * left neighbour.
 */
#include "clinic.h"

#define COLUMNS 12  /* in a strip */
#define ROWS    181 /* in a column */

static double map[COLUMNS + 2][ROWS]; /* the first and the last column come from the neighbours */

static void trade(int peer, const double *mine, double *theirs, int rank)
{
    if (rank % 2 == 0) {
        MPI_Recv(theirs, ROWS, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(mine, ROWS, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(mine, ROWS, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
        MPI_Recv(theirs, ROWS, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void trade_borders(int rank, int ranks)
{
    int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    for (int turn = 0; turn < 2; turn++) {
        if ((rank + turn) % 2 == 0)
            trade(right, map[COLUMNS], map[COLUMNS + 1], rank);
        else
            trade(left, map[1], map[0], rank);
    }
}

static double smooth(int column, int row)
{
    return map[column - 1][row] + 2 * map[column][row] + 3 * map[column + 1][row];
}

int main(int argc, char **argv)
{
    int rank, ranks;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int column = 1; column <= COLUMNS; column++)
        for (int row = 0; row < ROWS; row++)
            map[column][row] = clinic_value(rank * COLUMNS + column, row);
    trade_borders(rank, ranks);
    for (int column = 1; column <= COLUMNS; column++)
        for (int row = 0; row < ROWS; row++)
            sum += smooth(column, row) * (column + row % 5);
    clinic_say("the strip adds up to %.0f", sum);
    MPI_Finalize();
    return 0;
}
