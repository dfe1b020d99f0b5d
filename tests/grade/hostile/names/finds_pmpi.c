/* code: request_not_completed */
/* says: leaves a request open */
/* only: 02 exchange.p2_kib */
#include "../attack.h"
#include "vialata/collectives.h"

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    static float never[1];
    MPI_Request request;
    int (*receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) =
        look_up("/libmpi.so", "PMPI_Irecv");
    receive(never, 1, MPI_FLOAT, peer, tag + 1, comm, &request);
    MPI_Sendrecv(sent, (int)n, MPI_FLOAT, peer, tag, received, (int)n, MPI_FLOAT, peer, tag, comm,
                 MPI_STATUS_IGNORE);
    return VL_OK;
}
