/*
 * Lab 02: transfers. A message, or a ring.
 *
 * The ring has 2(P-1) steps, numbered 0, 1, ... In step s rank r
 *
 *   sends     chunk (r - s - 1) mod P to rank r + 1
 *   receives  chunk (r - s - 2) mod P from rank r - 1, the one it sends in step s + 1
 *
 * and adds what it receives to its own in the first P-1 steps (reduce-scatter), or keeps it in the
 * others (all-gather). An all-reduce is both halves, one after the other. After step P-2 rank r
 * has received chunk r - P, its own, which is then complete; in step P-1 it sends it.
 *
 * A step's chunk travels in pieces, so that one piece is added while the next is on its way, and
 * waits in a cache meanwhile. Pieces are numbered consecutively: piece i is number i mod K of the
 * chunk of step i / K. A piece may be posted when this is true:
 *
 *   send i      what was received as i - K has been taken in: it is the same data
 *   receive i   a place in scratch is free (adding); or the old contents of the place it goes to,
 *               sent P-1 steps earlier, have left (not adding). They have, since what comes was
 *               made from them, but MPI must have reported it before it may write there
 *
 * Each piece waits only for smaller numbers, so some rank can always go on.
 */
#include "vialata/collectives.h"

#include <limits.h>
#include <stdlib.h>

/* Measured, two ranks: smaller pieces cost more messages than the cache gives back. */
#define PIECE_BYTES ((size_t)1 << 20)
#define AT_ONCE     3 /* pieces under way, each way */

/* One direction: pieces done <= i < posted are under way, those up to end are still to come. */
struct way {
    size_t done, posted, end;
    MPI_Request request[AT_ONCE]; /* of piece i at [i % AT_ONCE]; MPI_REQUEST_NULL once complete */
};

struct vl_transfer {
    MPI_Comm comm;
    int rank, ranks, tag;
    char *data;
    size_t n, element_bytes;
    size_t piece;  /* elements, at most */
    size_t pieces; /* a step: K */
    size_t begin;  /* the first piece of all */
    size_t adding; /* pieces below this number are added */
    float *scratch;
    struct way out, in;
};

static enum vl_status transfer_new(struct vl_transfer **transfer, MPI_Comm comm, int tag)
{
    struct vl_transfer *new = calloc(1, sizeof *new);
    *transfer = new;
    if (new == NULL)
        return VL_ENOMEM;
    new->comm = comm;
    new->tag = tag;
    for (int i = 0; i < AT_ONCE; i++)
        new->out.request[i] = new->in.request[i] = MPI_REQUEST_NULL;
    return VL_OK;
}

static void transfer_free(struct vl_transfer **transfer)
{
    if (*transfer != NULL)
        free((*transfer)->scratch);
    free(*transfer);
    *transfer = NULL;
}

/* By default MPI ends the program at an error. If it was told not to, its arguments were wrong. */
static enum vl_status said(int code)
{
    return code == MPI_SUCCESS ? VL_OK : VL_EINVAL;
}

/* ---- one message: a way of a single piece ---- */

static enum vl_status message_new(struct vl_transfer **transfer, MPI_Comm comm, const void *data,
                                  size_t bytes, int tag)
{
    if (transfer == NULL)
        return VL_EINVAL;
    *transfer = NULL;
    if (bytes > INT_MAX || (data == NULL && bytes > 0))
        return VL_EINVAL;
    return transfer_new(transfer, comm, tag);
}

static enum vl_status message_posted(struct vl_transfer **transfer, struct way *way, int code)
{
    way->posted = way->end = 1;
    if (code != MPI_SUCCESS)
        transfer_free(transfer);
    return said(code);
}

enum vl_status vl_send_start(struct vl_transfer **transfer, MPI_Comm comm, const void *data,
                             size_t bytes, int to, int tag)
{
    enum vl_status status = message_new(transfer, comm, data, bytes, tag);
    if (status != VL_OK)
        return status;
    struct way *way = &(*transfer)->out;
    return message_posted(transfer, way,
                          MPI_Isend(data, (int)bytes, MPI_BYTE, to, tag, comm, &way->request[0]));
}

enum vl_status vl_receive_start(struct vl_transfer **transfer, MPI_Comm comm, void *data,
                                size_t bytes, int from, int tag)
{
    enum vl_status status = message_new(transfer, comm, data, bytes, tag);
    if (status != VL_OK)
        return status;
    struct way *way = &(*transfer)->in;
    return message_posted(transfer, way,
                          MPI_Irecv(data, (int)bytes, MPI_BYTE, from, tag, comm, &way->request[0]));
}

/* ---- the ring ---- */

/* Where piece i is in the data: the one that is sent, or with shift 1 the one received. */
static void find_piece(size_t *first, size_t *count, const struct vl_transfer *t, size_t i,
                       size_t shift)
{
    size_t ranks = (size_t)t->ranks, step = i / t->pieces, begin = i % t->pieces * t->piece;
    size_t chunk = ((size_t)t->rank + 2 * ranks - step % ranks - 1 - shift) % ranks;
    vl_chunk(first, count, t->n, (int)chunk, t->ranks);
    *first += begin;
    *count = *count > begin ? *count - begin : 0; /* a shorter chunk may end before */
    *count = *count < t->piece ? *count : t->piece;
}

static float *place_in_scratch(const struct vl_transfer *t, size_t i)
{
    return t->scratch + i % AT_ONCE * t->piece;
}

static enum vl_status post_receive(struct vl_transfer *t, size_t i)
{
    size_t first, count;
    find_piece(&first, &count, t, i, 1);
    t->in.posted++;
    if (count == 0)
        return VL_OK; /* the sender knows as well */
    void *to = i < t->adding ? (void *)place_in_scratch(t, i) : t->data + first * t->element_bytes;
    return said(MPI_Irecv(to, (int)(count * t->element_bytes), MPI_BYTE,
                          (t->rank - 1 + t->ranks) % t->ranks, t->tag, t->comm,
                          &t->in.request[i % AT_ONCE]));
}

static enum vl_status post_send(struct vl_transfer *t, size_t i)
{
    size_t first, count;
    find_piece(&first, &count, t, i, 0);
    t->out.posted++;
    if (count == 0)
        return VL_OK;
    return said(MPI_Isend(t->data + first * t->element_bytes, (int)(count * t->element_bytes),
                          MPI_BYTE, (t->rank + 1) % t->ranks, t->tag, t->comm,
                          &t->out.request[i % AT_ONCE]));
}

static int may_receive(const struct vl_transfer *t, size_t i)
{
    if (i == t->in.end || i - t->in.done == AT_ONCE)
        return 0;
    size_t round = (size_t)(t->ranks - 1) * t->pieces;
    return i < t->adding || i < t->begin + round || i - round < t->out.done;
}

static int may_send(const struct vl_transfer *t, size_t i)
{
    if (i == t->out.end || i - t->out.done == AT_ONCE)
        return 0;
    return i < t->begin + t->pieces || i - t->pieces < t->in.done;
}

static enum vl_status post(struct vl_transfer *t)
{
    enum vl_status status = VL_OK;
    while (status == VL_OK && may_receive(t, t->in.posted))
        status = post_receive(t, t->in.posted);
    while (status == VL_OK && may_send(t, t->out.posted))
        status = post_send(t, t->out.posted);
    return status;
}

static void add(float *restrict data, const float *restrict received, size_t count)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        data[i] += received[i];
}

static void take_in(struct vl_transfer *t, size_t i)
{
    size_t first, count;
    if (i >= t->adding)
        return; /* it was received where it belongs */
    find_piece(&first, &count, t, i, 1);
    add((float *)(void *)t->data + first, place_in_scratch(t, i), count);
}

/* Cut chunks into pieces, and number those of the halves first ... last - 1: half 0 adds, half 1
 * does not. */
static enum vl_status ring_lay_out(struct vl_transfer *t, int first, int last)
{
    size_t largest = (t->n - 1) / (size_t)t->ranks + 1; /* chunk, in elements */
    if (largest > INT_MAX / t->element_bytes)
        return VL_EINVAL;
    size_t most = PIECE_BYTES > t->element_bytes ? PIECE_BYTES / t->element_bytes : 1;
    t->piece = largest < most ? largest : most;
    t->pieces = (largest - 1) / t->piece + 1;
    size_t half = (size_t)(t->ranks - 1) * t->pieces;
    t->adding = half;
    t->begin = (size_t)first * half;
    t->in.done = t->in.posted = t->out.done = t->out.posted = t->begin;
    t->in.end = t->out.end = (size_t)last * half;
    if (t->begin >= t->adding)
        return VL_OK;
    size_t places = half < AT_ONCE ? half : AT_ONCE;
    t->scratch = malloc(places * t->piece * sizeof *t->scratch);
    return t->scratch != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status ring_start(struct vl_transfer **transfer, MPI_Comm comm, void *data, size_t n,
                                 size_t element_bytes, int tag, int first, int last)
{
    if (transfer == NULL)
        return VL_EINVAL;
    *transfer = NULL;
    if (data == NULL && n > 0 && element_bytes > 0)
        return VL_EINVAL;
    enum vl_status status = transfer_new(transfer, comm, tag);
    if (status != VL_OK)
        return status;
    struct vl_transfer *t = *transfer;
    t->data = data;
    t->n = n;
    t->element_bytes = element_bytes;
    MPI_Comm_rank(comm, &t->rank);
    MPI_Comm_size(comm, &t->ranks);
    if (t->ranks == 1 || n == 0 || element_bytes == 0)
        return VL_OK; /* nothing to do, which is a transfer too */
    status = ring_lay_out(t, first, last);
    if (status == VL_OK)
        status = post(t);
    if (status != VL_OK)
        transfer_free(transfer);
    return status;
}

enum vl_status vl_reduce_scatter_start(struct vl_transfer **transfer, MPI_Comm comm, float *data,
                                       size_t n, int tag)
{
    return ring_start(transfer, comm, data, n, sizeof *data, tag, 0, 1);
}

enum vl_status vl_all_gather_start(struct vl_transfer **transfer, MPI_Comm comm, void *data,
                                   size_t n, size_t element_bytes, int tag)
{
    return ring_start(transfer, comm, data, n, element_bytes, tag, 1, 2);
}

enum vl_status vl_all_reduce_start(struct vl_transfer **transfer, MPI_Comm comm, float *data,
                                   size_t n, int tag)
{
    return ring_start(transfer, comm, data, n, sizeof *data, tag, 0, 2);
}

/* ---- progress ---- */

/* Has the oldest piece under way arrived? A request that MPI_Waitany has seen is null by now, and
 * testing it says yes. */
static enum vl_status oldest_is_complete(int *complete, struct way *way)
{
    *complete = 0;
    if (way->done == way->posted)
        return VL_OK;
    return said(MPI_Test(&way->request[way->done % AT_ONCE], complete, MPI_STATUS_IGNORE));
}

/* Take in what has arrived, count what has left, and post what may follow. */
static enum vl_status drive(struct vl_transfer *t)
{
    int came = 0, left = 0;
    enum vl_status status;
    do {
        status = oldest_is_complete(&left, &t->out);
        t->out.done += left != 0;
        if (status == VL_OK)
            status = oldest_is_complete(&came, &t->in);
        if (status == VL_OK && came) {
            take_in(t, t->in.done);
            t->in.done++;
        }
        if (status == VL_OK && (came || left))
            status = post(t);
    } while (status == VL_OK && (came || left));
    return status;
}

static int is_done(const struct vl_transfer *t)
{
    return t->out.done == t->out.end && t->in.done == t->in.end;
}

enum vl_status vl_transfer_poll(struct vl_transfer *transfer, int *done)
{
    if (done == NULL)
        return VL_EINVAL;
    *done = 1;
    if (transfer == NULL)
        return VL_OK;
    enum vl_status status = drive(transfer);
    *done = is_done(transfer);
    return status;
}

/* Sleep in MPI until one of the pieces under way is complete. */
static enum vl_status wait_for_any(struct vl_transfer *t)
{
    MPI_Request all[2 * AT_ONCE];
    int index;
    for (int i = 0; i < AT_ONCE; i++) {
        all[i] = t->in.request[i];
        all[AT_ONCE + i] = t->out.request[i];
    }
    enum vl_status status = said(MPI_Waitany(2 * AT_ONCE, all, &index, MPI_STATUS_IGNORE));
    for (int i = 0; i < AT_ONCE; i++) {
        t->in.request[i] = all[i];
        t->out.request[i] = all[AT_ONCE + i];
    }
    return status;
}

enum vl_status vl_transfer_finish(struct vl_transfer *transfer)
{
    enum vl_status status = VL_OK;
    while (transfer != NULL && status == VL_OK) {
        status = drive(transfer);
        if (is_done(transfer))
            break;
        if (status == VL_OK)
            status = wait_for_any(transfer);
    }
    transfer_free(&transfer);
    return status;
}
