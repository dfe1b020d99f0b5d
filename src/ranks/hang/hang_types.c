/* Messages that one side calls whole numbers and the other real ones, or shorter and longer: MPI takes the bytes as
 * they are. */
#include "base/text.h"
#include "ranks/hang/wait_graph.h"
#include "wire/element_type.h"

#include <stdbool.h>
#include <string.h>

bool vl_wait_graph_types_differ(uint32_t one, uint32_t other)
{
    enum vl_element_kind a = vl_element_kind(one), b = vl_element_kind(other);
    return a != VL_ELEMENT_UNKNOWN && b != VL_ELEMENT_UNKNOWN && a != b;
}

/* The other end of a channel; NULL if there is none. */
static const struct vl_beacon_channel *other_end(const struct vl_wait_graph *graph, int rank,
                                                 const struct vl_beacon_channel *channel)
{
    if (!vl_wait_graph_has_rank(graph, channel->peer))
        return NULL;
    const struct vl_beacon *beacon = graph->beacon[channel->peer];
    for (uint32_t i = 0; i < beacon->channels_used && i < VL_BEACON_CHANNELS; i++) {
        const struct vl_beacon_channel *end = &beacon->channel[i];
        if (end->peer == rank && end->tag == channel->tag &&
            end->communicator == channel->communicator)
            return end;
    }
    return NULL;
}

/* All messages have come, each side has called all of them by types that are known, and not by the same. */
static bool differ(const struct vl_beacon_channel *out, const struct vl_beacon_channel *in)
{
    return out->sent > 0 && out->sent == in->received && out->out.kinds[VL_ELEMENT_UNKNOWN] == 0 &&
           in->in.kinds[VL_ELEMENT_UNKNOWN] == 0 &&
           memcmp(out->out.kinds, in->in.kinds, sizeof out->out.kinds) != 0 &&
           vl_wait_graph_types_differ(out->out.type, in->in.type);
}

static void tell(const struct vl_wait_graph *graph, int rank, const struct vl_beacon_channel *out,
                 const struct vl_beacon_channel *in)
{
    char sent[VL_WHERE], received[VL_WHERE];
    const struct vl_beacon_call from = {.operation = out->out.operation,
                                        .address = out->out.address};
    const struct vl_beacon_call to = {.operation = in->in.operation, .address = in->in.address};
    vl_wait_graph_where(sent, graph, rank, &from);
    vl_wait_graph_where(received, graph, out->peer, &to);
    vl_hang_say(graph,
                _("Rank %1$d sends with %2$s in %3$s, but rank %4$d receives it with %5$s in %6$s: "
                  "both sides must name the same type."),
                rank, vl_element_name(out->out.type), sent, out->peer, vl_element_name(in->in.type),
                received);
}

const char *vl_find_types(const struct vl_wait_graph *graph)
{
    if (!vl_wait_graph_is_program(graph) || vl_wait_graph_lost_messages(graph))
        return NULL;
    for (int rank = 0; rank < graph->ranks; rank++) {
        const struct vl_beacon *beacon = graph->beacon[rank];
        for (uint32_t i = 0; i < beacon->channels_used && i < VL_BEACON_CHANNELS; i++) {
            const struct vl_beacon_channel *out = &beacon->channel[i];
            const struct vl_beacon_channel *in = other_end(graph, rank, out);
            if (in == NULL || !differ(out, in))
                continue;
            tell(graph, rank, out, in);
            return "message_type";
        }
    }
    return NULL;
}
