/* The collectives of lab 02, seen from outside: the linker routes them through the wrappers. */
#include "ranks.h"

#include "comm/intercept/ended.h"
#include "vialata/collectives.h"

static void transfers(void)
{
    float data[12] = {0}, more[7] = {0};
    struct vl_transfer *one, *two;
    int done = 0;
    begin("transfers", 0, 0);
    vl_all_reduce_start(&one, MPI_COMM_WORLD, data, 12, 5);
    EQUAL(mine->transfers_open, 1);
    vl_all_gather_start(&two, MPI_COMM_WORLD, more, 7, sizeof *more, 6);
    EQUAL(mine->transfers_open, 2);
    EQUAL(mine->transfer_call.operation, VL_OP_VL_ALL_REDUCE);
    EQUAL(mine->transfer_call.tag, 5);
    EQUAL(mine->transfer_call.count, 12);
    TRUE(mine->transfer_call.address != 0);
    while (!done)
        vl_transfer_poll(one, &done);
    EQUAL(mine->transfers_open, 2); /* done, and still not finished */
    vl_transfer_finish(one);
    EQUAL(mine->transfers_open, 1);
    EQUAL(mine->transfer_call.operation, VL_OP_VL_ALL_GATHER);
    EQUAL(mine->transfer_call.type_bytes, 4);
    vl_transfer_finish(two);
    EQUAL(mine->transfers_open, 0);
    EQUAL(mine->transfer_call.operation, VL_OP_NONE);
    EQUAL(mine->requests_open, 0);
    EQUAL(mine->outer.operation, VL_OP_NONE);
    vl_transfer_finish(NULL);
    EQUAL(mine->transfers_open, 0);
}

/* The bytes that the contracts of this operation have sent so far. */
static uint64_t sent_by(uint32_t operation)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < mine->senders_used; i++)
        bytes += mine->sender[i].outer.operation == operation ? mine->sender[i].bytes : 0;
    return bytes;
}

/* Whoever polls or finishes a transfer: its bytes are those of the call that started it. */
static void senders(void)
{
    float data[12] = {0}, more[7] = {0};
    struct vl_transfer *one, *two;
    int done = 0;
    begin("senders", 0, 0);
    vl_all_reduce_start(&one, MPI_COMM_WORLD, data, 12, 5);
    vl_all_gather_start(&two, MPI_COMM_WORLD, more, 7, sizeof *more, 6);
    while (!done)
        vl_transfer_poll(one, &done);
    uint64_t reduced = sent_by(VL_OP_VL_ALL_REDUCE);
    vl_transfer_finish(two);
    vl_transfer_finish(one);
    EQUAL(sent_by(VL_OP_VL_ALL_REDUCE), reduced);
    EQUAL(sent_by(VL_OP_VL_ALL_REDUCE) > 0, ranks > 1);
    EQUAL(sent_by(VL_OP_VL_FINISH), 0);
    EQUAL(sent_by(VL_OP_VL_ALL_REDUCE) + sent_by(VL_OP_VL_ALL_GATHER),
          vl_meter_now()->total.sent_bytes);
    MPI_Send(data, 3, MPI_FLOAT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    EQUAL(sent_by(VL_OP_NONE), 0); /* to nobody */
    MPI_Allreduce(MPI_IN_PLACE, data, 3, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    EQUAL(sent_by(VL_OP_NONE), 12);
}

static void order(void)
{
    float data[12] = {0}, out[12] = {0};
    size_t counts[MOST_RANKS];
    struct vl_transfer *one;
    for (int i = 0; i < ranks; i++)
        counts[i] = 1;
    begin("order", 0, 0);
    vl_broadcast(MPI_COMM_WORLD, data, 48, ranks - 1);
    vl_all_to_all(MPI_COMM_WORLD, data, counts, out, counts, 4);
    vl_reduce_scatter_start(&one, MPI_COMM_WORLD, data, 12, 3);
    vl_transfer_finish(one);
    EQUAL(mine->collectives_seen, 3);
    EQUAL(mine->collective[0].operation, VL_OP_VL_BROADCAST);
    EQUAL(mine->collective[0].root, ranks - 1);
    EQUAL(mine->collective[0].count, 48);
    EQUAL(mine->collective[1].operation, VL_OP_VL_ALL_TO_ALL);
    EQUAL(mine->collective[1].type_bytes, 4);
    EQUAL(mine->collective[2].operation, VL_OP_VL_REDUCE_SCATTER);
    EQUAL(mine->collective[2].tag, 3);
    EQUAL(mine->collective[2].count, 12);
}

/* Messages inside a contract still count; a start that fails leaves nothing open. */
static void inside(void)
{
    float value = 1;
    struct vl_transfer *one, *two;
    begin("inside", 0, 0);
    vl_receive_start(&one, MPI_COMM_WORLD, &value, 4, (rank + ranks - 1) % ranks, 8);
    vl_send_start(&two, MPI_COMM_WORLD, &value, 4, (rank + 1) % ranks, 8);
    EQUAL(mine->transfers_open, 2);
    EQUAL(mine->transfer_call.peer, (rank + ranks - 1) % ranks);
    vl_transfer_finish(one);
    vl_transfer_finish(two);
    EQUAL(vl_meter_now()->total.sent_bytes, 4);
    EQUAL(vl_meter_now()->total.received_bytes, 4);
    EQUAL(mine->collectives_seen, 0);
    TRUE(vl_send_start(&one, MPI_COMM_WORLD, NULL, (size_t)1 << 40, 0, 8) != VL_OK);
    EQUAL(mine->transfers_open, 0);
}

/* A new transfer may have the memory of one that has ended, which is right. To poll one that has ended
 * is a race; only vl_ended_look is called here, since the real functions would touch its memory. */
static void ended(void)
{
    float value = 1, other = 2;
    struct vl_transfer *one, *two;
    int done;
    begin("ended", 0, 0);
    vl_receive_start(&one, MPI_COMM_WORLD, &other, 4, (rank + ranks - 1) % ranks, 8);
    vl_send_start(&two, MPI_COMM_WORLD, &value, 4, (rank + 1) % ranks, 8);
    vl_transfer_finish(one);
    vl_transfer_finish(two);
    vl_receive_start(&one, MPI_COMM_WORLD, &other, 4, (rank + ranks - 1) % ranks, 9);
    vl_send_start(&two, MPI_COMM_WORLD, &value, 4, (rank + 1) % ranks, 9);
    vl_transfer_poll(one, &done);
    vl_transfer_finish(one);
    vl_transfer_finish(two);
    EQUAL(mine->race.kind, VL_RACE_NONE);
    vl_ended_look(one, VL_OP_VL_POLL, NULL);
    EQUAL(mine->race.kind, VL_RACE_ENDED);
    EQUAL(mine->race.first.operation, VL_OP_VL_RECEIVE);
    EQUAL(mine->race.second.operation, VL_OP_VL_POLL);
    begin("another case", 0, 0);
    vl_ended_look(one, VL_OP_VL_POLL, NULL);
    EQUAL(mine->race.kind, VL_RACE_NONE);
    vl_ended_note(one, &mine->race.first);
    vl_ended_forget(one);
    vl_ended_look(one, VL_OP_VL_POLL, NULL);
    EQUAL(mine->race.kind, VL_RACE_NONE);
}

/* Rank 1 comes late, and looks at rank 0 in the meantime. */
static void outer(void)
{
    float data = 0;
    begin("outer", 0, 0);
    if (ranks > 1 && rank == 1) {
        while (__atomic_load_n(&beacons[0].call.operation, __ATOMIC_ACQUIRE) == VL_OP_NONE)
            usleep(100);
        EQUAL(beacons[0].outer.operation, VL_OP_VL_BROADCAST);
        EQUAL(beacons[0].outer.root, 1);
        EQUAL(beacons[0].outer.count, 4);
    }
    vl_broadcast(MPI_COMM_WORLD, &data, 4, ranks > 1 ? 1 : 0);
    EQUAL(mine->outer.operation, VL_OP_NONE);
}

int main(int argc, char **argv)
{
    start(argc, argv);
    transfers();
    senders();
    order();
    inside();
    ended();
    outer();
    return finish();
}
