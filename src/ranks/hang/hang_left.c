/* What ranks are to give back to MPI, or to bring to an end, and have not. */
#include "base/text.h"
#include "ranks/hang/wait_graph.h"

#include <stdbool.h>
#include <string.h>

/* Of one kind, by one rank. */
struct left {
    uint32_t count;                    /* 0: nothing, and the rest means nothing */
    uint32_t idle;                     /* this many of them were never started */
    const struct vl_beacon_call *call; /* which began, or made, one of them */
};

/* ---- of each kind: what there is, and the sentence, which takes the rank, the count and the call ---- */

static struct left transfers(const struct vl_beacon *beacon)
{
    return (struct left){.count = beacon->transfers_open, .call = &beacon->transfer_call};
}

static const char *of_transfers(uint32_t count)
{
    return VL_NGETTEXT("Rank %1$d leaves %2$u transfer unfinished, begun by %3$s: each needs its "
                       "vl_transfer_finish.",
                       "Rank %1$d leaves %2$u transfers unfinished, the first begun by %3$s: each "
                       "needs its vl_transfer_finish.",
                       count);
}

static struct left requests(const struct vl_beacon *beacon)
{
    const struct vl_beacon_call *request = beacon->request, *end = request + VL_BEACON_REQUESTS;
    while (request < end && request->operation == VL_OP_NONE)
        request++;
    return (struct left){.count = request < end ? beacon->requests_open : 0, .call = request};
}

static const char *of_requests(uint32_t count)
{
    return VL_NGETTEXT("Rank %1$d leaves %2$u request open, begun by %3$s: each needs a wait, "
                       "or a test that says it is done.",
                       "Rank %1$d leaves %2$u requests open, one of them begun by %3$s: each "
                       "needs a wait, or a test that says it is done.",
                       count);
}

static struct left communicators(const struct vl_beacon *beacon)
{
    return (struct left){.count = beacon->communicators_open, .call = &beacon->opened_call};
}

static const char *of_communicators(uint32_t count)
{
    return VL_NGETTEXT(
        "Rank %1$d leaves %2$u communicator behind, made by %3$s: MPI_Comm_free gives "
        "it back.",
        "Rank %1$d leaves %2$u communicators behind, the latest made by %3$s: "
        "MPI_Comm_free gives them back.",
        count);
}

static struct left made(const struct vl_beacon *beacon, enum vl_made_kind kind)
{
    const struct vl_beacon_made *made = &beacon->made[kind];
    return (struct left){.count = made->count, .idle = made->idle, .call = &made->call};
}

static struct left persistent(const struct vl_beacon *beacon)
{
    return made(beacon, VL_MADE_PERSISTENT);
}

static const char *of_persistent(uint32_t count)
{
    return VL_NGETTEXT("Rank %1$d leaves %2$u persistent request behind, made by %3$s: "
                       "MPI_Request_free gives it back.",
                       "Rank %1$d leaves %2$u persistent requests behind, the latest made by %3$s: "
                       "MPI_Request_free gives them back.",
                       count);
}

static struct left groups(const struct vl_beacon *beacon)
{
    return made(beacon, VL_MADE_GROUP);
}

static const char *of_groups(uint32_t count)
{
    return VL_NGETTEXT("Rank %1$d leaves %2$u group behind, made by %3$s: MPI_Group_free gives it "
                       "back.",
                       "Rank %1$d leaves %2$u groups behind, the latest made by %3$s: "
                       "MPI_Group_free gives them back.",
                       count);
}

static struct left types(const struct vl_beacon *beacon)
{
    return made(beacon, VL_MADE_TYPE);
}

static const char *of_types(uint32_t count)
{
    return VL_NGETTEXT(
        "Rank %1$d leaves %2$u datatype behind, made by %3$s: MPI_Type_free gives it "
        "back.",
        "Rank %1$d leaves %2$u datatypes behind, the latest made by %3$s: "
        "MPI_Type_free gives them back.",
        count);
}

static struct left operators(const struct vl_beacon *beacon)
{
    return made(beacon, VL_MADE_OPERATOR);
}

static const char *of_operators(uint32_t count)
{
    return VL_NGETTEXT("Rank %1$d leaves %2$u operator behind, made by %3$s: MPI_Op_free gives it "
                       "back.",
                       "Rank %1$d leaves %2$u operators behind, the latest made by %3$s: "
                       "MPI_Op_free gives them back.",
                       count);
}

static const struct {
    struct left (*of)(const struct vl_beacon *beacon);
    const char *(*sentence)(uint32_t count);
    bool program; /* of whole programs alone */
} kinds[VL_LEFT_KINDS] = {
    [VL_LEFT_TRANSFERS] = {transfers, of_transfers, false},
    [VL_LEFT_REQUESTS] = {requests, of_requests, false},
    [VL_LEFT_COMMUNICATORS] = {communicators, of_communicators, false},
    [VL_LEFT_PERSISTENT] = {persistent, of_persistent, true},
    [VL_LEFT_GROUPS] = {groups, of_groups, true},
    [VL_LEFT_TYPES] = {types, of_types, true},
    [VL_LEFT_OPERATORS] = {operators, of_operators, true},
};

/* ---- all ranks ---- */

static void tell_idle(const struct vl_wait_graph *graph, const struct left *left)
{
    if (left->idle > 0 && left->count == 1)
        vl_hang_say(graph, "%s", _("It was never started."));
    else if (left->idle > 0)
        vl_hang_say(graph,
                    VL_NGETTEXT("%u of them was never started.", "%u of them were never started.",
                                left->idle),
                    left->idle);
}

static void tell_others(const struct vl_wait_graph *graph, uint32_t same, uint32_t different)
{
    char list[VL_RANK_LIST];
    int count = vl_wait_graph_list(list, same);
    if (count > 0) /* TRANSLATORS: %s is one rank, or several: "1, 2, 5". */
        vl_hang_say(graph,
                    VL_NGETTEXT("The same is true of rank %s.", "The same is true of ranks %s.",
                                (unsigned long)count),
                    list);
    count = vl_wait_graph_list(list, different);
    if (count > 0) /* TRANSLATORS: %s is one rank, or several: "1, 2, 5". */
        vl_hang_say(graph,
                    VL_NGETTEXT("Rank %s leaves something of this kind, too.",
                                "Ranks %s leave something of this kind, too.",
                                (unsigned long)count),
                    list);
}

bool vl_tell_left(const struct vl_wait_graph *graph, enum vl_left_kind kind)
{
    struct left first = {0};
    char place[VL_WHERE], where[VL_WHERE];
    uint32_t same = 0, different = 0;
    for (int rank = 0; rank < graph->ranks; rank++) {
        struct left left = kinds[kind].of(graph->beacon[rank]);
        if (left.count == 0 || (kinds[kind].program && !vl_wait_graph_is_program(graph)))
            continue;
        vl_wait_graph_where(where, graph, rank, left.call);
        if (first.count == 0) {
            first = left;
            memcpy(place, where, sizeof place);
            vl_hang_say(graph, kinds[kind].sentence(left.count), rank, left.count, where);
            tell_idle(graph, &left);
        } else if (left.count == first.count && left.idle == first.idle &&
                   strcmp(where, place) == 0) {
            same |= (uint32_t)1 << rank;
        } else {
            different |= (uint32_t)1 << rank;
        }
    }
    tell_others(graph, same, different);
    return first.count > 0;
}
