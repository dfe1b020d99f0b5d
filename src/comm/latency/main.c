/*
 * How long MPI's smallest calls take on one rank, which is all that a wrapper around them can be seen in. `vialata
 * bench mpi` runs this alone, and under what `vialata mpi` preloads. One line for each: microseconds, how many calls
 * of MPI these were, their names.
 */
#include <mpi.h>
#include <stdio.h>

enum { TIMES = 40000, ROUNDS = 5 };

static double x, y;

static void exchange(void)
{
    MPI_Request requests[2];
    MPI_Isend(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&y, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void swap(void)
{
    MPI_Sendrecv(&x, 1, MPI_DOUBLE, 0, 1, &y, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void look(void)
{
    int there;
    MPI_Iprobe(0, 1, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
}

static void sum(void)
{
    MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The least of some rounds: whatever else the machine does makes it longer. */
static double microseconds(void (*call)(void))
{
    double least = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double began = MPI_Wtime();
        for (int i = 0; i < TIMES; i++)
            call();
        double each = 1e6 * (MPI_Wtime() - began) / TIMES;
        least = each < least ? each : least;
    }
    return least;
}

int main(int argc, char **argv)
{
    static const struct {
        void (*call)(void);
        int calls;
        const char *names;
    } kinds[] = {{exchange, 3, "MPI_Isend, MPI_Irecv, MPI_Waitall"},
                 {swap, 1, "MPI_Sendrecv"},
                 {look, 1, "MPI_Iprobe"},
                 {sum, 1, "MPI_Allreduce"},
                 {meet, 1, "MPI_Barrier"}};
    MPI_Init(&argc, &argv);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        printf("%.4f %d %s\n", microseconds(kinds[i].call), kinds[i].calls, kinds[i].names);
    MPI_Finalize();
    return 0;
}
