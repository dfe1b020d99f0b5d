/* What malloc gives is added to. */
/* replaces: exchange.c */
/* expect: exchange.p2_mib failed uninitialised */
/* says: memory that came from malloc; never written; calloc */
#include "vialata/collectives.h"

#include <stdlib.h>
#include <string.h>

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    float *sum = malloc((n + 1) * sizeof *sum); /* told */
    MPI_Sendrecv(sent, (int)n, MPI_FLOAT, peer, tag, received, (int)n, MPI_FLOAT, peer, tag, comm,
                 MPI_STATUS_IGNORE);
    for (size_t i = 0; i < n; i++)
        sum[i] += received[i];
    if (n > 0)
        memcpy(received, sum, n * sizeof *received);
    free(sum);
    return VL_OK;
}
