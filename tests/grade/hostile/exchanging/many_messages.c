/* code: full */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

#define MESSAGES 64 /* on their way at once */
#define PIECE    64 /* floats in each */

/* Not an attempt: who cuts data into small messages, some of which wait for their receive, and meets
 * in between, has sent no more than what MPI says. */
EXCHANGE
{
    MPI_Request going[2 * MESSAGES];
    int count = 0;
    for (size_t at = 0, piece; at < n; at += piece) {
        piece = n - at < PIECE ? n - at : PIECE;
        MPI_Irecv(received + at, (int)piece, MPI_FLOAT, peer, tag, comm, &going[count++]);
        if (count % 16 == 1)
            MPI_Issend(sent + at, (int)piece, MPI_FLOAT, peer, tag, comm, &going[count++]);
        else
            MPI_Isend(sent + at, (int)piece, MPI_FLOAT, peer, tag, comm, &going[count++]);
        if (count < 2 * MESSAGES && at + piece < n)
            continue;
        MPI_Waitall(count, going, MPI_STATUSES_IGNORE);
        count = 0;
        meet(comm);
    }
    return VL_OK;
}
