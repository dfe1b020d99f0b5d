/*
 * Tokens go to their experts, one expert on each rank. The router has grouped the tokens of a rank by expert. Those
 * for the rank's own expert stay where they are, in the midst of the others.
 *
 *     tokens of rank 1    for 0 | for 1 | for 2 | for 3
 *                           |               |       |
 *                         rank 0          rank 2  rank 3
 */
#include "clinic.h"

#define RANKS  6   /* at most */
#define TOKENS 700 /* on each rank */

static double tokens[TOKENS], visitors[RANKS * TOKENS];

/* Tokens for each expert. */
static void route(int *loads, int rank, int ranks)
{
    for (int i = 0; i < TOKENS; i++) {
        loads[((int)clinic_value(100 + rank, i) + 8) % ranks]++;
        tokens[i] = clinic_value(rank, i);
    }
}

/* Where each of the groups begins, if they follow one another. */
static void begin(int *firsts, const int *counts, int ranks)
{
    firsts[0] = 0;
    for (int r = 1; r < ranks; r++)
        firsts[r] = firsts[r - 1] + counts[r - 1];
}

static double weighted(const double *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i] * (i % 17 + 1);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, ranks, loads[RANKS] = {0};
    int outgoing[RANKS], out_firsts[RANKS], incoming[RANKS], in_firsts[RANKS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    route(loads, rank, ranks);
    for (int r = 0; r < ranks; r++)
        outgoing[r] = r == rank ? 0 : loads[r];
    MPI_Alltoall(outgoing, 1, MPI_INT, incoming, 1, MPI_INT, MPI_COMM_WORLD);
    begin(out_firsts, outgoing, ranks);
    begin(in_firsts, incoming, ranks);
    MPI_Alltoallv(tokens, outgoing, out_firsts, MPI_DOUBLE, visitors, incoming, in_firsts,
                  MPI_DOUBLE, MPI_COMM_WORLD);
    for (int r = 0; r < ranks; r++)
        if (r != rank)
            clinic_say("the %d tokens of rank %d add up to %.0f", incoming[r], r,
                       weighted(visitors + in_firsts[r], incoming[r]));
    clinic_say("its own %d tokens add up to %.0f", loads[rank],
               weighted(tokens + out_firsts[rank], loads[rank]));
    MPI_Finalize();
    return 0;
}
