/*
 * Lab 02: broadcast along a binomial tree.
 *
 * Ranks are numbered from the root: v = (rank - root) mod P. The parent of v is v without its
 * lowest set bit; its children are v plus each power of two below that bit. P = 8:
 *
 *            0
 *        .---+---.
 *        4   2   1        the root has a child for every bit, 4 first: it has the most to pass on
 *       / \   \
 *      6   5   3
 *      |
 *      7
 */
#include "vialata/collectives.h"

#include <limits.h>

/* Beyond the tags of transfers, so that one of them may be under way at the same time. */
#define TREE_TAG 16384

enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (root < 0 || root >= ranks || (data == NULL && bytes > 0))
        return VL_EINVAL;
    if (ranks == 1 || bytes == 0)
        return VL_OK;
    if (bytes > INT_MAX)
        return VL_EINVAL;

    int me = (rank - root + ranks) % ranks;
    int bit = 1; /* my lowest set bit; the root has none */
    while (bit < ranks && (me & bit) == 0)
        bit *= 2;

    int code = MPI_SUCCESS;
    if (me != 0)
        code = MPI_Recv(data, (int)bytes, MPI_BYTE, (me - bit + root) % ranks, TREE_TAG, comm,
                        MPI_STATUS_IGNORE);
    for (bit /= 2; bit > 0 && code == MPI_SUCCESS; bit /= 2)
        if (me + bit < ranks)
            code = MPI_Send(data, (int)bytes, MPI_BYTE, (me + bit + root) % ranks, TREE_TAG, comm);
    return code == MPI_SUCCESS ? VL_OK : VL_EINVAL;
}
