/* Collectives that ranks called in another order, or with other arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "beacons.h"

static void other_collective_in_the_same_place(void **state)
{
    (void)state;
    for (int rank = 0; rank < 4; rank++)
        collective(rank, VL_OP_BARRIER, 1);
    for (int rank = 0; rank < 3; rank++)
        collective(rank, VL_OP_ALLREDUCE, 2);
    collective(3, VL_OP_BCAST, 3);
    look(4, 0, 0);
    is("collective_order");
    says("Rank 3 calls MPI_Bcast (ring.c:3) where rank 0 calls MPI_Allreduce (ring.c:2)");
    look(4, 1, 0);
    is("collective_order");
    assert_null(found.detail);
}

static void order_matters_within_a_communicator_only(void **state)
{
    (void)state;
    collective(0, VL_OP_BARRIER, 1)->communicator = 5;
    collective(0, VL_OP_BCAST, 2)->communicator = 6;
    collective(1, VL_OP_BCAST, 2)->communicator = 6;
    collective(1, VL_OP_BARRIER, 1)->communicator = 5;
    look(2, 1, 0);
    assert_null(found.code);
}

static void arguments_of_a_collective_are_compared(void **state)
{
    (void)state;
    for (int rank = 0; rank < 3; rank++)
        collective(rank, VL_OP_REDUCE, 4)->reduction = 1;
    beacon[1].collective[0].root = 2;
    look(3, 1, 0);
    is("collective_root");
    says("Rank 1 calls MPI_Reduce (ring.c:4) with root 2");
    beacon[1].collective[0].root = VL_BEACON_NONE;
    beacon[1].collective[0].reduction = 2;
    look(3, 1, 0);
    is("collective_operation");
    beacon[1].collective[0].reduction = 1;
    beacon[1].collective[0].count = 11;
    look(3, 1, 0);
    is("collective_count");
    says("Rank 1 calls MPI_Reduce (ring.c:4) with a count of 11");
    beacon[1].collective[0].count = 5;
    beacon[1].collective[0].type_bytes = 8;
    look(3, 1, 0);
    is("collective_count"); /* as many bytes, but not the same numbers */
    for (int rank = 0; rank < 3; rank++)
        beacon[rank].collective[0].operation = VL_OP_BCAST,
        beacon[rank].collective[0].reduction = 0;
    look(3, 1, 0);
    assert_null(found.code);
}

static void transfers_are_started_in_the_same_order(void **state)
{
    (void)state;
    collective(0, VL_OP_VL_ALL_REDUCE, 4)->tag = 1;
    collective(1, VL_OP_VL_ALL_REDUCE, 4)->tag = 2;
    look(2, 1, 0);
    is("collective_order");
    says("Rank 1 calls vl_all_reduce_start (ring.c:4) with tag 2");
}

static void forgotten_collectives_are_not_compared(void **state)
{
    (void)state;
    for (int i = 0; i < VL_BEACON_COLLECTIVES + 5; i++)
        collective(0, i % 2 ? VL_OP_BCAST : VL_OP_BARRIER, 1);
    collective(1, VL_OP_BCAST, 1);
    look(2, 1, 0);
    assert_null(found.code);
}

static void whoever_is_elsewhere_is_waited_for_when_counts_are_lost(void **state)
{
    (void)state;
    for (int rank = 0; rank < 3; rank++)
        for (int i = 0; i < VL_BEACON_COLLECTIVES + rank; i++)
            collective(rank, VL_OP_ALLREDUCE, 1);
    in_barrier(0, 5);
    in_barrier(1, 5);
    look(3, 0, 0);
    is("hung");
    says("Rank 2 is not inside an MPI call.");
    says("2 of 3 ranks wait for rank 2.");
}

static void counted_collectives_are_compared_however_many_there_were(void **state)
{
    (void)state;
    for (int rank = 0; rank < 2; rank++)
        for (int i = 0; i < 7 * VL_BEACON_COLLECTIVES + rank; i++)
            numbered(rank, VL_OP_BARRIER, 1);
    look(2, 1, 0);
    assert_null(found.code); /* rank 0 is one behind, and no two differ */
    numbered(0, VL_OP_BCAST, 2);
    look(2, 1, 0);
    is("collective_order");
    says("Rank 1 calls MPI_Barrier (ring.c:1) where rank 0 calls MPI_Bcast (ring.c:2)");
}

static void a_rank_behind_is_known_however_many_there_were(void **state)
{
    (void)state;
    for (int rank = 0; rank < 3; rank++)
        for (int i = 0; i < 1000; i++)
            numbered(rank, VL_OP_BARRIER, 1);
    beacon[0].call = *numbered(0, VL_OP_BARRIER, 5);
    beacon[2].call = *numbered(2, VL_OP_BARRIER, 5);
    returned(1);
    assert_true(certain(3, 0));
    look(3, 0, 0);
    is("rank_left");
    says("Rank 1 has returned.");
}

static void ranks_in_different_collectives_never_meet(void **state)
{
    (void)state;
    beacon[0].call = *numbered(0, VL_OP_BARRIER, 1);
    beacon[1].call = *numbered(1, VL_OP_BCAST, 2);
    assert_true(certain(2, 0));
    beacon[1].call.operation = VL_OP_NONE; /* it computes: nobody knows what it will do */
    assert_false(certain(2, 0));
    beacon[1].call = *numbered(1, VL_OP_BARRIER, 3);
    beacon[1].collective[0].operation = VL_OP_BARRIER;
    assert_false(certain(2, 0)); /* the same call: it may last */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(other_collective_in_the_same_place),
        TEST(order_matters_within_a_communicator_only),
        TEST(arguments_of_a_collective_are_compared),
        TEST(transfers_are_started_in_the_same_order),
        TEST(forgotten_collectives_are_not_compared),
        TEST(whoever_is_elsewhere_is_waited_for_when_counts_are_lost),
        TEST(counted_collectives_are_compared_however_many_there_were),
        TEST(a_rank_behind_is_known_however_many_there_were),
        TEST(ranks_in_different_collectives_never_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
