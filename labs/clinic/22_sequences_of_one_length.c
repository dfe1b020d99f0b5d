/*
 * In each step, rank 0 gives every other rank a sequence, which is short, medium or long. Ranks whose sequences have
 * the same length form a group for this step. Each of them learns from all sequences of its group. For example:
 *
 *     step 0     short: nobody     medium: ranks 2 3 4     long: rank 1
 *     step 1     short: rank 3     medium: rank 2          long: ranks 1 4
 */
#include "clinic.h"

#define STEPS 6
#define WORDS 200 /* in a sequence */

/* How long the sequence of this rank is: 0, 1 or 2. Rank 0 gets none. */
static int next_length(int step, int ranks)
{
    int length, *lengths = calloc((size_t)ranks, sizeof *lengths);
    lengths[0] = MPI_UNDEFINED;
    for (int r = 1; r < ranks; r++)
        lengths[r] = ((int)clinic_value(step, r) + 8) % 3;
    MPI_Scatter(lengths, 1, MPI_INT, &length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    free(lengths);
    return length;
}

static double learn(MPI_Comm group, int step, int rank)
{
    double words[WORDS], learned = 0;
    for (int i = 0; i < WORDS; i++)
        words[i] = clinic_value(100 * rank + step, i);
    MPI_Allreduce(MPI_IN_PLACE, words, WORDS, MPI_DOUBLE, MPI_SUM, group);
    for (int i = 0; i < WORDS; i++)
        learned += words[i] * (i % 7 + 1);
    return learned;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    double learned = 0;
    MPI_Comm group;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int step = 0; step < STEPS; step++) {
        int length = next_length(step, ranks);
        MPI_Comm_split(MPI_COMM_WORLD, length, rank, &group);
        if (group != MPI_COMM_NULL)
            learned += (step + 1) * learn(group, step, rank);
    }
    if (group != MPI_COMM_NULL)
        MPI_Comm_free(&group);
    if (rank > 0)
        clinic_say("learned %.0f in %d steps", learned, STEPS);
    else
        clinic_say("gave out %d sequences", STEPS * (ranks - 1));
    MPI_Finalize();
    return 0;
}
