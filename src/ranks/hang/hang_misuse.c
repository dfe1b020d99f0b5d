/* What one rank left open, or did to its own buffers. */
#include "base/text.h"
#include "ranks/hang/wait_graph.h"

#include <stdbool.h>
#include <stdlib.h>

static bool tell_touched(const struct vl_wait_graph *graph, int rank)
{
    char where[VL_WHERE];
    const struct vl_beacon *beacon = graph->beacon[rank];
    if (beacon->touched == 0)
        return false;
    vl_hang_say(
        graph,
        _("Rank %1$d changed the data of %2$s before it was sent: a buffer belongs to MPI "
          "until the wait for its request has returned. Either it is sent too early, or something "
          "is written to it too early, or too far."),
        rank,
        vl_wait_graph_where_was(where, graph, rank, &beacon->touched_call, &beacon->touched_outer));
    return true;
}

/* 'count' things are open, and 'call' began one of them. The sentence takes the rank, the count and
 * the call. */
static bool tell_open(const struct vl_wait_graph *graph, int rank, uint32_t count,
                      const struct vl_beacon_call *call, const char *sentence)
{
    char where[VL_WHERE];
    if (count == 0)
        return false;
    vl_hang_say(graph, sentence, rank, count, vl_wait_graph_where(where, graph, rank, call));
    return true;
}

static bool tell_transfers(const struct vl_wait_graph *graph, int rank)
{
    const struct vl_beacon *beacon = graph->beacon[rank];
    return tell_open(
        graph, rank, beacon->transfers_open, &beacon->transfer_call,
        VL_NGETTEXT("Rank %1$d leaves %2$u transfer unfinished, begun by %3$s: each needs its "
                    "vl_transfer_finish.",
                    "Rank %1$d leaves %2$u transfers unfinished, the first begun by %3$s: each "
                    "needs its vl_transfer_finish.",
                    beacon->transfers_open));
}

static bool tell_requests(const struct vl_wait_graph *graph, int rank)
{
    const struct vl_beacon *beacon = graph->beacon[rank];
    const struct vl_beacon_call *request = beacon->request, *end = request + VL_BEACON_REQUESTS;
    while (request < end && request->operation == VL_OP_NONE)
        request++;
    return request < end &&
           tell_open(
               graph, rank, beacon->requests_open, request,
               VL_NGETTEXT("Rank %1$d leaves %2$u request open, begun by %3$s: each needs a wait, "
                           "or a test that says it is done.",
                           "Rank %1$d leaves %2$u requests open, one of them begun by %3$s: each "
                           "needs a wait, or a test that says it is done.",
                           beacon->requests_open));
}

/* The wrappers know of no open request, but MPI does: it was begun past them, or freed too early. */
static bool tell_held(const struct vl_wait_graph *graph, int rank)
{
    if (graph->beacon[rank]->held == 0)
        return false;
    vl_hang_say(graph,
                _("Rank %1$d leaves a request open: each needs a wait, or a test that says it is "
                  "done, and a persistent one needs MPI_Request_free."),
                rank);
    return true;
}

/* Did this rank come back without having sent, received or met anybody? */
static bool stayed_away(const struct vl_wait_graph *graph, int rank)
{
    const struct vl_beacon *beacon = rank < graph->ranks ? graph->beacon[rank] : NULL;
    return beacon != NULL && beacon->phase == VL_PHASE_RETURNED && beacon->channels_used == 0 &&
           beacon->collectives_seen == 0 && beacon->requests_open == 0;
}

static bool tell_unreceived(const struct vl_wait_graph *graph, int rank)
{
    for (uint32_t i = 0; i < VL_BEACON_CHANNELS && !vl_wait_graph_lost_messages(graph); i++) {
        struct vl_message m = vl_wait_graph_message(graph, rank, i);
        if (m.count == 0)
            continue;
        if (!vl_wait_graph_is_program(graph) && stayed_away(graph, m.to)) {
            vl_hang_say(graph,
                        _("Rank %2$d came back without a single MPI call, but rank %1$d sent it "
                          "something: a rank that has nothing to give may still have something to "
                          "receive."),
                        rank, m.to);
            return true;
        }
        vl_hang_say(
            graph,
            VL_NGETTEXT("Rank %1$d sent rank %2$d %3$llu message with tag %4$d that was never "
                        "received: a receive is missing there, or this send is one too many.",
                        "Rank %1$d sent rank %2$d %3$llu messages with tag %4$d that were never "
                        "received: receives are missing there, or these sends are too many.",
                        m.count),
            rank, m.to, (unsigned long long)m.count, m.tag);
        return true;
    }
    return false;
}

static bool tell_communicators(const struct vl_wait_graph *graph, int rank)
{
    const struct vl_beacon *beacon = graph->beacon[rank];
    return tell_open(
        graph, rank, beacon->communicators_open, &beacon->opened_call,
        VL_NGETTEXT("Rank %1$d leaves %2$u communicator behind, made by %3$s: MPI_Comm_free gives "
                    "it back.",
                    "Rank %1$d leaves %2$u communicators behind, the latest made by %3$s: "
                    "MPI_Comm_free gives them back.",
                    beacon->communicators_open));
}

/* Causes come before their consequences: a transfer left open leaves requests and messages. */
static const struct {
    const char *code;
    bool (*tell)(const struct vl_wait_graph *graph, int rank);
} rules[] = {
    {"buffer_touched", tell_touched},
    {"transfer_not_finished", tell_transfers},
    {"request_not_completed", tell_requests},
    {"message_not_received", tell_unreceived},
    {"communicator_leaked", tell_communicators},
    {"request_not_completed", tell_held},
};

const char *vl_find_open(const struct vl_wait_graph *graph)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        for (int rank = 0; rank < graph->ranks; rank++)
            if (rules[i].tell(graph, rank))
                return rules[i].code;
    return NULL;
}
