/* What is received is copied before the wait. */
/* replaces: exchange.c */
/* expect: exchange.p2_mib failed read_before_arrival */
/* says: uses memory that MPI_Irecv; has not filled yet */
#include "vialata/collectives.h"

#include <stdlib.h>
#include <string.h>

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    MPI_Request r[2];
    float *coming = calloc(n + 1, sizeof *coming);
    MPI_Irecv(coming, (int)n, MPI_FLOAT, peer, tag, comm, &r[0]); /* told */
    if (n > 0)
        memcpy(received, coming, n * sizeof *received);
    MPI_Isend(sent, (int)n, MPI_FLOAT, peer, tag, comm, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    free(coming);
    return VL_OK;
}
