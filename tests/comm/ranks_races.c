/* What the wrappers see of calls that get into each other's way. */
#include "ranks.h"

#include "comm/stains.h"
#include "vialata/collectives.h"
#include "wire/stain.h"

#include <stdlib.h>

static int next, before;
static float out[40], in[40];
static MPI_Request request[3];

static void post_receive(int first, int count, int tag, int place)
{
    MPI_Irecv(in + first, count, MPI_FLOAT, before, tag, MPI_COMM_WORLD, &request[place]);
}

static void post_send(const float *data, int count, int tag, int place)
{
    MPI_Isend(data, count, MPI_FLOAT, next, tag, MPI_COMM_WORLD, &request[place]);
}

static void receives(void)
{
    begin("receives apart", 1, 0);
    post_receive(0, 10, 1, 0);
    post_receive(10, 10, 1, 1);
    MPI_Send(out, 10, MPI_FLOAT, next, 1, MPI_COMM_WORLD);
    MPI_Send(out, 10, MPI_FLOAT, next, 1, MPI_COMM_WORLD);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    post_receive(0, 10, 1, 0); /* the same memory again, once it is free */
    MPI_Send(out, 10, MPI_FLOAT, next, 1, MPI_COMM_WORLD);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    EQUAL(mine->race.kind, VL_RACE_NONE);

    begin("receives that overlap", 1, 0);
    post_receive(0, 10, 1, 0);
    post_receive(9, 10, 2, 1);
    EQUAL(mine->race.kind, VL_RACE_RECEIVES);
    EQUAL(mine->race.first.tag, 1);
    EQUAL(mine->race.second.tag, 2);
    MPI_Send(out, 10, MPI_FLOAT, next, 1, MPI_COMM_WORLD);
    MPI_Send(out, 10, MPI_FLOAT, next, 2, MPI_COMM_WORLD);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void shared(void)
{
    begin("two sends of the same memory", 1, 0);
    post_receive(0, 10, 1, 0);
    post_send(out, 10, 1, 1);
    post_send(out, 10, 2, 2);
    MPI_Recv(in + 20, 10, MPI_FLOAT, before, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    EQUAL(mine->race.kind, VL_RACE_NONE);

    begin("received into what is sent", 1, 0);
    post_send(in + 5, 10, 1, 0);
    MPI_Recv(in, 10, MPI_FLOAT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EQUAL(mine->race.kind, VL_RACE_SENT);
    EQUAL(mine->race.first.operation, VL_OP_ISEND);
    EQUAL(mine->race.second.operation, VL_OP_RECV);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);

    begin("sent from what is received into", 1, 0);
    post_receive(0, 10, 1, 0);
    MPI_Send(in, 10, MPI_FLOAT, next, 1, MPI_COMM_WORLD);
    EQUAL(mine->race.kind, VL_RACE_SENT);
    EQUAL(mine->race.first.operation, VL_OP_IRECV);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);

#ifdef __SANITIZE_ADDRESS__
    bool is_copied = ranks == 1; /* by MPI's memcpy, where the sanitizer ends the program */
#else
    bool is_copied = false;
#endif
    if (!is_copied) {
        begin("swapped in place", 1, 0);
        MPI_Sendrecv(in, 10, MPI_FLOAT, next, 1, in + 9, 10, MPI_FLOAT, before, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        EQUAL(mine->race.kind, VL_RACE_SENT);
    }
    begin("swapped", 1, 0);
    MPI_Sendrecv(in, 10, MPI_FLOAT, next, 1, in + 10, 10, MPI_FLOAT, before, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(in, 10, MPI_FLOAT, next, 1, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EQUAL(mine->race.kind, VL_RACE_NONE);
}

/* The handles of short sends are one; if they are moved, nobody knows which of them is done. */
static void moved_handles(void)
{
    MPI_Request moved[2];
    begin("moved handles", 1, 0);
    post_send(out, 1, 1, 0);
    post_send(out + 1, 1, 1, 1);
    moved[0] = request[1];
    moved[1] = request[0];
    MPI_Wait(&moved[0], MPI_STATUS_IGNORE); /* that of out + 1, the later one */
    MPI_Recv(out + 1, 1, MPI_FLOAT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&moved[1], MPI_STATUS_IGNORE);
    MPI_Recv(out, 1, MPI_FLOAT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EQUAL(mine->race.kind, VL_RACE_NONE);
}

static void freed(void)
{
    begin("freed", 1, 0);
    post_receive(0, 10, 1, 0);
    post_send(out, 10, 1, 1);
    MPI_Request_free(&request[1]);
    EQUAL(mine->race.kind, VL_RACE_FREED);
    EQUAL(mine->race.first.operation, VL_OP_ISEND);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    begin("a persistent one freed", 1, 0);
    MPI_Send_init(out, 10, MPI_FLOAT, next, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Start(&request[0]);
    MPI_Recv(in, 10, MPI_FLOAT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&request[0]);
    EQUAL(mine->race.kind, VL_RACE_NONE);
}

static int stain_of(const float *numbers, size_t count)
{
    const struct vl_tensor_entry entry = {
        .name = "numbers", .dtype = VL_F32, .count = count, .data = (void *)numbers};
    return vl_stain_find(&entry);
}

static void early(void)
{
    begin("read early", 1, 0);
    for (int i = 0; i < 10; i++)
        in[i] = 7;
    post_receive(0, 10, 1, 0);
    float sum = in[3] + 1; /* too early */
    int number = stain_of(&sum, 1);
    TRUE(number >= 0);
    PMPI_Barrier(MPI_COMM_WORLD); /* all have looked */
    MPI_Send(out, 6, MPI_FLOAT, next, 1, MPI_COMM_WORLD);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    EQUAL(stain_of(in, 10), -1);
    EQUAL(in[5], 0);
    EQUAL(in[6], 7); /* behind a message that is shorter than its room */
    EQUAL(in[9], 7);
    EQUAL(mine->race.kind, VL_RACE_NONE);
    vl_stains_tell(number);
    EQUAL(mine->race.kind, VL_RACE_EARLY);
    EQUAL(mine->race.first.operation, VL_OP_IRECV);
    EQUAL(mine->race.first.tag, 1);
    begin("cancelled", 1, 0);
    in[0] = 7;
    post_receive(0, 10, 1, 0);
    MPI_Cancel(&request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    EQUAL(in[0], 7);
    begin("nobody looks", 0, 0);
    in[0] = 7;
    post_receive(0, 10, 1, 0);
    EQUAL(in[0], 7);
    PMPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(out, 10, MPI_FLOAT, next, 1, MPI_COMM_WORLD);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
}

static void finish_both(struct vl_transfer *one, struct vl_transfer *two)
{
    vl_transfer_finish(one);
    vl_transfer_finish(two);
}

static void transfers(void)
{
    float data[12] = {0}, more[12] = {0};
    const int alone = ranks == 1;
    struct vl_transfer *one, *two;
    int done = 0;
    begin("rings with tags of their own", 1, 0);
    vl_all_reduce_start(&one, MPI_COMM_WORLD, data, 12, 1);
    vl_all_gather_start(&two, MPI_COMM_WORLD, more, 12, sizeof *more, 2);
    finish_both(one, two);
    EQUAL(mine->race.kind, VL_RACE_NONE);

    begin("a ring that sends nothing", 1, 0);
    vl_all_reduce_start(&one, MPI_COMM_WORLD, data, 12, 1);
    vl_all_reduce_start(&two, MPI_COMM_WORLD, more, 0, 1);
    EQUAL(mine->race.kind, VL_RACE_NONE);
    finish_both(one, two);

    begin("rings that share a tag", 1, 0);
    if (ranks == 2) { /* of more, each might wait for what the other has taken */
        vl_all_reduce_start(&one, MPI_COMM_WORLD, data, 12, 1);
        vl_all_reduce_start(&two, MPI_COMM_WORLD, more, 12, 1);
        EQUAL(mine->race.kind, VL_RACE_TAG);
        finish_both(one, two);
    }

    begin("a ring after one that is done", 1, 0);
    vl_all_reduce_start(&one, MPI_COMM_WORLD, data, 12, 1);
    while (!done)
        vl_transfer_poll(one, &done);
    vl_all_reduce_start(&two, MPI_COMM_WORLD, more, 12, 1);
    finish_both(one, two);
    EQUAL(mine->race.kind, VL_RACE_NONE);

    begin("rings that share memory", 1, 0);
    vl_all_gather_start(&one, MPI_COMM_WORLD, data, 4, sizeof *data, 1);
    vl_all_gather_start(&two, MPI_COMM_WORLD, data + 3, 4, sizeof *data, 2);
    EQUAL(mine->race.kind, alone ? VL_RACE_NONE : VL_RACE_RECEIVES);
    finish_both(one, two);
}

static void messages(void)
{
    float data[12] = {0}, more[12] = {0};
    struct vl_transfer *one, *two;
    begin("there and back under one tag", 1, 0);
    vl_send_start(&one, MPI_COMM_WORLD, data, 16, next, 1);
    vl_receive_start(&two, MPI_COMM_WORLD, more, 16, before, 1);
    finish_both(one, two);
    EQUAL(mine->race.kind, VL_RACE_NONE);
    if (ranks == 1)
        return;
    begin("two to the same rank under one tag", 1, 0);
    vl_send_start(&one, MPI_COMM_WORLD, data, 16, next, 1);
    vl_send_start(&two, MPI_COMM_WORLD, more, 16, next, 1);
    EQUAL(mine->race.kind, VL_RACE_TAG);
    MPI_Recv(in, 4, MPI_FLOAT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(in, 4, MPI_FLOAT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    finish_both(one, two);
    begin("received into what is sent", 1, 0);
    vl_send_start(&one, MPI_COMM_WORLD, data, 16, next, 1);
    vl_receive_start(&two, MPI_COMM_WORLD, data, 16, before, 1);
    EQUAL(mine->race.kind, VL_RACE_SENT);
    EQUAL(mine->race.second.operation, VL_OP_VL_RECEIVE);
    finish_both(one, two);
}

int main(int argc, char **argv)
{
    start(argc, argv);
    next = (rank + 1) % ranks;
    before = (rank + ranks - 1) % ranks;
    receives();
    shared();
    moved_handles();
    freed();
    early();
    transfers();
    messages();
    return finish();
}
