/*
 * A layer of experts, one on each rank. The router has grouped the tokens of a rank by expert, and every expert gets
 * the same number of them. They go to their experts, and come back to the places they left from. The loss is a sum
 * over the tokens of all ranks.
 *
 *     leaving rank 1      for 0 | for 1 | for 2
 *     arriving there     from 0 | from 1 | from 2
 */
#include "clinic.h"

#define RANKS  6   /* at most */
#define TOKENS 120 /* on a rank, at most */
#define WIDTH  8   /* numbers in a token */

struct groups {
    int counts[RANKS], firsts[RANKS];
};

static double tokens[RANKS * TOKENS][WIDTH], visitors[RANKS * TOKENS][WIDTH];

static void route(struct groups *leaving, int rank, int ranks)
{
    const int count = rank == 1 ? TOKENS : TOKENS / 2; /* rank 1 has longer sequences */
    for (int i = 0; i < count; i++)
        leaving->counts[i % ranks]++;
    for (int i = 0; i < count * WIDTH; i++)
        tokens[i / WIDTH][i % WIDTH] = clinic_value(rank, i);
}

static int line_up(struct groups *groups, int ranks)
{
    for (int r = 1; r < ranks; r++)
        groups->firsts[r] = groups->firsts[r - 1] + groups->counts[r - 1];
    return groups->firsts[ranks - 1] + groups->counts[ranks - 1];
}

static void travel(void *from, const struct groups *out, void *to, const struct groups *in)
{
    MPI_Datatype token;
    MPI_Type_contiguous(WIDTH, MPI_DOUBLE, &token);
    MPI_Type_commit(&token);
    MPI_Alltoallv(from, out->counts, out->firsts, token, to, in->counts, in->firsts, token,
                  MPI_COMM_WORLD);
    MPI_Type_free(&token);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    double own = 0, all;
    struct groups leaving = {{0}, {0}}, arriving = {{0}, {0}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    route(&leaving, rank, ranks);
    MPI_Alltoall(leaving.counts, 1, MPI_INT, arriving.counts, 1, MPI_INT, MPI_COMM_WORLD);
    int count = line_up(&leaving, ranks), visits = line_up(&arriving, ranks);
    travel(tokens, &leaving, visitors, &arriving);
    for (int i = 0; i < visits * WIDTH; i++)
        visitors[i / WIDTH][i % WIDTH] *= rank + 2;
    travel(visitors, &arriving, tokens, &arriving);
    for (int i = 0; i < count * WIDTH; i++)
        own += tokens[i / WIDTH][i % WIDTH] * (i % 13 + 1);
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    clinic_say("had %d visitors; the loss of its own %d tokens is %.0f, of all tokens %.0f", visits,
               count, own, all);
    MPI_Finalize();
    return 0;
}
