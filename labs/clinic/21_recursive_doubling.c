/*
 * An all-reduce by recursive doubling, on any number of ranks. The first 2^k ranks exchange their sums in pairs, one
 * bit of the rank after the other. Each rank above them gives its gradients to a partner before that, and gets the
 * whole sum from it afterwards.
 *
 *     6 ranks     4 -> 0  5 -> 1     0 <-> 1  2 <-> 3     0 <-> 2  1 <-> 3     0 -> 4  1 -> 5
 */
#include "clinic.h"
#include <string.h>

#define BUCKETS 2
#define BUCKET  400 /* elements in a bucket */

enum { GIVE, EXCHANGE, RETURN }; /* tags */

static void add(double *sum, const double *more)
{
    for (int i = 0; i < BUCKET; i++)
        sum[i] += more[i];
}

static void exchange(double *sum, int rank, int paired)
{
    double other[BUCKET];
    for (int bit = 1; bit < paired; bit *= 2) {
        MPI_Sendrecv(sum, BUCKET, MPI_DOUBLE, rank ^ bit, EXCHANGE, other, BUCKET, MPI_DOUBLE,
                     rank ^ bit, EXCHANGE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        add(sum, other);
    }
}

static void sum_by_partner(const double *gradients, double *sum, int partner)
{
    MPI_Request given;
    MPI_Isend(gradients, BUCKET, MPI_DOUBLE, partner, GIVE, MPI_COMM_WORLD, &given);
    MPI_Recv(sum, BUCKET, MPI_DOUBLE, partner, RETURN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void sum_in_pairs(const double *gradients, double *sum, int rank, int paired, int above)
{
    double given[BUCKET] = {0};
    if (above != MPI_PROC_NULL)
        MPI_Recv(given, BUCKET, MPI_DOUBLE, above, GIVE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    memcpy(sum, gradients, BUCKET * sizeof *sum);
    add(sum, given);
    exchange(sum, rank, paired);
    MPI_Send(sum, BUCKET, MPI_DOUBLE, above, RETURN, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, ranks, paired = 1;
    static double gradients[BUCKETS][BUCKET], sums[BUCKETS][BUCKET];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    while (2 * paired <= ranks)
        paired *= 2;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
        double total = 0;
        for (int i = 0; i < BUCKET; i++)
            gradients[bucket][i] = clinic_value(10 * rank + bucket, i);
        if (rank >= paired)
            sum_by_partner(gradients[bucket], sums[bucket], rank - paired);
        else
            sum_in_pairs(gradients[bucket], sums[bucket], rank, paired,
                         rank + paired < ranks ? rank + paired : MPI_PROC_NULL);
        for (int i = 0; i < BUCKET; i++)
            total += sums[bucket][i] * (i % 5 + 1);
        clinic_say("bucket %d adds up to %.0f", bucket, total);
    }
    MPI_Finalize();
    return 0;
}
