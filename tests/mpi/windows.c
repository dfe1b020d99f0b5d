/* What `vialata mpi` says of one-sided communication (check_windows.py): the first argument chooses a case. A line
 * that the report must name ends in the name of its case. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, ranks, here, *there;
static MPI_Win window;

static void make(void)
{
    MPI_Win_create(&here, sizeof here, sizeof here, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    here = -1;
}

static void put(int to)
{
    MPI_Put(&rank, 1, MPI_INT, to, 0, 1, MPI_INT, window); /* beyond */
}

/* Fences, locks, a window that MPI allocates. */
static void good(void)
{
    make();
    MPI_Win_fence(0, window);
    put((rank + 1) % ranks);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Win_allocate(sizeof here, sizeof here, MPI_INFO_NULL, MPI_COMM_WORLD, &there, &window);
    *there = -1;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    put(0);
    MPI_Win_unlock(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d: %d %d\n", rank, here, rank == 0 && *there >= 0);
    MPI_Win_free(&window);
}

/* Only some ranks: the others are at work behind the first fence. */
static void skips(void)
{
    make();
    MPI_Win_fence(0, window);
    if (rank != 1)
        MPI_Win_fence(0, window); /* skips */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
}

static void early(void)
{
    make();
    if (rank == 2)
        MPI_Win_fence(0, window); /* early */
    else
        MPI_Win_free(&window);
}

static void beyond(void)
{
    make();
    MPI_Win_fence(0, window);
    put(ranks);
    MPI_Win_fence(0, window);
}

/* Rank 0 keeps its lock. Nothing is known of that, so nobody is accused, and the program ends it itself. */
static void locks(void)
{
    make();
    MPI_Barrier(MPI_COMM_WORLD);
    for (double began = MPI_Wtime(); rank == 0 && MPI_Wtime() < began + 4;)
        ;
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
        put(1);
        MPI_Win_unlock(1, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {
        {"good", good}, {"skips", skips}, {"early", early}, {"beyond", beyond}, {"locks", locks}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (argc > 1 && strcmp(argv[1], cases[i].name) == 0)
            cases[i].run();
    MPI_Finalize();
    return 0;
}
