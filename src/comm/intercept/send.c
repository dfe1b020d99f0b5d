/* Sends, blocking and nonblocking. */
#include "comm/intercept/watch.h"

typedef int blocking_send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int starting_send(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static int count_and_send(blocking_send *library, const struct vl_beacon_call *call,
                          const char *name, const void *buffer, int count, MPI_Datatype type,
                          int to, int tag, MPI_Comm comm)
{
    double began = vl_watch_enter(call);
    vl_overlap_look(VL_REQUEST_SEND, call, buffer, type);
    vl_watch_sent(call); /* before it blocks: in a dead job it must count as on its way */
    int result = library(buffer, count, type, to, tag, comm);
    if (result != MPI_SUCCESS)
        vl_watch_not_sent(call);
    vl_watch_leave(began, name);
    vl_watch_span(VL_SPAN_SEND, call, call->count * call->type_bytes, began);
    return result;
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    struct vl_beacon_call call = vl_call_between(VL_OP_SEND, comm, to, tag, count, type, VL_HERE);
    call.synchronous = vl_strict_waits() != 0;
    blocking_send *library = call.synchronous ? PMPI_Ssend : PMPI_Send;
    return count_and_send(library, &call, "MPI_Send", buffer, count, type, to, tag, comm);
}

int MPI_Ssend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    struct vl_beacon_call call = vl_call_between(VL_OP_SSEND, comm, to, tag, count, type, VL_HERE);
    call.synchronous = 1;
    return count_and_send(PMPI_Ssend, &call, "MPI_Ssend", buffer, count, type, to, tag, comm);
}

int MPI_Bsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    struct vl_beacon_call call = vl_call_between(VL_OP_SEND, comm, to, tag, count, type, VL_HERE);
    return count_and_send(PMPI_Bsend, &call, "MPI_Bsend", buffer, count, type, to, tag, comm);
}

int MPI_Rsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    struct vl_beacon_call call = vl_call_between(VL_OP_SEND, comm, to, tag, count, type, VL_HERE);
    return count_and_send(PMPI_Rsend, &call, "MPI_Rsend", buffer, count, type, to, tag, comm);
}

static int start(starting_send *library, const void *address, const void *buffer, int count,
                 MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    struct vl_beacon_call call = vl_call_between(VL_OP_ISEND, comm, to, tag, count, type, address);
    call.synchronous = library == PMPI_Issend;
    double began = vl_watch_enter(&call);
    vl_overlap_look(VL_REQUEST_SEND, &call, buffer, type);
    int result = library(buffer, count, type, to, tag, comm, request);
    vl_watch_leave(0, NULL);
    if (result != MPI_SUCCESS)
        return result;
    vl_watch_sent(&call);
    vl_request_open(request, VL_REQUEST_SEND, &call, comm, buffer, type, began);
    return result;
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    starting_send *library = vl_strict_waits() > 1 ? PMPI_Issend : PMPI_Isend;
    return start(library, VL_HERE, buffer, count, type, to, tag, comm, request);
}

/* MPI_name, for which the library's own call is never replaced. */
#define STARTS(name)                                                                               \
    int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag,              \
                   MPI_Comm comm, MPI_Request *request)                                            \
    {                                                                                              \
        return start(PMPI_##name, VL_HERE, buffer, count, type, to, tag, comm, request);           \
    }

STARTS(Issend)
STARTS(Ibsend)
STARTS(Irsend)
