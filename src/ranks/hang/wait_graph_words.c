/* The graph in sentences. */
#include "base/text.h"
#include "ranks/hang/wait_graph.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void vl_hang_say(const struct vl_wait_graph *graph, const char *format, ...)
{
    va_list arguments;
    if (ftell(graph->out) > 0)
        fputc(graph->between, graph->out);
    va_start(arguments, format);
    vfprintf(graph->out, format, arguments);
    va_end(arguments);
}

/* ---- places ---- */

static char *place_of(const struct vl_wait_graph *graph, uint64_t address)
{
    const struct vl_hang_places *places = graph->places;
    int known = places != NULL && places->find != NULL && address != 0;
    return known ? places->find(places->context, address) : NULL;
}

static const char *place_now(const struct vl_wait_graph *graph, int rank)
{
    const struct vl_hang_places *places = graph->places;
    return places != NULL && places->now != NULL ? places->now[rank] : NULL;
}

static bool is_present(const struct vl_beacon *beacon, const struct vl_beacon_call *call)
{
    return beacon->phase == VL_PHASE_INSIDE && beacon->call.operation == call->operation &&
           beacon->call.address == call->address;
}

const char *vl_wait_graph_where_named(char text[VL_WHERE], const struct vl_wait_graph *graph,
                                      const char *name, uint64_t address)
{
    char *place = place_of(graph, address);
    snprintf(text, VL_WHERE, place != NULL ? "%s (%s)" : "%s", name, place);
    free(place);
    return text;
}

const char *vl_wait_graph_where(char text[VL_WHERE], const struct vl_wait_graph *graph, int rank,
                                const struct vl_beacon_call *call)
{
    const struct vl_beacon *beacon = graph->beacon[rank];
    char own[VL_CALL_NAME];
    const char *name = vl_call_name(own, call);
    char *place = place_of(graph, call->address);
    if (place == NULL && is_present(beacon, call)) {
        /* Inside a contract: the submission called that, not MPI. */
        if (beacon->outer.operation != VL_OP_NONE)
            place = place_of(graph, beacon->outer.address);
        const char *now = place_now(graph, rank);
        if (place == NULL && now != NULL)
            place = strdup(now);
        if (place != NULL && beacon->outer.operation != VL_OP_NONE)
            name = vl_operation_name(beacon->outer.operation);
    }
    snprintf(text, VL_WHERE, place != NULL ? "%s (%s)" : "%s", name, place);
    free(place);
    return text;
}

const char *vl_wait_graph_where_was(char text[VL_WHERE], const struct vl_wait_graph *graph,
                                    int rank, const struct vl_beacon_call *call,
                                    const struct vl_beacon_call *outer)
{
    char *inside = place_of(graph, call->address);
    char *around = outer->operation != VL_OP_NONE ? place_of(graph, outer->address) : NULL;
    bool is_around = inside == NULL && around != NULL;
    free(inside);
    free(around);
    return vl_wait_graph_where(text, graph, rank, is_around ? outer : call);
}

/* ---- ranks ---- */

int vl_wait_graph_list(char text[VL_RANK_LIST], uint32_t ranks)
{
    size_t used = 0;
    int count = 0;
    text[0] = '\0';
    for (int r = 0; r < VL_WAIT_GRAPH_RANKS; r++)
        if ((ranks >> r & 1) != 0)
            used +=
                (size_t)snprintf(text + used, VL_RANK_LIST - used, count++ > 0 ? ", %d" : "%d", r);
    return count;
}

/* ---- what a rank is doing ---- */

static void tell_receive(const struct vl_wait_graph *graph, int rank, const char *where,
                         const struct vl_beacon_call *wants)
{
    int any_tag = wants->tag == VL_BEACON_ANY;
    if (wants->peer == VL_BEACON_ANY && any_tag)
        vl_hang_say(graph, _("Rank %1$d waits in %2$s for a message from any rank."), rank, where);
    else if (wants->peer == VL_BEACON_ANY)
        vl_hang_say(graph, _("Rank %1$d waits in %2$s for a message from any rank, tag %3$d."),
                    rank, where, wants->tag);
    else if (any_tag)
        vl_hang_say(graph, _("Rank %1$d waits in %2$s for a message from rank %3$d, any tag."),
                    rank, where, wants->peer);
    else
        vl_hang_say(graph, _("Rank %1$d waits in %2$s for a message from rank %3$d, tag %4$d."),
                    rank, where, wants->peer, wants->tag);
}

/* "rank 1" needs its own form: other languages decline it. */
static void tell_collective(const struct vl_wait_graph *graph, int rank, const char *where,
                            uint32_t missing)
{
    char list[VL_RANK_LIST];
    int count = vl_wait_graph_list(list, missing);
    /* TRANSLATORS: %3$s is one rank, or several: "1, 2, 5". */
    vl_hang_say(graph,
                VL_NGETTEXT("Rank %1$d waits in %2$s for rank %3$s to come there.",
                            "Rank %1$d waits in %2$s for ranks %3$s to come there.",
                            (unsigned long)count),
                rank, where, list);
}

static void tell_wait(const struct vl_wait_graph *graph, int rank)
{
    const struct vl_wait *wait = &graph->wait[rank];
    char where[VL_WHERE];
    vl_wait_graph_where(where, graph, rank, &wait->call);
    if (wait->kind == VL_WAIT_RECEIVE)
        tell_receive(graph, rank, where, &wait->wants);
    else if (wait->kind == VL_WAIT_SEND)
        vl_hang_say(graph,
                    _("Rank %1$d waits in %2$s until rank %3$d receives its message, tag %4$d."),
                    rank, where, wait->wants.peer, wait->wants.tag);
    else
        tell_collective(graph, rank, where, wait->missing);
}

static void tell_ended(const struct vl_wait_graph *graph, int rank)
{
    const char *now = place_now(graph, rank);
    int32_t status = graph->beacon[rank]->status;
    if (status == VL_BEACON_FINALIZED && vl_wait_graph_is_program(graph))
        vl_hang_say(graph, _("Rank %d has called MPI_Finalize."), rank);
    else if (vl_wait_graph_ended_well(graph, rank))
        vl_hang_say(graph, _("Rank %d has returned."), rank);
    else if (graph->wait[rank].state == VL_RANK_RETURNED)
        vl_hang_say(graph, _("Rank %1$d has returned with the status %2$s."), rank,
                    vl_status_name((enum vl_status)status));
    else if (now != NULL)
        vl_hang_say(graph, _("Rank %1$d ended its process at %2$s."), rank, now);
    else
        vl_hang_say(graph, _("Rank %d ended its process."), rank);
}

static void tell_computing(const struct vl_wait_graph *graph, int rank)
{
    const char *now = place_now(graph, rank);
    if (now != NULL)
        vl_hang_say(graph, _("Rank %1$d is at %2$s, not inside an MPI call."), rank, now);
    else
        vl_hang_say(graph, _("Rank %d is not inside an MPI call."), rank);
}

void vl_wait_graph_tell(const struct vl_wait_graph *graph, int rank)
{
    const struct vl_wait *wait = &graph->wait[rank];
    char where[VL_WHERE];
    switch (wait->state) {
    case VL_RANK_BEFORE:
        vl_hang_say(graph, _("Rank %d has not begun."), rank);
        break;
    case VL_RANK_COMPUTES:
        tell_computing(graph, rank);
        break;
    case VL_RANK_MOVES:
        vl_hang_say(graph, _("Rank %1$d is in %2$s."), rank,
                    vl_wait_graph_where(where, graph, rank, &wait->call));
        break;
    case VL_RANK_WAITS:
        tell_wait(graph, rank);
        break;
    case VL_RANK_RETURNED:
    case VL_RANK_LEFT:
        tell_ended(graph, rank);
        break;
    }
}

/* Does any rank wait on a communicator with other rank numbers than MPI_COMM_WORLD? */
static bool has_parts(const struct vl_wait_graph *graph)
{
    for (int rank = 0; rank < graph->ranks; rank++) {
        uint32_t members = graph->wait[rank].wants.members;
        if (graph->wait[rank].state == VL_RANK_WAITS && members != 0 &&
            __builtin_popcount(members) < graph->ranks)
            return true;
    }
    return false;
}

void vl_wait_graph_tell_all(const struct vl_wait_graph *graph)
{
    for (int rank = 0; rank < graph->ranks; rank++)
        vl_wait_graph_tell(graph, rank);
    if (has_parts(graph))
        vl_hang_say(graph, "%s", _("(Ranks are numbered as in MPI_COMM_WORLD.)"));
}
