/* Collectives and communicators: bytes, order, and the same number on all members. */
#include "ranks.h"

static void collective_is(uint64_t index, uint32_t operation, int root, int reduction,
                          uint64_t count, uint32_t type_bytes)
{
    const struct vl_beacon_call *call = &mine->collective[index % VL_BEACON_COLLECTIVES];
    EQUAL(call->operation, operation);
    EQUAL(call->root, root);
    EQUAL(call->reduction, reduction);
    EQUAL(call->count, count);
    EQUAL(call->type_bytes, type_bytes);
    EQUAL(call->communicator, 0);
    TRUE(call->address != 0);
}

static void reductions(void)
{
    int one[40] = {0}, other[40], counts[MOST_RANKS], all = 0;
    int last = ranks - 1;
    for (int i = 0; i < ranks; i++)
        all += counts[i] = i + 1;
    begin("reductions", 0, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(one, 10, MPI_INT, last, MPI_COMM_WORLD);
    MPI_Reduce(one, other, 5, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, other, 6, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter(one, other, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(one, other, 7, MPI_INT, MPI_PROD, MPI_COMM_WORLD);
    row_is(0, VL_OP_BARRIER, 1, 0, 0, 0, 0);
    row_is(0, VL_OP_BCAST, 1, 0, 40 * (rank == last), 0, 40 * (rank != last));
    row_is(0, VL_OP_REDUCE, 1, 0, 20, 0, 20 * (rank == 0));
    row_is(0, VL_OP_ALLREDUCE, 1, 0, 24, 0, 24);
    row_is(0, VL_OP_REDUCE_SCATTER, 1, 0, 4 * all, 0, 4 * (rank + 1));
    row_is(0, VL_OP_SCAN, 1, 0, 28, 0, 28);
    EQUAL(mine->collectives_seen, 6);
    collective_is(0, VL_OP_BARRIER, VL_BEACON_NONE, 0, 0, 0);
    collective_is(1, VL_OP_BCAST, last, 0, 10, 4);
    collective_is(2, VL_OP_REDUCE, 0, 3, 5, 4);
    collective_is(3, VL_OP_ALLREDUCE, VL_BEACON_NONE, 1, 6, 4);
    collective_is(4, VL_OP_REDUCE_SCATTER, VL_BEACON_NONE, 1, (uint64_t)all, 4);
    collective_is(5, VL_OP_SCAN, VL_BEACON_NONE, 2, 7, 4);
    MPI_Reduce_scatter_block(one, other, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(one, other, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    row_is(0, VL_OP_REDUCE_SCATTER, 2, 0, 4 * all + 12 * ranks, 0, 4 * (rank + 1) + 12);
    row_is(0, VL_OP_SCAN, 2, 0, 36, 0, 28 + 8 * (rank > 0));
}

static void gathers(void)
{
    double one[64] = {0}, other[64];
    int counts[MOST_RANKS], places[MOST_RANKS], all = 0;
    for (int i = 0; i < ranks; i++) {
        places[i] = all;
        all += counts[i] = i;
    }
    int last = ranks - 1, at_last = rank == last, at_first = rank == 0;
    begin("gathers", 0, 0);
    MPI_Gather(one, 2, MPI_DOUBLE, other, 2, MPI_DOUBLE, last, MPI_COMM_WORLD);
    row_is(0, VL_OP_GATHER, 1, 0, 16, 0, 16 * ranks * at_last);
    MPI_Gatherv(one, rank, MPI_DOUBLE, other, counts, places, MPI_DOUBLE, last, MPI_COMM_WORLD);
    row_is(0, VL_OP_GATHER, 2, 0, 16 + 8 * rank, 0, (16 * ranks + 8 * all) * at_last);
    MPI_Scatter(one, 3, MPI_DOUBLE, at_first ? MPI_IN_PLACE : other, 3, MPI_DOUBLE, 0,
                MPI_COMM_WORLD);
    row_is(0, VL_OP_SCATTER, 1, 0, 24 * ranks * at_first, 0, 24);
    MPI_Scatterv(one, counts, places, MPI_DOUBLE, other, rank, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    row_is(0, VL_OP_SCATTER, 2, 0, (24 * ranks + 8 * all) * at_first, 0, 24 + 8 * rank);
    collective_is(0, VL_OP_GATHER, last, 0, 2, 8);
    collective_is(1, VL_OP_GATHER, last, 0, 0, 8); /* may differ: not said */
}

static void exchanges(void)
{
    double one[64] = {0}, other[64];
    int counts[MOST_RANKS], places[MOST_RANKS], all = 0;
    MPI_Datatype types[MOST_RANKS];
    MPI_Request request;
    for (int i = 0; i < ranks; i++) {
        places[i] = all;
        all += counts[i] = i;
        types[i] = MPI_DOUBLE;
    }
    begin("exchanges", 0, 0);
    MPI_Allgather(one, 2, MPI_DOUBLE, other, 2, MPI_DOUBLE, MPI_COMM_WORLD);
    row_is(0, VL_OP_ALLGATHER, 1, 0, 16, 0, 16 * ranks);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, other, counts, places, MPI_DOUBLE,
                   MPI_COMM_WORLD);
    row_is(0, VL_OP_ALLGATHER, 2, 0, 16 + 8 * rank, 0, 16 * ranks + 8 * all);
    MPI_Alltoall(one, 1, MPI_DOUBLE, other, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    row_is(0, VL_OP_ALLTOALL, 1, 0, 8 * ranks, 0, 8 * ranks);
    for (int i = 0; i < ranks; i++) {
        places[i] = 8 * i;
        counts[i] = 1;
    }
    MPI_Alltoallw(one, counts, places, types, other, counts, places, types, MPI_COMM_WORLD);
    row_is(0, VL_OP_ALLTOALL, 2, 0, 16 * ranks, 0, 16 * ranks);
    int in[MOST_RANKS], to[MOST_RANKS];
    for (int i = 0; i < ranks; i++) { /* rank r sends r elements to each */
        places[i] = 4 * i;
        to[i] = rank;
        in[i] = i;
    }
    MPI_Alltoallv(one, to, places, MPI_DOUBLE, other, in, places, MPI_DOUBLE, MPI_COMM_WORLD);
    row_is(0, VL_OP_ALLTOALL, 3, 0, 16 * ranks + 8 * rank * ranks, 0, 16 * ranks + 8 * all);
    MPI_Iallreduce(one, other, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    EQUAL(mine->requests_open, 1);
    EQUAL(mine->request[0].operation, VL_OP_ALLREDUCE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EQUAL(mine->requests_open, 0);
    row_is(0, VL_OP_ALLREDUCE, 1, 0, 32, 0, 32);
    collective_is(5, VL_OP_ALLREDUCE, VL_BEACON_NONE, 1, 4, 8);
    for (int i = 0; i < VL_BEACON_COLLECTIVES; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    EQUAL(mine->collectives_seen, 6 + VL_BEACON_COLLECTIVES);
    collective_is(5, VL_OP_BARRIER, VL_BEACON_NONE, 0, 0, 0); /* the oldest is overwritten */
}

/* The number of 'comm', which must be the same on all its members. */
static uint32_t number_of(MPI_Comm comm)
{
    MPI_Barrier(comm);
    uint64_t latest = (mine->collectives_seen - 1) % VL_BEACON_COLLECTIVES;
    uint32_t number = mine->collective[latest].communicator, low, high;
    PMPI_Allreduce(&number, &low, 1, MPI_UINT32_T, MPI_MIN, comm);
    PMPI_Allreduce(&number, &high, 1, MPI_UINT32_T, MPI_MAX, comm);
    EQUAL(low, high);
    return number;
}

static void numbers(void)
{
    MPI_Comm twin, half, grandchild, other_twin, none;
    MPI_Group group;
    begin("numbers", 0, 0);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    if (rank == 0) /* this rank has met one communicator more than the others */
        number_of(MPI_COMM_SELF);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, rank, &none);
    MPI_Comm_dup(half, &grandchild);
    MPI_Comm_group(twin, &group);
    MPI_Comm_create(twin, group, &other_twin);
    MPI_Group_free(&group);
    const uint32_t all[] = {number_of(MPI_COMM_WORLD), number_of(twin), number_of(half),
                            number_of(grandchild), number_of(other_twin)};
    EQUAL(all[0], 0);
    EQUAL(mine->collective[(mine->collectives_seen - 3) % VL_BEACON_COLLECTIVES].members,
          ((1 << ranks) - 1) & (rank % 2 ? 0xaa : 0x55)); /* of half */
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < i; k++)
            TRUE(all[i] != all[k]);
    uint32_t of_half[MOST_RANKS];
    PMPI_Allgather(&all[2], 1, MPI_UINT32_T, of_half, 1, MPI_UINT32_T, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++)
        EQUAL(of_half[i] == all[2], i % 2 == rank % 2);
    EQUAL(mine->communicators_open, rank == 0 ? 4 : 5);
    MPI_Comm_free(&other_twin);
    MPI_Comm_free(&grandchild);
    if (none != MPI_COMM_NULL)
        MPI_Comm_free(&none);
    EQUAL(mine->communicators_open, 2);
    EQUAL(mine->opened_call.operation, VL_OP_COMM_SPLIT);
    TRUE(mine->opened_call.address != 0);
    MPI_Comm_free(&half);
    begin("numbers, the next case", 0, 0);
    EQUAL(mine->communicators_open, 0);
    MPI_Comm_free(&twin); /* not of this case */
    EQUAL(mine->communicators_open, 0);
    EQUAL(vl_meter_row(all[1], VL_OP_COMM_FREE)->calls, 1);
}

/* Ranks of a communicator in reverse order are shown as ranks of the world. */
static void backwards(void)
{
    MPI_Comm comm;
    MPI_Request request[2];
    int out = 0, in, here;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    MPI_Comm_rank(comm, &here);
    begin("backwards", 0, 0);
    uint32_t number = number_of(comm);
    int next = (rank + ranks - 1) % ranks, before = (rank + 1) % ranks;
    MPI_Isend(&out, 1, MPI_INT, (here + 1) % ranks, 20, comm, &request[0]);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 20, comm, &request[1]);
    EQUAL(mine->request[0].peer, next);
    EQUAL(mine->request[0].communicator, number);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    EQUAL(channel(number, next, 20)->sent, 1);
    EQUAL(channel(number, before, 20)->received, 1);
    row_is(number, VL_OP_ISEND, 1, 1, 4, 0, 0);
    MPI_Bcast(&out, 1, MPI_INT, 0, comm);
    EQUAL(mine->collective[1].root, ranks - 1);
    /* Freed while a receive is open: its peer must still be known. */
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 21, comm, &request[1]);
    MPI_Send(&out, 1, MPI_INT, (here + 1) % ranks, 21, comm);
    MPI_Comm_free(&comm);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    EQUAL(channel(number, before, 21)->received, 1);
}

int main(int argc, char **argv)
{
    start(argc, argv);
    reductions();
    gathers();
    exchanges();
    numbers();
    backwards();
    return finish();
}
