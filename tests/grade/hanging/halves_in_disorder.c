/* Two messages with one tag; the receives are posted the other way round. */
/* replaces: exchange.c */
/* expect: exchange.p2_synchronous failed tag_shared */
/* says: 2 receives from rank; in another order; MPI_Waitall; its own tag */
#include "vialata/collectives.h"

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    int low = (int)(n / 3), high = (int)n - low;
    MPI_Request r[4];
    MPI_Irecv(received + low, high, MPI_FLOAT, peer, tag, comm, &r[0]);
    MPI_Irecv(received, low, MPI_FLOAT, peer, tag, comm, &r[1]);
    MPI_Isend(sent, low, MPI_FLOAT, peer, tag, comm, &r[2]);
    MPI_Isend(sent + low, high, MPI_FLOAT, peer, tag, comm, &r[3]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE); /* told */
    return VL_OK;
}
