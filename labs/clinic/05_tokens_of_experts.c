/*
 * A layer of experts, one expert per rank. The tokens of a sequence are dealt out to the experts in turn, and each
 * sequence begins two ranks after the one before. Every rank works on its own tokens, and the outputs are added up
 * over all ranks.
 *
 *     sequence 0     token 0 1 2 3 4 5 6 7 8
 *                    rank  0 1 2 3 0 1 2 3 0     on four ranks
 */
#include "clinic.h"

#define SEQUENCES 3
#define LONGEST   9

static const int lengths[SEQUENCES] = {9, 3, 6};

static int expert_of(int sequence, int token, int ranks)
{
    return (token + 2 * sequence) % ranks;
}

static int find_tokens(int sequence, int *tokens, int rank, int ranks)
{
    int count = 0;
    for (int token = 0; token < lengths[sequence]; token++)
        if (expert_of(sequence, token, ranks) == rank)
            tokens[count++] = token;
    return count;
}

static double work(int sequence, int rank, int ranks)
{
    int tokens[LONGEST], count = find_tokens(sequence, tokens, rank, ranks);
    double own = 0, all = 0;
    if (count == 0)
        return 0;
    for (int i = 0; i < count; i++)
        own += (rank + 1) * (tokens[i] + 1) * clinic_value(sequence, tokens[i]);
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int sequence = 0; sequence < SEQUENCES; sequence++) {
        double sum = work(sequence, rank, ranks);
        clinic_say("the outputs of sequence %d add up to %.0f", sequence, sum);
    }
    MPI_Finalize();
    return 0;
}
