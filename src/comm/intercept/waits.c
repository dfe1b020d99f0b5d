/*
 * Waits and tests. MPI clears a handle when its request is done, so the handles are copied before
 * the call; which request each one was is looked up only when something is done.
 */
#include "comm/intercept/watch.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FEW 64

/* Handles and statuses of one call: on the stack if few, else in memory kept for later calls. */
struct aside {
    const MPI_Request *handle;
    MPI_Status *status;
    MPI_Request few_handles[FEW];
    MPI_Status few_statuses[FEW];
};

/* For more than few: the handles, or NULL. */
static MPI_Request *room_for(struct aside *a, size_t needed)
{
    static MPI_Request *many_handles;
    static MPI_Status *many_statuses;
    static size_t capacity;
    if (needed > capacity) {
        free(many_handles);
        free(many_statuses);
        many_handles = malloc(2 * needed * sizeof *many_handles);
        many_statuses = malloc(2 * needed * sizeof *many_statuses);
        capacity = many_handles != NULL && many_statuses != NULL ? 2 * needed : 0;
    }
    a->status = many_statuses;
    return needed <= capacity ? many_handles : NULL;
}

/* True if there was memory; without it, or in a thread that is not watched, the call goes straight through. */
static bool set_aside(struct aside *a, int count, const MPI_Request *requests, MPI_Status *statuses)
{
    if (!vl_thread_is_watched())
        return false;
    MPI_Request *handle = count > FEW ? room_for(a, (size_t)count) : a->few_handles;
    if (handle == NULL)
        return false;
    for (int i = 0; i < count; i++)
        handle[i] = requests[i];
    a->handle = handle;
    if (count <= FEW)
        a->status = a->few_statuses;
    if (statuses != MPI_STATUSES_IGNORE)
        a->status = statuses;
    return true;
}

/* What is waited for: peer, tag and communicator of the first request still open. */
static struct vl_beacon_call wait_call(uint32_t operation, int count, const MPI_Request *requests,
                                       const void *address)
{
    struct vl_beacon_call call = {.operation = operation,
                                  .peer = VL_BEACON_NONE,
                                  .tag = VL_BEACON_NONE,
                                  .root = VL_BEACON_NONE,
                                  .address = (uintptr_t)address};
    for (int i = 0; i < count; i++) {
        if (requests[i] == MPI_REQUEST_NULL)
            continue;
        const struct vl_request *one = vl_request_find(requests[i], &requests[i]);
        if (one == NULL)
            call.form |= VL_FORM_UNKNOWN;
        if (one == NULL || !one->active)
            continue;
        call.communicator = one->call.communicator;
        call.members = one->call.members;
        call.peer = one->call.peer;
        call.tag = one->call.tag;
        call.count = one->call.count;
        call.type_bytes = one->call.type_bytes;
        break;
    }
    vl_meter_count(&(struct vl_meter_row){
        .communicator = call.communicator, .operation = operation, .calls = 1});
    return call;
}

/* ---- tests ---- */

/* The latest test. A program may ask the same millions of times, between two accesses to far memory each time. Then
 * every instruction counts: it is only written that it is in the call. */
static struct {
    const MPI_Request *one, *several; /* which the program asked for; only one of them is set */
    int count;
    MPI_Request handle[FEW];
} asked;

static inline bool asks_again(const MPI_Request *request, const void *address)
{
    return asked.one == request && asked.handle[0] == *request &&
           vl_watch_again(VL_OP_TEST, address);
}

static bool asks_several_again(int count, const MPI_Request *requests, const void *address)
{
    return asked.several == requests && asked.count == count &&
           memcmp(asked.handle, requests, (size_t)count * sizeof *requests) == 0 &&
           vl_watch_again(VL_OP_TEST, address);
}

static void ask(int count, const MPI_Request *requests, const void *address)
{
    if (!vl_thread_is_watched())
        return;
    const struct vl_beacon_call call = wait_call(VL_OP_TEST, count, requests, address);
    vl_watch_enter(&call);
    bool may_ask_again =
        count > 0 && count <= FEW && !vl_span_recording() && !vl_thread_is_one_of_several();
    asked.one = may_ask_again && count == 1 ? requests : NULL;
    asked.several = may_ask_again && count > 1 ? requests : NULL;
    asked.count = count;
    for (int i = 0; i < count && may_ask_again; i++)
        asked.handle[i] = requests[i];
}

/* A request is done, or has failed: 'result' is its own. One that MPI keeps is still open. */
static void over(int result, MPI_Request handle, const MPI_Request *request,
                 const MPI_Status *status)
{
    if (result == MPI_SUCCESS || vl_is_truncated(result))
        vl_request_complete(handle, request, status);
    else if (*request == MPI_REQUEST_NULL)
        vl_request_forget(handle, request);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    MPI_Request was = *request;
    struct vl_beacon_call call = wait_call(VL_OP_WAIT, 1, request, VL_HERE);
    double began = vl_watch_enter(&call);
    int result = PMPI_Wait(request, status);
    vl_watch_leave(began, "MPI_Wait");
    over(result, was, request, status);
    return result;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    MPI_Request was = *request;
    if (!asks_again(request, VL_HERE))
        ask(1, request, VL_HERE);
    int result = PMPI_Test(request, flag, status);
    vl_watch_leave(0, NULL);
    if (result != MPI_SUCCESS || *flag)
        over(result, was, request, status);
    return result;
}

/* It only asks. The request stays, but what it received may be used now. */
int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    int result = PMPI_Request_get_status(request, flag, status);
    struct vl_request *one = result == MPI_SUCCESS && *flag ? vl_request_find(request, NULL) : NULL;
    if (one != NULL)
        vl_request_deliver(one);
    return result;
}

/* All are done; after an error, those that are. */
static void all_done(const struct aside *a, int result, int count, const MPI_Request *requests)
{
    for (int i = 0; i < count; i++) {
        if (a->handle[i] == MPI_REQUEST_NULL)
            continue;
        if (result == MPI_SUCCESS)
            over(result, a->handle[i], &requests[i], &a->status[i]);
        else if (requests[i] == MPI_REQUEST_NULL)
            over(a->status[i].MPI_ERROR, a->handle[i], &requests[i], &a->status[i]);
    }
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    struct aside a;
    if (!set_aside(&a, count, requests, statuses))
        return PMPI_Waitall(count, requests, statuses);
    struct vl_beacon_call call = wait_call(VL_OP_WAITALL, count, requests, VL_HERE);
    double began = vl_watch_enter(&call);
    int result = PMPI_Waitall(count, requests, a.status);
    vl_watch_leave(began, "MPI_Waitall");
    all_done(&a, result, count, requests);
    return result;
}

int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    struct aside a;
    if (!set_aside(&a, count, requests, statuses))
        return PMPI_Testall(count, requests, flag, statuses);
    struct vl_beacon_call call = wait_call(VL_OP_TEST, count, requests, VL_HERE);
    vl_watch_enter(&call);
    int result = PMPI_Testall(count, requests, flag, a.status);
    vl_watch_leave(0, NULL);
    if (result != MPI_SUCCESS || *flag)
        all_done(&a, result, count, requests);
    return result;
}

/* One is done, or has failed; 'result' is its own. */
static void one_done(const MPI_Request *handle, int result, int index, const MPI_Request *requests,
                     const MPI_Status *status)
{
    if (index != MPI_UNDEFINED && index >= 0)
        over(result, handle[index], &requests[index], status);
}

/* Some are done; after MPI_ERR_IN_STATUS each says whether it has failed. */
static void some_done(const struct aside *a, int result, int done, const int indices[],
                      const MPI_Request *requests)
{
    bool told = result == MPI_SUCCESS || result == MPI_ERR_IN_STATUS;
    for (int i = 0; told && done != MPI_UNDEFINED && i < done; i++)
        one_done(a->handle, result == MPI_SUCCESS ? result : a->status[i].MPI_ERROR, indices[i],
                 requests, &a->status[i]);
}

int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    struct aside a;
    MPI_Status own;
    if (!set_aside(&a, count, requests, MPI_STATUSES_IGNORE))
        return PMPI_Waitany(count, requests, index, status);
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    struct vl_beacon_call call = wait_call(VL_OP_WAITANY, count, requests, VL_HERE);
    double began = vl_watch_enter(&call);
    *index = MPI_UNDEFINED; /* MPI may leave it alone if it refuses the call */
    int result = PMPI_Waitany(count, requests, index, status);
    vl_watch_leave(began, "MPI_Waitany");
    one_done(a.handle, result, *index, requests, status);
    return result;
}

/* Kept out of MPI_Testany, which would have to make room for all this. */
static __attribute__((noinline)) int test_any(int count, MPI_Request requests[], int *index,
                                              int *flag, MPI_Status *status, const void *address)
{
    struct aside a;
    MPI_Status own;
    if (!set_aside(&a, count, requests, MPI_STATUSES_IGNORE))
        return PMPI_Testany(count, requests, index, flag, status);
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    if (!(count == 1 ? asks_again(requests, address)
                     : asks_several_again(count, requests, address)))
        ask(count, requests, address);
    *index = MPI_UNDEFINED;
    int result = PMPI_Testany(count, requests, index, flag, status);
    vl_watch_leave(0, NULL);
    if (result != MPI_SUCCESS || *flag)
        one_done(a.handle, result, *index, requests, status);
    return result;
}

/* What is needed after a call that finds something done. */
struct asking {
    MPI_Request handle;
    MPI_Request *request;
    int *index, *flag;
    MPI_Status *status;
};

static __attribute__((noinline)) int asked_and_over(int result, const volatile struct asking *was)
{
    if (result != MPI_SUCCESS || *was->index != MPI_UNDEFINED)
        over(result, was->handle, was->request, was->status);
    return result;
}

int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    MPI_Status own;
    /* For Fortran that is a place in our library: it takes the longer way, which knows the program's. */
    if (__builtin_expect(count != 1 || !asks_again(requests, __builtin_return_address(0)), false))
        return test_any(count, requests, index, flag, status, VL_HERE);
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    /* In memory: registers that outlast a call would have to be saved and restored, each time. */
    volatile struct asking is;
    is.handle = asked.handle[0];
    is.request = requests;
    is.index = index;
    is.flag = flag;
    is.status = status;
    int result = PMPI_Testany(count, requests, index, flag, status);
    vl_watch_left();
    if (result == MPI_SUCCESS && !*is.flag)
        return MPI_SUCCESS;
    return asked_and_over(result, &is);
}

int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    struct aside a;
    if (!set_aside(&a, count, requests, statuses))
        return PMPI_Waitsome(count, requests, done, indices, statuses);
    struct vl_beacon_call call = wait_call(VL_OP_WAITANY, count, requests, VL_HERE);
    double began = vl_watch_enter(&call);
    *done = MPI_UNDEFINED;
    int result = PMPI_Waitsome(count, requests, done, indices, a.status);
    vl_watch_leave(began, "MPI_Waitsome");
    some_done(&a, result, *done, indices, requests);
    return result;
}

int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    struct aside a;
    if (!set_aside(&a, count, requests, statuses))
        return PMPI_Testsome(count, requests, done, indices, statuses);
    struct vl_beacon_call call = wait_call(VL_OP_TEST, count, requests, VL_HERE);
    vl_watch_enter(&call);
    *done = MPI_UNDEFINED;
    int result = PMPI_Testsome(count, requests, done, indices, a.status);
    vl_watch_leave(0, NULL);
    some_done(&a, result, *done, indices, requests);
    return result;
}
