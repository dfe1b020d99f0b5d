/* Calls with which something begins that is not watched: the beacon says so, and MPI does the rest. */
#include "comm/beacon.h"

#include <mpi.h>

#define NOTED(kind, call) (vl_beacon_note_unwatched(kind), call)

/* ---- other programs ---- */

int MPI_Comm_spawn(const char *command, char *words[], int most, MPI_Info info, int root,
                   MPI_Comm comm, MPI_Comm *made, int errors[])
{
    return NOTED(VL_UNWATCHED_SPAWN,
                 PMPI_Comm_spawn(command, words, most, info, root, comm, made, errors));
}

int MPI_Comm_spawn_multiple(int count, char *commands[], char **words[], const int most[],
                            const MPI_Info infos[], int root, MPI_Comm comm, MPI_Comm *made,
                            int errors[])
{
    return NOTED(VL_UNWATCHED_SPAWN, PMPI_Comm_spawn_multiple(count, commands, words, most, infos,
                                                              root, comm, made, errors));
}

int MPI_Comm_accept(const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made)
{
    return NOTED(VL_UNWATCHED_SPAWN, PMPI_Comm_accept(port, info, root, comm, made));
}

int MPI_Comm_connect(const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made)
{
    return NOTED(VL_UNWATCHED_SPAWN, PMPI_Comm_connect(port, info, root, comm, made));
}

int MPI_Comm_join(int socket, MPI_Comm *made)
{
    return NOTED(VL_UNWATCHED_SPAWN, PMPI_Comm_join(socket, made));
}

/* ---- files ---- */

int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file)
{
    return NOTED(VL_UNWATCHED_FILES, PMPI_File_open(comm, name, mode, info, file));
}
