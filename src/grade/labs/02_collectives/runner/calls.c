/*
 * Calls of lab 02: unpack this rank's row, call, leave the outputs in the bag.
 *
 * Names and flags of the inputs are described in grade/labs/02_collectives/collectives.h. Messages
 * of the runner itself bypass the wrappers (PMPI), so that they are neither counted nor watched.
 */
#include "grade/labs/02_collectives/runner/here.h"

#include "comm/beacon.h"
#include "comm/meter.h"
#include "runner/turns.h"
#include "vialata/collectives.h"

#include <limits.h>

static VL_CALL(chunk)
{
    size_t n = vl_input_size(inputs, "n"), first, count;
    int ranks = (int)vl_bag_int(inputs, "ranks");
    if (vl_bag_int(inputs, "bad"))
        return vl_first_unrefused(outputs,
                                  {"rank = ranks", vl_chunk(&first, &count, n, ranks, ranks)},
                                  {"rank = -1", vl_chunk(&first, &count, n, -1, ranks)});
    size_t *firsts = vl_unwritten_sizes(outputs, "first", 1, (size_t)ranks),
           *counts = vl_unwritten_sizes(outputs, "count", 1, (size_t)ranks);
    enum vl_status status = firsts != NULL && counts != NULL ? VL_OK : VL_EINTERNAL;
    for (int rank = 0; status == VL_OK && rank < ranks; rank++)
        status = vl_chunk(&firsts[rank], &counts[rank], n, rank, ranks);
    return status;
}

/* ---- in place ---- */

static enum vl_status then_finish(enum vl_status started, struct vl_transfer **transfer)
{
    return started == VL_OK ? vl_transfer_finish(*transfer) : started;
}

/* What *transfer holds before a start: where it must be refused, something that must not be left. */
static struct vl_transfer *before_start(struct vl_here *here)
{
    return here->n > INT_MAX / sizeof(float) ? (struct vl_transfer *)(void *)here : NULL;
}

static enum vl_status then_end(struct vl_bag *outputs, enum vl_status started,
                               struct vl_transfer **transfer)
{
    if (started == VL_OK)
        return vl_transfer_finish(*transfer);
    return vl_give_counts(outputs, started, {"transfer_null", *transfer == NULL});
}

/* Starting a transfer, where the case says so when the rank before has started it. */
#define IN_TURN(call) (wait_for_turn(inputs), end_turn(call))
static MPI_Comm turns = MPI_COMM_NULL;

static void wait_for_turn(const struct vl_bag *inputs)
{
    turns = MPI_COMM_NULL;
    if (vl_bag_int(inputs, "turns"))
        PMPI_Comm_dup(vl_case_comm(), &turns);
    vl_turn_wait(turns);
}

static enum vl_status end_turn(enum vl_status started)
{
    vl_turn_end(turns);
    if (turns != MPI_COMM_NULL)
        PMPI_Comm_free(&turns);
    return started;
}

/* 'call' works on this rank's row of floats, or of bytes. It may use 'transfer'. */
#define FLOATS(name, call)                                                                         \
    static VL_CALL(name)                                                                           \
    {                                                                                              \
        struct vl_here here = vl_here(inputs);                                                     \
        __attribute__((unused)) struct vl_transfer *transfer = before_start(&here);                \
        float *data = vl_own_row(outputs, inputs, "data", "data", vl_row_floats(inputs, "data"));  \
        return data != NULL ? call : VL_EINTERNAL;                                                 \
    }
#define BYTES(name, call)                                                                          \
    static VL_CALL(name)                                                                           \
    {                                                                                              \
        struct vl_here here = vl_here(inputs);                                                     \
        __attribute__((unused)) struct vl_transfer *transfer = before_start(&here);                \
        void *data = vl_bytes_in_place(outputs, inputs, "data");                                   \
        enum vl_status status = data != NULL ? call : VL_EINTERNAL;                                \
        vl_show_bytes(outputs, inputs, "data");                                                    \
        return status;                                                                             \
    }
FLOATS(reduce_scatter, vl_reduce_scatter(here.comm, data, here.n))
FLOATS(reduce_scatter_start,
       then_end(outputs,
                IN_TURN(vl_reduce_scatter_start(&transfer, here.comm, data, here.n, here.tag)),
                &transfer))
FLOATS(all_reduce, vl_all_reduce(here.comm, data, here.n))
FLOATS(one_all_reduce,
       then_end(outputs, IN_TURN(vl_all_reduce_start(&transfer, here.comm, data, here.n, here.tag)),
                &transfer))
static VL_CALL(all_reduce_start)
{
    return vl_bag_int(inputs, "crowded") ? vl_call_two_all_reduces(outputs, inputs)
                                         : vl_call_one_all_reduce(outputs, inputs);
}
BYTES(all_gather, vl_all_gather(here.comm, data, here.n, here.element_bytes))
BYTES(all_gather_start, then_end(outputs,
                                 IN_TURN(vl_all_gather_start(&transfer, here.comm, data, here.n,
                                                             here.element_bytes, here.tag)),
                                 &transfer))

/* ---- along a tree ---- */

BYTES(one_broadcast, vl_broadcast(here.comm, data, here.bytes, here.root))

/* No rank has the root's number, whichever way it is wrong and however much there is to send. */
static enum vl_status refuse_roots(struct vl_bag *outputs, const struct vl_here *here, void *data)
{
    return vl_first_unrefused(
        outputs, {"root = P", vl_broadcast(here->comm, data, here->bytes, here->root)},
        {"root = P, bytes = 0", vl_broadcast(here->comm, data, 0, here->root)},
        {"root = -1", vl_broadcast(here->comm, data, here->bytes, -1)});
}
BYTES(bad_root, refuse_roots(outputs, &here, data))

/* Two broadcasts, the second from the rank after the first root. A rank that has much to pass on in
 * the first comes late: the second root tells it when its part of the second is over, so those who
 * still wait in the first have data of the second before them. */
static enum vl_status broadcast_twice(const struct vl_here *here, void *data, void *other)
{
    const int next = (here->root + 1) % here->ranks,
              late = (here->root + here->ranks / 2) % here->ranks;
    int waits = here->rank == late && !vl_word_comes(here->comm, next);
    enum vl_status status = vl_broadcast(here->comm, data, here->bytes, here->root);
    VL_NEXT(status, vl_broadcast(here->comm, other, here->bytes, next));
    if (here->rank == next)
        vl_word_send(here->comm, late);
    if (waits)
        vl_word_take(here->comm, next);
    return status;
}

static VL_CALL(two_broadcasts)
{
    const struct vl_here here = vl_here(inputs);
    void *data = vl_bytes_in_place(outputs, inputs, "data"),
         *other = vl_bytes_in_place(outputs, inputs, "other");
    if (data == NULL || other == NULL)
        return VL_EINTERNAL;
    enum vl_status status = broadcast_twice(&here, data, other);
    vl_show_bytes(outputs, inputs, "data");
    vl_show_bytes(outputs, inputs, "other");
    return status;
}

static VL_CALL(broadcast)
{
    const struct vl_here here = vl_here(inputs);
    if (here.root >= here.ranks)
        return vl_call_bad_root(outputs, inputs);
    return vl_bag_int(inputs, "late") ? vl_call_two_broadcasts(outputs, inputs)
                                      : vl_call_one_broadcast(outputs, inputs);
}

/* ---- the same calls, counted ---- */

/* How often each rank sent, the busiest first. The beacon says that the submission's part is over,
 * before the runner's own messages: a rank that waits here waits for one that is still in it. */
static VL_CALL(broadcast_traffic)
{
    enum vl_status status = vl_call_broadcast(outputs, inputs);
    vl_beacon_end((int32_t)status);
    struct vl_here here = vl_here(inputs);
    int64_t mine = (int64_t)vl_meter_now()->total.sent_messages;
    int64_t *sends = vl_unwritten_numbers(outputs, "sends", 1, (size_t)here.ranks);
    if (sends == NULL)
        return VL_EINTERNAL;
    vl_meter_collective(sizeof mine, here.ranks);
    PMPI_Allgather(&mine, 1, MPI_INT64_T, sends, 1, MPI_INT64_T, here.comm);
    for (int i = 1; i < here.ranks; i++)
        for (int k = i; k > 0 && sends[k - 1] < sends[k]; k--) {
            int64_t fewer = sends[k - 1];
            sends[k - 1] = sends[k];
            sends[k] = fewer;
        }
    return status;
}

/* To how many others did this rank send? */
static enum vl_status with_sent_to(struct vl_bag *outputs, enum vl_status status)
{
    const struct vl_beacon *beacon = vl_beacon_mine();
    size_t others = 0;
    for (uint32_t i = 0; i < beacon->channels_used && i < VL_BEACON_CHANNELS; i++) {
        int again = beacon->channel[i].sent == 0;
        for (uint32_t k = 0; k < i; k++)
            again |=
                beacon->channel[k].sent > 0 && beacon->channel[k].peer == beacon->channel[i].peer;
        others += !again;
    }
    return vl_give_counts(outputs, status, {"sent_to", others});
}

#define RING_TRAFFIC(name)                                                                         \
    static VL_CALL(name##_traffic)                                                                 \
    {                                                                                              \
        return with_sent_to(outputs, vl_call_##name##_start(outputs, inputs));                     \
    }
RING_TRAFFIC(reduce_scatter)
RING_TRAFFIC(all_gather)
RING_TRAFFIC(all_reduce)

/* ---- messages and pairs ---- */

/* Each rank's row goes to the next one; the receive is started first. */
static VL_CALL(message)
{
    struct vl_here here = vl_here(inputs);
    struct vl_transfer *in = NULL, *out = NULL;
    int from = (here.rank + here.ranks - 1) % here.ranks, to = (here.rank + 1) % here.ranks;
    if (vl_bag_int(inputs, "null"))
        return vl_transfer_finish(NULL);
    const unsigned char *row = vl_own_bytes(inputs, "data", here.bytes);
    unsigned char *data = vl_bytes_output(outputs, "data", here.bytes);
    if (data == NULL)
        return VL_EINTERNAL;
    enum vl_status received = vl_receive_start(&in, here.comm, data, here.bytes, from, here.tag);
    enum vl_status sent = vl_send_start(&out, here.comm, row, here.bytes, to, here.tag);
    sent = then_finish(sent, &out);
    received = then_finish(received, &in);
    vl_show_bytes(outputs, inputs, "data");
    return sent != VL_OK ? sent : received;
}

static VL_CALL(all_to_all)
{
    struct vl_here here = vl_here(inputs);
    const size_t *counts = vl_bag_sizes(inputs, "counts");
    size_t send_counts[VL_MOST_RANKS], receive_counts[VL_MOST_RANKS], all = 0;
    for (int s = 0; s < here.ranks && s < VL_MOST_RANKS; s++) {
        send_counts[s] = counts[here.rank * here.ranks + s];
        receive_counts[s] = counts[s * here.ranks + here.rank];
        all += receive_counts[s];
    }
    if (here.n > INT_MAX) /* there is memory for one element only */
        all = 1;
    const unsigned char *sent = vl_own_bytes(inputs, "data", vl_bag_find(inputs, "data")->shape[1]);
    void *received = vl_bytes_output(outputs, "received", all * here.element_bytes);
    if (received == NULL)
        return VL_EINTERNAL;
    enum vl_status status =
        vl_all_to_all(here.comm, received, receive_counts, sent, send_counts, here.element_bytes);
    vl_show_bytes(outputs, inputs, "received");
    return status;
}

const struct vl_call vl_calls_collectives[] = {
    VL_CALLED(chunk),
    VL_CALLED(reduce_scatter),
    VL_CALLED(all_gather),
    VL_CALLED(all_reduce),
    VL_CALLED(exchange),
    {"vl_send_start", vl_call_message},
    {"vl_receive_start", vl_call_message},
    VL_CALLED(reduce_scatter_start),
    VL_CALLED(all_gather_start),
    VL_CALLED(all_reduce_start),
    VL_CALLED(transfer_poll),
    {"vl_transfer_finish", vl_call_message},
    VL_CALLED(broadcast),
    VL_CALLED(all_to_all),
    VL_CALLED(levels_create),
    VL_CALLED(levels_free),
    {"vl_all_reduce_two_level", vl_call_two_level},
    {"broadcast_traffic", vl_call_broadcast_traffic},
    {"reduce_scatter_traffic", vl_call_reduce_scatter_traffic},
    {"all_gather_traffic", vl_call_all_gather_traffic},
    {"all_reduce_traffic", vl_call_all_reduce_traffic},
    {"all_to_all_traffic", vl_call_all_to_all},
    {"two_level_traffic", vl_call_two_level_traffic},
    VL_CALLED(broadcast_seconds),
    VL_CALLED(reduce_scatter_seconds),
    VL_CALLED(all_gather_seconds),
    VL_CALLED(all_reduce_seconds),
    VL_CALLED(two_level_seconds),
    VL_CALLED(predict_collectives),
    {NULL, NULL},
};
