/* Ranks that wait for a message which went astray, or was taken by someone else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "beacons.h"

static void other_tag_lies_there(void **state)
{
    (void)state;
    in_receive(0, 1, 7, 41);
    in_receive(1, 0, 8, 41);
    sent(0, 1, 7);
    sent(1, 0, 8);
    look(2, 0, 0);
    is("wrong_tag");
    says("Rank 0 waits in MPI_Recv (ring.c:41) for a message from rank 1, tag 7.");
    says("its tag is 8");
}

static void whoever_waits_to_be_received_may_send_it_afterwards(void **state)
{
    (void)state;
    in_receive(0, 1, 7, 41);
    in_send(1, 0, 6, 42);
    look(2, 0, 1);
    is("wrong_tag");
    says("its message with tag 6");
    says("in the order in which they are sent");
}

static void two_that_wait_for_each_other_leave_messages_of_others_for_later(void **state)
{
    (void)state;
    in_receive(0, 2, 7, 41);
    in_receive(2, 0, 7, 41);
    sent(1, 2, 7);
    returned(1);
    look(3, 0, 0);
    is("hung_cycle");
    says("let somebody send first");
}

static void other_communicator_is_told_from_other_tag(void **state)
{
    (void)state;
    in_receive(0, 1, 7, 41);
    sent(1, 0, 7);
    channel(1, 0, 7)->communicator = 99;
    returned(1);
    look(2, 0, 0);
    is("wrong_communicator");
}

static void message_went_to_another_rank(void **state)
{
    (void)state;
    for (int rank = 0; rank < 4; rank++) {
        sent(rank, (rank + 1) % 4, 7);
        in_receive(rank, (rank + 1) % 4, 7, 41);
    }
    look(4, 0, 0);
    is("wrong_peer");
    says("Rank 0 waits in MPI_Recv (ring.c:41) for a message from rank 1");
    says("Rank 1 sent such a message to rank 2");
}

static void message_came_from_another_rank(void **state)
{
    (void)state;
    in_receive(0, 1, 7, 41);
    sent(2, 0, 7);
    returned(1);
    returned(2);
    look(3, 0, 0);
    is("wrong_peer");
    says("from rank 2 instead");
}

static void whoever_waits_for_itself_has_the_wrong_partner(void **state)
{
    (void)state;
    in_receive(0, 0, 7, 41);
    sent(1, 0, 7);
    returned(1);
    look(2, 0, 0);
    is("wrong_peer");
    says("from rank 1 instead");
}

static void whoever_stays_out_of_a_given_collective_is_missed(void **state)
{
    (void)state;
    for (int rank = 1; rank < 3; rank++) { /* rank 0 returned before it */
        beacon[rank].outer =
            call(VL_OP_VL_ALL_TO_ALL, VL_BEACON_NONE, VL_BEACON_NONE, 51 + (uint64_t)rank);
        in_receive(rank, 0, 7, 41);
    }
    sent(2, 1, 7);
    returned(0);
    look(3, 0, 0);
    is("rank_left");
    says("rank 0");
}

static void messages_from_several_others_accuse_nobody(void **state)
{
    (void)state;
    in_receive(0, 1, 7, 41); /* rank 0 gathers, rank 1 has sent nothing */
    sent(2, 0, 7);
    sent(3, 0, 7);
    for (int rank = 1; rank < 4; rank++)
        returned(rank);
    look(4, 0, 0);
    is("never_sent");
}

static void message_under_way_is_no_hang(void **state)
{
    (void)state;
    in_receive(0, 1, 7, 41);
    in_send(1, 0, 7, 42);
    look(2, 0, 0);
    is("hung");
    says("still moved");
    assert_false(certain(2, 1));
}

static void receive_posted_before_takes_the_message(void **state)
{
    (void)state;
    posted(0, 0, VL_OP_IRECV, 1, 7, 40);
    in_receive(0, 1, 7, 41);
    sent(1, 0, 7);
    returned(1);
    look(2, 0, 0);
    is("never_sent");
    says("MPI_Recv (ring.c:41)");
}

static void waitall_waits_for_the_request_that_holds_it_up(void **state)
{
    (void)state;
    posted(0, 0, VL_OP_ISEND, 1, 7, 40); /* short: done, though nobody received it */
    posted(0, 1, VL_OP_IRECV, 2, 7, 41);
    in_wait(0, VL_OP_WAITALL, 0, 42);
    returned(1);
    returned(2);
    look(3, 0, 0);
    is("never_sent");
    says("from rank 2");
    beacon[0].call.operation = VL_OP_WAITANY;
    posted(0, 2, VL_OP_IRECV, 2, 9, 43);
    sent(2, 0, 9);
    assert_false(certain(3, 0)); /* one of them can come back */
}

static void swap_that_has_received_waits_for_its_send(void **state)
{
    (void)state;
    beacon[0].call = call(VL_OP_SENDRECV, 1, 7, 41);
    sent(1, 0, 7);
    sent(0, 2, 8);
    returned(1);
    returned(2);
    look(3, 0, 0);
    is("rank_left");
    says("Rank 0 waits in MPI_Sendrecv (ring.c:41) until rank 2 receives its message, tag 8.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(other_tag_lies_there),
        TEST(whoever_waits_to_be_received_may_send_it_afterwards),
        TEST(two_that_wait_for_each_other_leave_messages_of_others_for_later),
        TEST(other_communicator_is_told_from_other_tag),
        TEST(message_went_to_another_rank),
        TEST(message_came_from_another_rank),
        TEST(whoever_waits_for_itself_has_the_wrong_partner),
        TEST(whoever_stays_out_of_a_given_collective_is_missed),
        TEST(messages_from_several_others_accuse_nobody),
        TEST(message_under_way_is_no_hang),
        TEST(receive_posted_before_takes_the_message),
        TEST(waitall_waits_for_the_request_that_holds_it_up),
        TEST(swap_that_has_received_waits_for_its_send),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
