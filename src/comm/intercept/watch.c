/* One call: into the beacon, the meter and the spans. */
#include "comm/intercept/watch.h"
#include "comm/senders.h"
#include "wire/element_type.h"

#include <stdbool.h>

#define HINTS 64

uint32_t vl_type_bytes(MPI_Datatype type)
{
    /* One of wire/element_type.h: those keep their size. */
    static MPI_Datatype latest = MPI_DATATYPE_NULL;
    static uint32_t its_bytes;
    if (type == latest && vl_thread_is_watched())
        return its_bytes;
    int bytes = 0;
    if (type != MPI_DATATYPE_NULL)
        PMPI_Type_size(type, &bytes);
    if (vl_element_type(type) != VL_TYPE_UNKNOWN) {
        latest = type;
        its_bytes = (uint32_t)bytes;
    }
    return (uint32_t)bytes;
}

static uint32_t form_on(const struct vl_known *known)
{
    if (known == NULL)
        return 0;
    return (known->inter ? VL_FORM_ACROSS : 0) | (known->guessed ? VL_FORM_GUESSED : 0);
}

struct vl_beacon_call vl_call_plain(uint32_t operation, MPI_Comm comm, const void *address)
{
    const struct vl_known *known = vl_known(comm);
    return (struct vl_beacon_call){.operation = operation,
                                   .communicator = known != NULL ? known->number : 0,
                                   .peer = VL_BEACON_NONE,
                                   .tag = VL_BEACON_NONE,
                                   .root = VL_BEACON_NONE,
                                   .members = known != NULL ? known->members : 0,
                                   .address = (uintptr_t)address,
                                   .form = form_on(known)};
}

struct vl_beacon_call vl_call_between(uint32_t operation, MPI_Comm comm, int peer, int tag,
                                      int count, MPI_Datatype type, const void *address)
{
    const struct vl_known *known = vl_known(comm);
    return (struct vl_beacon_call){.operation = operation,
                                   .communicator = known != NULL ? known->number : 0,
                                   .peer = vl_known_peer(known, peer),
                                   .tag = tag == MPI_ANY_TAG ? VL_BEACON_ANY : tag,
                                   .root = VL_BEACON_NONE,
                                   .type_bytes = vl_type_bytes(type),
                                   .type = vl_element_type(type),
                                   .members = known != NULL ? known->members : 0,
                                   .count = count > 0 ? (uint64_t)count : 0,
                                   .address = (uintptr_t)address};
}

double vl_watch_enter(const struct vl_beacon_call *call)
{
    if (!vl_thread_is_watched())
        return 0;
    struct vl_beacon_call *here = &vl_beacon_mine()->call;
    struct vl_beacon_call told = *call;
    told.operation = VL_OP_NONE; /* set last, so that a reader never sees half a call */
    *here = told;
    __atomic_store_n(&here->operation, call->operation, __ATOMIC_RELEASE);
    return vl_span_recording() ? vl_span_enter() : 0;
}

bool vl_watch_again(uint32_t operation, const void *address)
{
    struct vl_beacon_call *here = &vl_beacon_mine()->call;
    if (here->address != (uintptr_t)address)
        return false;
    vl_meter_count(&(struct vl_meter_row){
        .communicator = here->communicator, .operation = operation, .calls = 1});
    __atomic_store_n(&here->operation, operation, __ATOMIC_RELEASE);
    return true;
}

void vl_watch_left(void)
{
    __atomic_store_n(&vl_beacon_mine()->call.operation, VL_OP_NONE, __ATOMIC_RELEASE);
}

void vl_watch_forget(void)
{
    vl_beacon_mine()->call.address = 0;
}

void vl_watch_leave(double began, const char *name)
{
    if (!vl_thread_is_watched())
        return;
    __atomic_store_n(&vl_beacon_mine()->call.operation, VL_OP_NONE, __ATOMIC_RELEASE);
    if (began == 0) {
        vl_span_leave();
        return;
    }
    vl_span_add(&(struct vl_span){.kind = VL_SPAN_WAIT,
                                  .peer = -1,
                                  .begin = began,
                                  .end = vl_span_clock(),
                                  .number = -1,
                                  .name = name});
}

/* One collective more on this communicator: which one is it? 0 if there are too many communicators. */
static uint32_t number_on(struct vl_beacon *beacon, uint32_t communicator)
{
    for (size_t i = 0; i < VL_BEACON_COUNTED; i++) {
        struct vl_beacon_counted *counted = &beacon->counted[i];
        if (counted->count == 0)
            counted->communicator = communicator;
        if (counted->communicator == communicator)
            return ++counted->count;
    }
    return 0;
}

void vl_watch_collective(struct vl_beacon_call *call)
{
    struct vl_beacon *beacon = vl_beacon_mine();
    if ((call->form & VL_FORM_ACROSS) != 0 || !vl_thread_is_watched())
        return;
    struct vl_beacon_call *kept =
        &beacon->collective[beacon->collectives_seen % VL_BEACON_COLLECTIVES];
    call->number = number_on(beacon, call->communicator);
    *kept = *call;
    __atomic_store_n(&beacon->collectives_seen, beacon->collectives_seen + 1, __ATOMIC_RELEASE);
}

void vl_watch_called(const struct vl_beacon_call *call)
{
    vl_meter_count(&(struct vl_meter_row){
        .communicator = call->communicator, .operation = call->operation, .calls = 1});
}

void vl_watch_expected(const struct vl_beacon_call *call)
{
    if (call->peer != VL_BEACON_NONE)
        vl_watch_called(call);
}

static bool is_of(const struct vl_beacon_channel *channel, const struct vl_beacon_call *call)
{
    return channel->communicator == call->communicator && channel->peer == call->peer &&
           channel->tag == call->tag;
}

/* The same few channels come again and again: a hint, and then a look at all of them. */
static struct vl_beacon_channel *channel_of(const struct vl_beacon_call *call)
{
    static uint32_t hints[HINTS];
    struct vl_beacon *beacon = vl_beacon_mine();
    uint32_t mixed = call->communicator ^ (uint32_t)call->peer * 7919u ^ (uint32_t)call->tag * 31u;
    uint32_t *hint = &hints[(mixed ^ mixed >> 6) % HINTS];
    if (*hint < beacon->channels_used && is_of(&beacon->channel[*hint], call))
        return &beacon->channel[*hint];
    for (uint32_t i = 0; i < beacon->channels_used; i++)
        if (is_of(&beacon->channel[i], call))
            return &beacon->channel[*hint = i];
    if (beacon->channels_used >= VL_BEACON_CHANNELS) {
        beacon->channels_lost = 1;
        return NULL;
    }
    *hint = beacon->channels_used++;
    struct vl_beacon_channel *channel = &beacon->channel[*hint];
    channel->communicator = call->communicator;
    channel->peer = call->peer;
    channel->tag = call->tag;
    return channel;
}

static int this_rank(void)
{
    static int own = -1;
    if (own < 0)
        PMPI_Comm_rank(MPI_COMM_WORLD, &own);
    return own;
}

/* Where a message counts whose channel has no place. */
static struct vl_beacon_heap *heap_of(const struct vl_beacon_call *call, bool is_sent)
{
    const int32_t from = is_sent ? this_rank() : call->peer;
    const int32_t to = is_sent ? call->peer : this_rank();
    return &vl_beacon_mine()->heap[vl_beacon_heap_of(call->communicator, from, to, call->tag)];
}

/* A message without elements has no type. */
static enum vl_element_kind kind_of(const struct vl_beacon_call *call)
{
    return call->count > 0 ? vl_element_kind(call->type) : VL_ELEMENT_UNKNOWN;
}

static void note_type(struct vl_beacon_types *types, const struct vl_beacon_call *call)
{
    types->kinds[kind_of(call)]++;
    types->type = call->type;
    types->operation = call->operation;
    types->address = call->address;
}

void vl_watch_sent(const struct vl_beacon_call *call)
{
    if (call->peer == VL_BEACON_NONE || !vl_thread_is_watched())
        return;
    uint64_t bytes = call->count * call->type_bytes;
    vl_meter_count(&(struct vl_meter_row){.communicator = call->communicator,
                                          .operation = call->operation,
                                          .calls = 1,
                                          .sent_messages = 1,
                                          .sent_bytes = bytes});
    if (call->peer != this_rank())
        vl_meter_message(bytes, call->synchronous);
    vl_sender_count(call, vl_contract_at_work(), bytes);
    struct vl_beacon_channel *channel = channel_of(call);
    if (channel == NULL) {
        heap_of(call, true)->sent++;
        return;
    }
    channel->sent++;
    channel->sent_bytes += bytes;
    note_type(&channel->out, call);
}

void vl_watch_not_sent(const struct vl_beacon_call *call)
{
    bool counted = call->peer != VL_BEACON_NONE && vl_thread_is_watched();
    struct vl_beacon_channel *channel = counted ? channel_of(call) : NULL;
    if (counted && channel == NULL)
        heap_of(call, true)->sent--;
    if (channel == NULL || channel->sent == 0)
        return;
    channel->sent--;
    channel->out.kinds[kind_of(call)]--;
    channel->sent_bytes -= call->count * call->type_bytes;
}

bool vl_is_truncated(int result)
{
    int class = result;
    if (result != MPI_SUCCESS)
        PMPI_Error_class(result, &class);
    return class == MPI_ERR_TRUNCATE;
}

uint64_t vl_status_bytes(const MPI_Status *status)
{
    MPI_Count bytes = 0;
    PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
    return bytes > 0 ? (uint64_t)bytes : 0;
}

static void note_taken(const struct vl_beacon_call *call, const struct vl_beacon_call *real)
{
    struct vl_beacon *beacon = vl_beacon_mine();
    beacon->taken[beacon->taken_seen++ % VL_BEACON_TAKEN] =
        (struct vl_beacon_taken){.call = *call, .peer = real->peer, .tag = real->tag};
}

void vl_watch_received(const struct vl_beacon_call *call, const struct vl_known *known,
                       const MPI_Status *status)
{
    if (call->peer == VL_BEACON_NONE || status->MPI_SOURCE == MPI_PROC_NULL ||
        !vl_thread_is_watched())
        return;
    struct vl_beacon_call real = *call;
    real.peer = vl_known_peer(known, status->MPI_SOURCE);
    real.tag = status->MPI_TAG;
    uint64_t bytes = vl_status_bytes(status);
    if (call->peer == VL_BEACON_ANY)
        note_taken(call, &real);
    vl_meter_count(&(struct vl_meter_row){.communicator = real.communicator,
                                          .operation = real.operation,
                                          .received_messages = 1,
                                          .received_bytes = bytes});
    struct vl_beacon_channel *channel = channel_of(&real);
    if (channel == NULL) {
        heap_of(&real, false)->received++;
        return;
    }
    channel->received++;
    channel->received_bytes += bytes;
    note_type(&channel->in, call);
}

void vl_watch_span(uint32_t kind, const struct vl_beacon_call *call, uint64_t bytes, double posted)
{
    if (posted == 0 || call->peer == VL_BEACON_NONE)
        return;
    vl_span_add(&(struct vl_span){.kind = kind,
                                  .peer = call->peer,
                                  .begin = posted,
                                  .end = vl_span_clock(),
                                  .bytes = bytes,
                                  .number = call->tag,
                                  .name = vl_operation_name(call->operation)});
}
