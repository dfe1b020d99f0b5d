/* Made-up beacons, and what is read off them. */
#include "grade/hang.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 8

static struct vl_beacon beacon[MOST];
static const char *now[MOST];
static struct vl_finding found;

/* Address 41 is line 41; those above 1000 are not the submission's. */
static char *find_line(void *context, uint64_t address)
{
    char *text = NULL;
    (void)context;
    if (address == 0 || address > 1000 ||
        asprintf(&text, "ring.c:%llu", (unsigned long long)address) < 0)
        return NULL;
    return text;
}

static int set_up(void **state)
{
    (void)state;
    memset(beacon, 0, sizeof beacon);
    memset(now, 0, sizeof now);
    for (int rank = 0; rank < MOST; rank++)
        beacon[rank].phase = VL_PHASE_INSIDE;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    vl_finding_free(&found);
    return 0;
}

static void look(int ranks, int finished, int synchronous)
{
    const struct vl_beacon *all[MOST];
    const struct vl_hang_places places = {.now = now, .find = find_line};
    for (int rank = 0; rank < ranks; rank++)
        all[rank] = &beacon[rank];
    vl_finding_free(&found);
    assert_int_equal(vl_hang_find(&found, all, &places, ranks, finished, synchronous), VL_OK);
}

static int certain(int ranks, int synchronous)
{
    const struct vl_beacon *all[MOST];
    for (int rank = 0; rank < ranks; rank++)
        all[rank] = &beacon[rank];
    return vl_hang_is_certain(all, ranks, synchronous);
}

static void says(const char *words)
{
    assert_non_null(found.message);
    if (strstr(found.message, words) == NULL)
        fail_msg("no `%s` in: %s", words, found.message);
}

static void details(const char *words)
{
    assert_non_null(found.detail);
    if (strstr(found.detail, words) == NULL)
        fail_msg("no `%s` in: %s", words, found.detail);
}

static void is(const char *code)
{
    assert_non_null(found.code);
    assert_string_equal(found.code, code);
}

/* ---- what the wrappers would have written ---- */

static struct vl_beacon_call call(uint32_t operation, int peer, int tag, uint64_t line)
{
    return (struct vl_beacon_call){.operation = operation,
                                   .peer = peer,
                                   .tag = tag,
                                   .root = VL_BEACON_NONE,
                                   .type_bytes = 4,
                                   .count = 10,
                                   .address = line};
}

static struct vl_beacon_channel *channel(int rank, int peer, int tag)
{
    struct vl_beacon *b = &beacon[rank];
    for (uint32_t i = 0; i < b->channels_used; i++)
        if (b->channel[i].peer == peer && b->channel[i].tag == tag)
            return &b->channel[i];
    b->channel[b->channels_used] = (struct vl_beacon_channel){.peer = peer, .tag = tag};
    return &b->channel[b->channels_used++];
}

/* Rank sent, and nobody has received yet. */
static void sent(int rank, int to, int tag)
{
    channel(rank, to, tag)->sent++;
    channel(rank, to, tag)->sent_bytes += 40;
}

static void received(int rank, int from, int tag)
{
    channel(rank, from, tag)->received++;
    channel(rank, from, tag)->received_bytes += 40;
}

static void in_receive(int rank, int from, int tag, uint64_t line)
{
    beacon[rank].call = call(VL_OP_RECV, from, tag, line);
}

static void in_send(int rank, int to, int tag, uint64_t line)
{
    beacon[rank].call = call(VL_OP_SEND, to, tag, line);
    sent(rank, to, tag);
}

static struct vl_beacon_call *collective(int rank, uint32_t operation, uint64_t line)
{
    struct vl_beacon *b = &beacon[rank];
    struct vl_beacon_call *at = &b->collective[b->collectives_seen++ % VL_BEACON_COLLECTIVES];
    *at = call(operation, VL_BEACON_NONE, VL_BEACON_NONE, line);
    return at;
}

static void in_barrier(int rank, uint64_t line)
{
    beacon[rank].call = *collective(rank, VL_OP_BARRIER, line);
}

static void posted(int rank, int place, uint32_t operation, int peer, int tag, uint64_t line)
{
    beacon[rank].request[place] = call(operation, peer, tag, line);
    beacon[rank].requests_open++;
    if (operation == VL_OP_ISEND)
        sent(rank, peer, tag);
}

static void in_wait(int rank, uint32_t operation, int place, uint64_t line)
{
    beacon[rank].call = beacon[rank].request[place];
    beacon[rank].call.operation = operation;
    beacon[rank].call.address = line;
}

static void returned(int rank)
{
    beacon[rank].phase = VL_PHASE_RETURNED;
}

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

static void rank_that_waits_for_itself_is_a_circle_of_one(void **state)
{
    (void)state;
    in_receive(0, 0, 3, 20);
    look(1, 0, 0);
    is("hung_cycle");
    says("Rank 0 waits for itself");
    assert_null(found.detail);
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
    says("Rank 2 has returned. 3 of 4 ranks wait for it.");
    says("MPI_Barrier (ring.c:88)");
    assert_true(certain(4, 0));
}

static void status_of_a_rank_that_gave_up_is_told(void **state)
{
    (void)state;
    in_receive(0, 1, 4, 9);
    returned(1);
    beacon[1].status = VL_ENOMEM;
    look(2, 0, 0);
    is("rank_left");
    says("Rank 1 has returned with the status no_memory.");
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
    says("3 of 4 ranks wait for it.");
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
    says("Rank 2 is at step.c:9, in no call of MPI.");
    says("2 of 3 ranks wait for it.");
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

/* ---- messages astray ---- */

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
    says("The message of rank 1 with that tag went to rank 2");
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

/* ---- collectives ---- */

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
    says("Rank 2 is in no call of MPI.");
    says("2 of 3 ranks wait for it.");
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

/* ---- conduct ---- */

static void everybody_back(int ranks)
{
    for (int rank = 0; rank < ranks; rank++)
        returned(rank);
}

static void good_conduct_is_not_talked_about(void **state)
{
    (void)state;
    everybody_back(3);
    sent(0, 1, 4);
    received(1, 0, 4);
    look(3, 1, 0);
    assert_null(found.code);
    assert_null(found.message);
}

static void open_ends_are_found(void **state)
{
    (void)state;
    everybody_back(2);
    beacon[1].communicators_open = 2;
    beacon[1].opened_call = call(VL_OP_COMM_DUP, VL_BEACON_NONE, VL_BEACON_NONE, 60);
    look(2, 1, 0);
    is("communicator_leaked");
    says("Rank 1 leaves 2 communicators behind, the latest made by MPI_Comm_dup (ring.c:60)");
    sent(0, 1, 4);
    look(2, 1, 0);
    is("message_not_received");
    says("Rank 0 sent rank 1 1 message with tag 4");
    posted(1, 5, VL_OP_IRECV, 0, 4, 33);
    look(2, 1, 0);
    is("request_not_completed");
    says("Rank 1 leaves 1 request open, begun by MPI_Irecv (ring.c:33)");
    beacon[1].transfers_open = 1;
    beacon[1].transfer_call = call(VL_OP_VL_ALL_GATHER, VL_BEACON_NONE, 3, 34);
    look(2, 1, 0);
    is("transfer_not_finished");
    says("vl_all_gather_start (ring.c:34)");
    beacon[0].touched = 1;
    beacon[0].touched_call = call(VL_OP_ISEND, 1, 4, 35);
    look(2, 1, 0);
    is("buffer_touched");
    says("Rank 0 changed the data of MPI_Isend (ring.c:35)");
}

static void truncation_tells_both_sizes_if_it_can(void **state)
{
    (void)state;
    beacon[0].error = VL_BEACON_TRUNCATED;
    beacon[0].error_call = call(VL_OP_RECV, 1, 7, 41);
    beacon[0].error_call.count = 9;
    look(2, 0, 0);
    is("message_truncated");
    says("from rank 1");
    sent(1, 0, 7);
    look(2, 0, 0);
    is("message_truncated");
    says("has 40 bytes, but MPI_Recv (ring.c:41) has room for 36");
    beacon[0].error_call.count = 20; /* then it was not this message */
    look(2, 0, 0);
    says("is longer than the room");
    beacon[0].error = 6;
    look(2, 0, 0);
    is("mpi_error");
    says("MPI refused the call of rank 0 to MPI_Recv (ring.c:41)");
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_receive_first_is_a_circle),
        TEST(circle_is_told_in_order_and_without_its_tail),
        TEST(circle_of_sends_is_blamed_on_buffering_only_where_they_wait),
        TEST(rank_that_waits_for_itself_is_a_circle_of_one),
        TEST(message_and_barrier_make_a_circle),
        TEST(barriers_on_two_communicators_make_a_circle_of_their_own),
        TEST(returned_rank_is_named_with_those_who_wait),
        TEST(status_of_a_rank_that_gave_up_is_told),
        TEST(those_who_wait_through_others_are_counted),
        TEST(ended_process_comes_before_everything_else),
        TEST(message_that_nobody_sends),
        TEST(message_from_anybody_that_nobody_sends),
        TEST(computing_rank_is_found_behind_a_chain),
        TEST(rank_that_asks_for_ever_waits_but_not_for_certain),
        TEST(other_tag_lies_there),
        TEST(other_communicator_is_told_from_other_tag),
        TEST(message_went_to_another_rank),
        TEST(message_came_from_another_rank),
        TEST(whoever_stays_out_of_a_given_collective_is_missed),
        TEST(messages_from_several_others_accuse_nobody),
        TEST(message_under_way_is_no_hang),
        TEST(receive_posted_before_takes_the_message),
        TEST(waitall_waits_for_the_request_that_holds_it_up),
        TEST(swap_that_has_received_waits_for_its_send),
        TEST(other_collective_in_the_same_place),
        TEST(order_matters_within_a_communicator_only),
        TEST(arguments_of_a_collective_are_compared),
        TEST(transfers_are_started_in_the_same_order),
        TEST(forgotten_collectives_are_not_compared),
        TEST(whoever_is_elsewhere_is_waited_for_when_counts_are_lost),
        TEST(contract_is_named_where_it_is_what_the_submission_called),
        TEST(good_conduct_is_not_talked_about),
        TEST(open_ends_are_found),
        TEST(truncation_tells_both_sizes_if_it_can),
        TEST(nonsense_is_survived),
        TEST(missing_beacons_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
