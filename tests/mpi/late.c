/* Rank 0 makes a mistake before rank 1 has come out of MPI_Init: the program puts its own PMPI_Init before MPI's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int PMPI_Init(int *argc, char ***argv)
{
    int (*init)(int *, char ***);
    *(void **)&init = dlsym(RTLD_NEXT, "PMPI_Init");
    int result = init(argc, argv);
    if (strcmp(getenv("OMPI_COMM_WORLD_RANK"), "1") == 0)
        sleep(30);
    return result;
}

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    if (strcmp(argv[1], "mistake") == 0)
        MPI_Comm_size(MPI_COMM_NULL, &size);
    else if (strcmp(argv[1], "exit") == 0)
        exit(3);
    else
        MPI_Abort(MPI_COMM_WORLD, 4);
    MPI_Finalize();
    return 0;
}
