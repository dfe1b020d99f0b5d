/* What ranks left open, or did to their own buffers. */
#include "base/text.h"
#include "ranks/hang/wait_graph.h"

#include <stdbool.h>
#include <string.h>

static bool tell_touched(const struct vl_wait_graph *graph, int rank)
{
    char where[VL_WHERE];
    const struct vl_beacon *beacon = graph->beacon[rank];
    if (beacon->touched == 0)
        return false;
    vl_hang_say(
        graph,
        _("Rank %1$d changed the data of %2$s before it was sent: a buffer belongs to MPI until "
          "the wait for its request has returned. Begin the send later, write to the buffer later, "
          "or look for a write that goes past the end of other memory."),
        rank,
        vl_wait_graph_where_was(where, graph, rank, &beacon->touched_call, &beacon->touched_outer));
    return true;
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

static bool tell_first(const struct vl_wait_graph *graph,
                       bool (*tell)(const struct vl_wait_graph *graph, int rank))
{
    for (int rank = 0; rank < graph->ranks; rank++)
        if (tell(graph, rank))
            return true;
    return false;
}

/* ---- messages ---- */

/* Did this rank come back without having sent, received or met anybody? */
static bool stayed_away(const struct vl_wait_graph *graph, int rank)
{
    const struct vl_beacon *beacon = rank < graph->ranks ? graph->beacon[rank] : NULL;
    return beacon != NULL && beacon->phase == VL_PHASE_RETURNED && beacon->channels_used == 0 &&
           beacon->collectives_seen == 0 && beacon->requests_open == 0;
}

/* The first of this rank's messages that nobody received; its count is 0 if there is none. */
static struct vl_message unreceived(const struct vl_wait_graph *graph, int rank)
{
    struct vl_message m = {.count = 0};
    for (uint32_t i = 0; i < VL_BEACON_CHANNELS && m.count == 0; i++)
        m = vl_wait_graph_message(graph, rank, i);
    return m;
}

static void tell_message(const struct vl_wait_graph *graph, const struct vl_message *m)
{
    if (!vl_wait_graph_is_program(graph) && stayed_away(graph, m->to))
        vl_hang_say(graph,
                    _("Rank %2$d returned without a single MPI call, but rank %1$d sent it "
                      "something: a rank that has nothing to give may still have something to "
                      "receive."),
                    m->from, m->to);
    else
        vl_hang_say(
            graph,
            VL_NGETTEXT("Rank %1$d sent %3$llu message with tag %4$d to rank %2$d that was never "
                        "received: a receive is missing there, or this send is one too many.",
                        "Rank %1$d sent %3$llu messages with tag %4$d to rank %2$d that were never "
                        "received: receives are missing there, or these sends are too many.",
                        m->count),
            m->from, m->to, (unsigned long long)m->count, m->tag);
}

static bool tell_unreceived(const struct vl_wait_graph *graph)
{
    char list[VL_RANK_LIST];
    uint32_t others = 0;
    bool found = false;
    for (int rank = 0; rank < graph->ranks && !vl_wait_graph_lost_messages(graph); rank++) {
        struct vl_message m = unreceived(graph, rank);
        if (m.count > 0 && found)
            others |= (uint32_t)1 << rank;
        else if (m.count > 0)
            tell_message(graph, &m);
        found |= m.count > 0;
    }
    int count = vl_wait_graph_list(list, others);
    if (count > 0) /* TRANSLATORS: %s is one rank, or several: "1, 2, 5". */
        vl_hang_say(graph,
                    VL_NGETTEXT("Messages of rank %s were never received, either.",
                                "Messages of ranks %s were never received, either.",
                                (unsigned long)count),
                    list);
    return found;
}

/* ---- the whole ---- */

static const struct {
    enum vl_left_kind kind;
    const char *code;
} allowed[] = {{VL_LEFT_GROUPS, "group_leaked"},
               {VL_LEFT_TYPES, "type_leaked"},
               {VL_LEFT_OPERATORS, "operator_leaked"}};

enum { ALLOWED = sizeof allowed / sizeof *allowed };

bool vl_finding_is_allowed(const struct vl_finding *finding)
{
    for (size_t i = 0; i < ALLOWED && finding->code != NULL; i++)
        if (strcmp(finding->code, allowed[i].code) == 0)
            return true;
    return false;
}

/* Causes come before their consequences: a transfer left open leaves requests and messages. What MPI allows
 * comes last. */
const char *vl_find_open(const struct vl_wait_graph *graph)
{
    if (tell_first(graph, tell_touched))
        return "buffer_touched";
    if (vl_tell_left(graph, VL_LEFT_TRANSFERS))
        return "transfer_not_finished";
    if (vl_tell_left(graph, VL_LEFT_REQUESTS))
        return "request_not_completed";
    if (tell_unreceived(graph))
        return "message_not_received";
    if (vl_tell_left(graph, VL_LEFT_COMMUNICATORS))
        return "communicator_leaked";
    if (vl_tell_left(graph, VL_LEFT_PERSISTENT) || tell_first(graph, tell_held))
        return "request_not_completed";
    for (size_t i = 0; i < ALLOWED; i++)
        if (vl_tell_left(graph, allowed[i].kind))
            return allowed[i].code;
    return NULL;
}
