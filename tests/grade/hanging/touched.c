/* The buffer is written to before the send is complete. */
/* replaces: exchange.c */
/* expect: exchange.p2_mib failed buffer_touched */
/* says: rank 0; MPI_Isend; before it was sent */
#include "vialata/collectives.h"

#include <stdlib.h>
#include <string.h>

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    MPI_Request request;
    float *copy = malloc(n * sizeof *copy);
    memcpy(copy, sent, n * sizeof *copy);
    MPI_Isend(copy, (int)n, MPI_FLOAT, peer, tag, comm, &request); /* told */
    MPI_Recv(received, (int)n, MPI_FLOAT, peer, tag, comm, MPI_STATUS_IGNORE);
    copy[0] += 1;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(copy);
    return VL_OK;
}
