/* What two calls do to each other, and what is asked before two ends are said to disagree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "beacons.h"

static void race(int rank, uint32_t kind, struct vl_beacon_call first, struct vl_beacon_call second)
{
    beacon[rank].race = (struct vl_beacon_race){.kind = kind, .first = first, .second = second};
}

static void a_race_comes_before_everything_else(void **state)
{
    (void)state;
    race(1, VL_RACE_TAG, call(VL_OP_VL_ALL_REDUCE, VL_BEACON_NONE, 5, 30),
         call(VL_OP_VL_ALL_GATHER, VL_BEACON_NONE, 5, 31));
    beacon[0].error = VL_REFUSED_TRUNCATED;
    beacon[0].error_call = call(VL_OP_RECV, 1, 5, 41);
    look(2, 0, 0);
    is("tag_shared");
    says("On rank 1, vl_all_gather_start (ring.c:31) starts a transfer with tag 5");
    says("vl_all_reduce_start (ring.c:30) began it");
    assert_true(vl_finding_is_race(&found));
    beacon[1].race.kind = VL_RACE_NONE;
    look(2, 0, 0);
    is("message_truncated");
    assert_false(vl_finding_is_race(&found));
}

static void each_race_is_told(void **state)
{
    (void)state;
    returned(0);
    race(0, VL_RACE_RECEIVES, call(VL_OP_IRECV, 1, 5, 30), call(VL_OP_IRECV, 1, 6, 31));
    look(1, 1, 0);
    is("receives_overlap");
    says("receives in MPI_Irecv (ring.c:31) into memory that the receive of MPI_Irecv (ring.c:30)");
    beacon[0].race.second = beacon[0].race.first;
    look(1, 1, 0);
    says("has two receives of MPI_Irecv (ring.c:30) under way");
    race(0, VL_RACE_SENT, call(VL_OP_ISEND, 1, 5, 30), call(VL_OP_RECV, 1, 6, 31));
    look(1, 1, 0);
    is("buffer_shared");
    says("receives in MPI_Recv (ring.c:31) into memory that MPI_Isend (ring.c:30) still sends");
    race(0, VL_RACE_SENT, call(VL_OP_IRECV, 1, 5, 30), call(VL_OP_SEND, 1, 6, 31));
    look(1, 1, 0);
    says("sends memory in MPI_Send (ring.c:31) that the receive of MPI_Irecv (ring.c:30)");
    beacon[0].race.second.operation = VL_OP_SENDRECV;
    look(1, 1, 0);
    says("sends memory in MPI_Sendrecv (ring.c:31) that the receive of MPI_Irecv (ring.c:30)");
    beacon[0].race.first.operation = VL_OP_ISEND;
    look(1, 1, 0);
    says("receives in MPI_Sendrecv (ring.c:31) into memory that MPI_Isend (ring.c:30) still sends");
    race(0, VL_RACE_SENT, call(VL_OP_SENDRECV, 1, 5, 30), call(VL_OP_SENDRECV, 1, 6, 30));
    look(1, 1, 0);
    says("MPI_Sendrecv_replace");
    race(0, VL_RACE_FREED, call(VL_OP_ISEND, 1, 5, 30), call(VL_OP_NONE, 1, 6, 0));
    look(1, 1, 0);
    is("request_freed");
    says("frees the request of MPI_Isend (ring.c:30)");
    race(0, VL_RACE_ENDED, call(VL_OP_VL_SEND, 1, 5, 30), call(VL_OP_VL_POLL, 1, 6, 38));
    look(1, 1, 0);
    is("transfer_ended");
    says("calls vl_transfer_poll (ring.c:38) for a transfer that it has finished before");
    says("vl_send_start (ring.c:30) had begun");
    race(0, VL_RACE_MESSAGES, call(VL_OP_ISEND, 1, 1, 30), call(VL_OP_ISEND, 1, 1, 31));
    beacon[0].race.first_outer = call(VL_OP_VL_SEND, 1, 7, 5000);
    beacon[0].race.second_outer = call(VL_OP_VL_SEND, 1, 8, 5000);
    look(1, 1, 0);
    is("tag_shared");
    says("tags 7 and 8 are under way at once, but the messages of both have tag 1");
}

/* A call inside a contract that the course has written is that contract's. */
static void the_contract_around_a_call_has_the_place(void **state)
{
    (void)state;
    returned(0);
    beacon[0].touched = 1;
    beacon[0].touched_call = call(VL_OP_ISEND, 1, 4, 5000);
    beacon[0].touched_outer = call(VL_OP_VL_SEND, 1, 4, 35);
    look(1, 1, 0);
    is("buffer_touched");
    says("changed the data of vl_send_start (ring.c:35)");
    beacon[0].touched_call.address = 36;
    look(1, 1, 0);
    says("changed the data of MPI_Isend (ring.c:36)");
}

static void what_was_not_written_counts_only_if_the_results_are_wrong(void **state)
{
    (void)state;
    returned(0);
    race(0, VL_RACE_UNWRITTEN, call(VL_OP_ALLOCATE, 0, 0, 30), call(VL_OP_NONE, 0, 0, 0));
    look(1, VL_FINISHED, 0);
    assert_null(found.code);
    look(1, VL_FINISHED_WRONG, 0);
    is("uninitialised");
    says("The result is computed from memory that came from malloc (ring.c:30)");
    returned(1);
    look(2, VL_FINISHED_WRONG, 0);
    says("On rank 0, the result");
    beacon[0].race.first.address = 5000; /* the course's own */
    look(1, VL_FINISHED_WRONG, 0);
    assert_null(found.code);
    race(0, VL_RACE_EARLY, call(VL_OP_IRECV, 1, 5, 30), call(VL_OP_NONE, 0, 0, 0));
    look(1, VL_FINISHED, 0);
    assert_null(found.code);
    look(1, VL_FINISHED_WRONG, 0);
    is("read_before_arrival");
    says("Rank 0 uses memory that MPI_Irecv (ring.c:30) has not filled yet");
    posted(0, 0, VL_OP_IRECV, 1, 5, 30); /* it was never waited for */
    look(1, VL_FINISHED_WRONG, 0);
    is("request_not_completed");
}

static void messages_in_another_order_are_no_wrong_count(void **state)
{
    (void)state;
    posted(0, 0, VL_OP_IRECV, 1, 7, 30);
    posted(0, 1, VL_OP_IRECV, 1, 7, 31);
    beacon[0].request[0].count = 4;
    beacon[0].request[1].count = 16;
    beacon[0].error = VL_REFUSED_TRUNCATED;
    beacon[0].error_call = call(VL_OP_WAITALL, 1, 7, 32);
    sent(1, 0, 7);
    sent(1, 0, 7); /* 80 bytes in all */
    look(2, 0, 0);
    is("tag_shared");
    says("Rank 0 has 2 receives from rank 1 with tag 7 open");
    says("MPI_Waitall (ring.c:32)");
    beacon[0].request[1].count = 15; /* then a count is wrong, whatever the order */
    look(2, 0, 0);
    is("message_truncated");
}

static void somebody_else_may_wait_for_the_message(void **state)
{
    (void)state;
    beacon[0].error = VL_REFUSED_TRUNCATED;
    beacon[0].error_call = call(VL_OP_RECV, 1, 7, 41);
    beacon[0].error_call.count = 4;
    beacon[0].call = beacon[0].error_call;
    sent(1, 0, 7);
    in_receive(2, 1, 7, 41);
    look(3, 0, 0);
    is("wrong_peer");
    says("it has 40 bytes, and that is what rank 2 waits for from rank 1");
    beacon[2].call.count = 9; /* not for this one */
    look(3, 0, 0);
    is("message_truncated");
}

/* Rank 2 is kept from receiving by rank 3: nobody has taken a wrong partner. */
static void a_message_that_may_still_be_taken_is_not_astray(void **state)
{
    (void)state;
    in_receive(0, 1, 7, 41);
    in_receive(1, 0, 7, 41);
    sent(1, 2, 7);
    in_receive(2, 3, 9, 42);
    returned(3);
    look(4, 0, 0);
    is("hung_cycle");
    returned(2); /* it never will */
    look(4, 0, 0);
    is("wrong_peer");
    set_up(state);
    in_receive(0, 1, 7, 41); /* rank 2 was early, and rank 1 is kept from sending */
    sent(2, 0, 7);
    in_receive(1, 0, 8, 42);
    returned(2);
    look(3, 0, 0);
    is("hung_cycle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_race_comes_before_everything_else),
        TEST(each_race_is_told),
        TEST(the_contract_around_a_call_has_the_place),
        TEST(what_was_not_written_counts_only_if_the_results_are_wrong),
        TEST(messages_in_another_order_are_no_wrong_count),
        TEST(somebody_else_may_wait_for_the_message),
        TEST(a_message_that_may_still_be_taken_is_not_astray),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
