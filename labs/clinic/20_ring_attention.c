/*
 * Ring attention with two heads. Every rank keeps its queries, and the keys of all ranks pass by: those of head 0
 * travel to the right, those of head 1 to the left. A rank compares its queries with its own keys first, and
 * in each of the P - 1 steps after it with the keys that have just come.
 *
 *     keys of head 0    0 --> 1 --> 2 --> 3 --> 0
 *     keys of head 1    0 <-- 1 <-- 2 <-- 3 <-- 0
 */
#include "clinic.h"

#define HEADS 2
#define KEYS  2000 /* numbers in the keys of a head, of one rank */

struct neighbours {
    int left, right;
};

static double queries[HEADS][KEYS], keys[2][HEADS][KEYS];

static struct neighbours neighbours(int rank, int ranks)
{
    if (rank == 0)
        return (struct neighbours){ranks - 1, 1 % ranks};
    if (rank == ranks - 1)
        return (struct neighbours){0, rank - 1};
    return (struct neighbours){rank - 1, rank + 1};
}

static void pass(struct neighbours to, double here[HEADS][KEYS], double next[HEADS][KEYS])
{
    MPI_Request open[4];
    MPI_Irecv(next[0], KEYS, MPI_DOUBLE, to.left, 0, MPI_COMM_WORLD, &open[0]);
    MPI_Irecv(next[1], KEYS, MPI_DOUBLE, to.right, 0, MPI_COMM_WORLD, &open[1]);
    MPI_Isend(here[0], KEYS, MPI_DOUBLE, to.right, 0, MPI_COMM_WORLD, &open[2]);
    MPI_Isend(here[1], KEYS, MPI_DOUBLE, to.left, 0, MPI_COMM_WORLD, &open[3]);
    MPI_Waitall(4, open, MPI_STATUSES_IGNORE);
}

static double score(const double *query, const double *key)
{
    double sum = 0;
    for (int i = 0; i < KEYS; i++)
        sum += query[i] * key[i];
    return sum;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    double scores[HEADS] = {0, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < HEADS * KEYS; i++) {
        queries[i / KEYS][i % KEYS] = clinic_value(rank, i);
        keys[0][i / KEYS][i % KEYS] = clinic_value(100 + rank, i);
    }
    for (int step = 0; step < ranks; step++) {
        if (step > 0)
            pass(neighbours(rank, ranks), keys[(step - 1) % 2], keys[step % 2]);
        for (int head = 0; head < HEADS; head++)
            scores[head] += score(queries[head], keys[step % 2][head]) * (step + 1);
    }
    clinic_say("the scores add up to %.0f for head 0, to %.0f for head 1", scores[0], scores[1]);
    MPI_Finalize();
    return 0;
}
