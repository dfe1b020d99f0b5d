/* The communicator is the caller's: freeing it is a mistake, even after the last message. */
/* replaces: tree.c */
/* expect: broadcast.p1 any mpi_error */
/* expect: broadcast.p4_empty any mpi_error */
/* says: MPI_Comm_free; communicator */
#include "vialata/collectives.h"

enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    (void)data;
    (void)bytes;
    (void)root;
    MPI_Comm_free(&comm); /* told */
    return VL_OK;
}
