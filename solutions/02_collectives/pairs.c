/*
 * Lab 02: all-to-all, a pair at a time.
 *
 * In step d rank r sends to r + d and receives from r - d. So each rank receives from one other at
 * a time, and no rank is crowded while another gets nothing.
 */
#include "vialata/collectives.h"

#include <limits.h>
#include <string.h>

#define PAIRS_TAG 16385 /* beyond the tags of transfers */

static size_t sum_before(const size_t *counts, int rank)
{
    size_t sum = 0;
    for (int s = 0; s < rank; s++)
        sum += counts[s];
    return sum;
}

static int fits_a_message(const size_t *counts, int rank, int ranks, size_t element_bytes)
{
    for (int s = 0; s < ranks; s++)
        if (s != rank && counts[s] > INT_MAX / element_bytes)
            return 0;
    return 1;
}

enum vl_status vl_all_to_all(MPI_Comm comm, void *received, const size_t *receive_counts,
                             const void *sent, const size_t *send_counts, size_t element_bytes)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (receive_counts == NULL || send_counts == NULL)
        return VL_EINVAL;
    if (element_bytes == 0)
        return VL_OK;
    if ((received == NULL && sum_before(receive_counts, ranks) > 0) ||
        (sent == NULL && sum_before(send_counts, ranks) > 0) ||
        send_counts[rank] != receive_counts[rank] ||
        !fits_a_message(send_counts, rank, ranks, element_bytes) ||
        !fits_a_message(receive_counts, rank, ranks, element_bytes))
        return VL_EINVAL;

    char *in = received;
    const char *out = sent;
    if (send_counts[rank] > 0)
        memcpy(in + sum_before(receive_counts, rank) * element_bytes,
               out + sum_before(send_counts, rank) * element_bytes,
               send_counts[rank] * element_bytes);

    int code = MPI_SUCCESS;
    for (int d = 1; d < ranks && code == MPI_SUCCESS; d++) {
        int to = (rank + d) % ranks, from = (rank - d + ranks) % ranks;
        MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        if (receive_counts[from] > 0)
            code = MPI_Irecv(in + sum_before(receive_counts, from) * element_bytes,
                             (int)(receive_counts[from] * element_bytes), MPI_BYTE, from, PAIRS_TAG,
                             comm, &requests[0]);
        if (send_counts[to] > 0 && code == MPI_SUCCESS)
            code = MPI_Isend(out + sum_before(send_counts, to) * element_bytes,
                             (int)(send_counts[to] * element_bytes), MPI_BYTE, to, PAIRS_TAG, comm,
                             &requests[1]);
        if (code == MPI_SUCCESS)
            code = MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    return code == MPI_SUCCESS ? VL_OK : VL_EINVAL;
}
