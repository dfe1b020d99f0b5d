/* What the beacon says about requests, calls, buffers, errors and leaving. */
#include "ranks.h"

#include <setjmp.h>
#include <stdlib.h>

static int next, before;

static void touched(void)
{
    int out[50] = {0}, in[50];
    MPI_Request request[2];
    begin("touched", 1, 0);
    MPI_Irecv(in, 50, MPI_INT, before, 11, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(out, 50, MPI_INT, next, 11, MPI_COMM_WORLD, &request[1]);
    out[49] = 1;
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    EQUAL(mine->touched, 1);
    EQUAL(mine->touched_call.operation, VL_OP_ISEND);
    EQUAL(mine->touched_call.tag, 11);
    EQUAL(mine->touched_call.peer, next);
    EQUAL(mine->touched_call.count, 50);
    EQUAL(mine->touched_call.type_bytes, 4);
    TRUE(mine->touched_call.address != 0);
    begin("touched, and nobody looks", 0, 0);
    MPI_Irecv(in, 50, MPI_INT, before, 11, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(out, 50, MPI_INT, next, 11, MPI_COMM_WORLD, &request[1]);
    out[49] = 2;
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    EQUAL(mine->touched, 0);
}

/* The columns between those that are sent may change. */
static void gaps(void)
{
    int matrix[4][4] = {{0}}, in[4];
    MPI_Datatype column;
    MPI_Request request[2];
    begin("gaps", 1, 0);
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Irecv(in, 4, MPI_INT, before, 12, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(&matrix[0][1], 1, column, next, 12, MPI_COMM_WORLD, &request[1]);
    matrix[0][2] = 5;
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    EQUAL(mine->touched, 0);
    EQUAL(channel(0, next, 12)->sent_bytes, 16);
    MPI_Type_free(&column);
}

static void left_open(void)
{
    int out = 0, in = 0;
    MPI_Request request[2], earlier;
    begin("left open", 0, 0);
    MPI_Irecv(&in, 1, MPI_INT, before, 13, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(&out, 1, MPI_INT, next, 14, MPI_COMM_WORLD, &request[1]);
    EQUAL(mine->requests_open, 2);
    EQUAL(mine->request[0].operation, VL_OP_IRECV);
    EQUAL(mine->request[0].tag, 13);
    EQUAL(mine->request[1].peer, next);
    TRUE(mine->request[1].address != mine->request[0].address);
    earlier = request[0];
    begin("left open, the next case", 0, 0);
    EQUAL(mine->requests_open, 0);
    EQUAL(mine->request[0].operation, VL_OP_NONE);
    MPI_Irecv(&in, 1, MPI_INT, before, 14, MPI_COMM_WORLD, &request[0]);
    EQUAL(mine->requests_open, 1);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE); /* of the case before: not in this beacon */
    EQUAL(mine->requests_open, 1);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    EQUAL(mine->requests_open, 0);
    MPI_Cancel(&earlier);
    MPI_Wait(&earlier, MPI_STATUS_IGNORE);
    EQUAL(mine->requests_open, 0);
}

/* All tests come from here: the beacon's call says of which request the latest was. */
static __attribute__((noinline)) int test_one(MPI_Request *request)
{
    int flag = 0;
    MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    return flag;
}

static __attribute__((noinline)) int test_any_of_one(MPI_Request *request)
{
    int flag = 0, index = 7;
    MPI_Testany(1, request, &index, &flag, MPI_STATUS_IGNORE);
    TRUE(index == (flag && mine->call.tag != VL_BEACON_NONE ? 0 : MPI_UNDEFINED));
    return flag;
}

static __attribute__((noinline)) int test_any(MPI_Request *request)
{
    int flag = 0, index = 0;
    MPI_Testany(2, request, &index, &flag, MPI_STATUS_IGNORE);
    return flag ? index : -1;
}

/* Asked again and again from one place: for which request? */
static void asked(int (*is_done)(MPI_Request *))
{
    int out = 0, in[2];
    MPI_Request request[2];
    begin("asked", 0, 0);
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, before, 41 + i, MPI_COMM_WORLD, &request[i]);
    for (int i = 0; i < 6; i++) {
        EQUAL(is_done(&request[i / 2 % 2]), 0);
        EQUAL(mine->call.tag, 41 + i / 2 % 2);
        EQUAL(mine->call.operation, VL_OP_NONE);
    }
    for (int i = 0; i < 3; i++) {
        EQUAL(test_any(request), -1);
        EQUAL(mine->call.tag, 41);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    EQUAL(test_any(request), -1);
    EQUAL(mine->call.tag, 41);
    row_is(0, VL_OP_TEST, 10, 0, 0, 0, 0);
    PMPI_Barrier(MPI_COMM_WORLD); /* no message comes before it is its turn */
    MPI_Send(&out, 1, MPI_INT, next, 41, MPI_COMM_WORLD);
    while (test_any(request) != 0)
        continue;
    EQUAL(mine->requests_open, 1);
    EQUAL(test_any(request), -1);
    EQUAL(mine->call.tag, 42);
    MPI_Irecv(&in[0], 1, MPI_INT, before, 43, MPI_COMM_WORLD, &request[0]);
    EQUAL(test_any(request), -1);
    EQUAL(mine->call.tag, 43);
    PMPI_Barrier(MPI_COMM_WORLD);
    for (int i = 1; i >= 0; i--) {
        MPI_Send(&out, 1, MPI_INT, next, 43 - i, MPI_COMM_WORLD);
        while (!is_done(&request[i]))
            continue;
    }
    EQUAL(mine->requests_open, 0);
}

/* One variable for a request after the other. MPI may give a new one the handle of one that is done. */
static void asked_of_the_next(int (*is_done)(MPI_Request *))
{
    int out = 0, in[2];
    MPI_Request request[2], one;
    begin("asked of the next", 0, 0);
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, before, 46 + i, MPI_COMM_WORLD, &request[i]);
    for (int i = 0; i < 4; i++) {
        one = request[i % 2];
        EQUAL(is_done(&one), 0);
        EQUAL(mine->call.tag, 46 + i % 2);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++) {
        PMPI_Send(&out, 1, MPI_INT, next, 46 + i, MPI_COMM_WORLD);
        while (!is_done(&request[i]))
            continue;
    }
    for (int tag = 48; tag < 51; tag++) {
        PMPI_Barrier(MPI_COMM_WORLD);
        MPI_Irecv(in, 1, MPI_INT, before, tag, MPI_COMM_WORLD, &one);
        EQUAL(is_done(&one), 0);
        EQUAL(mine->call.tag, tag);
        PMPI_Barrier(MPI_COMM_WORLD);
        PMPI_Send(&out, 1, MPI_INT, next, tag, MPI_COMM_WORLD);
        while (!is_done(&one))
            continue;
    }
}

/* MPI has one handle for all sends that are done at once, and one for no request. */
static void asked_of_what_is_done(int (*is_done)(MPI_Request *))
{
    int out = 0, in[2];
    MPI_Request sent[2], open, none = MPI_REQUEST_NULL;
    begin("asked of what is done", 0, 0);
    for (int i = 0; i < 2; i++)
        MPI_Isend(&out, 1, MPI_INT, next, 52 + i, MPI_COMM_WORLD, &sent[i]);
    for (int i = 0; i < 2; i++) {
        EQUAL(is_done(&sent[i]), 1);
        EQUAL(mine->call.tag, 52 + i);
    }
    for (int i = 0; i < 2; i++)
        MPI_Recv(&in[i], 1, MPI_INT, before, 52 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(in, 1, MPI_INT, before, 54, MPI_COMM_WORLD, &open);
    for (int i = 0; i < 2; i++) {
        EQUAL(is_done(&open), 0);
        EQUAL(mine->call.tag, 54);
        EQUAL(is_done(&none), 1);
        EQUAL(mine->call.tag, VL_BEACON_NONE);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    PMPI_Send(&out, 1, MPI_INT, next, 54, MPI_COMM_WORLD);
    while (!is_done(&open))
        continue;
}

/* The handle of a persistent request stays, whether it was started or is done. */
static void asked_once_more(int (*is_done)(MPI_Request *))
{
    int out = 0, in;
    MPI_Request request;
    begin("asked once more", 0, 0);
    MPI_Recv_init(&in, 1, MPI_INT, before, 44, MPI_COMM_WORLD, &request);
    for (int turn = 0; turn < 2; turn++) {
        EQUAL(is_done(&request), 1);
        EQUAL(mine->call.tag, VL_BEACON_NONE);
        MPI_Start(&request);
        EQUAL(is_done(&request), 0);
        EQUAL(mine->call.tag, 44);
        PMPI_Barrier(MPI_COMM_WORLD);
        PMPI_Send(&out, 1, MPI_INT, next, 44, MPI_COMM_WORLD);
        while (!is_done(&request))
            continue;
    }
    MPI_Request_free(&request);
}

static jmp_buf after_error;

static void caught(void)
{
    longjmp(after_error, 1);
}

static void truncated(void)
{
    static int out[8], in[8];
    static MPI_Request request;
    begin("truncated", 0, 0);
    vl_beacon_on_error = caught;
    if (setjmp(after_error) == 0) {
        MPI_Isend(out, 8, MPI_INT, rank, 15, MPI_COMM_WORLD, &request);
        MPI_Recv(in, 4, MPI_INT, rank, 15, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        TRUE(0 && "the message was longer than its receive");
    }
    EQUAL(mine->error, VL_REFUSED_TRUNCATED);
    EQUAL(mine->error_call.operation, VL_OP_RECV);
    EQUAL(mine->error_call.tag, 15);
    EQUAL(mine->error_call.count, 4);
    EQUAL(mine->channel[0].received, 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    begin("wrong rank, on a derived communicator", 0, 0);
    static MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (setjmp(after_error) == 0) {
        MPI_Isend(out, 1, MPI_INT, ranks, 15, comm, &request);
        TRUE(0 && "there is no such rank");
    }
    EQUAL(mine->error, VL_REFUSED_RANK);
    EQUAL(mine->error_call.operation, VL_OP_ISEND);
    MPI_Comm_free(&comm);
    vl_beacon_on_error = NULL;
}

/* Errors that the program asked MPI to return do not reach the beacon. */
static void returned(void)
{
    MPI_Errhandler handler;
    begin("returned", 0, 0);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    TRUE(MPI_Send(NULL, 1, MPI_INT, ranks, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
    EQUAL(mine->error, 0);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
}

/* Watch rank 0 until it is in this call. */
static struct vl_beacon_call seen_in(uint32_t operation)
{
    struct vl_beacon *there = &beacons[0];
    while (__atomic_load_n(&there->call.operation, __ATOMIC_ACQUIRE) != operation)
        usleep(100);
    return there->call;
}

static void blocked(void)
{
    int value = 0;
    MPI_Request request[2];
    begin("blocked", 0, 0);
    if (ranks == 1)
        return;
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 16, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(&value, 1, MPI_INT, 1, 18, MPI_COMM_WORLD, &request[1]);
        request[0] = MPI_REQUEST_NULL;
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    } else if (rank == 1) {
        struct vl_beacon_call call = seen_in(VL_OP_RECV);
        EQUAL(call.peer, 1);
        EQUAL(call.tag, 16);
        EQUAL(call.count, 1);
        EQUAL(call.communicator, 0);
        TRUE(call.address != 0);
        MPI_Send(&value, 1, MPI_INT, 0, 16, MPI_COMM_WORLD);
        call = seen_in(VL_OP_WAITALL);
        EQUAL(call.peer, 1);
        EQUAL(call.tag, 18);
        EQUAL(call.members, (1 << ranks) - 1);
        EQUAL(beacons[0].requests_open, 1);
        MPI_Send(&value, 1, MPI_INT, 0, 18, MPI_COMM_WORLD);
        call = seen_in(VL_OP_BARRIER);
        EQUAL(call.peer, VL_BEACON_NONE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    EQUAL(mine->call.operation, VL_OP_NONE);
}

/* If MPI_Send waits for its receive, rank 0 is still in it after rank 1 has watched for a while. */
static void synchronous(void)
{
    int value = 0;
    begin("synchronous", 0, 1);
    if (ranks == 1)
        return;
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 19, MPI_COMM_WORLD);
        row_is(0, VL_OP_SEND, 1, 1, 4, 0, 0);
        MPI_Barrier(MPI_COMM_WORLD);
        return;
    }
    if (rank == 1) {
        while (beacons[0].call.operation != VL_OP_SEND &&
               beacons[0].call.operation != VL_OP_BARRIER)
            usleep(100);
        usleep(50000);
        EQUAL(beacons[0].call.operation, VL_OP_SEND);
        MPI_Recv(&value, 1, MPI_INT, 0, 19, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void leave(const char *way)
{
    vl_beacon_begin(0, 0);
    if (strcmp(way, "exit") == 0)
        exit(0);
    if (strcmp(way, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (strcmp(way, "finalize") == 0)
        MPI_Finalize();
    _exit(0);
}

int main(int argc, char **argv)
{
    start(argc, argv);
    if (argc == 3)
        leave(argv[1]);
    next = (rank + 1) % ranks;
    before = (rank + ranks - 1) % ranks;
    touched();
    gaps();
    left_open();
    asked(test_one);
    asked(test_any_of_one);
    asked_of_the_next(test_one);
    asked_of_the_next(test_any_of_one);
    asked_of_what_is_done(test_one);
    asked_of_what_is_done(test_any_of_one);
    asked_once_more(test_one);
    asked_once_more(test_any_of_one);
    truncated();
    returned();
    blocked();
    synchronous();
    return finish();
}
