/*
 * The contracts of vialata/collectives.h, seen from outside: the linker (--wrap) routes calls
 * between object files through here. Only the outermost call is shown and noted. The calls inside
 * it are up to whoever wrote it, and a transfer that is polled enters its next phase at a different
 * moment on every rank.
 */
#include "comm/intercept/ended.h"
#include "comm/intercept/watch.h"
#include "comm/races.h"
#include "comm/transfers.h"
#include "vialata/collectives.h"

#include <stdbool.h>
#include <string.h>

#define TRANSFERS 128

#define CONTRACT(name, ...)                                                                        \
    enum vl_status __real_##name(__VA_ARGS__);                                                     \
    enum vl_status __wrap_##name(__VA_ARGS__);                                                     \
    enum vl_status __wrap_##name(__VA_ARGS__)

static int depth;
static struct vl_beacon_call at_work;
static struct {
    struct vl_transfer *transfer;
    struct vl_beacon_call call;
    const void *data;
    int done;           /* a poll has said so */
} transfers[TRANSFERS]; /* the open ones, oldest first */
static size_t opened;
static uint32_t open_case;

static struct vl_beacon_call describe(uint32_t operation, MPI_Comm comm, int tag, size_t count,
                                      size_t element_bytes, const void *address)
{
    struct vl_beacon_call call = vl_call_plain(operation, comm, address);
    call.tag = tag;
    call.count = count;
    call.type_bytes = (uint32_t)element_bytes;
    return call;
}

const struct vl_beacon_call *vl_contract_at_work(void)
{
    return &at_work;
}

static void enter(const struct vl_beacon_call *call)
{
    if (depth++ > 0)
        return;
    at_work = *call;
    struct vl_beacon_call *outer = &vl_beacon_mine()->outer;
    struct vl_beacon_call told = *call;
    told.operation = VL_OP_NONE;
    *outer = told;
    __atomic_store_n(&outer->operation, call->operation, __ATOMIC_RELEASE);
    if (vl_operation_is_collective(call->operation))
        vl_watch_collective(&at_work);
}

static void leave(void)
{
    if (--depth > 0)
        return;
    at_work = (struct vl_beacon_call){.operation = VL_OP_NONE};
    __atomic_store_n(&vl_beacon_mine()->outer.operation, VL_OP_NONE, __ATOMIC_RELEASE);
}

static void show_open(void)
{
    struct vl_beacon *beacon = vl_beacon_mine();
    beacon->transfers_open = (uint32_t)opened;
    if (opened > 0)
        beacon->transfer_call = transfers[0].call;
    else
        beacon->transfer_call = (struct vl_beacon_call){.operation = VL_OP_NONE};
}

/* Would their messages go between the same ranks, in the same direction, under the same tag? */
static bool share_messages(const struct vl_beacon_call *one, const struct vl_beacon_call *other)
{
    bool rings =
        vl_operation_is_collective(one->operation) && vl_operation_is_collective(other->operation);
    return one->count > 0 && other->count > 0 && one->communicator == other->communicator &&
           one->tag == other->tag &&
           (rings || (one->operation == other->operation && one->peer == other->peer));
}

static bool share_memory(const struct vl_beacon_call *one, const void *data,
                         const struct vl_beacon_call *other, const void *other_data)
{
    uintptr_t x = (uintptr_t)data, y = (uintptr_t)other_data;
    uint64_t bytes = one->count * one->type_bytes, others = other->count * other->type_bytes;
    return bytes > 0 && others > 0 && x < y + others && y < x + bytes;
}

/* A transfer is about to start: does it get into the way of one that is under way? */
static void look_at_races(const struct vl_beacon_call *call, const void *data)
{
    const struct vl_beacon_call none = {.operation = VL_OP_NONE};
    if (open_case != vl_case_number()) {
        open_case = vl_case_number();
        opened = 0;
    }
    if (depth > 0 || call->members == 0 || (call->members & (call->members - 1)) == 0)
        return; /* alone, nothing is sent */
    for (size_t i = 0; i < opened; i++) {
        const struct vl_beacon_call *other = &transfers[i].call;
        bool sends = call->operation == VL_OP_VL_SEND, sent = other->operation == VL_OP_VL_SEND;
        if (transfers[i].done)
            continue;
        if (share_messages(other, call))
            vl_race_note(VL_RACE_TAG, other, &none, call, &none);
        if (share_memory(other, transfers[i].data, call, data) && !(sends && sent))
            vl_race_note(sends || sent ? VL_RACE_SENT : VL_RACE_RECEIVES, other, &none, call,
                         &none);
    }
}

static enum vl_status started(enum vl_status status, struct vl_transfer *const *transfer,
                              const struct vl_beacon_call *call, const void *data)
{
    leave();
    if (status == VL_OK && transfer != NULL)
        vl_ended_forget(*transfer);
    if (depth > 0 || status != VL_OK || transfer == NULL || *transfer == NULL ||
        opened == TRANSFERS)
        return status;
    transfers[opened].transfer = *transfer;
    transfers[opened].data = data;
    transfers[opened].done = 0;
    transfers[opened++].call = *call;
    show_open();
    return status;
}

CONTRACT(vl_send_start, struct vl_transfer **transfer, MPI_Comm comm, const void *data,
         size_t bytes, int to, int tag)
{
    struct vl_beacon_call call = describe(VL_OP_VL_SEND, comm, tag, bytes, 1, VL_HERE);
    call.peer = vl_known_peer(vl_known(comm), to);
    look_at_races(&call, data);
    enter(&call);
    enum vl_status status = __real_vl_send_start(transfer, comm, data, bytes, to, tag);
    return started(status, transfer, &call, data);
}

CONTRACT(vl_receive_start, struct vl_transfer **transfer, MPI_Comm comm, void *data, size_t bytes,
         int from, int tag)
{
    struct vl_beacon_call call = describe(VL_OP_VL_RECEIVE, comm, tag, bytes, 1, VL_HERE);
    call.peer = vl_known_peer(vl_known(comm), from);
    look_at_races(&call, data);
    enter(&call);
    enum vl_status status = __real_vl_receive_start(transfer, comm, data, bytes, from, tag);
    return started(status, transfer, &call, data);
}

CONTRACT(vl_reduce_scatter_start, struct vl_transfer **transfer, MPI_Comm comm, float *data,
         size_t n, int tag)
{
    struct vl_beacon_call call =
        describe(VL_OP_VL_REDUCE_SCATTER, comm, tag, n, sizeof *data, VL_HERE);
    look_at_races(&call, data);
    enter(&call);
    enum vl_status status = __real_vl_reduce_scatter_start(transfer, comm, data, n, tag);
    return started(status, transfer, &call, data);
}

CONTRACT(vl_all_gather_start, struct vl_transfer **transfer, MPI_Comm comm, void *data, size_t n,
         size_t element_bytes, int tag)
{
    struct vl_beacon_call call =
        describe(VL_OP_VL_ALL_GATHER, comm, tag, n, element_bytes, VL_HERE);
    look_at_races(&call, data);
    enter(&call);
    enum vl_status status = __real_vl_all_gather_start(transfer, comm, data, n, element_bytes, tag);
    return started(status, transfer, &call, data);
}

CONTRACT(vl_all_reduce_start, struct vl_transfer **transfer, MPI_Comm comm, float *data, size_t n,
         int tag)
{
    struct vl_beacon_call call = describe(VL_OP_VL_ALL_REDUCE, comm, tag, n, sizeof *data, VL_HERE);
    look_at_races(&call, data);
    enter(&call);
    enum vl_status status = __real_vl_all_reduce_start(transfer, comm, data, n, tag);
    return started(status, transfer, &call, data);
}

CONTRACT(vl_broadcast, MPI_Comm comm, void *data, size_t bytes, int root)
{
    struct vl_beacon_call call =
        describe(VL_OP_VL_BROADCAST, comm, VL_BEACON_NONE, bytes, 1, VL_HERE);
    call.root = vl_known_peer(vl_known(comm), root);
    enter(&call);
    enum vl_status status = __real_vl_broadcast(comm, data, bytes, root);
    leave();
    return status;
}

CONTRACT(vl_all_to_all, MPI_Comm comm, void *received, const size_t *receive_counts,
         const void *sent, const size_t *send_counts, size_t element_bytes)
{
    /* The count is 0: it may differ from rank to rank. */
    struct vl_beacon_call call =
        describe(VL_OP_VL_ALL_TO_ALL, comm, VL_BEACON_NONE, 0, element_bytes, VL_HERE);
    enter(&call);
    enum vl_status status =
        __real_vl_all_to_all(comm, received, receive_counts, sent, send_counts, element_bytes);
    leave();
    return status;
}

/* Its place among the open ones, or 'opened'. */
static size_t find(const struct vl_transfer *transfer)
{
    size_t i = open_case == vl_case_number() ? 0 : opened;
    while (i < opened && transfers[i].transfer != transfer)
        i++;
    return i;
}

/* Not shown, since it does not wait. */
CONTRACT(vl_transfer_poll, struct vl_transfer *transfer, int *done)
{
    size_t place = find(transfer);
    if (depth == 0 && place == opened)
        vl_ended_look(transfer, VL_OP_VL_POLL, VL_HERE);
    if (depth++ == 0 && place < opened)
        at_work = transfers[place].call;
    enum vl_status status = __real_vl_transfer_poll(transfer, done);
    if (--depth == 0)
        at_work = (struct vl_beacon_call){.operation = VL_OP_NONE};
    if (depth == 0 && status == VL_OK && done != NULL && *done && find(transfer) < opened)
        transfers[find(transfer)].done = 1;
    return status;
}

CONTRACT(vl_transfer_finish, struct vl_transfer *transfer)
{
    size_t place = find(transfer);
    struct vl_beacon_call call = {.peer = VL_BEACON_NONE, .tag = VL_BEACON_NONE};
    if (place < opened)
        call = transfers[place].call;
    call.operation = VL_OP_VL_FINISH;
    call.root = VL_BEACON_NONE;
    call.address = (uintptr_t)VL_HERE;
    if (depth == 0 && place == opened)
        vl_ended_look(transfer, VL_OP_VL_FINISH, VL_HERE);
    enter(&call);
    if (depth == 1 && place < opened)
        at_work = transfers[place].call;
    enum vl_status status = __real_vl_transfer_finish(transfer);
    leave();
    place = find(transfer); /* again: others may have been finished inside */
    if (place < opened) {
        vl_ended_note(transfer, &transfers[place].call);
        opened--;
        memmove(&transfers[place], &transfers[place + 1], (opened - place) * sizeof *transfers);
        show_open();
    }
    return status;
}

void vl_transfers_finish_open(void)
{
    while (open_case == vl_case_number() && opened > 0)
        __wrap_vl_transfer_finish(transfers[0].transfer);
}
