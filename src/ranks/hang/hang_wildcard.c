/* A receive from any rank that took another one's message. Which one it takes is chance. */
#include "base/text.h"
#include "ranks/hang/wait_graph.h"

#include <stdbool.h>

static bool fits(int32_t wanted, int32_t tag)
{
    return wanted == VL_BEACON_ANY || wanted == tag;
}

/* Did it take what this rank waits for now? */
static bool took(const struct vl_beacon_taken *taken, const struct vl_beacon_call *wants)
{
    return taken->call.operation != VL_OP_NONE && taken->call.peer == VL_BEACON_ANY &&
           taken->peer == wants->peer && taken->call.communicator == wants->communicator &&
           fits(wants->tag, taken->tag);
}

/* A rank whose message lies there, which that receive could have taken instead; -1 if there is none. */
static int other_than(const struct vl_wait_graph *graph, int rank,
                      const struct vl_beacon_taken *taken)
{
    for (int from = 0; from < graph->ranks; from++)
        for (uint32_t i = 0; i < VL_BEACON_CHANNELS && from != taken->peer; i++) {
            struct vl_message m = vl_wait_graph_message(graph, from, i);
            if (m.count > 0 && m.to == rank && m.communicator == taken->call.communicator &&
                fits(taken->call.tag, m.tag) && vl_wait_graph_receives(graph, rank, &m) == 0)
                return from;
        }
    return -1;
}

const char *vl_find_wildcard(const struct vl_wait_graph *graph, int rank)
{
    const struct vl_wait *wait = &graph->wait[rank];
    char where[VL_WHERE];
    if (wait->state != VL_RANK_WAITS || wait->kind != VL_WAIT_RECEIVE ||
        wait->wants.peer == VL_BEACON_ANY)
        return NULL;
    for (size_t i = 0; i < VL_BEACON_TAKEN; i++) {
        const struct vl_beacon_taken *taken = &graph->beacon[rank]->taken[i];
        int other = took(taken, &wait->wants) ? other_than(graph, rank, taken) : -1;
        if (other < 0)
            continue;
        vl_wait_graph_tell(graph, rank);
        vl_hang_say(
            graph,
            _("An earlier receive from any rank, %1$s, took a message like that from rank %2$d, "
              "and the one from rank %3$d is still there. Which of them such a receive takes is a "
              "matter of chance: name the rank in it, or give each kind of message a tag of its "
              "own."),
            vl_wait_graph_where(where, graph, rank, &taken->call), wait->wants.peer, other);
        return "wildcard_race";
    }
    return NULL;
}
