/* An error that MPI found. A message that is too long may be a message for somebody else: that is asked
 * before the two ends are said to disagree on a count. */
#include "base/text.h"
#include "ranks/hang/wait_graph.h"

#include <stdbool.h>

/* ---- several under one tag ---- */

/* What a rank receives from another under one tag, all at once. */
struct receives {
    int32_t from, tag;
    uint32_t communicator;
    uint64_t count, bytes, first; /* how many, the room of all, and of one of them */
    bool uneven;                  /* they have not the same room */
};

static void add(struct receives *r, const struct vl_beacon_call *call)
{
    uint64_t bytes = call->count * call->type_bytes;
    bool receives = call->operation == VL_OP_IRECV || call->operation == VL_OP_RECV ||
                    call->operation == VL_OP_SENDRECV;
    if (!receives || call->peer != r->from || call->tag != r->tag ||
        call->communicator != r->communicator)
        return;
    if (r->count++ == 0)
        r->first = bytes;
    r->uneven |= bytes != r->first;
    r->bytes += bytes;
}

static struct receives receives_like(const struct vl_beacon *beacon,
                                     const struct vl_beacon_call *call)
{
    struct receives r = {.from = call->peer, .tag = call->tag, .communicator = call->communicator};
    for (size_t i = 0; i < VL_BEACON_REQUESTS; i++)
        add(&r, &beacon->request[i]);
    add(&r, &beacon->error_call);
    return r;
}

/* What 'from' has sent this rank under that tag, and it has not received. */
static struct vl_message message_to(const struct vl_wait_graph *graph, int rank, int32_t from,
                                    uint32_t communicator, int32_t tag)
{
    for (uint32_t i = 0; i < VL_BEACON_CHANNELS && vl_wait_graph_has_rank(graph, from); i++) {
        struct vl_message m = vl_wait_graph_message(graph, from, i);
        if (m.count > 0 && m.to == rank && m.communicator == communicator && m.tag == tag)
            return m;
    }
    return (struct vl_message){0};
}

/* As many messages as there are receives, and as many bytes: only their order differs. */
static bool tell_order(const struct vl_wait_graph *graph, int rank, const char *where)
{
    const struct vl_beacon *beacon = graph->beacon[rank];
    for (size_t i = 0; i < VL_BEACON_REQUESTS; i++) {
        const struct vl_beacon_call *call = &beacon->request[i];
        if (call->operation != VL_OP_IRECV)
            continue;
        struct receives r = receives_like(beacon, call);
        struct vl_message m = message_to(graph, rank, r.from, r.communicator, r.tag);
        if (r.count < 2 || !r.uneven || m.count != r.count || m.bytes != r.bytes)
            continue;
        vl_hang_say(graph,
                    VL_NGETTEXT("Rank %1$d has %2$d receive from rank %3$d with tag %4$d open in "
                                "%5$s, but the message comes in another order. Messages with one "
                                "tag arrive in the order in which they were sent: post the "
                                "receives in that order, or give each message its own tag.",
                                "Rank %1$d has %2$d receives from rank %3$d with tag %4$d open in "
                                "%5$s, but the messages come in another order. Messages with one "
                                "tag arrive in the order in which they were sent: post the "
                                "receives in that order, or give each message its own tag.",
                                r.count),
                    rank, (int)r.count, r.from, r.tag, where);
        return true;
    }
    return false;
}

/* ---- somebody else waits for it ---- */

static bool tell_meant_for(const struct vl_wait_graph *graph, int rank, const char *where,
                           const struct vl_beacon_call *call)
{
    struct vl_message m = message_to(graph, rank, call->peer, call->communicator, call->tag);
    uint64_t room = call->count * call->type_bytes;
    for (int other = 0; other < graph->ranks && m.count == 1 && m.bytes > room; other++) {
        const struct vl_wait *wait = &graph->wait[other];
        const struct vl_beacon_call *wants = &wait->wants;
        if (other == rank || wait->state != VL_RANK_WAITS || wait->kind != VL_WAIT_RECEIVE ||
            wants->peer != m.from || wants->communicator != m.communicator || wants->tag != m.tag ||
            wants->count * wants->type_bytes != m.bytes)
            continue;
        vl_hang_say(graph,
                    _("The message from rank %1$d that rank %2$d receives in %3$s is too long for "
                      "that receive: it has %4$llu bytes, and that is what rank %5$d waits for "
                      "from rank %1$d. Look at how each rank finds its partner."),
                    m.from, rank, where, (unsigned long long)m.bytes, other);
        return true;
    }
    return false;
}

/* ---- what the message itself shows ---- */

/* The order of messages is not known, so a size is given only if there is one message. */
static void tell_truncated(const struct vl_wait_graph *graph, int rank, const char *where,
                           const struct vl_beacon_call *call)
{
    unsigned long long bytes = call->count * call->type_bytes;
    struct vl_message m = message_to(graph, rank, call->peer, call->communicator, call->tag);
    if (vl_operation_is_collective(call->operation))
        vl_hang_say(graph,
                    _("Rank %1$d gets more data in %2$s than it has room for: counts and types "
                      "must be the same on all ranks."),
                    rank, where);
    else if (m.count == 1 && m.bytes > bytes)
        vl_hang_say(graph,
                    _("The message from rank %1$d to rank %2$d, tag %3$d, has %4$llu bytes, but "
                      "%5$s has room for %6$llu: sender and receiver must agree on the count."),
                    m.from, rank, m.tag, (unsigned long long)m.bytes, where, bytes);
    else if (vl_wait_graph_has_rank(graph, call->peer))
        vl_hang_say(graph,
                    _("The message from rank %1$d that rank %2$d receives in %3$s is longer than "
                      "the room there is for it: sender and receiver must agree on the count."),
                    call->peer, rank, where);
    else
        vl_hang_say(graph,
                    _("A message that rank %1$d receives in %2$s is longer than the room there "
                      "is for it: sender and receiver must agree on the count."),
                    rank, where);
}

static void tell_no_such_rank(const struct vl_wait_graph *graph, int rank, const char *where)
{
    int peer = graph->beacon[rank]->error_call.peer;
    if (graph->ranks == 1)
        vl_hang_say(graph,
                    _("Rank %1$d names rank %2$d as its partner in %3$s, but no other rank runs: "
                      "decide what is to happen on one rank."),
                    rank, peer, where);
    else
        vl_hang_say(graph,
                    _("Rank %1$d names rank %2$d as its partner in %3$s, but the ranks are "
                      "numbered from 0 to %4$d: look at how each rank finds its partner."),
                    rank, peer, where, graph->ranks - 1);
}

const char *vl_find_error(const struct vl_wait_graph *graph)
{
    char where[VL_WHERE];
    for (int rank = 0; rank < graph->ranks; rank++) {
        const struct vl_beacon *beacon = graph->beacon[rank];
        if (beacon->error == 0)
            continue;
        vl_where_refused(where, graph, rank);
        if (beacon->error == VL_REFUSED_TRUNCATED) {
            if (tell_order(graph, rank, where))
                return "tag_shared";
            if (tell_meant_for(graph, rank, where, &beacon->error_call))
                return "wrong_peer";
            tell_truncated(graph, rank, where, &beacon->error_call);
            return "message_truncated";
        }
        if (beacon->error_call.peer >= graph->ranks) {
            tell_no_such_rank(graph, rank, where);
            return "mpi_error";
        }
        vl_tell_refusal(graph, rank, where);
        return "mpi_error";
    }
    return NULL;
}
