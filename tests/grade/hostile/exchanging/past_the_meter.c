/* code: bytes_unmetered uses_reserved_name */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

/* MPI's own calls, but those that no wrapper counts. */
EXCHANGE
{
    PMPI_Sendrecv(sent, (int)n, MPI_FLOAT, peer, tag, received, (int)n, MPI_FLOAT, peer, tag, comm,
                  MPI_STATUS_IGNORE);
    return VL_OK;
}
