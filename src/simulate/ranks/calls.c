/*
 * MPI's calls that carry messages, on the messages of messages.h. These are the calls that labs
 * may use; all others are SimGrid's, and ranks alone make them.
 */
#include "simulate/ranks/flights.h"
#include "simulate/ranks/messages.h"
#include "simulate/ranks/state.h"

#include <stdlib.h>
#include <string.h>

/* A request is one of our messages. MPI_REQUEST_NULL is a null pointer in SimGrid, too. */
static struct vl_message *message_of(MPI_Request request)
{
    return (struct vl_message *)(void *)request;
}

static size_t bytes_of(int number, MPI_Datatype type)
{
    int bytes;
    PMPI_Type_size(type, &bytes);
    return (size_t)number * (size_t)bytes;
}

/* ---- posting ---- */

int MPI_Isend(const void *data, int number, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    struct vl_message *message = NULL;
    int code = to == MPI_PROC_NULL
                   ? MPI_SUCCESS
                   : vl_message_send(&message, comm, data, bytes_of(number, type), to, tag);
    *request = (MPI_Request)(void *)message;
    return code;
}

int MPI_Issend(const void *data, int number, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    return MPI_Isend(data, number, type, to, tag, comm, request); /* all are synchronous here */
}

int MPI_Irecv(void *data, int number, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    struct vl_message *message = NULL;
    int code = from == MPI_PROC_NULL
                   ? MPI_SUCCESS
                   : vl_message_receive(&message, comm, data, bytes_of(number, type), from, tag);
    *request = (MPI_Request)(void *)message;
    return code;
}

/* ---- waiting ---- */

static void forget(MPI_Status *status)
{
    if (status != MPI_STATUS_IGNORE)
        *status = (MPI_Status){
            .MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG, .MPI_ERROR = MPI_SUCCESS};
}

static MPI_Status *status_at(MPI_Status statuses[], int i)
{
    return statuses != MPI_STATUSES_IGNORE ? &statuses[i] : MPI_STATUS_IGNORE;
}

static void close_request(MPI_Request *request, MPI_Status *status)
{
    vl_message_close(message_of(*request), status);
    *request = MPI_REQUEST_NULL;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct vl_message *message = message_of(*request);
    forget(status);
    if (vl_message_wait_any(&message, 1) == 0)
        close_request(request, status);
    return MPI_SUCCESS;
}

int MPI_Waitall(int number, MPI_Request requests[], MPI_Status statuses[])
{
    for (int i = 0; i < number; i++)
        MPI_Wait(&requests[i], status_at(statuses, i));
    return MPI_SUCCESS;
}

int MPI_Waitany(int number, MPI_Request requests[], int *index, MPI_Status *status)
{
    int found = vl_message_wait_any((struct vl_message *const *)(void *)requests, number);
    *index = found >= 0 ? found : MPI_UNDEFINED;
    forget(status);
    if (found >= 0)
        close_request(&requests[found], status);
    return MPI_SUCCESS;
}

/* Those that are complete; with 'at_least' 1, wait for the first. */
static void some(int number, MPI_Request requests[], int *count, int indices[],
                 MPI_Status statuses[], int at_least)
{
    int left = 0;
    *count = 0;
    if (at_least > 0)
        vl_message_wait_any((struct vl_message *const *)(void *)requests, number);
    for (int i = 0; i < number; i++) {
        left += requests[i] != MPI_REQUEST_NULL;
        if (requests[i] == MPI_REQUEST_NULL || !vl_message_is_complete(message_of(requests[i])))
            continue;
        indices[*count] = i;
        close_request(&requests[i], status_at(statuses, (*count)++));
    }
    if (left == 0)
        *count = MPI_UNDEFINED;
}

int MPI_Waitsome(int number, MPI_Request requests[], int *count, int indices[],
                 MPI_Status statuses[])
{
    some(number, requests, count, indices, statuses, 1);
    return MPI_SUCCESS;
}

/* ---- asking ---- */

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    forget(status);
    *flag = *request == MPI_REQUEST_NULL || vl_message_is_complete(message_of(*request));
    if (*flag && *request != MPI_REQUEST_NULL)
        close_request(request, status);
    return MPI_SUCCESS;
}

int MPI_Testall(int number, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    *flag = 1;
    for (int i = 0; i < number; i++)
        if (requests[i] != MPI_REQUEST_NULL && !vl_message_is_complete(message_of(requests[i])))
            *flag = 0;
    for (int i = 0; i < number && *flag; i++) {
        int closed;
        MPI_Test(&requests[i], &closed, status_at(statuses, i));
    }
    return MPI_SUCCESS;
}

int MPI_Testany(int number, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    int left = 0;
    forget(status);
    *index = MPI_UNDEFINED;
    for (int i = 0; i < number && *index == MPI_UNDEFINED; i++) {
        left += requests[i] != MPI_REQUEST_NULL;
        if (requests[i] != MPI_REQUEST_NULL && vl_message_is_complete(message_of(requests[i])))
            *index = i;
    }
    *flag = left == 0 || *index != MPI_UNDEFINED;
    if (*index != MPI_UNDEFINED)
        close_request(&requests[*index], status);
    return MPI_SUCCESS;
}

int MPI_Testsome(int number, MPI_Request requests[], int *count, int indices[],
                 MPI_Status statuses[])
{
    some(number, requests, count, indices, statuses, 0);
    return MPI_SUCCESS;
}

/* ---- blocking ---- */

int MPI_Send(const void *data, int number, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    MPI_Request request;
    int code = MPI_Isend(data, number, type, to, tag, comm, &request);
    return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}

int MPI_Ssend(const void *data, int number, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    return MPI_Send(data, number, type, to, tag, comm);
}

int MPI_Recv(void *data, int number, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    MPI_Request request;
    int code = MPI_Irecv(data, number, type, from, tag, comm, &request);
    return code == MPI_SUCCESS ? MPI_Wait(&request, status) : code;
}

int MPI_Sendrecv(const void *sent, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void *received, int receive_count, MPI_Datatype receive_type, int from,
                 int receive_tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Request out, in;
    int code = MPI_Isend(sent, send_count, send_type, to, send_tag, comm, &out);
    if (code == MPI_SUCCESS)
        code = MPI_Irecv(received, receive_count, receive_type, from, receive_tag, comm, &in);
    if (code == MPI_SUCCESS)
        code = MPI_Wait(&in, status);
    return code == MPI_SUCCESS ? MPI_Wait(&out, MPI_STATUS_IGNORE) : code;
}

/* ---- SimGrid's collectives, in which a rank may wait for others ---- */

#define LAUNCHING(name, declared, given)                                                           \
    int name declared                                                                              \
    {                                                                                              \
        vl_flights_launch();                                                                       \
        return P##name given;                                                                      \
    }

LAUNCHING(MPI_Barrier, (MPI_Comm comm), (comm))
LAUNCHING(MPI_Bcast, (void *data, int n, MPI_Datatype type, int root, MPI_Comm comm),
          (data, n, type, root, comm))
LAUNCHING(MPI_Allreduce,
          (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          (in, out, n, type, op, comm))
LAUNCHING(MPI_Allgather,
          (const void *in, int sent, MPI_Datatype out_type, void *out, int received,
           MPI_Datatype in_type, MPI_Comm comm),
          (in, sent, out_type, out, received, in_type, comm))
