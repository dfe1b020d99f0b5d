/* code: uses_reserved_name */
/* only: 02 exchange.p2_synchronous */
#include "vialata/collectives.h"

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    PMPI_Send(sent, (int)n, MPI_FLOAT, peer, tag, comm);
    PMPI_Recv(received, (int)n, MPI_FLOAT, peer, tag, comm, MPI_STATUS_IGNORE);
    return VL_OK;
}
