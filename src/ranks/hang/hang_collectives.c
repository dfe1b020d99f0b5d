/* Compare the collectives of all ranks: call, root, count, order. */
#include "base/text.h"
#include "ranks/hang/wait_graph.h"

#include <stdbool.h>

/* How many it remembers. */
static size_t remembered(const struct vl_beacon *beacon)
{
    return beacon->collectives_seen < VL_BEACON_COLLECTIVES ? (size_t)beacon->collectives_seen
                                                            : VL_BEACON_COLLECTIVES;
}

/* How many it counted on a communicator; 0 for one that it does not count. */
static size_t counted(const struct vl_beacon *beacon, uint32_t communicator)
{
    for (size_t i = 0; i < VL_BEACON_COUNTED; i++)
        if (beacon->counted[i].communicator == communicator)
            return beacon->counted[i].count;
    return 0;
}

/* How many of the first calls that it remembers are on that communicator. */
static size_t count_on(const struct vl_beacon *beacon, uint32_t communicator, size_t first)
{
    size_t count = 0;
    for (size_t i = 0; i < first; i++)
        count += beacon->collective[i].communicator == communicator;
    return count;
}

/* Which call on its communicator is the i-th that it remembers, from 0? */
static size_t place_of(const struct vl_beacon *beacon, size_t i)
{
    const struct vl_beacon_call *call = &beacon->collective[i];
    return call->number > 0 ? call->number - 1 : count_on(beacon, call->communicator, i);
}

bool vl_wait_graph_forgets(const struct vl_wait_graph *graph, int rank, uint32_t communicator)
{
    const struct vl_beacon *beacon = graph->beacon[rank];
    return beacon->collectives_seen > VL_BEACON_COLLECTIVES && counted(beacon, communicator) == 0;
}

size_t vl_wait_graph_collectives(const struct vl_wait_graph *graph, int rank, uint32_t communicator)
{
    const struct vl_beacon *beacon = graph->beacon[rank];
    size_t all = counted(beacon, communicator);
    return all > 0 ? all : count_on(beacon, communicator, remembered(beacon));
}

/* The n-th collective of this rank on a communicator in this case, from 0; NULL if it made fewer, or has
 * forgotten it. */
static const struct vl_beacon_call *collective(const struct vl_wait_graph *graph, int rank,
                                               uint32_t communicator, size_t n)
{
    const struct vl_beacon *beacon = graph->beacon[rank];
    if (vl_wait_graph_forgets(graph, rank, communicator))
        return NULL;
    for (size_t i = 0; i < remembered(beacon); i++)
        if (beacon->collective[i].communicator == communicator && place_of(beacon, i) == n)
            return &beacon->collective[i];
    return NULL;
}

/* ---- two calls that should be the same ---- */

static bool is_contract(uint32_t operation)
{
    return operation >= VL_OP_VL_SEND;
}

static uint64_t bytes(const struct vl_beacon_call *call)
{
    return call->count * call->type_bytes;
}

enum difference { SAME, OPERATION, TAG, ROOT, REDUCTION, COUNT, TYPE };

/* What differs first. */
static enum difference difference(const struct vl_beacon_call *a, const struct vl_beacon_call *b)
{
    if (((a->form | b->form) & VL_FORM_GUESSED) != 0)
        return SAME; /* perhaps they are on two communicators */
    if (a->operation != b->operation || a->form != b->form)
        return OPERATION;
    if (is_contract(a->operation) && a->tag != b->tag)
        return TAG;
    if (a->root != b->root)
        return ROOT;
    if (a->reduction != b->reduction)
        return REDUCTION;
    /* In a reduction ten elements of four bytes are not the same as five of eight. */
    int types = a->reduction != 0 && a->type_bytes != b->type_bytes;
    if (bytes(a) != bytes(b) || types)
        return COUNT;
    return a->count > 0 && b->count > 0 && vl_wait_graph_types_differ(a->type, b->type) ? TYPE
                                                                                        : SAME;
}

/* How the call 'a' of rank r differs from the call 'b' of rank s. */
static const char *tell_difference(const struct vl_wait_graph *graph, int r,
                                   const struct vl_beacon_call *a, int s,
                                   const struct vl_beacon_call *b)
{
    char here[VL_WHERE], there[VL_WHERE];
    vl_wait_graph_where(here, graph, r, a);
    vl_wait_graph_where(there, graph, s, b);
    switch (difference(a, b)) {
    case OPERATION:
        vl_hang_say(graph,
                    _("Rank %1$d calls %2$s where rank %3$d calls %4$s: all ranks of a "
                      "communicator make the same collective calls, in the same order."),
                    r, here, s, there);
        return "collective_order";
    case TAG:
        vl_hang_say(graph,
                    _("Rank %1$d calls %2$s with tag %3$d where rank %4$d calls %5$s with tag "
                      "%6$d: all ranks start the same transfers, in the same order."),
                    r, here, a->tag, s, there, b->tag);
        return "collective_order";
    case ROOT:
        vl_hang_say(graph,
                    _("Rank %1$d calls %2$s with root %3$d, but rank %4$d calls %5$s with root "
                      "%6$d: all ranks must name the same root."),
                    r, here, a->root, s, there, b->root);
        return "collective_root";
    case REDUCTION:
        vl_hang_say(graph,
                    _("Rank %1$d calls %2$s with one operation, but rank %3$d calls %4$s with "
                      "another: all ranks must reduce in the same way."),
                    r, here, s, there);
        return "collective_operation";
    case COUNT:
        vl_hang_say(graph,
                    _("Rank %1$d calls %2$s with a count of %3$llu (of %4$u bytes each), but rank "
                      "%5$d calls %6$s with %7$llu (of %8$u bytes each): counts and types must be "
                      "the same on all ranks."),
                    r, here, (unsigned long long)a->count, a->type_bytes, s, there,
                    (unsigned long long)b->count, b->type_bytes);
        return "collective_count";
    case TYPE:
        vl_hang_say(
            graph,
            _("Rank %1$d calls %2$s with %3$s, but rank %4$d calls %5$s with %6$s: all ranks "
              "must name the same type."),
            r, here, vl_element_name(a->type), s, there, vl_element_name(b->type));
        return "collective_count";
    case SAME:
        break;
    }
    return NULL;
}

/* How many ranks make this same call at this place. */
static int alike(const struct vl_wait_graph *graph, const struct vl_beacon_call *call, size_t n)
{
    int count = 0;
    for (int rank = 0; rank < graph->ranks; rank++) {
        const struct vl_beacon_call *other = collective(graph, rank, call->communicator, n);
        count += other != NULL && difference(call, other) == SAME;
    }
    return count;
}

/* The n-th collective on a communicator: compare a rank that differs with one of the majority. */
static const char *compare(const struct vl_wait_graph *graph, uint32_t communicator, size_t n)
{
    const struct vl_beacon_call *usual = NULL;
    int most = 0, one = -1;
    for (int rank = 0; rank < graph->ranks; rank++) {
        const struct vl_beacon_call *call = collective(graph, rank, communicator, n);
        int count = call != NULL ? alike(graph, call, n) : 0;
        if (count <= most)
            continue;
        most = count;
        one = rank;
        usual = call;
    }
    for (int rank = 0; rank < graph->ranks && usual != NULL; rank++) {
        const struct vl_beacon_call *call = collective(graph, rank, communicator, n);
        if (call != NULL && difference(call, usual) != SAME)
            return tell_difference(graph, rank, call, one, usual);
    }
    return NULL;
}

/* Does another rank call something else than this one's n-th collective there? */
static bool differs(const struct vl_wait_graph *graph, int rank, uint32_t communicator, size_t n)
{
    const struct vl_beacon_call *own = collective(graph, rank, communicator, n);
    for (int other = 0; other < graph->ranks && own != NULL; other++) {
        const struct vl_beacon_call *call = collective(graph, other, communicator, n);
        if (call != NULL && difference(call, own) != SAME)
            return true;
    }
    return false;
}

bool vl_wait_graph_has_misfit(const struct vl_wait_graph *graph, int rank)
{
    const struct vl_beacon_call *request = graph->beacon[rank]->request;
    for (size_t i = 0; i < VL_BEACON_REQUESTS; i++)
        if (vl_operation_is_collective(request[i].operation) && request[i].number > 0 &&
            differs(graph, rank, request[i].communicator, request[i].number - 1))
            return true;
    return false;
}

bool vl_wait_graph_is_mismatched(const struct vl_wait_graph *graph, int rank)
{
    const struct vl_beacon *beacon = graph->beacon[rank];
    const struct vl_beacon_call *now = &beacon->call;
    if (beacon->phase != VL_PHASE_INSIDE)
        return false;
    if (vl_operation_is_collective(now->operation)) {
        size_t begun = vl_wait_graph_collectives(graph, rank, now->communicator);
        return begun > 0 && differs(graph, rank, now->communicator, begun - 1);
    }
    return (now->operation == VL_OP_WAIT || now->operation == VL_OP_WAITALL) &&
           vl_wait_graph_has_misfit(graph, rank);
}

const char *vl_find_mismatch(const struct vl_wait_graph *graph)
{
    for (int rank = 0; rank < graph->ranks; rank++) {
        const struct vl_beacon *beacon = graph->beacon[rank];
        for (size_t i = 0; i < remembered(beacon); i++) {
            uint32_t communicator = beacon->collective[i].communicator;
            const char *code = vl_wait_graph_forgets(graph, rank, communicator)
                                   ? NULL
                                   : compare(graph, communicator, place_of(beacon, i));
            if (code != NULL)
                return code;
        }
    }
    return NULL;
}
