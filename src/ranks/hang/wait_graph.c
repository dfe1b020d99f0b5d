#include "ranks/hang/wait_graph.h"

#include <stdbool.h>
#include <stdlib.h>

#define EAGER_BYTES 4096 /* Open MPI's limit in shared memory */

bool vl_wait_graph_is_program(const struct vl_wait_graph *graph)
{
    return graph->places != NULL && graph->places->program;
}

bool vl_wait_graph_ended_well(const struct vl_wait_graph *graph, int rank)
{
    int32_t status = graph->beacon[rank]->status;
    return graph->wait[rank].state == VL_RANK_RETURNED &&
           (status == VL_OK || status == VL_BEACON_FINALIZED);
}

bool vl_wait_graph_has_rank(const struct vl_wait_graph *graph, int32_t rank)
{
    return rank >= 0 && rank < graph->ranks;
}

static uint32_t bit(int rank)
{
    return (uint32_t)1 << rank;
}

static uint32_t everybody(const struct vl_wait_graph *graph)
{
    return graph->ranks < 32 ? bit(graph->ranks) - 1 : UINT32_MAX;
}

static bool matches(int32_t wanted, int32_t given)
{
    return wanted == VL_BEACON_ANY || wanted == given;
}

/* ---- messages under way ---- */

static uint32_t channels(const struct vl_beacon *beacon)
{
    return beacon->channels_used < VL_BEACON_CHANNELS ? beacon->channels_used : VL_BEACON_CHANNELS;
}

/* What the other end of a channel has received. If its table is full, it may have received
 * anything: assume all that was sent. */
static void received(uint64_t *count, uint64_t *bytes, const struct vl_beacon *beacon, int from,
                     const struct vl_beacon_channel *sent)
{
    *count = channels(beacon) == VL_BEACON_CHANNELS ? sent->sent : 0;
    *bytes = channels(beacon) == VL_BEACON_CHANNELS ? sent->sent_bytes : 0;
    for (uint32_t i = 0; i < channels(beacon); i++) {
        const struct vl_beacon_channel *c = &beacon->channel[i];
        if (c->communicator != sent->communicator || c->peer != from || c->tag != sent->tag)
            continue;
        *count = c->received;
        *bytes = c->received_bytes;
    }
}

struct vl_message vl_wait_graph_message(const struct vl_wait_graph *graph, int from, uint32_t i)
{
    const struct vl_beacon_channel *sent = &graph->beacon[from]->channel[i];
    uint64_t count, bytes;
    if (i >= channels(graph->beacon[from]) || !vl_wait_graph_has_rank(graph, sent->peer) ||
        sent->sent == 0)
        return (struct vl_message){.from = from, .to = -1};
    received(&count, &bytes, graph->beacon[sent->peer], from, sent);
    return (struct vl_message){.from = from,
                               .to = sent->peer,
                               .communicator = sent->communicator,
                               .tag = sent->tag,
                               .count = sent->sent > count ? sent->sent - count : 0,
                               .bytes = sent->sent_bytes > bytes ? sent->sent_bytes - bytes : 0};
}

bool vl_wait_graph_lost_messages(const struct vl_wait_graph *graph)
{
    for (int rank = 0; rank < graph->ranks; rank++)
        if (graph->beacon[rank]->channels_lost != 0)
            return true;
    return false;
}

/* How many on exactly this communicator, with this tag (VL_BEACON_ANY: all). */
static uint64_t pending(const struct vl_wait_graph *graph, int from, int to, uint32_t communicator,
                        int32_t tag)
{
    const struct vl_beacon *beacon = graph->beacon[from];
    uint64_t all = 0;
    for (uint32_t i = 0; i < channels(beacon); i++) {
        const struct vl_beacon_channel *c = &beacon->channel[i];
        if (c->peer == to && c->communicator == communicator && matches(tag, c->tag))
            all += vl_wait_graph_message(graph, from, i).count;
    }
    return all;
}

/* ---- messages that a rank lost count of ---- */

/* How many messages on a heap are under way, of all that any rank has counted there or on a channel. */
static int64_t pending_on_heap(const struct vl_wait_graph *graph, uint32_t heap)
{
    int64_t count = 0;
    for (int rank = 0; rank < graph->ranks; rank++) {
        const struct vl_beacon *beacon = graph->beacon[rank];
        count += (int64_t)beacon->heap[heap].sent - (int64_t)beacon->heap[heap].received;
        for (uint32_t i = 0; i < channels(beacon); i++) {
            const struct vl_beacon_channel *c = &beacon->channel[i];
            if (vl_beacon_heap_of(c->communicator, rank, c->peer, c->tag) == heap)
                count += (int64_t)c->sent;
            if (vl_beacon_heap_of(c->communicator, c->peer, rank, c->tag) == heap)
                count -= (int64_t)c->received;
        }
    }
    return count;
}

static bool is_lost(const struct vl_wait_graph *graph, int rank)
{
    return graph->beacon[rank]->channels_lost != 0;
}

/* Does either end of what this rank wants to receive lack a count of its own for each channel? */
static bool is_uncounted(const struct vl_wait_graph *graph, int rank,
                         const struct vl_beacon_call *wants)
{
    bool lost = is_lost(graph, rank);
    for (int from = 0; from < graph->ranks; from++)
        lost |= matches(wants->peer, from) && is_lost(graph, from);
    return lost;
}

/* May such a message be there? For sure not, if all that could be on its heap was received. */
static bool may_have_come(const struct vl_wait_graph *graph, int rank,
                          const struct vl_beacon_call *wants)
{
    for (int from = 0; from < graph->ranks && wants->tag != VL_BEACON_ANY; from++)
        if (matches(wants->peer, from) &&
            pending_on_heap(graph, vl_beacon_heap_of(wants->communicator, from, rank, wants->tag)) >
                0)
            return true;
    return wants->tag == VL_BEACON_ANY;
}

static bool is_receive(uint32_t operation)
{
    return operation == VL_OP_RECV || operation == VL_OP_IRECV || operation == VL_OP_SENDRECV ||
           operation == VL_OP_PROBE;
}

static bool is_send(uint32_t operation)
{
    return operation == VL_OP_SEND || operation == VL_OP_SSEND || operation == VL_OP_ISEND;
}

static bool accepts(const struct vl_beacon_call *call, const struct vl_message *message)
{
    return is_receive(call->operation) && call->communicator == message->communicator &&
           matches(call->peer, message->from) && matches(call->tag, message->tag);
}

uint64_t vl_wait_graph_receives(const struct vl_wait_graph *graph, int rank,
                                const struct vl_message *message)
{
    const struct vl_beacon *beacon = graph->beacon[rank];
    uint64_t found = accepts(&beacon->call, message) != 0;
    for (size_t i = 0; i < VL_BEACON_REQUESTS; i++)
        found += accepts(&beacon->request[i], message) != 0;
    return found;
}

/* ---- one wait ---- */

/* Is such a message there, beyond what receives posted before this one will take? */
static bool has_come(const struct vl_wait_graph *graph, int rank,
                     const struct vl_beacon_call *wants)
{
    const struct vl_beacon *beacon = graph->beacon[rank];
    uint64_t there = 0, taken = 0;
    if (is_uncounted(graph, rank, wants))
        return may_have_come(graph, rank, wants);
    for (int from = 0; from < graph->ranks; from++)
        if (matches(wants->peer, from))
            there += pending(graph, from, rank, wants->communicator, wants->tag);
    for (size_t i = 0; i < VL_BEACON_REQUESTS && wants->operation != VL_OP_IRECV; i++) {
        const struct vl_beacon_call *posted = &beacon->request[i];
        taken += posted->operation == VL_OP_IRECV && posted->communicator == wants->communicator &&
                 posted->peer == wants->peer && posted->tag == wants->tag;
    }
    return there > taken;
}

/* Is every message sent there, this one included, received or about to be? */
static bool is_taken(const struct vl_wait_graph *graph, int rank,
                     const struct vl_beacon_call *sends)
{
    struct vl_message message = {
        .from = rank, .to = sends->peer, .communicator = sends->communicator, .tag = sends->tag};
    if (is_lost(graph, rank) || is_lost(graph, sends->peer))
        return true; /* nobody knows */
    return vl_wait_graph_receives(graph, sends->peer, &message) >=
           pending(graph, rank, sends->peer, sends->communicator, sends->tag);
}

/* Members of the call's communicator: as the call says, or all ranks that are known to use it. */
static uint32_t members(const struct vl_wait_graph *graph, const struct vl_beacon_call *call)
{
    uint32_t found = call->members & everybody(graph);
    for (int rank = 0; rank < graph->ranks && call->members == 0; rank++)
        if (call->communicator == 0 ||
            vl_wait_graph_collectives(graph, rank, call->communicator) > 0)
            found |= bit(rank);
    return found;
}

/* Members that have not begun the collective that this rank waits for. */
static uint32_t stragglers(const struct vl_wait_graph *graph, int rank,
                           const struct vl_beacon_call *call)
{
    uint32_t found = 0, all = members(graph, call);
    size_t here = call->number > 0 ? call->number
                                   : vl_wait_graph_collectives(graph, rank, call->communicator);
    for (int r = 0; r < graph->ranks; r++) {
        if (r == rank || (all & bit(r)) == 0)
            continue;
        int behind = vl_wait_graph_collectives(graph, r, call->communicator) < here;
        const struct vl_beacon_call *there = &graph->beacon[r]->call;
        if (vl_wait_graph_forgets(graph, r, call->communicator) ||
            vl_wait_graph_forgets(graph, rank, call->communicator))
            behind =
                there->operation != call->operation || there->communicator != call->communicator;
        if (behind)
            found |= bit(r);
    }
    return found;
}

/* If this rank waits for 'wants', fill the wait. */
static bool waits_for(struct vl_wait *wait, const struct vl_wait_graph *graph, int rank,
                      const struct vl_beacon_call *wants)
{
    if (is_receive(wants->operation)) {
        if ((!vl_wait_graph_has_rank(graph, wants->peer) && wants->peer != VL_BEACON_ANY) ||
            has_come(graph, rank, wants))
            return false;
        wait->kind = VL_WAIT_RECEIVE;
        wait->missing =
            wants->peer == VL_BEACON_ANY ? everybody(graph) & ~bit(rank) : bit(wants->peer);
    } else if (is_send(wants->operation)) {
        if (!vl_wait_graph_has_rank(graph, wants->peer) || is_taken(graph, rank, wants))
            return false;
        wait->kind = VL_WAIT_SEND;
        wait->missing = bit(wants->peer);
    } else if (vl_operation_is_collective(wants->operation) &&
               (wants->form & VL_FORM_ACROSS) == 0) {
        wait->kind = VL_WAIT_COLLECTIVE;
        wait->missing = stragglers(graph, rank, wants);
        if (wait->missing == 0)
            return false;
    } else {
        return false;
    }
    wait->wants = *wants;
    wait->state = VL_RANK_WAITS;
    return true;
}

/* The beacon of MPI_Sendrecv shows the receive; if that has come, it waits for its send. */
static bool waits_in_swap(struct vl_wait *wait, const struct vl_wait_graph *graph, int rank)
{
    struct vl_beacon_call sends = wait->call;
    sends.operation = VL_OP_SEND;
    for (uint32_t i = 0; i < VL_BEACON_CHANNELS; i++) {
        struct vl_message m = vl_wait_graph_message(graph, rank, i);
        sends.peer = m.to;
        sends.tag = m.tag;
        if (m.count > 0 && m.communicator == sends.communicator &&
            waits_for(wait, graph, rank, &sends))
            return true;
    }
    return false;
}

/* A send that MPI may have completed before its receive, by buffering. */
static bool is_short(const struct vl_beacon_call *call)
{
    return is_send(call->operation) && call->synchronous == 0 &&
           call->count * call->type_bytes <= EAGER_BYTES;
}

/* MPI_Waitany comes back as soon as one is done, so it waits only if none is. */
static bool one_is_done(const struct vl_wait_graph *graph, int rank)
{
    const struct vl_beacon_call *request = graph->beacon[rank]->request;
    struct vl_wait unused;
    for (size_t i = 0; i < VL_BEACON_REQUESTS; i++)
        if (request[i].operation != VL_OP_NONE && !waits_for(&unused, graph, rank, &request[i]))
            return true;
    return false;
}

/* Find the open request that it waits for: the one that the beacon names, else any receive or
 * collective, then a long send, and a short send only if there is nothing else. */
static void waits_for_request(struct vl_wait *wait, const struct vl_wait_graph *graph, int rank)
{
    const struct vl_beacon_call *request = graph->beacon[rank]->request, *call = &wait->call;
    if ((call->operation == VL_OP_WAITANY && one_is_done(graph, rank)) ||
        (call->form & VL_FORM_UNKNOWN) != 0)
        return;
    for (int round = 0; round < 4; round++)
        for (size_t i = 0; i < VL_BEACON_REQUESTS; i++) {
            int named = request[i].peer == call->peer && request[i].tag == call->tag &&
                        request[i].communicator == call->communicator;
            int send = is_send(request[i].operation), brief = is_short(&request[i]);
            if ((round == 0   ? named && !brief
                 : round == 1 ? !send
                 : round == 2 ? !brief
                              : brief) &&
                waits_for(wait, graph, rank, &request[i])) {
                /* The only one that MPI_Wait waits for is the one it names. */
                wait->doubtful |= brief || (call->operation == VL_OP_WAIT && !named);
                return;
            }
        }
}

static void read_wait(struct vl_wait_graph *graph, int rank)
{
    const struct vl_beacon *beacon = graph->beacon[rank];
    struct vl_wait *wait = &graph->wait[rank];
    *wait = (struct vl_wait){.call = beacon->call, .next = -1};
    uint32_t operation = beacon->call.operation;
    if (beacon->phase != VL_PHASE_INSIDE) {
        wait->state = beacon->phase == VL_PHASE_RETURNED ? VL_RANK_RETURNED
                      : beacon->phase == VL_PHASE_LEFT   ? VL_RANK_LEFT
                                                         : VL_RANK_BEFORE;
        return;
    }
    wait->state = operation == VL_OP_NONE ? VL_RANK_COMPUTES : VL_RANK_MOVES;
    wait->doubtful = operation == VL_OP_TEST ||
                     (operation == VL_OP_PROBE && (beacon->call.form & VL_FORM_STARTED) != 0);
    if (operation >= VL_OP_WAIT && operation <= VL_OP_TEST)
        waits_for_request(wait, graph, rank);
    else if (operation != VL_OP_IRECV && operation != VL_OP_ISEND &&
             !waits_for(wait, graph, rank, &wait->call) && operation == VL_OP_SENDRECV)
        waits_in_swap(wait, graph, rank);
}

/* Of the ranks it waits for, prefer one that will not come to one that waits itself. */
static void choose_next(struct vl_wait_graph *graph, int rank)
{
    static const enum vl_rank_state order[] = {VL_RANK_LEFT,   VL_RANK_RETURNED, VL_RANK_COMPUTES,
                                               VL_RANK_BEFORE, VL_RANK_WAITS,    VL_RANK_MOVES};
    /* If any rank will do, prefer one that has not ended. */
    struct vl_wait *wait = &graph->wait[rank];
    int any = wait->kind == VL_WAIT_RECEIVE && wait->wants.peer == VL_BEACON_ANY;
    size_t first = any ? 2 : 0, count = sizeof order / sizeof *order;
    for (size_t i = 0; i < count; i++)
        for (int r = 0; r < graph->ranks && wait->next < 0; r++)
            if ((wait->missing & bit(r)) != 0 && graph->wait[r].state == order[(i + first) % count])
                wait->next = r;
}

int vl_wait_graph_read(struct vl_wait_graph *graph, const struct vl_beacon *const *beacons,
                       int ranks, int synchronous)
{
    static const struct vl_beacon nothing;
    if (ranks < 1 || ranks > VL_WAIT_GRAPH_RANKS)
        return 0;
    *graph = (struct vl_wait_graph){.ranks = ranks, .synchronous = synchronous};
    for (int rank = 0; rank < ranks; rank++)
        graph->beacon[rank] = beacons[rank] != NULL ? beacons[rank] : &nothing;
    for (int rank = 0; rank < ranks; rank++)
        read_wait(graph, rank);
    for (int rank = 0; rank < ranks; rank++)
        choose_next(graph, rank);
    return 1;
}

int vl_wait_graph_end(const struct vl_wait_graph *graph, int rank)
{
    uint32_t met = 0;
    while (graph->wait[rank].state == VL_RANK_WAITS && graph->wait[rank].next >= 0 &&
           (met & bit(rank)) == 0) {
        met |= bit(rank);
        rank = graph->wait[rank].next;
    }
    return rank;
}

/* Ranks that are in different collectives never meet, whatever each of them still does in its own. */
static bool is_mismatched(const struct vl_wait_graph *graph)
{
    for (int rank = 0; rank < graph->ranks; rank++)
        if (graph->wait[rank].state == VL_RANK_COMPUTES ||
            graph->wait[rank].state == VL_RANK_BEFORE)
            return false;
    for (int rank = 0; rank < graph->ranks; rank++)
        if (vl_wait_graph_is_mismatched(graph, rank))
            return true;
    return false;
}

/* Does a rank have more open requests than it shows? Then others may wait for one of these. */
static bool hides_requests(const struct vl_wait_graph *graph)
{
    for (int rank = 0; rank < graph->ranks; rank++)
        if (graph->beacon[rank]->requests_open > VL_BEACON_REQUESTS)
            return true;
    return false;
}

bool vl_hang_is_certain(const struct vl_beacon *const *beacons, int ranks, int synchronous)
{
    struct vl_wait_graph graph;
    int waiting = 0, moving = 0;
    if (!vl_wait_graph_read(&graph, beacons, ranks, synchronous))
        return false;
    for (int rank = 0; rank < ranks; rank++) {
        const struct vl_wait *wait = &graph.wait[rank];
        /* What a rank sends to itself is buffered at once, or never. */
        int buffered = !synchronous && wait->call.operation == VL_OP_SEND &&
                       wait->call.peer != rank && is_short(&wait->call);
        if (wait->state == VL_RANK_WAITS && !wait->doubtful && !buffered)
            waiting++;
        else if (wait->state != VL_RANK_RETURNED && wait->state != VL_RANK_LEFT)
            moving++;
    }
    if (moving == 0 && waiting > 0 && !hides_requests(&graph))
        return true;
    return moving + waiting > 0 && is_mismatched(&graph);
}

bool vl_hang_is_misfit(const struct vl_beacon *const *beacons, int ranks)
{
    struct vl_wait_graph graph;
    if (!vl_wait_graph_read(&graph, beacons, ranks, 0))
        return false;
    for (int rank = 0; rank < ranks; rank++)
        if (vl_wait_graph_has_misfit(&graph, rank))
            return true;
    return false;
}
