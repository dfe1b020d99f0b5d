/*
 * The output layer of a model whose vocabulary is split over the ranks. For each token, every rank computes the
 * logits of its own words, and rank 0 puts the logits of all words together in the order of the words.
 *
 *     words          0 ... 249    250 ... 499    500 ... 749
 *     computed by    rank 0       rank 1         rank 2
 */
#include "clinic.h"

#define TOKENS 3
#define WORDS  250 /* on each rank */

static void output_layer(double *logits, int token, int rank)
{
    if (rank == 1)
        clinic_pause(30); /* its machine is slower */
    for (int i = 0; i < WORDS; i++)
        logits[i] = clinic_value(token, rank * WORDS + i);
}

static void collect(double *logits, int token, int ranks)
{
    for (int part = 1; part < ranks; part++)
        MPI_Recv(logits + part * WORDS, WORDS, MPI_DOUBLE, MPI_ANY_SOURCE, token, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void report(const double *logits, int token, int ranks)
{
    double sum = 0, weighted = 0;
    for (int word = 0; word < ranks * WORDS; word++) {
        sum += logits[word];
        weighted += logits[word] * (word + 1);
    }
    clinic_say("token %d: the sum is %.0f, the weighted sum is %.0f", token, sum, weighted);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double *logits = calloc((size_t)ranks * WORDS, sizeof *logits);
    for (int token = 0; token < TOKENS; token++) {
        output_layer(logits, token, rank);
        if (rank > 0)
            MPI_Send(logits, WORDS, MPI_DOUBLE, 0, token, MPI_COMM_WORLD);
        else {
            collect(logits, token, ranks);
            report(logits, token, ranks);
        }
    }
    free(logits);
    MPI_Finalize();
    return 0;
}
