/*
 * Data parallelism with gradient accumulation. The sequences of a step are divided among the ranks, and each rank
 * computes its own in micro-batches of at most four. The step uses the mean over all sequences, so it is the
 * same on every number of ranks.
 *
 *     rank 0   0 1 2 3 | 4 5 6 7 | 8           rank 2   18 19 20 21 | 22 23 24 25
 *     rank 1   9 10 11 12 | 13 14 15 16 | 17   rank 3   26 27 28 29 | 30 31 32 33
 */
#include "clinic.h"

#define SEQUENCES 34
#define MICRO     4 /* sequences in a micro-batch, at most */
#define WEIGHTS   100

struct share {
    int first, count;
};

static struct share own_share(int rank, int ranks)
{
    int each = SEQUENCES / ranks, more = SEQUENCES % ranks;
    return (struct share){rank * each + (rank < more ? rank : more), each + (rank < more)};
}

/* Adds the mean of these sequences' gradients, times 'scale'. */
static void backward(double *gradient, int first, int count, double scale)
{
    for (int i = 0; i < WEIGHTS; i++) {
        double sum = 0;
        for (int sequence = first; sequence < first + count; sequence++)
            sum += clinic_value(sequence, i);
        gradient[i] += scale * sum / count;
    }
}

/* The mean over the rank's own sequences. */
static void accumulate(double *gradient, struct share own)
{
    int batches = (own.count + MICRO - 1) / MICRO;
    for (int done = 0; done < own.count; done += MICRO) {
        int count = own.count - done < MICRO ? own.count - done : MICRO;
        backward(gradient, own.first + done, count, 1.0 / batches);
    }
}

/* The mean over all sequences, from the means of the ranks. */
static void average(double *gradient, struct share own)
{
    for (int i = 0; i < WEIGHTS; i++)
        gradient[i] *= (double)own.count / SEQUENCES;
    MPI_Allreduce(MPI_IN_PLACE, gradient, WEIGHTS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    double gradient[WEIGHTS] = {0}, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    struct share own = own_share(rank, ranks);
    accumulate(gradient, own);
    average(gradient, own);
    for (int i = 0; i < WEIGHTS; i++)
        sum += SEQUENCES * gradient[i] * (i % 5 + 1);
    clinic_say("has %d sequences; %d times the mean gradient adds up to %.0f", own.count, SEQUENCES,
               sum);
    MPI_Finalize();
    return 0;
}
