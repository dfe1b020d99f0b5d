/* A message that does not reach the rank that waits for it: the two ends disagree on tag,
 * communicator or rank. */
#include "base/text.h"
#include "ranks/hang/wait_graph.h"

#include <stdbool.h>

/* The message on that channel if its receiver does not expect it; else its count is 0. */
static struct vl_message astray(const struct vl_wait_graph *graph, int from, uint32_t channel)
{
    struct vl_message m = vl_wait_graph_message(graph, from, channel);
    if (m.count > 0 && vl_wait_graph_receives(graph, m.to, &m) > 0)
        m.count = 0;
    return m;
}

static bool has_tag(const struct vl_message *m, int32_t tag)
{
    return tag == VL_BEACON_ANY || m->tag == tag;
}

static bool has_tag_of(const struct vl_beacon_call *one, const struct vl_beacon_call *other)
{
    return one->tag == other->tag || one->tag == VL_BEACON_ANY || other->tag == VL_BEACON_ANY;
}

/* Is it a message that nobody expects, and that matches 'wants' in all but the ranks? */
static bool would_do(const struct vl_message *m, const struct vl_beacon_call *wants)
{
    return m->count > 0 && m->communicator == wants->communicator && has_tag(m, wants->tag);
}

/* Is its sender still waiting for it to be received? Then it may send what is awaited afterwards. */
static bool holds_up(const struct vl_wait_graph *graph, const struct vl_message *m)
{
    const struct vl_wait *wait = &graph->wait[m->from];
    return wait->state == VL_RANK_WAITS && wait->kind == VL_WAIT_SEND &&
           wait->wants.peer == m->to && wait->wants.tag == m->tag &&
           wait->wants.communicator == m->communicator;
}

/* From the right rank, but labelled differently. */
static const char *wrong_label(const struct vl_wait_graph *graph, int rank, int from)
{
    const struct vl_beacon_call *wants = &graph->wait[rank].wants;
    struct vl_message tag = {0}, communicator = {0};
    for (uint32_t i = VL_BEACON_CHANNELS; i-- > 0;) {
        struct vl_message m = astray(graph, from, i);
        if (m.count == 0 || m.to != rank)
            continue;
        if (m.communicator == wants->communicator)
            tag = m;
        else if (has_tag(&m, wants->tag))
            communicator = m;
    }
    if (tag.count == 0 && communicator.count == 0)
        return NULL;
    vl_wait_graph_tell(graph, rank);
    if (tag.count > 0 && holds_up(graph, &tag))
        vl_hang_say(graph,
                    _("Rank %1$d waits until its message with tag %2$d is received. Either both "
                      "sides must name the same tag, or messages must be received in the order in "
                      "which they are sent."),
                    from, tag.tag);
    else if (tag.count > 0)
        vl_hang_say(graph,
                    _("A message from rank %1$d is there, but its tag is %2$d: sender and receiver "
                      "must name the same tag."),
                    from, tag.tag);
    else
        vl_hang_say(graph,
                    _("Such a message from rank %d is there, but on another communicator: sender "
                      "and receiver must name the same one."),
                    from);
    return tag.count > 0 ? "wrong_tag" : "wrong_communicator";
}

/* Will this rank never take the message that lies there for it? Not if it has returned, or waits for one
 * with the same label from somebody else. One that waits for something else may come to it. */
static bool leaves_it(const struct vl_wait_graph *graph, int rank,
                      const struct vl_beacon_call *label)
{
    const struct vl_wait *wait = &graph->wait[rank];
    if (wait->state == VL_RANK_RETURNED || wait->state == VL_RANK_LEFT)
        return true;
    return wait->state == VL_RANK_WAITS && wait->kind == VL_WAIT_RECEIVE &&
           wait->wants.communicator == label->communicator && has_tag_of(label, &wait->wants);
}

/* What it waits for went to another rank. */
static const char *went_elsewhere(const struct vl_wait_graph *graph, int rank)
{
    const struct vl_beacon_call *wants = &graph->wait[rank].wants;
    for (uint32_t i = 0; i < VL_BEACON_CHANNELS; i++) {
        struct vl_message m = astray(graph, wants->peer, i);
        if (m.to == rank || !would_do(&m, wants) || !leaves_it(graph, m.to, wants))
            continue;
        vl_wait_graph_tell(graph, rank);
        vl_hang_say(graph,
                    _("Rank %1$d sent such a message to rank %2$d, which does not receive it: look "
                      "at how each rank finds its partner."),
                    wants->peer, m.to);
        return "wrong_peer";
    }
    return NULL;
}

/* Does another rank, for which this one waits, wait for this one in turn? Then what lies there may well be meant
 * for later. */
static bool is_mutual(const struct vl_wait_graph *graph, int rank)
{
    const int other = graph->wait[rank].wants.peer;
    const struct vl_wait *wait = &graph->wait[other];
    return other != rank && wait->state == VL_RANK_WAITS && wait->wants.peer == rank;
}

/* Exactly one other rank sent such a message, but this one waits for another. */
static const char *came_from_elsewhere(const struct vl_wait_graph *graph, int rank)
{
    const struct vl_beacon_call *wants = &graph->wait[rank].wants;
    int found = -1;
    for (int from = 0; from < graph->ranks; from++)
        for (uint32_t i = 0; i < VL_BEACON_CHANNELS && from != wants->peer; i++) {
            struct vl_message m = astray(graph, from, i);
            if (m.to != rank || !would_do(&m, wants))
                continue;
            if (found >= 0 && found != from)
                return NULL;
            found = from;
        }
    /* The right one may be kept from sending by somebody else. */
    if (found < 0 || !leaves_it(graph, wants->peer, wants) || is_mutual(graph, rank))
        return NULL;
    vl_wait_graph_tell(graph, rank);
    vl_hang_say(graph,
                _("There is such a message from rank %d instead: look at how each rank finds its "
                  "partner."),
                found);
    return "wrong_peer";
}

const char *vl_find_misdirected(const struct vl_wait_graph *graph, int rank)
{
    const struct vl_wait *wait = &graph->wait[rank];
    if (wait->state != VL_RANK_WAITS || wait->kind != VL_WAIT_RECEIVE)
        return NULL;
    int any = wait->wants.peer == VL_BEACON_ANY;
    const char *code = NULL;
    for (int from = 0; from < graph->ranks && code == NULL; from++)
        if (any || wait->wants.peer == from)
            code = wrong_label(graph, rank, from);
    if (code == NULL)
        code = vl_find_wildcard(graph, rank);
    if (code == NULL && !any)
        code = went_elsewhere(graph, rank);
    return code == NULL && !any ? came_from_elsewhere(graph, rank) : code;
}
