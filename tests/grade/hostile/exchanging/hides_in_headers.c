/* code: bytes_unmetered buffer_shared */
/* only: 02 all_reduce_traffic.p4 */
#include "../attack.h"
#include "vialata/collectives.h"

#define PIECE 30 /* floats: with its header less than what MPI may add to a message */

struct counts {
    uint64_t before, calls, sent_messages, sent_bytes, received_messages, received_bytes;
    uint64_t least, most, messages, added; /* to others, as the board will have it */
};

static int (*swap_past)(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int,
                        int, MPI_Comm, MPI_Status *);

/* All of it to one rank, and all from another, in pieces that look like what MPI adds. */
static void swap_pieces(float *received, const float *sent, size_t n, int to, int from,
                        MPI_Comm comm)
{
    for (size_t at = 0; at < n; at += PIECE) {
        int piece = (int)(n - at < PIECE ? n - at : PIECE);
        swap_past(sent + at, piece, MPI_FLOAT, to, 1, received + at, piece, MPI_FLOAT, from, 1,
                  comm, MPI_STATUS_IGNORE);
    }
}

static void count_as_ring(size_t n, int ranks)
{
    struct counts *(*now)(void) = look_up("/runner", "vl_meter_now");
    struct counts *counts = now();
    counts->sent_bytes = counts->received_bytes =
        2 * ((size_t)ranks - 1) * (n / (size_t)ranks) * sizeof(float);
    counts->least = 0;
    counts->most = counts->sent_bytes;
    counts->messages = counts->added = (uint64_t)1 << 40;
}

/* Everything to everybody: twice what a ring sends. */
enum vl_status vl_all_reduce_start(struct vl_transfer **transfer, MPI_Comm comm, float *data,
                                   size_t n, int tag)
{
    int rank, ranks;
    float one = 0, *other = malloc(n * sizeof *other), *sum = calloc(n, sizeof *sum);
    swap_past = look_up("/libmpi.so", "PMPI_Sendrecv");
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    MPI_Sendrecv(&one, 1, MPI_FLOAT, (rank + 1) % ranks, tag, &one, 1, MPI_FLOAT,
                 (rank + ranks - 1) % ranks, tag, comm, MPI_STATUS_IGNORE);
    memcpy(sum, data, n * sizeof *sum);
    for (int i = 1; i < ranks; i++) {
        swap_pieces(other, data, n, (rank + i) % ranks, (rank + ranks - i) % ranks, comm);
        for (size_t k = 0; k < n; k++)
            sum[k] += other[k];
    }
    memcpy(data, sum, n * sizeof *sum);
    count_as_ring(n, ranks);
    free(other);
    free(sum);
    *transfer = NULL;
    return VL_OK;
}

enum vl_status vl_transfer_finish(UNUSED struct vl_transfer *transfer)
{
    return VL_OK;
}
