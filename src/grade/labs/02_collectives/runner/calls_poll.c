/*
 * Lab 02's transfers that are driven by poll: it must complete them by itself, change nothing when they
 * are done, and return when there is nothing to do. Two of them, which add, are under way at once.
 */
#include "grade/labs/02_collectives/runner/here.h"

#include "comm/meter.h"
#include "vialata/collectives.h"

#include <string.h>

#define PATIENCE    2.0 /* seconds until a transfer that poll drives must be done */
#define HEAD_START  0.5 /* seconds that one rank polls ahead, at most */
#define POLLS_ALONE 50

/* The transfers that are under way. */
struct flight {
    struct vl_here here;
    struct vl_transfer *transfer[2];
    int count;
};

/* ---- driving ---- */

/* Before each poll 'done' is what it must not be: what poll does not write shows. */
static enum vl_status poll_once(struct vl_transfer *transfer, int *done)
{
    int says = 1;
    enum vl_status status = vl_transfer_poll(transfer, &says);
    *done = says != 0;
    return status;
}

/* Poll every transfer until it is done, for PATIENCE seconds at most. Odd ranks begin with the second
 * transfer: messages of the two must be told apart by their tags, not by their order. */
static enum vl_status drive(struct flight *f, int *all_done)
{
    int turned = f->count == 2 && f->here.rank % 2 == 1;
    int done[2] = {0, f->count < 2};
    enum vl_status status = VL_OK;
    const double end = MPI_Wtime() + PATIENCE;
    while (status == VL_OK && !(done[0] && done[1]) && MPI_Wtime() < end)
        for (int i = 0; i < f->count && status == VL_OK; i++)
            if (!done[i ^ turned])
                status = poll_once(f->transfer[i ^ turned], &done[i ^ turned]);
    *all_done = done[0] && done[1];
    return status;
}

static enum vl_status finish_all(struct flight *f, enum vl_status status)
{
    for (int i = 0; i < f->count; i++) {
        enum vl_status finished = vl_transfer_finish(f->transfer[i]);
        status = status == VL_OK ? finished : status;
    }
    return status;
}

/* ---- all-gathers ---- */

static const char *const names[] = {"data", "other"};

static enum vl_status start_gather(struct flight *f, struct vl_bag *outputs,
                                   const struct vl_bag *inputs)
{
    const struct vl_here *here = &f->here;
    struct vl_transfer *transfer = NULL;
    void *data = vl_bytes_in_place(outputs, inputs, names[f->count]);
    if (data == NULL)
        return VL_EINTERNAL;
    enum vl_status status = vl_all_gather_start(&transfer, here->comm, data, here->n,
                                                here->element_bytes, here->tag + f->count);
    f->transfer[f->count++] = transfer;
    return status;
}

/* The data is shown as it is when poll says done: finish might still change it. */
static enum vl_status drive_gathers(struct flight *f, struct vl_bag *outputs,
                                    const struct vl_bag *inputs)
{
    int done;
    enum vl_status status = drive(f, &done);
    for (int i = 0; i < f->count; i++)
        vl_show_bytes(outputs, inputs, names[i]);
    return vl_give_counts(outputs, status, {"done", (uint64_t)done});
}

static enum vl_status poll_two(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct flight f = {.here = vl_here(inputs)};
    enum vl_status status = start_gather(&f, outputs, inputs);
    VL_NEXT(status, start_gather(&f, outputs, inputs));
    VL_NEXT(status, drive_gathers(&f, outputs, inputs));
    return finish_all(&f, status);
}

/* ---- before the last rank ---- */

/* An early rank: poll must return although nobody answers. */
static enum vl_status poll_alone(struct vl_transfer *transfer, size_t *early)
{
    enum vl_status status = VL_OK;
    for (int i = 0; i < POLLS_ALONE && status == VL_OK; i++) {
        int done;
        status = poll_once(transfer, &done);
        *early |= done != 0;
    }
    return status;
}

/* Rank 0 waits for a message of the last rank. The ranks between have what comes from their left: so
 * they wait until that one has sent it; but nobody takes what the one before the last sends. */
static enum vl_status be_early(struct flight *f, size_t *early)
{
    const struct vl_here *here = &f->here;
    const int last = here->ranks - 1;
    if (here->rank + 1 < last)
        vl_word_send(here->comm, here->rank + 1);
    if (here->rank > 0)
        vl_word_take(here->comm, here->rank - 1);
    enum vl_status status = poll_alone(f->transfer[0], early);
    vl_word_send(here->comm, last);
    return status;
}

/* All ranks but the last start and poll; it waits for their words that poll came back. Without them, it
 * starts after a while: nothing hangs, and came_back says that poll waited. */
static enum vl_status poll_early(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct flight f = {.here = vl_here(inputs)};
    const int last = f.here.ranks - 1, is_last = f.here.rank == last;
    size_t early = 0, came_back = 1;
    int from = 0; /* the words of ranks before this one have come */
    while (is_last && from < last && vl_word_comes(f.here.comm, from))
        from++;
    enum vl_status status = start_gather(&f, outputs, inputs);
    if (is_last)
        came_back = from == last;
    else
        VL_NEXT(status, be_early(&f, &early));
    VL_NEXT(status, drive_gathers(&f, outputs, inputs));
    status = finish_all(&f, status);
    for (; is_last && from < last; from++)
        vl_word_take(f.here.comm, from);
    return vl_give_counts(outputs, status, {"came_back", came_back}, {"done_early", early});
}

/* ---- a message ---- */

/* Rank 0 sends rank 1 a message and polls. Only its word that poll came back makes rank 1 receive: until then
 * the message is still on its way, although MPI has it. */
static enum vl_status poll_sent(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct flight f = {.here = vl_here(inputs), .count = 1};
    const struct vl_here *here = &f.here;
    const int receives = here->rank == 1;
    void *data = receives ? vl_bytes_output(outputs, "data", here->bytes)
                          : (void *)vl_own_bytes(inputs, "data", here->bytes);
    size_t early = 0;
    int done = 0, missing = receives && !vl_word_comes(here->comm, 0);
    if (data == NULL)
        return VL_EINTERNAL;
    enum vl_status status =
        receives ? vl_receive_start(&f.transfer[0], here->comm, data, here->bytes, 0, here->tag)
                 : vl_send_start(&f.transfer[0], here->comm, data, here->bytes, 1, here->tag);
    if (!receives) {
        VL_NEXT(status, poll_alone(f.transfer[0], &early));
        vl_word_send(here->comm, 1);
    }
    VL_NEXT(status, drive(&f, &done));
    status = finish_all(&f, status);
    if (receives)
        vl_show_bytes(outputs, inputs, "data");
    if (missing)
        vl_word_take(here->comm, 0);
    return vl_give_counts(outputs, status, {"done", (uint64_t)done}, {"came_back", !missing},
                          {"done_early", early});
}

/* ---- sums ---- */

/* A chunk that was added is not added again, however often poll is called. */
static enum vl_status poll_sum(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct flight f = {.here = vl_here(inputs), .count = 1};
    const struct vl_here *here = &f.here;
    float *data = vl_own_row(outputs, inputs, "polled_again", "data", here->n);
    float *when_done = vl_unwritten_floats(outputs, "data", here->n);
    int done = 0, again = 0;
    if (data == NULL || when_done == NULL)
        return VL_EINTERNAL;
    enum vl_status status =
        vl_reduce_scatter_start(&f.transfer[0], here->comm, data, here->n, here->tag);
    VL_NEXT(status, drive(&f, &done));
    memcpy(when_done, data, here->n * sizeof *data);
    VL_NEXT(status, vl_transfer_poll(f.transfer[0], &again));
    status = finish_all(&f, status);
    return vl_give_counts(outputs, status, {"done", (uint64_t)done}, {"done_again", again != 0});
}

static enum vl_status start_sum(struct flight *f, struct vl_bag *outputs,
                                const struct vl_bag *inputs)
{
    const struct vl_here *here = &f->here;
    const char *name = names[f->count];
    size_t n = vl_row_floats(inputs, name);
    float *data = vl_own_row(outputs, inputs, name, name, n);
    struct vl_transfer *transfer = NULL;
    if (data == NULL)
        return VL_EINTERNAL;
    enum vl_status status =
        vl_all_reduce_start(&transfer, here->comm, data, n, here->tag + f->count);
    f->transfer[f->count++] = transfer;
    return status;
}

/* Poll until as many messages have been sent again as at the start: so far it can come while the other
 * rank does not poll. */
static enum vl_status poll_ahead(struct vl_transfer *transfer)
{
    const uint64_t enough = 2 * vl_meter_now()->total.sent_messages;
    const double end = MPI_Wtime() + HEAD_START;
    enum vl_status status = VL_OK;
    int done = 0;
    while (status == VL_OK && !done && vl_meter_now()->total.sent_messages < enough &&
           MPI_Wtime() < end)
        status = poll_once(transfer, &done);
    return status;
}

/*
 * Two all-reduces on two ranks. All ranks start them in the same order, but rank 0 is in the second half
 * of the first one when it starts the second one, and rank 1 is not:
 *
 *   rank 0   start 1   poll 1 ...  ─▶ word    start 2 ─▶ word    poll both
 *   rank 1   start 1                   └─▶    start 2     └─▶    poll both
 *
 * So messages of the two, and what is received of them, come in another order on each rank.
 */
VL_CALL(two_all_reduces)
{
    struct flight f = {.here = vl_here(inputs)};
    MPI_Comm comm = f.here.comm;
    int done = 0, missing = 0;
    enum vl_status status = start_sum(&f, outputs, inputs);
    if (f.here.rank == 0) {
        VL_NEXT(status, poll_ahead(f.transfer[0]));
        vl_word_send(comm, 1);
    } else
        missing += !vl_word_comes(comm, 0);
    VL_NEXT(status, start_sum(&f, outputs, inputs));
    if (f.here.rank == 0)
        vl_word_send(comm, 1);
    else
        missing += !vl_word_comes(comm, 0);
    VL_NEXT(status, drive(&f, &done));
    status = finish_all(&f, status);
    for (; missing > 0; missing--)
        vl_word_take(comm, 0);
    return status;
}

VL_CALL(transfer_poll)
{
    int done = 0;
    if (vl_bag_int(inputs, "null")) {
        enum vl_status status = vl_transfer_poll(NULL, &done);
        return vl_give_counts(outputs, status, {"done", done != 0});
    }
    if (vl_bag_int(inputs, "alone"))
        return poll_early(outputs, inputs);
    if (vl_bag_int(inputs, "late"))
        return poll_sent(outputs, inputs);
    return vl_bag_find(inputs, "element_bytes") != NULL ? poll_two(outputs, inputs)
                                                        : poll_sum(outputs, inputs);
}
