/* Persistent requests: made once, one message per start. Also requests freed or cancelled. */
#include "comm/intercept/watch.h"
#include "comm/races.h"

typedef int send_maker(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static int prepare(send_maker *library, uint32_t maker, const void *address, const void *buffer,
                   int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
    struct vl_beacon_call call = vl_call_between(VL_OP_ISEND, comm, to, tag, count, type, address);
    call.synchronous = library == PMPI_Ssend_init;
    vl_watch_enter(&call);
    int result = library(buffer, count, type, to, tag, comm, request);
    vl_watch_leave(0, NULL);
    if (result == MPI_SUCCESS)
        vl_request_prepare(request, VL_REQUEST_SEND, maker, &call, comm, buffer, type);
    return result;
}

#define PREPARES(name, operation)                                                                  \
    int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag,              \
                   MPI_Comm comm, MPI_Request *request)                                            \
    {                                                                                              \
        return prepare(PMPI_##name, operation, VL_HERE, buffer, count, type, to, tag, comm,        \
                       request);                                                                   \
    }

PREPARES(Send_init, VL_OP_SEND_INIT)
PREPARES(Ssend_init, VL_OP_SSEND_INIT)
PREPARES(Bsend_init, VL_OP_BSEND_INIT)
PREPARES(Rsend_init, VL_OP_RSEND_INIT)

int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    struct vl_beacon_call call =
        vl_call_between(VL_OP_IRECV, comm, from, tag, count, type, VL_HERE);
    vl_watch_enter(&call);
    int result = PMPI_Recv_init(buffer, count, type, from, tag, comm, request);
    vl_watch_leave(0, NULL);
    if (result == MPI_SUCCESS)
        vl_request_prepare(request, VL_REQUEST_RECEIVE, VL_OP_RECV_INIT, &call, comm, buffer, type);
    return result;
}

int MPI_Start(MPI_Request *request)
{
    const void *address = VL_HERE;
    int result = PMPI_Start(request);
    if (result == MPI_SUCCESS)
        vl_request_start(request, address);
    return result;
}

int MPI_Startall(int count, MPI_Request requests[])
{
    const void *address = VL_HERE;
    int result = PMPI_Startall(count, requests);
    for (int i = 0; result == MPI_SUCCESS && i < count; i++)
        vl_request_start(&requests[i], address);
    return result;
}

int MPI_Request_free(MPI_Request *request)
{
    MPI_Request was = *request;
    struct vl_request *one = vl_request_find(*request, request);
    const struct vl_beacon_call none = {.operation = VL_OP_NONE};
    if (one != NULL && one->active && !one->cancelled && !one->doubtful &&
        one->call.peer != VL_BEACON_NONE && vl_strict_looks_twice())
        vl_race_note(VL_RACE_FREED, &one->call, &one->outer, &none, &none);
    if (one != NULL && one->active && one->kind == VL_REQUEST_RECEIVE)
        vl_beacon_mine()->channels_lost = 1; /* nobody sees it come */
    int result = PMPI_Request_free(request);
    if (result == MPI_SUCCESS && one != NULL && one->active)
        vl_early_give_up(&one->kept);
    if (result == MPI_SUCCESS)
        vl_request_forget(was, request);
    return result;
}

int MPI_Cancel(MPI_Request *request)
{
    struct vl_request *one = vl_request_find(*request, request);
    int result = PMPI_Cancel(request);
    if (result == MPI_SUCCESS && one != NULL)
        one->cancelled = 1;
    return result;
}
