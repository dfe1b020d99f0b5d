/* Exact counts on any number of ranks: each sends to the next and receives from the one before. */
#include "ranks.h"

#include "comm/span.h"

static int next, before;

static void ring(void)
{
    float out[1000] = {0}, in[1000];
    MPI_Request request[4];
    begin("ring", 1, 0);
    MPI_Irecv(in, 1000, MPI_FLOAT, before, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(in, 0, MPI_FLOAT, before, 2, MPI_COMM_WORLD, &request[1]);
    MPI_Isend(out, 1000, MPI_FLOAT, next, 1, MPI_COMM_WORLD, &request[2]);
    MPI_Issend(out, 0, MPI_FLOAT, next, 2, MPI_COMM_WORLD, &request[3]);
    EQUAL(mine->requests_open, 4);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    EQUAL(mine->requests_open, 0);
    EQUAL(mine->touched, 0);
    row_is(0, VL_OP_ISEND, 2, 2, 4000, 0, 0);
    row_is(0, VL_OP_IRECV, 2, 0, 0, 2, 4000);
    row_is(0, VL_OP_WAITALL, 1, 0, 0, 0, 0);
    EQUAL(vl_meter_now()->total.calls, 5);
    EQUAL(vl_meter_now()->total.sent_bytes, 4000);
    EQUAL(vl_meter_now()->total.received_messages, 2);
    EQUAL(vl_meter_now()->wire.least, ranks > 1 ? 4000 : 0); /* alone it sends to itself */
    EQUAL(vl_meter_now()->wire.messages, ranks > 1 ? 2 : 0);
    EQUAL(vl_meter_now()->wire.added, ranks > 1 ? 176 + 92 : 0); /* long, and synchronous */
    EQUAL(channel(0, next, 1)->sent_bytes, 4000);
    EQUAL(channel(0, before, 1)->received_bytes, 4000);
    EQUAL(channel(0, before, 2)->received, 1);
}

static void blocking(void)
{
    int out[10] = {0}, in[20];
    MPI_Request request;
    begin("blocking", 0, 0);
    /* A message shorter than its buffer: what arrived counts. */
    MPI_Sendrecv(out, 7, MPI_INT, next, 3, in, 20, MPI_INT, before, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(out, 10, MPI_INT, next, 4, before, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    row_is(0, VL_OP_SENDRECV, 2, 2, 68, 2, 68);
    MPI_Irecv(in, 20, MPI_INT, before, 5, MPI_COMM_WORLD, &request);
    MPI_Send(out, 5, MPI_INT, next, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(in, 20, MPI_INT, before, 5, MPI_COMM_WORLD, &request);
    MPI_Ssend(out, 6, MPI_INT, next, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    row_is(0, VL_OP_SEND, 1, 1, 20, 0, 0);
    row_is(0, VL_OP_SSEND, 1, 1, 24, 0, 0);
    row_is(0, VL_OP_IRECV, 2, 0, 0, 2, 44);
}

static void nobody(void)
{
    int value = 0, flag = 0;
    MPI_Request request[2];
    MPI_Status status;
    begin("nobody", 0, 0);
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[1]);
    EQUAL(vl_meter_now()->total.calls, 0);
    EQUAL(mine->requests_open, 2);
    MPI_Wait(&request[0], &status);
    MPI_Test(&request[1], &flag, &status);
    TRUE(flag);
    EQUAL(mine->requests_open, 0);
    EQUAL(mine->channels_used, 0);
    EQUAL(vl_meter_now()->total.sent_messages, 0);
    EQUAL(vl_meter_now()->total.received_messages, 0);
    MPI_Sendrecv(&value, 1, MPI_INT, rank == 0 && ranks > 1 ? MPI_PROC_NULL : next, 1, &value, 1,
                 MPI_INT, rank == 1 ? MPI_PROC_NULL : before, 1, MPI_COMM_WORLD, &status);
    row_is(0, VL_OP_SENDRECV, 1, rank != 0 || ranks == 1, 4 * (rank != 0 || ranks == 1), rank != 1,
           4 * (rank != 1));
}

/* Counted under the rank and tag that it really came from. */
static void wildcards(void)
{
    double value = rank, in = -1;
    MPI_Request request;
    MPI_Status status;
    MPI_Message message;
    begin("wildcards", 0, 0);
    MPI_Isend(&value, 1, MPI_DOUBLE, next, 40 + rank, MPI_COMM_WORLD, &request);
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Recv(&in, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EQUAL(in, before);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    row_is(0, VL_OP_RECV, 1, 0, 0, 1, 8);
    row_is(0, VL_OP_PROBE, 1, 0, 0, 0, 0);
    EQUAL(channel(0, before, 40 + before)->received, 1);
    EQUAL(mine->channels_used, ranks == 1 ? 1 : 2);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Irecv(&in, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    EQUAL(mine->request[0].peer, VL_BEACON_ANY);
    EQUAL(mine->request[0].tag, VL_BEACON_ANY);
    MPI_Send(&value, 1, MPI_DOUBLE, next, 9, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EQUAL(channel(0, before, 9)->received_bytes, 8);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Isend(&value, 1, MPI_DOUBLE, next, 10, MPI_COMM_WORLD, &request);
    MPI_Mprobe(MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(&in, 1, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EQUAL(channel(0, before, 10)->received, 1);
}

static void persistent(void)
{
    char out[24] = {0}, in[24];
    MPI_Request request[2];
    begin("persistent", 1, 0);
    MPI_Send_init(out, 24, MPI_CHAR, next, 6, MPI_COMM_WORLD, &request[0]);
    MPI_Recv_init(in, 24, MPI_CHAR, before, 6, MPI_COMM_WORLD, &request[1]);
    EQUAL(vl_meter_now()->total.calls, 0);
    EQUAL(mine->requests_open, 0);
    for (int i = 0; i < 3; i++) {
        out[0] = (char)i; /* between two starts the program may change it */
        MPI_Startall(2, request);
        EQUAL(mine->requests_open, 2);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        EQUAL(in[0], i);
    }
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE); /* returns at once: nothing was started */
    row_is(0, VL_OP_ISEND, 3, 3, 72, 0, 0);
    row_is(0, VL_OP_IRECV, 3, 0, 0, 3, 72);
    EQUAL(mine->touched, 0);
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    EQUAL(mine->requests_open, 0);
}

/* More requests than the beacon shows, with small sends: Open MPI gives all of these one handle. */
static void many(void)
{
    enum { MANY = 150 };
    int out[MANY], in[MANY], indices[2 * MANY], done = 0, flag = 0;
    MPI_Request request[2 * MANY], copy[2 * MANY];
    for (int round = 0; round < 2; round++) {
        begin(round == 0 ? "many" : "many, copied", 1, 0);
        for (int i = 0; i < MANY; i++) {
            out[i] = i;
            MPI_Irecv(&in[i], 1, MPI_INT, before, i, MPI_COMM_WORLD, &request[i]);
            MPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &request[MANY + i]);
        }
        EQUAL(mine->requests_open, 2 * MANY);
        memcpy(copy, request, sizeof request);
        MPI_Request *now = round == 0 ? request : copy;
        MPI_Wait(&now[MANY], MPI_STATUS_IGNORE);
        EQUAL(mine->requests_open, 2 * MANY - 1);
        out[0] = -1; /* only this one may be changed again */
        MPI_Waitany(2 * MANY, now, &indices[0], MPI_STATUS_IGNORE);
        MPI_Waitsome(2 * MANY, now, &done, indices, MPI_STATUSES_IGNORE);
        EQUAL(mine->requests_open, 2 * MANY - 2 - done);
        while (!flag)
            MPI_Testall(2 * MANY, now, &flag, MPI_STATUSES_IGNORE);
        flag = 0;
        EQUAL(mine->requests_open, 0);
        EQUAL(mine->touched, 0);
        row_is(0, VL_OP_ISEND, MANY, MANY, 4 * MANY, 0, 0);
        row_is(0, VL_OP_IRECV, MANY, 0, 0, MANY, 4 * MANY);
    }
}

static void dropped(void)
{
    int value = 0;
    MPI_Request request;
    begin("dropped", 0, 0);
    MPI_Irecv(&value, 1, MPI_INT, before, 99, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EQUAL(mine->requests_open, 0);
    EQUAL(vl_meter_now()->total.received_messages, 0);
    MPI_Isend(&value, 1, MPI_INT, next, 98, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    EQUAL(mine->requests_open, 0);
    MPI_Recv(&value, 1, MPI_INT, before, 98, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EQUAL(channel(0, next, 98)->sent, 1);
}

static void spans(void)
{
    size_t count, lost, of[5] = {0};
    int out[3] = {0}, in[3];
    MPI_Request request[2];
    begin("spans", 0, 0);
    vl_span_record(16);
    MPI_Irecv(in, 3, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(out, 3, MPI_INT, next, 7, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    const struct vl_span *all = vl_span_all(&count, &lost);
    EQUAL(count, 3);
    for (size_t i = 0; i < count; i++) {
        of[all[i].kind]++;
        TRUE(all[i].begin > 0 && all[i].end >= all[i].begin);
        if (all[i].kind == VL_SPAN_WAIT) {
            TRUE(strcmp(all[i].name, "MPI_Waitall") == 0);
            continue;
        }
        EQUAL(all[i].bytes, 12);
        EQUAL(all[i].number, 7);
        EQUAL(all[i].peer, all[i].kind == VL_SPAN_SEND ? next : before);
    }
    EQUAL(of[VL_SPAN_SEND], 1);
    EQUAL(of[VL_SPAN_RECEIVE], 1);
    EQUAL(of[VL_SPAN_WAIT], 1);
    vl_span_record(0);
}

int main(int argc, char **argv)
{
    start(argc, argv);
    next = (rank + 1) % ranks;
    before = (rank + ranks - 1) % ranks;
    ring();
    blocking();
    nobody();
    wildcards();
    persistent();
    many();
    dropped();
    spans();
    return finish();
}
