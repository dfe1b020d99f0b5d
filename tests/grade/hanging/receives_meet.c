/* The second half is received one element too low. */
/* replaces: exchange.c */
/* expect: exchange.p2_mib failed receives_overlap */
/* says: into memory that the receive of MPI_Irecv; whichever comes last stays */
#include "vialata/collectives.h"

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    int low = (int)(n / 2), high = (int)n - low;
    MPI_Request r[4];
    MPI_Irecv(received, low, MPI_FLOAT, peer, tag, comm, &r[0]);                  /* told */
    MPI_Irecv(received + low - (n > 1), high, MPI_FLOAT, peer, tag, comm, &r[1]); /* told */
    MPI_Isend(sent, low, MPI_FLOAT, peer, tag, comm, &r[2]);
    MPI_Isend(sent + low, high, MPI_FLOAT, peer, tag, comm, &r[3]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    return VL_OK;
}
