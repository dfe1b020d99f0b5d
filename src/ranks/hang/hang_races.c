/* What was done too early: under a tag, or in memory, that another call still uses. */
#include "base/text.h"
#include "ranks/hang/wait_graph.h"

#include <stdbool.h>
#include <string.h>

/* The two calls of a race, for a sentence. */
struct wheres {
    char first[VL_WHERE], second[VL_WHERE];
};

static struct wheres wheres_of(const struct vl_wait_graph *graph, int rank)
{
    const struct vl_beacon_race *race = &graph->beacon[rank]->race;
    struct wheres w;
    vl_wait_graph_where_was(w.first, graph, rank, &race->first, &race->first_outer);
    vl_wait_graph_where_was(w.second, graph, rank, &race->second, &race->second_outer);
    return w;
}

static void tell_tag(const struct vl_wait_graph *graph, int rank, const struct wheres *w)
{
    const struct vl_beacon_call *call = &graph->beacon[rank]->race.second;
    vl_hang_say(
        graph,
        _("On rank %1$d, %2$s starts a transfer with tag %3$d while another one between the same "
          "ranks, with the same tag, is under way: %4$s began it. Their messages cannot be told "
          "apart. Give each its own tag, or finish the first one before you begin the second."),
        rank, w->second, call->tag, w->first);
}

static void tell_messages(const struct vl_wait_graph *graph, int rank, const struct wheres *w)
{
    const struct vl_beacon_race *race = &graph->beacon[rank]->race;
    vl_hang_say(graph,
                _("On rank %1$d, transfers with tags %2$d and %3$d are under way at once, but the "
                  "messages of both have tag %4$d, as in %5$s. They cannot be told apart: use the "
                  "tag of the transfer."),
                rank, race->first_outer.tag, race->second_outer.tag, race->second.tag, w->second);
}

static void tell_receives(const struct vl_wait_graph *graph, int rank, const struct wheres *w)
{
    if (strcmp(w->first, w->second) == 0)
        vl_hang_say(graph,
                    _("Rank %1$d has two receives of %2$s under way that write to the same memory: "
                      "whichever comes last stays. Wait for the first before you begin the second, "
                      "or look at the addresses and counts of both."),
                    rank, w->first);
    else
        vl_hang_say(graph,
                    _("Rank %1$d receives in %2$s into memory that the receive of %3$s still "
                      "writes to: whichever comes last stays. Wait for that one first, or look at "
                      "the addresses and counts of both."),
                    rank, w->second, w->first);
}

static void tell_sent(const struct vl_wait_graph *graph, int rank, const struct wheres *w)
{
    const struct vl_beacon_race *race = &graph->beacon[rank]->race;
    const uint32_t second = race->second.operation;
    /* Either half of a swap may be the one that meets the first call. */
    const bool swaps = second == VL_OP_SENDRECV;
    const bool sends = second == VL_OP_SEND || second == VL_OP_SSEND || second == VL_OP_ISEND ||
                       second == VL_OP_VL_SEND || (swaps && race->first.operation == VL_OP_IRECV);
    if (race->first.address == race->second.address && swaps)
        vl_hang_say(
            graph,
            _("Rank %1$d sends and receives the same memory in %2$s. Receive into memory of "
              "its own, or use MPI_Sendrecv_replace."),
            rank, w->second);
    else if (sends)
        vl_hang_say(graph,
                    _("Rank %1$d sends memory in %2$s that the receive of %3$s has not filled yet. "
                      "Finish that receive first, or look at the addresses and counts of both."),
                    rank, w->second, w->first);
    else
        vl_hang_say(
            graph,
            _("Rank %1$d receives in %2$s into memory that %3$s still sends. Finish that send "
              "first, or receive into memory of its own."),
            rank, w->second, w->first);
}

static void tell_freed(const struct vl_wait_graph *graph, int rank, const struct wheres *w)
{
    vl_hang_say(graph,
                _("Rank %1$d frees the request of %2$s before it is done, so nobody knows when its "
                  "buffer may be used again. Wait for it instead: a wait frees it, too."),
                rank, w->first);
}

static void tell_ended(const struct vl_wait_graph *graph, int rank, const struct wheres *w)
{
    vl_hang_say(
        graph,
        _("Rank %1$d calls %2$s for a transfer that it has finished before, and that %3$s had "
          "begun. A finished transfer is gone: do not use it again, and finish each one once."),
        rank, w->second, w->first);
}

static void tell_written(const struct vl_wait_graph *graph, int rank, const struct wheres *w)
{
    vl_hang_say(graph,
                _("Rank %1$d writes into memory that %2$s has not filled yet, so the message and "
                  "what is written overwrite one another. Wait for that receive first, or look "
                  "whether other memory is meant."),
                rank, w->first);
}

static const struct {
    const char *code;
    void (*tell)(const struct vl_wait_graph *graph, int rank, const struct wheres *w);
} rules[] = {
    [VL_RACE_TAG] = {"tag_shared", tell_tag},
    [VL_RACE_MESSAGES] = {"tag_shared", tell_messages},
    [VL_RACE_RECEIVES] = {"receives_overlap", tell_receives},
    [VL_RACE_SENT] = {"buffer_shared", tell_sent},
    [VL_RACE_FREED] = {"request_freed", tell_freed},
    [VL_RACE_ENDED] = {"transfer_ended", tell_ended},
    [VL_RACE_WRITTEN] = {"written_before_arrival", tell_written},
};

bool vl_finding_is_race(const struct vl_finding *finding)
{
    for (size_t i = VL_RACE_NONE + 1; i < sizeof rules / sizeof *rules && finding->code; i++)
        if (rules[i].code != NULL && strcmp(finding->code, rules[i].code) == 0)
            return true;
    return false;
}

const char *vl_find_race(const struct vl_wait_graph *graph)
{
    for (int rank = 0; rank < graph->ranks; rank++) {
        uint32_t kind = graph->beacon[rank]->race.kind;
        if (kind >= sizeof rules / sizeof *rules || rules[kind].tell == NULL)
            continue;
        struct wheres w = wheres_of(graph, rank);
        rules[kind].tell(graph, rank, &w);
        return rules[kind].code;
    }
    return NULL;
}

/* Only where the submission itself allocated it: nobody else's memory is its business. */
const char *vl_find_unwritten(const struct vl_wait_graph *graph)
{
    for (int rank = 0; rank < graph->ranks; rank++) {
        const struct vl_beacon_race *race = &graph->beacon[rank]->race;
        struct wheres w = wheres_of(graph, rank);
        if (race->kind == VL_RACE_EARLY) {
            vl_hang_say(graph,
                        _("Rank %1$d uses memory that %2$s has not filled yet. Wait for that "
                          "receive first, or look whether other memory is meant."),
                        rank, w.first);
            return "read_before_arrival";
        }
        if (race->kind != VL_RACE_UNWRITTEN || strchr(w.first, '(') == NULL)
            continue;
        if (graph->ranks > 1)
            vl_hang_say(
                graph,
                _("On rank %1$d, the result is computed from memory that came from %2$s and was "
                  "never written. Look for what should have filled it: a line that is missing, or "
                  "a call that was given too small a count. Where zeros are meant, use `calloc`."),
                rank, w.first);
        else
            vl_hang_say(
                graph,
                _("The result is computed from memory that came from %s and was never written. "
                  "Look for what should have filled it: a line that is missing, or a call that was "
                  "given too small a count. Where zeros are meant, use `calloc`."),
                w.first);
        return "uninitialised";
    }
    return NULL;
}
