/* code: bytes_unmetered */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

/* MPI's own call, which no wrapper counts, found without its name. */
EXCHANGE
{
    int (*send_receive)(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int,
                        int, MPI_Comm, MPI_Status *) = look_up("/libmpi.so", "PMPI_Sendrecv");
    send_receive(sent, (int)n, MPI_FLOAT, peer, tag, received, (int)n, MPI_FLOAT, peer, tag, comm,
                 MPI_STATUS_IGNORE);
    return VL_OK;
}
