#include "grade/hang/hang.h"

#include "base/text.h"
#include "grade/hang/wait_graph.h"

#include <stdlib.h>

#define TOLD 4 /* ranks named in the message itself; all are in the detail */

/* ---- a circle ---- */

/* Its members in order, beginning with the lowest; 0 if nobody waits in a circle. */
static int find_circle(int circle[VL_WAIT_GRAPH_RANKS], const struct vl_wait_graph *graph)
{
    for (int rank = 0; rank < graph->ranks; rank++) {
        int start = vl_wait_graph_end(graph, rank), count = 0, lowest;
        if (graph->wait[start].stand != VL_STAND_WAITS || graph->wait[start].next < 0)
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

static int all_wait_to(enum vl_wait_kind kind, const struct vl_wait_graph *graph, const int *circle,
                       int count)
{
    for (int i = 0; i < count; i++)
        if (graph->wait[circle[i]].kind != kind)
            return 0;
    return 1;
}

static int sends_are_buffered(const struct vl_wait_graph *graph, const int *circle, int count)
{
    for (int i = 0; i < count; i++)
        if (graph->wait[circle[i]].call.operation == VL_OP_SEND)
            return 1;
    return 0;
}

static int on_different_communicators(const struct vl_wait_graph *graph, const int *circle,
                                      int count)
{
    for (int i = 1; i < count; i++)
        if (graph->wait[circle[i]].wants.communicator != graph->wait[circle[0]].wants.communicator)
            return 1;
    return 0;
}

static void tell_some(FILE *out, const struct vl_wait_graph *graph, const int *ranks, int count)
{
    for (int i = 0; i < count && i < TOLD; i++)
        vl_wait_graph_tell(out, graph, ranks[i]);
}

static const char *tell_circle(FILE *out, const struct vl_wait_graph *graph, const int *circle,
                               int count, int synchronous)
{
    int sends = all_wait_to(VL_WAIT_SEND, graph, circle, count);
    int receives = all_wait_to(VL_WAIT_RECEIVE, graph, circle, count);
    int buffered = synchronous && sends_are_buffered(graph, circle, count);
    if (all_wait_to(VL_WAIT_COLLECTIVE, graph, circle, count) &&
        on_different_communicators(graph, circle, count)) {
        vl_wait_graph_say(
            out, _("Ranks wait for one another in collective calls on different communicators: "
                   "all must make them in the same order."));
        tell_some(out, graph, circle, count);
        return "collective_communicator";
    }
    if (count == 1)
        vl_wait_graph_say(out, _("Rank %d waits for itself, so it can never go on."), circle[0]);
    else
        vl_wait_graph_say(out,
                          _("Ranks wait for one another in a circle, so none of them can go on."));
    tell_some(out, graph, circle, count);
    if (buffered)
        vl_wait_graph_say(
            out, _("MPI_Send may return before its message is received, if MPI has room to keep "
                   "it, but it need not: in this case it never does. Let somebody receive "
                   "first, or use MPI_Sendrecv."));
    else if (sends)
        vl_wait_graph_say(
            out, _("A send may last until its message is received: let somebody receive first, "
                   "or use MPI_Sendrecv."));
    else if (receives)
        vl_wait_graph_say(out, _("All of them receive before they send: let somebody send first."));
    return buffered ? "send_needs_buffer" : "hung_cycle";
}

static const char *find_in_circle(FILE *out, const struct vl_wait_graph *graph, int synchronous)
{
    int circle[VL_WAIT_GRAPH_RANKS];
    int count = find_circle(circle, graph);
    const char *code = NULL;
    for (int i = 0; i < count && code == NULL; i++)
        code = vl_find_misdirected(out, graph, circle[i]);
    if (count > 0 && code == NULL)
        code = tell_circle(out, graph, circle, count, synchronous);
    return code;
}

/* ---- a rank that does not come ---- */

/* Those who wait for 'rank' at the next step, into 'ranks'; or only the number of all who wait for
 * it, through others or not. */
static int waiting_for(int *ranks, const struct vl_wait_graph *graph, int rank)
{
    int count = 0;
    for (int r = 0; r < graph->ranks; r++) {
        if (r == rank || graph->wait[r].stand != VL_STAND_WAITS)
            continue;
        if (ranks != NULL && graph->wait[r].next == rank)
            ranks[count++] = r;
        else if (ranks == NULL && vl_wait_graph_end(graph, r) == rank)
            count++;
    }
    return count;
}

/* The lowest rank in this stand that others wait for; where 'alone', also one nobody waits for. */
static int find_stand(const struct vl_wait_graph *graph, enum vl_stand stand, int alone)
{
    for (int rank = 0; rank < graph->ranks; rank++)
        if (graph->wait[rank].stand == stand && waiting_for(NULL, graph, rank) > 0)
            return rank;
    for (int rank = 0; rank < graph->ranks && alone; rank++)
        if (graph->wait[rank].stand == stand)
            return rank;
    return -1;
}

/* How many, and one of them: the detail has them all. */
static void tell_waiting(FILE *out, const struct vl_wait_graph *graph, int rank)
{
    int ranks[VL_WAIT_GRAPH_RANKS], count = waiting_for(ranks, graph, rank);
    int all = waiting_for(NULL, graph, rank);
    if (all == 0)
        return;
    vl_wait_graph_say(out,
                      VL_NGETTEXT("%1$d of %2$d ranks waits for it.",
                                  "%1$d of %2$d ranks wait for it.", (unsigned long)all),
                      all, graph->ranks);
    tell_some(out, graph, ranks, count > 0);
}

static const char *find_left(FILE *out, const struct vl_wait_graph *graph)
{
    int rank = find_stand(graph, VL_STAND_LEFT, 1);
    if (rank < 0)
        return NULL;
    vl_wait_graph_tell(out, graph, rank);
    vl_wait_graph_say(
        out, _("A function returns a status; it never calls exit, MPI_Abort or MPI_Finalize."));
    tell_waiting(out, graph, rank);
    return "rank_left";
}

static int is_alone_and_receives(const struct vl_wait_graph *graph, int rank, int returned)
{
    return graph->beacon[returned]->status == VL_OK && waiting_for(NULL, graph, returned) == 1 &&
           graph->wait[rank].kind == VL_WAIT_RECEIVE;
}

/* Whoever took no part in somebody else's collective is missed there, and who finds whom in it is
 * not the submission's: messages of others lie there as they should. */
static int is_missed(const struct vl_wait_graph *graph, int returned, int waiting)
{
    return graph->beacon[returned]->channels_used == 0 &&
           vl_operation_is_collective(graph->beacon[waiting]->outer.operation);
}

static const char *find_returned(FILE *out, const struct vl_wait_graph *graph)
{
    int rank = find_stand(graph, VL_STAND_RETURNED, 0);
    int waiting[VL_WAIT_GRAPH_RANKS], count = rank >= 0 ? waiting_for(waiting, graph, rank) : 0;
    const char *code = NULL;
    for (int i = 0; i < count && code == NULL; i++)
        if (!is_missed(graph, rank, waiting[i]))
            code = vl_find_misdirected(out, graph, waiting[i]);
    if (rank < 0 || code != NULL)
        return code;
    if (count > 0 && is_alone_and_receives(graph, waiting[0], rank)) {
        vl_wait_graph_tell(out, graph, waiting[0]);
        if (graph->wait[waiting[0]].wants.peer == VL_BEACON_ANY)
            vl_wait_graph_say(out,
                              _("Nobody will send it: the other ranks have returned. Every receive "
                                "needs a send on the other side."));
        else
            vl_wait_graph_say(
                out,
                _("Nobody will send it: rank %d has returned. Every receive needs a send "
                  "on the other side."),
                rank);
        return "never_sent";
    }
    vl_wait_graph_tell(out, graph, rank);
    tell_waiting(out, graph, rank);
    vl_wait_graph_say(
        out, _("Look for a return, or a condition around a call, that only some ranks take."));
    return "rank_left";
}

/* It waits for any rank, and there is no other. */
static const char *find_rank_without_partner(FILE *out, const struct vl_wait_graph *graph)
{
    for (int rank = 0; rank < graph->ranks; rank++) {
        if (graph->wait[rank].stand != VL_STAND_WAITS || graph->wait[rank].next >= 0)
            continue;
        const char *code = vl_find_misdirected(out, graph, rank);
        if (code != NULL)
            return code;
        vl_wait_graph_tell(out, graph, rank);
        vl_wait_graph_say(out, _("Nobody is there to send it."));
        return "never_sent";
    }
    return NULL;
}

static const char *find_endless(FILE *out, const struct vl_wait_graph *graph)
{
    int rank = find_stand(graph, VL_STAND_COMPUTES, 1);
    if (rank >= 0) {
        vl_wait_graph_tell(out, graph, rank);
        vl_wait_graph_say(out, _("It did not come back in time: look for a loop that cannot end."));
        tell_waiting(out, graph, rank);
        return "hung";
    }
    rank = find_stand(graph, VL_STAND_MOVES, 1);
    if (rank < 0)
        return NULL;
    vl_wait_graph_say(out,
                      _("The time was up while messages still moved: look for a loop that goes on "
                        "sending and receiving, or asking, without end."));
    vl_wait_graph_tell(out, graph, rank);
    return "hung";
}

static const char *find_hung(FILE *out, const struct vl_wait_graph *graph, int synchronous)
{
    const char *code = vl_find_mismatch(out, graph);
    if (code == NULL)
        code = vl_find_error(out, graph);
    if (code == NULL)
        code = find_left(out, graph);
    if (code == NULL)
        code = find_in_circle(out, graph, synchronous);
    if (code == NULL)
        code = find_returned(out, graph);
    if (code == NULL)
        code = find_rank_without_partner(out, graph);
    if (code == NULL)
        code = find_endless(out, graph);
    return code;
}

/* ---- the whole ---- */

static const char *find_conduct(FILE *out, const struct vl_wait_graph *graph)
{
    const char *code = vl_find_error(out, graph);
    if (code == NULL)
        code = vl_find_mismatch(out, graph);
    if (code == NULL)
        code = vl_find_misconduct(out, graph);
    return code;
}

static enum vl_status describe(struct vl_finding *finding, const struct vl_wait_graph *graph,
                               int finished, int synchronous)
{
    size_t length;
    FILE *message = open_memstream(&finding->message, &length);
    if (message == NULL)
        return VL_ENOMEM;
    finding->code =
        finished ? find_conduct(message, graph) : find_hung(message, graph, synchronous);
    int whole = !ferror(message);
    if (fclose(message) != 0 || !whole)
        return VL_ENOMEM;
    if (finding->code == NULL || finished || graph->ranks == 1)
        return VL_OK;
    FILE *detail = open_memstream(&finding->detail, &length);
    if (detail == NULL)
        return VL_ENOMEM;
    vl_wait_graph_tell_all(detail, graph);
    return fclose(detail) == 0 ? VL_OK : VL_ENOMEM;
}

enum vl_status vl_hang_find(struct vl_finding *finding, const struct vl_beacon *const *beacons,
                            const struct vl_hang_places *places, int ranks, int finished,
                            int synchronous)
{
    static const struct vl_beacon nothing;
    const struct vl_beacon *known[VL_WAIT_GRAPH_RANKS];
    struct vl_wait_graph graph;
    *finding = (struct vl_finding){0};
    if (ranks < 1 || ranks > VL_WAIT_GRAPH_RANKS)
        return VL_OK;
    for (int rank = 0; rank < ranks; rank++)
        known[rank] = beacons[rank] != NULL ? beacons[rank] : &nothing;
    vl_wait_graph_read(&graph, known, ranks, places);
    enum vl_status status = describe(finding, &graph, finished, synchronous);
    if (status != VL_OK || finding->code == NULL)
        vl_finding_free(finding);
    return status;
}

void vl_finding_free(struct vl_finding *finding)
{
    free(finding->message);
    free(finding->detail);
    *finding = (struct vl_finding){0};
}
