#include "runner/turns.h"

#include "wire/beacon.h"

void vl_turn_wait(MPI_Comm turns)
{
    int rank;
    char byte;
    if (turns == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(turns, &rank);
    if (rank > 0)
        MPI_Recv(&byte, 1, MPI_CHAR, rank - 1, VL_TURN_TAG, turns, MPI_STATUS_IGNORE);
}

void vl_turn_end(MPI_Comm turns)
{
    int rank, ranks;
    char byte = 0;
    if (turns == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(turns, &rank);
    MPI_Comm_size(turns, &ranks);
    if (rank + 1 < ranks)
        MPI_Send(&byte, 1, MPI_CHAR, rank + 1, VL_TURN_TAG, turns);
}
