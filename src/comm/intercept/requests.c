/*
 * Open requests: from MPI's handle to the call that made it.
 *
 * Open MPI gives every small send that completes at once the same handle. So a request is known by
 * its handle and the variable that holds it. If the handle was copied elsewhere, the request is
 * found by the handle alone, the oldest first; if others share the handle, its buffer is ignored.
 */
#include "comm/intercept/watch.h"
#include "comm/races.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 256
#define BLOCK   64 /* requests allocated at a time, and kept */

static struct vl_request *bucket[BUCKETS];
static struct vl_request *oldest, *newest, *unused;
static uint64_t shown; /* slots of the beacon in use, one bit each */
static uint32_t shown_case;

_Static_assert(VL_BEACON_REQUESTS == 64, "one bit per slot");

static size_t place_of(MPI_Request handle, const void *variable)
{
    uint64_t x = (uintptr_t)handle * 0x9e3779b97f4a7c15u + (uintptr_t)variable;
    x *= 0xbf58476d1ce4e5b9u;
    return (size_t)(x >> 32) % BUCKETS;
}

uint64_t vl_sum_of(const void *buffer, uint64_t bytes)
{
    const unsigned char *at = buffer;
    uint64_t sum = bytes, word;
    for (; bytes >= sizeof word; at += sizeof word, bytes -= sizeof word) {
        memcpy(&word, at, sizeof word);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 29;
    }
    for (; bytes > 0; at++, bytes--)
        sum = (sum ^ *at) * 0x100000001b3u;
    return sum != 0 ? sum : 1;
}

static struct vl_request *take(void)
{
    if (unused == NULL) {
        struct vl_request *block = calloc(BLOCK, sizeof *block);
        for (size_t i = 0; block != NULL && i < BLOCK; i++) {
            block[i].chain = unused;
            unused = &block[i];
        }
    }
    struct vl_request *one = unused;
    if (one != NULL)
        unused = one->chain;
    return one;
}

static void link_in(struct vl_request *one)
{
    struct vl_request **head = &bucket[place_of(one->handle, one->variable)];
    one->chain = *head;
    *head = one;
    one->newer = NULL;
    one->older = newest;
    if (newest != NULL)
        newest->newer = one;
    else
        oldest = one;
    newest = one;
}

static void release(struct vl_request *one)
{
    struct vl_request **at = &bucket[place_of(one->handle, one->variable)];
    while (*at != one)
        at = &(*at)->chain;
    *at = one->chain;
    if (one->older != NULL)
        one->older->newer = one->newer;
    else
        oldest = one->newer;
    if (one->newer != NULL)
        one->newer->older = one->older;
    else
        newest = one->older;
    vl_known_drop(one->known);
    one->chain = unused;
    unused = one;
}

static void show(struct vl_request *one)
{
    struct vl_beacon *beacon = vl_beacon_mine();
    one->case_number = vl_case_number();
    if (shown_case != one->case_number) {
        shown_case = one->case_number;
        shown = 0;
    }
    beacon->requests_open++;
    one->shown = ~shown != 0 ? __builtin_ctzll(~shown) : -1;
    if (one->shown < 0)
        return;
    shown |= (uint64_t)1 << one->shown;
    beacon->request[one->shown] = one->call;
}

static void hide(struct vl_request *one)
{
    struct vl_beacon *beacon = vl_beacon_mine();
    if (one->case_number != vl_case_number())
        return; /* of an earlier case: it is not in this beacon */
    beacon->requests_open--;
    if (one->shown < 0)
        return;
    shown &= ~((uint64_t)1 << one->shown);
    beacon->request[one->shown].operation = VL_OP_NONE;
}

static struct vl_request *make(MPI_Request *request, uint32_t kind,
                               const struct vl_beacon_call *call, MPI_Comm comm, const void *buffer)
{
    struct vl_request *one = vl_thread_is_watched() ? take() : NULL;
    if (one == NULL)
        return NULL;
    *one = (struct vl_request){.handle = *request,
                               .variable = vl_foreign_variable(request),
                               .call = *call,
                               .known = vl_known(comm),
                               .kind = kind,
                               .shown = -1,
                               .buffer = buffer};
    vl_known_hold(one->known);
    link_in(one);
    return one;
}

static void activate(struct vl_request *one, double posted)
{
    one->active = 1;
    if (one->persistent) /* its handle is what it was before */
        vl_watch_forget();
    one->cancelled = one->doubtful = 0;
    one->outer = vl_beacon_mine()->outer;
    one->posted = posted;
    show(one);
}

/* A program may change bytes between elements, so only data without gaps is checked. */
bool vl_type_is_dense(MPI_Datatype type)
{
    MPI_Aint low = 0, extent = 0;
    if (type == MPI_DATATYPE_NULL)
        return false;
    PMPI_Type_get_extent(type, &low, &extent);
    if (low != 0 || extent != (MPI_Aint)vl_type_bytes(type))
        return false;
    PMPI_Type_get_true_extent(type, &low, &extent); /* it may have been resized */
    return low == 0 && extent == (MPI_Aint)vl_type_bytes(type);
}

static void look(struct vl_request *one)
{
    uint64_t bytes = one->call.count * one->call.type_bytes;
    one->seen = vl_strict_looks_twice() && bytes > 0 ? vl_sum_of(one->buffer, bytes) : 0;
}

struct vl_request *vl_request_open(MPI_Request *request, uint32_t kind,
                                   const struct vl_beacon_call *call, MPI_Comm comm,
                                   const void *buffer, MPI_Datatype type, double posted)
{
    struct vl_request *one = make(request, kind, call, comm, buffer);
    if (one == NULL)
        return NULL;
    activate(one, posted);
    one->gaps = vl_strict_looks_twice() && !vl_type_is_dense(type);
    if (kind == VL_REQUEST_SEND && call->peer != VL_BEACON_NONE && !one->gaps)
        look(one);
    return one;
}

struct vl_request *vl_request_newest(void)
{
    return newest;
}

void vl_request_prepare(MPI_Request *request, uint32_t kind, uint32_t maker,
                        const struct vl_beacon_call *call, MPI_Comm comm, const void *buffer,
                        MPI_Datatype type)
{
    struct vl_request *one = make(request, kind, call, comm, buffer);
    if (one == NULL)
        return;
    one->persistent = 1;
    one->maker = maker;
    one->made_at = call->address;
    one->gaps = !vl_type_is_dense(type);
}

void vl_request_start(MPI_Request *request, const void *address)
{
    struct vl_request *one = vl_request_find(*request, request);
    if (one == NULL || !one->persistent || one->active)
        return;
    one->call.address = (uintptr_t)address;
    one->started = 1;
    if (!one->gaps)
        vl_overlap_look(one->kind, &one->call, one->buffer, MPI_BYTE);
    activate(one, vl_span_recording() ? vl_span_clock() : 0);
    if (one->kind != VL_REQUEST_SEND) {
        vl_watch_expected(&one->call);
        return;
    }
    vl_watch_sent(&one->call);
    one->seen = 0;
    if (!one->gaps && one->call.peer != VL_BEACON_NONE)
        look(one);
}

static struct vl_request *find(MPI_Request handle, const void *variable, int *certain)
{
    *certain = 1;
    if (!vl_thread_is_watched())
        return NULL;
    struct vl_request *one = bucket[place_of(handle, variable)];
    for (; one != NULL; one = one->chain)
        if (one->handle == handle && one->variable == variable)
            return one;
    struct vl_request *found = NULL;
    for (one = oldest; one != NULL; one = one->newer) {
        if (one->handle != handle)
            continue;
        if (found != NULL)
            *certain = 0;
        /* Prefer requests of this case to those left over from an earlier one. */
        if (found == NULL ||
            (found->case_number != one->case_number && one->case_number == vl_case_number()))
            found = one;
    }
    return found;
}

struct vl_request *vl_request_find(MPI_Request handle, const MPI_Request *variable)
{
    int certain;
    return find(handle, vl_foreign_variable(variable), &certain);
}

static void finish(struct vl_request *one)
{
    vl_early_deliver(&one->kept);
    if (one->active)
        hide(one);
    one->active = 0;
    if (one->persistent)
        vl_watch_forget();
    else
        release(one);
}

void vl_request_forget(MPI_Request handle, const MPI_Request *variable)
{
    struct vl_request *one = vl_request_find(handle, variable);
    if (one == NULL)
        return;
    one->persistent = 0;
    finish(one);
}

static void book_send(struct vl_request *one, int certain)
{
    uint64_t bytes = one->call.count * one->call.type_bytes;
    vl_watch_span(VL_SPAN_SEND, &one->call, bytes, one->posted);
    if (one->seen == 0 || !certain || vl_sum_of(one->buffer, bytes) == one->seen)
        return;
    struct vl_beacon *beacon = vl_beacon_mine();
    if (beacon->touched == 0) {
        beacon->touched_call = one->call;
        beacon->touched_outer = one->outer;
    }
    beacon->touched = 1;
}

void vl_request_deliver(struct vl_request *one)
{
    const struct vl_beacon_call none = {.operation = VL_OP_NONE};
    if (vl_early_is_written(&one->kept))
        vl_race_note(VL_RACE_WRITTEN, &one->call, &one->outer, &none, &none);
    vl_early_deliver(&one->kept);
}

static void book_receive(struct vl_request *one, const MPI_Status *status)
{
    int cancelled = 0;
    if (one->cancelled)
        PMPI_Test_cancelled(status, &cancelled);
    vl_request_deliver(one);
    if (cancelled)
        return;
    vl_watch_received(&one->call, one->known, status);
    if (one->posted == 0 || status->MPI_SOURCE == MPI_PROC_NULL)
        return;
    struct vl_beacon_call real = one->call;
    real.peer = vl_known_peer(one->known, status->MPI_SOURCE);
    real.tag = status->MPI_TAG;
    vl_watch_span(VL_SPAN_RECEIVE, &real, vl_status_bytes(status), one->posted);
}

void vl_request_complete(MPI_Request handle, const MPI_Request *variable, const MPI_Status *status)
{
    int certain;
    struct vl_request *one = find(handle, vl_foreign_variable(variable), &certain);
    if (one == NULL || !one->active)
        return;
    for (struct vl_request *other = oldest; !certain && other != NULL; other = other->newer)
        other->doubtful |= other->handle == handle;
    if (one->kind == VL_REQUEST_SEND)
        book_send(one, certain);
    else if (one->kind == VL_REQUEST_RECEIVE)
        book_receive(one, status);
    finish(one);
}
