/* Transfers between ranks, and how many are under way at once. Around the wrappers of comm/intercept. */
#include "runner/counted/counted.h"

#include <mpi.h>

#define FEW 64

static int64_t open_now;

void vl_counted_forget_transfers(void)
{
    open_now = 0;
}

static void opened(int64_t count)
{
    if (!vl_counted_on)
        return;
    vl_counted.transfers += count;
    open_now += count;
    vl_counted.most_open = open_now > vl_counted.most_open ? open_now : vl_counted.most_open;
}

/* One that was started before the turn is none of those that are open. */
static void closed(int64_t count)
{
    open_now = open_now > count ? open_now - count : 0;
}

static void sent(int count, MPI_Datatype type)
{
    int bytes = 0;
    if (!vl_counted_on)
        return;
    PMPI_Type_size(type, &bytes);
    vl_counted.transfer_bytes += (int64_t)count * bytes;
}

#define SENDS(name)                                                                                \
    VL_WRAPS(int, name, const void *data, int count, MPI_Datatype type, int to, int tag,           \
             MPI_Comm comm)                                                                        \
    {                                                                                              \
        int code;                                                                                  \
        sent(count, type);                                                                         \
        opened(1);                                                                                 \
        VL_TIMED_INTO(mpi_ns, code = __real_##name(data, count, type, to, tag, comm));             \
        closed(1);                                                                                 \
        return code;                                                                               \
    }
SENDS(MPI_Send)
SENDS(MPI_Ssend)

#define STARTS_SEND(name)                                                                          \
    VL_WRAPS(int, name, const void *data, int count, MPI_Datatype type, int to, int tag,           \
             MPI_Comm comm, MPI_Request *request)                                                  \
    {                                                                                              \
        int code;                                                                                  \
        sent(count, type);                                                                         \
        opened(1);                                                                                 \
        VL_TIMED_INTO(mpi_ns, code = __real_##name(data, count, type, to, tag, comm, request));    \
        return code;                                                                               \
    }
STARTS_SEND(MPI_Isend)
STARTS_SEND(MPI_Issend)

VL_WRAPS(int, MPI_Recv, void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
         MPI_Status *status)
{
    int code;
    opened(1);
    VL_TIMED_INTO(mpi_ns, code = __real_MPI_Recv(data, count, type, from, tag, comm, status));
    closed(1);
    return code;
}

VL_WRAPS(int, MPI_Irecv, void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
         MPI_Request *request)
{
    int code;
    opened(1);
    VL_TIMED_INTO(mpi_ns, code = __real_MPI_Irecv(data, count, type, from, tag, comm, request));
    return code;
}

VL_WRAPS(int, MPI_Sendrecv, const void *out, int count, MPI_Datatype type, int to, int tag,
         void *in, int most, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
         MPI_Status *status)
{
    int code;
    sent(count, type);
    opened(2);
    VL_TIMED_INTO(mpi_ns, code = __real_MPI_Sendrecv(out, count, type, to, tag, in, most, in_type,
                                                     from, in_tag, comm, status));
    closed(2);
    return code;
}

/* ---- waits and tests: how many handles they clear ---- */

static int64_t open_among(int count, const MPI_Request *requests)
{
    int64_t open = 0;
    for (int i = 0; i < count; i++)
        open += requests[i] != MPI_REQUEST_NULL;
    return open;
}

#define CLEARS(name, count, requests, parameters, ...)                                             \
    int __real_##name parameters;                                                                  \
    int __wrap_##name parameters;                                                                  \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        int code;                                                                                  \
        int64_t before = open_among(count, requests);                                              \
        VL_TIMED_INTO(mpi_ns, code = __real_##name(__VA_ARGS__));                                  \
        closed(before - open_among(count, requests));                                              \
        return code;                                                                               \
    }
CLEARS(MPI_Wait, 1, request, (MPI_Request * request, MPI_Status *status), request, status)
CLEARS(MPI_Waitall, count, requests, (int count, MPI_Request requests[], MPI_Status *statuses),
       count, requests, statuses)
CLEARS(MPI_Waitany, count, requests,
       (int count, MPI_Request requests[], int *index, MPI_Status *status), count, requests, index,
       status)
CLEARS(MPI_Waitsome, count, requests,
       (int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]), count,
       requests, done, indices, statuses)
CLEARS(MPI_Test, 1, request, (MPI_Request * request, int *done, MPI_Status *status), request, done,
       status)
CLEARS(MPI_Testall, count, requests,
       (int count, MPI_Request requests[], int *done, MPI_Status statuses[]), count, requests, done,
       statuses)
CLEARS(MPI_Testany, count, requests,
       (int count, MPI_Request requests[], int *index, int *done, MPI_Status *status), count,
       requests, index, done, status)

VL_WRAPS(int, MPI_Barrier, MPI_Comm comm)
{
    int code;
    VL_TIMED_INTO(mpi_ns, code = __real_MPI_Barrier(comm));
    vl_counted.barriers += vl_counted_on;
    return code;
}

/* ---- what moves data in other ways ---- */

#define OTHER(name, parameters, ...)                                                               \
    int __real_##name parameters;                                                                  \
    int __wrap_##name parameters;                                                                  \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        int code;                                                                                  \
        VL_TIMED_INTO(mpi_ns, code = __real_##name(__VA_ARGS__));                                  \
        vl_counted.others += vl_counted_on;                                                        \
        return code;                                                                               \
    }
OTHER(MPI_Bcast, (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm), data, count,
      type, root, comm)
OTHER(MPI_Allreduce,
      (const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), in, out,
      count, type, op, comm)
OTHER(MPI_Allgather,
      (const void *in, int count, MPI_Datatype type, void *out, int each, MPI_Datatype out_type,
       MPI_Comm comm),
      in, count, type, out, each, out_type, comm)
OTHER(MPI_Start, (MPI_Request * request), request)
OTHER(MPI_Startall, (int count, MPI_Request requests[]), count, requests)
