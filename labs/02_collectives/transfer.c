/*
 * Lab 02: transfers, which are started now and finished later. A message, or a ring.
 *
 * Given: a message, from its start to its finish. Yours: the ring. In every step of a ring one
 * chunk goes to rank r + 1 and one comes from rank r - 1, so a ring is a transfer that posts the
 * next two messages when the last two have arrived.
 *
 * The contracts are in include/vialata/collectives.h. Remove a (void) line as soon as you use its
 * argument.
 */
#include "vialata/collectives.h"

#include <limits.h>
#include <stdlib.h>

struct vl_transfer {
    MPI_Request request[2]; /* what leaves, what comes; MPI_REQUEST_NULL: nothing or done */
    int step, steps;        /* of a ring: the present one, and how many there are. A message: 0 */
    float *scratch;         /* of a ring that adds: space for the chunk that comes; else NULL */
    MPI_Comm comm;
    int rank, ranks, tag;
    /* TODO(02): what else must a ring remember from one step to the next? */
};

/* A transfer with no messages yet. */
static enum vl_status transfer_new(struct vl_transfer **transfer, MPI_Comm comm, int tag)
{
    struct vl_transfer *new = calloc(1, sizeof *new);
    *transfer = new;
    if (new == NULL)
        return VL_ENOMEM;
    new->request[0] = new->request[1] = MPI_REQUEST_NULL;
    new->comm = comm;
    new->tag = tag;
    MPI_Comm_rank(comm, &new->rank);
    MPI_Comm_size(comm, &new->ranks);
    return VL_OK;
}

/* ---- one message: the worked example ---- */

enum vl_status vl_send_start(struct vl_transfer **transfer, MPI_Comm comm, const void *data,
                             size_t bytes, int to, int tag)
{
    *transfer = NULL;
    if (bytes > INT_MAX || (data == NULL && bytes > 0))
        return VL_EINVAL;
    if (transfer_new(transfer, comm, tag) != VL_OK)
        return VL_ENOMEM;
    MPI_Isend(data, (int)bytes, MPI_BYTE, to, tag, comm, &(*transfer)->request[0]);
    return VL_OK;
}

enum vl_status vl_receive_start(struct vl_transfer **transfer, MPI_Comm comm, void *data,
                                size_t bytes, int from, int tag)
{
    *transfer = NULL;
    if (bytes > INT_MAX || (data == NULL && bytes > 0))
        return VL_EINVAL;
    if (transfer_new(transfer, comm, tag) != VL_OK)
        return VL_ENOMEM;
    MPI_Irecv(data, (int)bytes, MPI_BYTE, from, tag, comm, &(*transfer)->request[1]);
    return VL_OK;
}

/* Wait for the messages under way, let poll do what follows, and so on until nothing is left. */
enum vl_status vl_transfer_finish(struct vl_transfer *transfer)
{
    if (transfer == NULL)
        return VL_OK;
    enum vl_status status = VL_OK;
    int done = 0;
    while (status == VL_OK && !done) {
        MPI_Waitall(2, transfer->request, MPI_STATUSES_IGNORE);
        status = vl_transfer_poll(transfer, &done);
    }
    free(transfer->scratch);
    free(transfer);
    return status;
}

/* ---- driving it on ---- */

/* TODO(02): write a static function that posts the two messages of a step. Chunks without elements
 * are not sent, and both sides know which these are. */

/* include/vialata/collectives.h: do what can be done without waiting. */
enum vl_status vl_transfer_poll(struct vl_transfer *transfer, int *done)
{
    *done = 1;
    if (transfer == NULL)
        return VL_OK;
    MPI_Testall(2, transfer->request, done, MPI_STATUSES_IGNORE);
    if (!*done || transfer->step == transfer->steps) /* still under way, or nothing is left */
        return VL_OK;
    /* TODO(02): it is a ring, and the chunk of this step has come. If this step adds, add it. */
    /* TODO(02): if there is a next step, post its two messages; then it is not done. */
    return VL_TODO;
}

/* ---- the ring ---- */

/* include/vialata/collectives.h: P-1 steps, in each of which a chunk comes and is added. */
enum vl_status vl_reduce_scatter_start(struct vl_transfer **transfer, MPI_Comm comm, float *data,
                                       size_t n, int tag)
{
    (void)transfer;
    (void)comm;
    (void)data;
    (void)n;
    (void)tag;
    /* TODO(02): refuse a chunk of more than INT_MAX bytes, before anything is sent. */
    /* TODO(02): a transfer with P-1 steps, and scratch for the longest chunk. */
    /* TODO(02): post step 0. If P is 1 or n is 0, there is nothing to post. */
    return VL_TODO;
}

/* include/vialata/collectives.h: P-1 steps, in each of which a chunk comes and is kept. */
enum vl_status vl_all_gather_start(struct vl_transfer **transfer, MPI_Comm comm, void *data,
                                   size_t n, size_t element_bytes, int tag)
{
    (void)transfer;
    (void)comm;
    (void)data;
    (void)n;
    (void)element_bytes;
    (void)tag;
    /* TODO(02): as above, without scratch: a chunk is received where it belongs. */
    return VL_TODO;
}

/* include/vialata/collectives.h: a reduce-scatter and then an all-gather, in one transfer. */
enum vl_status vl_all_reduce_start(struct vl_transfer **transfer, MPI_Comm comm, float *data,
                                   size_t n, int tag)
{
    (void)transfer;
    (void)comm;
    (void)data;
    (void)n;
    (void)tag;
    /* TODO(02): 2(P-1) steps. Which chunk does a rank send first in the second half? */
    return VL_TODO;
}
