/* Ranks that wait for each other in a circle, or for one that does not come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "beacons.h"

/* ---- circles ---- */

static void all_receive_first_is_a_circle(void **state)
{
    (void)state;
    in_receive(0, 1, 7, 41);
    in_receive(1, 0, 7, 41);
    look(2, 0, 0);
    is("hung_cycle");
    says("Rank 0 waits in MPI_Recv (ring.c:41) for a message from rank 1, tag 7.");
    says("Rank 1 waits in MPI_Recv (ring.c:41) for a message from rank 0, tag 7.");
    says("send first");
    details("Rank 1 waits");
    assert_true(certain(2, 0));
}

static void circle_is_told_in_order_and_without_its_tail(void **state)
{
    (void)state;
    in_send(1, 3, 5, 11); /* 0 --> 3 --> 2 --> 1 --> 3 */
    in_send(3, 2, 5, 13);
    in_send(2, 1, 5, 12);
    in_receive(0, 3, 9, 10);
    look(4, 0, 0);
    is("hung_cycle");
    assert_null(strstr(found.message, "Rank 0"));
    const char *first = strstr(found.message, "Rank 1 waits in MPI_Send (ring.c:11) until rank 3");
    const char *second = strstr(found.message, "Rank 3 waits in MPI_Send (ring.c:13) until rank 2");
    const char *third = strstr(found.message, "Rank 2 waits in MPI_Send (ring.c:12) until rank 1");
    assert_true(first != NULL && second > first && third > second);
    details("Rank 0 waits in MPI_Recv (ring.c:10)");
}

static void circle_of_sends_is_blamed_on_buffering_only_where_they_wait(void **state)
{
    (void)state;
    in_send(0, 1, 0, 8);
    in_send(1, 0, 0, 8);
    look(2, 0, 1);
    is("send_needs_buffer");
    assert_true(certain(2, 1));
    assert_false(certain(2, 0)); /* so short a send may still come back */
    look(2, 0, 0);
    is("hung_cycle");
}

/* What helps a blocking send does not help one that is waited for too early. */
static void circle_of_waits_for_sends_is_told_what_helps_them(void **state)
{
    (void)state;
    for (int rank = 0; rank < 2; rank++) {
        posted(rank, 0, VL_OP_ISEND, 1 - rank, 5, 30);
        in_wait(rank, VL_OP_WAIT, 0, 31);
    }
    look(2, 0, 1);
    is("hung_cycle");
    says("let somebody receive before you wait for its end");
    in_send(1, 0, 6, 32);
    look(2, 0, 0);
    says("use MPI_Sendrecv");
}

static void rank_that_waits_for_itself_is_a_circle_of_one(void **state)
{
    (void)state;
    in_receive(0, 0, 3, 20);
    look(1, 0, 0);
    is("hung_cycle");
    says("Rank 0 waits for itself");
    assert_null(found.detail);
}

static void a_call_that_waits_for_later_turns_is_named(void **state)
{
    (void)state;
    in_receive(0, 2, 7, 41);
    in_receive(1, 0, VL_TURN_TAG, 5000);
    in_receive(2, 1, VL_TURN_TAG, 5000);
    look(3, 0, 0);
    is("waits_for_others");
    says("Rank 0 waits in MPI_Recv (ring.c:41) for a message from rank 2");
    says("one after another");
    assert_null(strstr(found.message, "Rank 1 waits"));
    in_receive(0, 2, 7, 41);
    in_receive(1, 0, VL_TURN_TAG + 1, 5000);
    in_receive(2, 1, VL_TURN_TAG + 1, 5000);
    look(3, 0, 0);
    is("hung_cycle");
}

static void message_and_barrier_make_a_circle(void **state)
{
    (void)state;
    in_barrier(0, 5);
    in_receive(1, 0, 2, 6);
    look(2, 0, 0);
    is("hung_cycle");
    says("Rank 0 waits in MPI_Barrier (ring.c:5) for rank 1 to come there.");
    says("Rank 1 waits in MPI_Recv (ring.c:6)");
}

static void barriers_on_two_communicators_make_a_circle_of_their_own(void **state)
{
    (void)state;
    for (int rank = 0; rank < 3; rank++) {
        struct vl_beacon_call *made = collective(rank, VL_OP_BARRIER, (uint64_t)rank + 1);
        made->communicator = rank == 2 ? 88 : 77;
        made->members = 7;
        beacon[rank].call = *made;
    }
    look(3, 0, 0);
    is("collective_communicator");
    says("Rank 0 waits in MPI_Barrier (ring.c:1) for rank 2");
    says("Rank 2 waits in MPI_Barrier (ring.c:3) for ranks 0, 1 to come there.");
}

/* ---- one that does not come ---- */

static void returned_rank_is_named_with_those_who_wait(void **state)
{
    (void)state;
    for (int rank = 0; rank < 4; rank++)
        if (rank != 2)
            in_barrier(rank, 88);
    returned(2);
    look(4, 0, 0);
    is("rank_left");
    says("Rank 2 has returned. 3 of 4 ranks wait for rank 2.");
    says("MPI_Barrier (ring.c:88)");
    assert_true(certain(4, 0));
}

static void a_send_to_a_returned_rank_may_be_one_too_many(void **state)
{
    (void)state;
    returned(0);
    in_send(1, 0, 4, 9);
    look(2, 0, 1);
    is("rank_left");
    says("Either rank 0 lacks a receive, or this send is one too many.");
}

static void status_of_a_rank_that_gave_up_is_told(void **state)
{
    (void)state;
    in_receive(0, 1, 4, 9);
    returned(1);
    beacon[1].status = VL_ENOMEM;
    look(2, 0, 0);
    is("rank_left");
    says("Rank 1 has returned with the status VL_ENOMEM.");
}

static void those_who_wait_through_others_are_counted(void **state)
{
    (void)state;
    returned(0);
    in_receive(1, 0, 4, 9);
    in_receive(2, 1, 4, 9);
    in_receive(3, 2, 4, 9);
    look(4, 0, 0);
    is("rank_left");
    says("3 of 4 ranks wait for rank 0.");
    says("Rank 1 waits");
    assert_null(strstr(found.message, "Rank 2 waits"));
}

static void ended_process_comes_before_everything_else(void **state)
{
    (void)state;
    in_barrier(0, 30);
    beacon[1].phase = VL_PHASE_LEFT;
    now[1] = "tree.c:12";
    look(2, 0, 0);
    is("rank_left");
    says("Rank 1 ended its process at tree.c:12.");
    says("Rank 0 waits in MPI_Barrier");
}

static void message_that_nobody_sends(void **state)
{
    (void)state;
    posted(0, 3, VL_OP_IRECV, 1, 77, 16);
    in_wait(0, VL_OP_WAIT, 3, 17);
    returned(1);
    look(2, 0, 0);
    is("never_sent");
    says("Rank 0 waits in MPI_Wait (ring.c:17) for a message from rank 1, tag 77.");
    says("rank 1 has returned");
}

static void message_from_anybody_that_nobody_sends(void **state)
{
    (void)state;
    in_receive(0, VL_BEACON_ANY, VL_BEACON_ANY, 17);
    returned(1);
    returned(2);
    look(3, 0, 0);
    is("never_sent");
    says("the other ranks have returned");
    look(1, 0, 0);
    is("never_sent");
    says("a message from any rank.");
}

static void computing_rank_is_found_behind_a_chain(void **state)
{
    (void)state;
    in_receive(0, 1, 1, 5);
    in_receive(1, 2, 1, 5);
    now[2] = "step.c:9";
    look(3, 0, 0);
    is("hung");
    says("Rank 2 is at step.c:9, not inside an MPI call.");
    says("2 of 3 ranks wait for rank 2.");
    assert_false(certain(3, 0));
}

static void rank_that_asks_for_ever_waits_but_not_for_certain(void **state)
{
    (void)state;
    posted(0, 0, VL_OP_IRECV, 1, 77, 16);
    in_wait(0, VL_OP_TEST, 0, 19);
    returned(1);
    look(2, 0, 0);
    is("never_sent");
    says("MPI_Test (ring.c:19)");
    assert_false(certain(2, 0));
}

static void contract_is_named_where_it_is_what_the_submission_called(void **state)
{
    (void)state;
    in_receive(0, 1, 7, 5000);
    beacon[0].outer = call(VL_OP_VL_FINISH, VL_BEACON_NONE, 7, 52);
    returned(1);
    look(2, 0, 0);
    says("Rank 0 waits in vl_transfer_finish (ring.c:52) for a message from rank 1, tag 7.");
}

/* ---- hostile ---- */

static void nonsense_is_survived(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 300; round++) {
        uint32_t *word = (uint32_t *)(void *)beacon;
        for (size_t i = 0; i < sizeof beacon / 4; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            word[i] = (uint32_t)(seed >> 40) % (round % 3 == 0 ? 16777216u : 24u);
            if (round % 3 == 2 && (seed >> 33 & 3) == 0)
                word[i] = (uint32_t) - (int)(seed >> 60);
        }
        for (int rank = 0; rank < MOST && round % 2; rank++) {
            beacon[rank].phase = VL_PHASE_INSIDE;
            beacon[rank].error = 0;
        }
        look(MOST, round % 5 == 0, round & 1);
        (void)certain(MOST, 0);
    }
}

static void missing_beacons_are_survived(void **state)
{
    (void)state;
    const struct vl_beacon *none[MOST] = {NULL};
    assert_int_equal(vl_hang_find(&found, none, NULL, MOST, 0, 0), VL_OK);
    assert_false(vl_hang_is_certain(none, MOST, 0));
    assert_int_equal(vl_hang_find(&found, none, NULL, 4711, 0, 0), VL_OK);
    assert_null(found.code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_receive_first_is_a_circle),
        TEST(circle_is_told_in_order_and_without_its_tail),
        TEST(circle_of_sends_is_blamed_on_buffering_only_where_they_wait),
        TEST(circle_of_waits_for_sends_is_told_what_helps_them),
        TEST(rank_that_waits_for_itself_is_a_circle_of_one),
        TEST(a_call_that_waits_for_later_turns_is_named),
        TEST(message_and_barrier_make_a_circle),
        TEST(barriers_on_two_communicators_make_a_circle_of_their_own),
        TEST(returned_rank_is_named_with_those_who_wait),
        TEST(a_send_to_a_returned_rank_may_be_one_too_many),
        TEST(status_of_a_rank_that_gave_up_is_told),
        TEST(those_who_wait_through_others_are_counted),
        TEST(ended_process_comes_before_everything_else),
        TEST(message_that_nobody_sends),
        TEST(message_from_anybody_that_nobody_sends),
        TEST(computing_rank_is_found_behind_a_chain),
        TEST(rank_that_asks_for_ever_waits_but_not_for_certain),
        TEST(contract_is_named_where_it_is_what_the_submission_called),
        TEST(nonsense_is_survived),
        TEST(missing_beacons_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
