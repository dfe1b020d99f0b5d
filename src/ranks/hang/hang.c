#include "ranks/hang/hang.h"

#include "base/text.h"
#include "ranks/hang/wait_graph.h"

#include <stdbool.h>
#include <stdlib.h>

#define TOLD 4 /* ranks named in the message itself; all are in the detail */

/* ---- a circle ---- */

/* Does this rank wait for its turn to call (runner/turns.h)? */
static bool awaits_turn(const struct vl_wait *wait)
{
    return wait->kind == VL_WAIT_RECEIVE && wait->wants.tag == VL_TURN_TAG;
}

/* Ranks that call one after another, and a call that does not come back before others have made theirs. */
static const char *tell_turns(const struct vl_wait_graph *graph, const int *circle, int count)
{
    for (int i = 0; i < count; i++)
        if (!awaits_turn(&graph->wait[circle[i]]))
            vl_wait_graph_tell(graph, circle[i]);
    vl_hang_say(graph, _("In this case the ranks make this call one after another. It may start "
                         "messages, but not wait for other ranks: that is left to later calls."));
    return "waits_for_others";
}

/* A circle of waiting ranks in order, from the lowest. Returns their number; 0 if there is none. */
static int find_circle(int circle[VL_WAIT_GRAPH_RANKS], const struct vl_wait_graph *graph)
{
    for (int rank = 0; rank < graph->ranks; rank++) {
        int start = vl_wait_graph_end(graph, rank), count = 0, lowest;
        if (graph->wait[start].state != VL_RANK_WAITS || graph->wait[start].next < 0)
            continue;
        lowest = start;
        for (int r = graph->wait[start].next; r != start; r = graph->wait[r].next)
            lowest = r < lowest ? r : lowest;
        int r = lowest;
        do
            circle[count++] = r;
        while ((r = graph->wait[r].next) != lowest);
        return count;
    }
    return 0;
}

static const char *tell_circle(const struct vl_wait_graph *graph, const int *circle, int count)
{
    int sends = 1, receives = 1, collectives = 1, apart = 0, buffered = 0, blocking = 0, plain = 1;
    for (int i = 0; i < count; i++) {
        const struct vl_wait *wait = &graph->wait[circle[i]];
        if (awaits_turn(wait))
            return tell_turns(graph, circle, count);
        sends &= wait->kind == VL_WAIT_SEND;
        receives &= wait->kind == VL_WAIT_RECEIVE;
        plain &= wait->call.operation == VL_OP_RECV || wait->call.operation == VL_OP_PROBE;
        collectives &= wait->kind == VL_WAIT_COLLECTIVE;
        apart |= wait->wants.communicator != graph->wait[circle[0]].wants.communicator;
        buffered |= graph->synchronous && wait->call.operation == VL_OP_SEND;
        blocking |= wait->call.operation == VL_OP_SEND || wait->call.operation == VL_OP_SSEND;
    }
    if (collectives && apart)
        vl_hang_say(graph, _("Ranks wait for one another in collective calls on different "
                             "communicators: all must make them in the same order."));
    else if (count == 1)
        vl_hang_say(graph, _("Rank %d waits for itself, so it can never go on."), circle[0]);
    else
        vl_hang_say(graph, _("Ranks wait for one another in a circle, so none of them can go on."));
    for (int i = 0; i < count && i < TOLD; i++)
        vl_wait_graph_tell(graph, circle[i]);
    if (collectives && apart)
        return "collective_communicator";
    if (buffered)
        vl_hang_say(graph,
                    _("MPI_Send may return before its message is received, if MPI has room to keep "
                      "it, but it need not: in this case it never does. Let somebody receive "
                      "first, or use MPI_Sendrecv."));
    else if (sends && !blocking)
        vl_hang_say(graph,
                    _("A send may last until its message is received: let somebody receive before "
                      "you wait for its end."));
    else if (sends)
        vl_hang_say(graph, _("A send may last until its message is received: let somebody receive "
                             "first, or use MPI_Sendrecv."));
    else if (receives && count > 1 && !plain)
        vl_hang_say(graph, _("None of these messages has been sent: look whether every receive has "
                             "its send."));
    else if (receives && count > 1)
        vl_hang_say(graph, _("All of them receive before they send: let somebody send first."));
    return buffered ? "send_needs_buffer" : "hung_cycle";
}

static const char *find_in_circle(const struct vl_wait_graph *graph)
{
    int circle[VL_WAIT_GRAPH_RANKS];
    int count = find_circle(circle, graph);
    const char *code = NULL;
    for (int i = 0; i < count && code == NULL; i++)
        code = vl_find_misdirected(graph, circle[i]);
    return count > 0 && code == NULL ? tell_circle(graph, circle, count) : code;
}

/* ---- a rank that does not come ---- */

/* The lowest rank, at least 'first', that waits directly for 'rank'; -1 if there is none. */
static int next_waiting(const struct vl_wait_graph *graph, int rank, int first)
{
    for (int r = first; r < graph->ranks; r++)
        if (r != rank && graph->wait[r].state == VL_RANK_WAITS && graph->wait[r].next == rank)
            return r;
    return -1;
}

/* How many ranks wait for 'rank', directly or through others. */
static int count_waiting(const struct vl_wait_graph *graph, int rank)
{
    int count = 0;
    for (int r = 0; r < graph->ranks; r++)
        count += r != rank && graph->wait[r].state == VL_RANK_WAITS &&
                 vl_wait_graph_end(graph, r) == rank;
    return count;
}

/* The lowest rank in this state that others wait for; with 'alone', else one nobody waits for. */
static int find_state(const struct vl_wait_graph *graph, enum vl_rank_state state, int alone)
{
    for (int least = 1; least >= !alone; least--)
        for (int rank = 0; rank < graph->ranks; rank++)
            if (graph->wait[rank].state == state && count_waiting(graph, rank) >= least)
                return rank;
    return -1;
}

/* Say how many wait, and show one of them: the detail has them all. */
static void tell_waiting(const struct vl_wait_graph *graph, int rank)
{
    int all = count_waiting(graph, rank), first = next_waiting(graph, rank, 0);
    if (all == 0)
        return;
    vl_hang_say(graph,
                VL_NGETTEXT("%1$d of %2$d ranks waits for rank %3$d.",
                            "%1$d of %2$d ranks wait for rank %3$d.", (unsigned long)all),
                all, graph->ranks, rank);
    if (first >= 0)
        vl_wait_graph_tell(graph, first);
}

static const char *find_left(const struct vl_wait_graph *graph)
{
    int rank = find_state(graph, VL_RANK_LEFT, 1);
    if (rank < 0)
        return NULL;
    vl_wait_graph_tell(graph, rank);
    if (vl_wait_graph_is_program(graph))
        vl_hang_say(graph,
                    _("A rank that ends before the others leaves them waiting: each must come to "
                      "its MPI_Finalize."));
    else
        vl_hang_say(
            graph,
            _("A function returns a status; it never calls exit, MPI_Abort or MPI_Finalize."));
    tell_waiting(graph, rank);
    return "rank_left";
}

/* Does 'waiting' wait inside a collective contract that 'returned' never entered? The submission
 * did not send the messages inside it, so none of them is misdirected. */
static bool is_missed(const struct vl_wait_graph *graph, int returned, int waiting)
{
    return graph->beacon[returned]->channels_used == 0 &&
           vl_operation_is_collective(graph->beacon[waiting]->outer.operation);
}

/* 'rank' is over, and nobody else will send it either. */
static void tell_never_sent(const struct vl_wait_graph *graph, int rank, bool from_any)
{
    if (vl_wait_graph_is_program(graph) && from_any)
        vl_hang_say(graph, _("Nobody will send it: the other ranks have called MPI_Finalize. Every "
                             "receive needs a send on the other side."));
    else if (vl_wait_graph_is_program(graph))
        vl_hang_say(graph,
                    _("Nobody will send it: rank %d has called MPI_Finalize. Every receive needs a "
                      "send on the other side."),
                    rank);
    else if (from_any)
        vl_hang_say(graph, _("Nobody will send it: the other ranks have returned. Every "
                             "receive needs a send on the other side."));
    else
        vl_hang_say(graph,
                    _("Nobody will send it: rank %d has returned. Every receive needs a send "
                      "on the other side."),
                    rank);
}

static const char *find_returned(const struct vl_wait_graph *graph)
{
    int rank = find_state(graph, VL_RANK_RETURNED, 0);
    if (rank < 0)
        return NULL;
    int first = next_waiting(graph, rank, 0);
    for (int r = first; r >= 0; r = next_waiting(graph, rank, r + 1)) {
        const char *code = is_missed(graph, rank, r) ? NULL : vl_find_misdirected(graph, r);
        if (code != NULL)
            return code;
    }
    if (first >= 0 && graph->wait[first].kind == VL_WAIT_RECEIVE &&
        vl_wait_graph_ended_well(graph, rank) &&
        (count_waiting(graph, rank) == 1 || vl_wait_graph_is_program(graph))) {
        vl_wait_graph_tell(graph, first);
        tell_never_sent(graph, rank, graph->wait[first].wants.peer == VL_BEACON_ANY);
        return "never_sent";
    }
    vl_wait_graph_tell(graph, rank);
    tell_waiting(graph, rank);
    if (first >= 0 && graph->wait[first].kind == VL_WAIT_SEND &&
        vl_wait_graph_ended_well(graph, rank))
        vl_hang_say(graph, _("Either rank %d lacks a receive, or this send is one too many."),
                    rank);
    else
        vl_hang_say(
            graph,
            _("Look for a return, or a condition around a call, that only some ranks take."));
    return "rank_left";
}

/* A rank waits for any other, but there is none. */
static const char *find_rank_without_partner(const struct vl_wait_graph *graph)
{
    for (int rank = 0; rank < graph->ranks; rank++) {
        if (graph->wait[rank].state != VL_RANK_WAITS || graph->wait[rank].next >= 0)
            continue;
        const char *code = vl_find_misdirected(graph, rank);
        if (code != NULL)
            return code;
        vl_wait_graph_tell(graph, rank);
        vl_hang_say(graph, _("Nobody is there to send it."));
        return "never_sent";
    }
    return NULL;
}

static const char *find_endless(const struct vl_wait_graph *graph)
{
    int rank = find_state(graph, VL_RANK_COMPUTES, 1);
    if (rank >= 0) {
        vl_wait_graph_tell(graph, rank);
        vl_hang_say(graph, _("It did not come back in time: look for a loop that cannot end."));
        tell_waiting(graph, rank);
        return "hung";
    }
    rank = find_state(graph, VL_RANK_MOVES, 1);
    if (rank < 0)
        return NULL;
    vl_hang_say(graph, _("The time was up while messages still moved: look at the loops that send, "
                         "receive or poll, and at what ends them."));
    vl_wait_graph_tell(graph, rank);
    return "hung";
}

/* ---- the whole ---- */

typedef const char *(*find_fn)(const struct vl_wait_graph *graph);

/* The first that finds something decides. */
static const find_fn in_a_hang[] = {
    vl_find_race,  vl_find_mismatch,          vl_find_error, find_left, find_in_circle,
    find_returned, find_rank_without_partner, find_endless,  NULL};
static const find_fn in_misuse[] = {vl_find_race,  vl_find_error, vl_find_mismatch,
                                    vl_find_types, vl_find_open,  NULL};

static enum vl_status tell_all(char **text, struct vl_wait_graph *graph)
{
    size_t length;
    graph->between = '\n';
    graph->out = open_memstream(text, &length);
    if (graph->out == NULL)
        return VL_ENOMEM;
    vl_wait_graph_tell_all(graph);
    return fclose(graph->out) == 0 ? VL_OK : VL_ENOMEM;
}

enum vl_status vl_hang_table(char **text, const struct vl_beacon *const *beacons,
                             const struct vl_hang_places *places, int ranks)
{
    struct vl_wait_graph graph;
    *text = NULL;
    if (!vl_wait_graph_read(&graph, beacons, ranks, 0))
        return VL_OK;
    graph.places = places;
    return tell_all(text, &graph);
}

static enum vl_status describe(struct vl_finding *finding, struct vl_wait_graph *graph,
                               int finished)
{
    size_t length;
    graph->between = ' ';
    graph->out = open_memstream(&finding->message, &length);
    if (graph->out == NULL)
        return VL_ENOMEM;
    /* The grader looks at results first. A program's own are not known. */
    if (vl_wait_graph_is_program(graph))
        finding->code = vl_find_unwritten(graph);
    for (const find_fn *find = finished ? in_misuse : in_a_hang; *find && !finding->code; find++)
        finding->code = (*find)(graph);
    if (finding->code == NULL && finished == VL_FINISHED_WRONG)
        finding->code = vl_find_unwritten(graph);
    int whole = !ferror(graph->out);
    if (fclose(graph->out) != 0 || !whole)
        return VL_ENOMEM;
    if (finding->code == NULL || finished || graph->ranks == 1)
        return VL_OK;
    return tell_all(&finding->detail, graph);
}

enum vl_status vl_hang_find(struct vl_finding *finding, const struct vl_beacon *const *beacons,
                            const struct vl_hang_places *places, int ranks, int finished,
                            int synchronous)
{
    struct vl_wait_graph graph;
    *finding = (struct vl_finding){0};
    if (!vl_wait_graph_read(&graph, beacons, ranks, synchronous))
        return VL_OK;
    graph.places = places;
    enum vl_status status = describe(finding, &graph, finished);
    if (status != VL_OK || finding->code == NULL)
        vl_finding_free(finding);
    return status;
}

void vl_hang_next(int *next, const struct vl_beacon *const *beacons, int ranks)
{
    struct vl_wait_graph graph;
    bool read = vl_wait_graph_read(&graph, beacons, ranks, 0) != 0;
    for (int rank = 0; rank < ranks; rank++)
        next[rank] = read && graph.wait[rank].state == VL_RANK_WAITS ? graph.wait[rank].next : -1;
}

void vl_finding_free(struct vl_finding *finding)
{
    free(finding->message);
    free(finding->detail);
    *finding = (struct vl_finding){0};
}
