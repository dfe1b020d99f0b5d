/* Requests that get into each other's way: their memory overlaps, or transfers mix their messages. What
 * comes of it depends on chance. */
#include "comm/intercept/watch.h"
#include "comm/races.h"

#include <stdbool.h>

/* How many bytes it uses; zero where that is not certain. */
static uint64_t bytes_of(const struct vl_request *one)
{
    bool certain = one->active && !one->doubtful && !one->gaps && !one->cancelled &&
                   one->case_number == vl_case_number() && one->call.peer != VL_BEACON_NONE &&
                   one->kind != VL_REQUEST_OTHER;
    return certain ? one->call.count * one->call.type_bytes : 0;
}

static bool overlap(const void *a, uint64_t a_bytes, const void *b, uint64_t b_bytes)
{
    uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return a_bytes > 0 && b_bytes > 0 && x < y + b_bytes && y < x + a_bytes;
}

static bool is_transfer(const struct vl_beacon_call *outer)
{
    return outer->tag >= 0 && outer->operation >= VL_OP_VL_SEND &&
           outer->operation <= VL_OP_VL_FINISH;
}

/* A message inside a transfer: is another one under way inside a transfer with another tag, and the two
 * cannot be told apart? */
static void look_at_tags(uint32_t kind, const struct vl_beacon_call *call)
{
    const struct vl_beacon_call *outer = &vl_beacon_mine()->outer;
    const struct vl_request *one = is_transfer(outer) ? vl_request_newest() : NULL;
    for (; one != NULL; one = one->older)
        if (bytes_of(one) > 0 && one->kind == kind && is_transfer(&one->outer) &&
            one->outer.tag != outer->tag && one->outer.communicator == outer->communicator &&
            one->call.communicator == call->communicator && one->call.peer == call->peer &&
            one->call.tag == call->tag)
            vl_race_note(VL_RACE_MESSAGES, &one->call, &one->outer, call, outer);
}

bool vl_overlap_look(uint32_t kind, const struct vl_beacon_call *call, const void *buffer,
                     MPI_Datatype type)
{
    uint64_t bytes = call->count * call->type_bytes;
    if (!vl_strict_looks_twice() || bytes == 0 || call->peer == VL_BEACON_NONE ||
        !vl_thread_is_watched() || !vl_type_is_dense(type))
        return false;
    look_at_tags(kind, call);
    if (kind == VL_REQUEST_SEND)
        vl_early_look(buffer, call);
    for (const struct vl_request *one = vl_request_newest(); one != NULL; one = one->older) {
        bool receives = one->kind == VL_REQUEST_RECEIVE;
        if ((!receives && kind == VL_REQUEST_SEND) ||
            !overlap(one->buffer, bytes_of(one), buffer, bytes))
            continue;
        vl_race_note(receives && kind == VL_REQUEST_RECEIVE ? VL_RACE_RECEIVES : VL_RACE_SENT,
                     &one->call, &one->outer, call, &vl_beacon_mine()->outer);
        return true;
    }
    return false;
}

void vl_overlap_look_at_swap(const struct vl_beacon_call *out, const void *sent,
                             MPI_Datatype send_type, const struct vl_beacon_call *in,
                             const void *received, MPI_Datatype receive_type)
{
    vl_overlap_look(VL_REQUEST_SEND, out, sent, send_type);
    vl_overlap_look(VL_REQUEST_RECEIVE, in, received, receive_type);
    if (vl_strict_looks_twice() && vl_thread_is_watched() && out->peer != VL_BEACON_NONE &&
        in->peer != VL_BEACON_NONE && vl_type_is_dense(send_type) &&
        vl_type_is_dense(receive_type) &&
        overlap(sent, out->count * out->type_bytes, received, in->count * in->type_bytes))
        vl_race_note(VL_RACE_SENT, out, &vl_beacon_mine()->outer, in, &vl_beacon_mine()->outer);
}
