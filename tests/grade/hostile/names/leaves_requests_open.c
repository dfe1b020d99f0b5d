/* code: uses_reserved_name */
/* only: 02 exchange.p2_kib */
#include "vialata/collectives.h"

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    static float never[1];
    MPI_Request request;
    PMPI_Irecv(never, 1, MPI_FLOAT, peer, tag + 1, comm, &request);
    MPI_Sendrecv(sent, (int)n, MPI_FLOAT, peer, tag, received, (int)n, MPI_FLOAT, peer, tag, comm,
                 MPI_STATUS_IGNORE);
    return VL_OK;
}
