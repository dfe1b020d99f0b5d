/* code: full */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

#define PIECE 1024 /* floats */

/* Not an attempt: who cuts data into many small messages, waits for each and meets between them, has
 * sent no more than what MPI says. */
EXCHANGE
{
    MPI_Request going[2];
    for (size_t at = 0, piece; at < n; at += piece) {
        piece = n - at < PIECE ? n - at : PIECE;
        MPI_Irecv(received + at, (int)piece, MPI_FLOAT, peer, tag, comm, &going[0]);
        if (at % (n / 8) == 0)
            MPI_Issend(sent + at, (int)piece, MPI_FLOAT, peer, tag, comm, &going[1]);
        else
            MPI_Isend(sent + at, (int)piece, MPI_FLOAT, peer, tag, comm, &going[1]);
        MPI_Waitall(2, going, MPI_STATUSES_IGNORE);
        if (at % (n / 64) == 0)
            meet(comm);
    }
    return VL_OK;
}
