/* Every rank calls MPI_Finalize at the end of the function: each returns, and nothing can go on. */
/* replaces: tree.c */
/* expect: broadcast.p4_empty crashed rank_left */
/* says: ended its process; MPI_Finalize */
#include "vialata/collectives.h"

enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    (void)comm;
    (void)data;
    (void)bytes;
    (void)root;
    MPI_Finalize();
    return VL_OK;
}
