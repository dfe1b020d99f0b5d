/*
 * Lab 02, first fifteen minutes: two ranks swap what they have, however much it is.
 *
 * Here is an attempt. It works for small arrays, and never returns for large ones. Delete the
 * marked line, and then, in a terminal:
 *
 *     ./vialata grade 02 --only vl_exchange
 *
 * Read the report, find out why, and mend it. The contract is in include/vialata/collectives.h.
 */
#include "vialata/collectives.h"

#include <limits.h>

/* include/vialata/collectives.h: 'received' gets what the other rank sent. */
enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    return VL_TODO; /* TODO(02): delete this line, grade, and see what happens. */

    int ranks;
    MPI_Comm_size(comm, &ranks);
    if (peer < 0 || peer >= ranks || n > INT_MAX / sizeof *sent)
        return VL_EINVAL;
    if (n == 0)
        return VL_OK;
    if (received == NULL || sent == NULL)
        return VL_EINVAL;
    /* TODO(02): both ranks do this at the same time. Which line waits for what? */
    MPI_Send(sent, (int)n, MPI_FLOAT, peer, tag, comm);
    MPI_Recv(received, (int)n, MPI_FLOAT, peer, tag, comm, MPI_STATUS_IGNORE);
    return VL_OK;
}
