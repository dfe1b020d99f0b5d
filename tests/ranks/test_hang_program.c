/* A standstill of whole programs: they end in MPI_Finalize, and their functions are nobody's business. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "beacons.h"

static void a_receive_too_many(void **state)
{
    (void)state;
    program = true;
    in_receive(0, 1, 7, 41);
    finalized(1);
    look(2, 0, 0);
    is("never_sent");
    says("Nobody will send it: rank 1 has called MPI_Finalize.");
    in_receive(0, VL_BEACON_ANY, 7, 41);
    look(2, 0, 0);
    says("the other ranks have called MPI_Finalize.");
    details("Rank 1 has called MPI_Finalize.");
}

static void a_rank_that_calls_exit(void **state)
{
    (void)state;
    program = true;
    in_receive(0, 1, 7, 41);
    beacon[1].phase = VL_PHASE_LEFT;
    look(2, 0, 0);
    is("rank_left");
    says("each must come to its MPI_Finalize");
    program = false;
    look(2, 0, 0);
    says("A function returns a status");
}

static void each_rank_is_on_a_line(void **state)
{
    (void)state;
    const struct vl_beacon *all[] = {&beacon[0], &beacon[1], &beacon[2]};
    const struct vl_hang_places places = {.program = true};
    char *table = NULL;
    in_receive(0, 1, 7, 41);
    finalized(2);
    assert_int_equal(vl_hang_table(&table, all, &places, 3), VL_OK);
    assert_string_equal(table, "Rank 0 waits in MPI_Recv for a message from rank 1, tag 7.\n"
                               "Rank 1 is not inside an MPI call.\n"
                               "Rank 2 has called MPI_Finalize.");
    free(table);
}

static void who_waits_for_whom(void **state)
{
    (void)state;
    const struct vl_beacon *all[] = {&beacon[0], &beacon[1], &beacon[2]};
    int next[3];
    in_receive(0, 2, 7, 41);
    in_receive(2, 1, 7, 41);
    vl_hang_next(next, all, 3);
    assert_int_equal(next[0], 2);
    assert_int_equal(next[1], -1);
    assert_int_equal(next[2], 1);
}

/* As many channels as there is room for, and one more. */
static void a_message_that_may_be_the_one_leaves_doubt(void **state)
{
    (void)state;
    struct vl_beacon_heap *sender = &beacon[1].heap[vl_beacon_heap_of(0, 1, 0, 7)];
    struct vl_beacon_heap *receiver = &beacon[0].heap[vl_beacon_heap_of(0, 1, 0, 7)];
    in_receive(0, 1, 7, 41);
    in_receive(1, 0, 8, 42);
    beacon[1].channels_lost = 1;
    assert_true(certain(2, 0)); /* none was sent that could be it */
    sender->sent = 3;
    assert_false(certain(2, 0));
    receiver->received = 2;
    assert_false(certain(2, 0));
    received(0, 1, 7); /* counted where there was still a place */
    assert_true(certain(2, 0));
    beacon[0].call.tag = VL_BEACON_ANY;
    assert_false(certain(2, 0));
    in_send(0, 1, 9, 43);
    beacon[0].call.count = 1000000;
    assert_false(certain(2, 0)); /* nobody knows whether it was received */
}

static void what_a_rank_sends_to_itself_is_buffered_at_once_or_never(void **state)
{
    (void)state;
    in_send(0, 0, 7, 41);
    in_receive(1, 0, 7, 42);
    assert_true(certain(2, 0));
    look(2, 0, 0);
    says("Rank 0 waits in MPI_Send (ring.c:41)");
    in_send(0, 1, 8, 41);
    assert_false(certain(2, 0));
}

static void messages_that_were_not_counted_may_have_been_received(void **state)
{
    (void)state;
    beacon[1].channels_lost = 1;
    finalized(0);
    finalized(1);
    sent(0, 1, 7);
    look(2, VL_FINISHED, 0);
    assert_null(found.code); /* it may have been received */
    beacon[1].channels_lost = 0;
    look(2, VL_FINISHED, 0);
    is("message_not_received");
}

static void a_synchronous_send_waits_however_short_it_is(void **state)
{
    (void)state;
    for (int rank = 0; rank < 2; rank++) {
        posted(rank, 0, VL_OP_ISEND, 1 - rank, 7, 40);
        in_wait(rank, VL_OP_WAIT, 0, 41);
    }
    assert_false(certain(2, 0)); /* MPI may have room for it */
    for (int rank = 0; rank < 2; rank++)
        beacon[rank].request[0].synchronous = 1;
    assert_true(certain(2, 0));
}

static void what_is_waited_for_in_a_circle_was_not_sent(void **state)
{
    (void)state;
    for (int rank = 0; rank < 2; rank++) {
        posted(rank, 0, VL_OP_IRECV, 1 - rank, 7, 40);
        in_wait(rank, VL_OP_WAITALL, 0, 41);
    }
    look(2, 0, 0);
    is("hung_cycle");
    says("look whether every receive has its send");
    in_receive(0, 1, 7, 41);
    in_receive(1, 0, 7, 41);
    look(2, 0, 0);
    says("All of them receive before they send");
}

static void who_only_asks_does_not_wait_for_certain(void **state)
{
    (void)state;
    in_receive(0, 1, 7, 41);
    beacon[1].call = call(VL_OP_PROBE, 0, 7, 42);
    assert_true(certain(2, 0));
    beacon[1].call.form = VL_FORM_STARTED;
    assert_false(certain(2, 0));
}

static void nothing_is_certain_where_requests_are_not_seen(void **state)
{
    (void)state;
    for (int rank = 0; rank < 2; rank++) {
        posted(rank, 0, VL_OP_IRECV, 1 - rank, 7, 40);
        in_wait(rank, VL_OP_WAITALL, 0, 41);
    }
    assert_true(certain(2, 0));
    beacon[0].call.form = VL_FORM_UNKNOWN; /* it waits for a file, too */
    assert_false(certain(2, 0));
    beacon[0].call.form = 0;
    beacon[1].requests_open = VL_BEACON_REQUESTS + 1;
    assert_false(certain(2, 0));
}

static void a_mismatch_that_all_came_through_stops_nobody(void **state)
{
    (void)state;
    for (int rank = 0; rank < 2; rank++) {
        numbered(rank, VL_OP_ALLREDUCE, 1)->reduction = (uint32_t)rank;
        beacon[rank].call = *numbered(rank, VL_OP_ALLTOALL, 2);
    }
    assert_false(certain(2, 0));
    look(2, VL_FINISHED, 0);
    is("collective_operation");
}

/* Rank 1 began them the other way round. MPI takes both, and none of them is ever done. */
static void a_wait_for_collectives_begun_in_another_order(void **state)
{
    (void)state;
    static const uint32_t order[2][2] = {{VL_OP_BCAST, VL_OP_ALLREDUCE},
                                         {VL_OP_ALLREDUCE, VL_OP_BCAST}};
    for (int rank = 0; rank < 2; rank++)
        for (uint32_t i = 0; i < 2; i++)
            beacon[rank].request[i] = *numbered(rank, order[rank][i], i + 1);
    in_wait(0, VL_OP_WAITALL, 0, 41);
    in_wait(1, VL_OP_WAITALL, 0, 41);
    assert_true(certain(2, 0));
    look(2, 0, 0);
    is("collective_order");
    beacon[1].collective[0].form = VL_FORM_GUESSED; /* the same number, perhaps of another one */
    beacon[1].collective[1].form = VL_FORM_GUESSED;
    assert_false(certain(2, 0));
    beacon[1].collective[0].form = beacon[1].collective[1].form = 0;
    beacon[0].call.operation = beacon[1].call.operation = VL_OP_TEST; /* it may do something else */
    assert_false(certain(2, 0));
    assert_true(misfit(2)); /* but that collective will never be done */
    beacon[0].call.operation = beacon[1].call.operation = VL_OP_NONE;
    assert_true(misfit(2));
    for (int rank = 0; rank < 2; rank++) /* done, whatever MPI made of them */
        beacon[rank].request[0].operation = beacon[rank].request[1].operation = VL_OP_NONE;
    assert_false(misfit(2));
}

/* Rank 0 began one more than it waits for: rank 1 owes it nothing. */
static void who_waits_for_the_first_is_not_kept_by_the_second(void **state)
{
    (void)state;
    beacon[0].request[0] = *numbered(0, VL_OP_BCAST, 1);
    numbered(0, VL_OP_ALLREDUCE, 2);
    numbered(1, VL_OP_BCAST, 1);
    in_wait(0, VL_OP_WAIT, 0, 41);
    in_receive(1, 0, 7, 41);
    assert_false(certain(2, 0));
}

static void takes(int rank, int from, int tag, uint64_t line)
{
    beacon[rank].taken[beacon[rank].taken_seen++] = (struct vl_beacon_taken){
        .call = call(VL_OP_RECV, VL_BEACON_ANY, VL_BEACON_ANY, line), .peer = from, .tag = tag};
    received(rank, from, tag);
}

/* Rank 1 sent a result and rank 2 a report. Rank 0 takes whichever comes first for the report. */
static void a_receive_from_any_took_what_is_waited_for(void **state)
{
    (void)state;
    sent(1, 0, 3);
    takes(0, 1, 3, 40);
    in_receive(0, 1, 3, 41);
    finalized(1);
    finalized(2);
    look(3, 0, 0);
    is("never_sent"); /* nothing lies there that it could have taken */
    sent(2, 0, 4);
    look(3, 0, 0);
    is("wildcard_race");
    says(
        "MPI_Recv (ring.c:40), took a message like that from rank 1, and the one from rank 2 is still there");
    sent(1, 0, 6); /* with another tag: that is no chance */
    look(3, 0, 0);
    is("wrong_tag");
    channel(1, 0, 6)->sent = 0;
    beacon[0].taken[0].call.tag = 3; /* so that one of rank 2 was never meant */
    look(3, 0, 0);
    is("never_sent");
}

static void made(int rank, enum vl_made_kind kind, uint32_t count, uint32_t operation,
                 uint64_t line)
{
    beacon[rank].made[kind] =
        (struct vl_beacon_made){.count = count, .call = {.operation = operation, .address = line}};
}

static void what_mpi_allows_comes_last(void **state)
{
    (void)state;
    program = true;
    for (int rank = 0; rank < 2; rank++)
        finalized(rank);
    made(0, VL_MADE_OPERATOR, 1, VL_OP_OP_CREATE, 20);
    look(2, VL_FINISHED, 0);
    is("operator_leaked");
    says("Rank 0 leaves 1 operator behind, made by MPI_Op_create (ring.c:20): MPI_Op_free gives it "
         "back.");
    made(1, VL_MADE_TYPE, 2, VL_OP_TYPE_STRUCT, 30);
    look(2, VL_FINISHED, 0);
    is("type_leaked");
    says("Rank 1 leaves 2 datatypes behind, the latest made by MPI_Type_create_struct (ring.c:30)");
    made(0, VL_MADE_GROUP, 1, VL_OP_GROUP_INCL, 40);
    look(2, VL_FINISHED, 0);
    is("group_leaked");
    says("Rank 0 leaves 1 group behind, made by MPI_Group_incl (ring.c:40)");
    assert_true(vl_finding_is_allowed(&found));
    made(1, VL_MADE_PERSISTENT, 3, VL_OP_RSEND_INIT, 50);
    beacon[1].made[VL_MADE_PERSISTENT].idle = 2;
    look(2, VL_FINISHED, 0);
    is("request_not_completed");
    says(
        "Rank 1 leaves 3 persistent requests behind, the latest made by MPI_Rsend_init (ring.c:50)");
    says("2 of them were never started.");
    assert_false(vl_finding_is_allowed(&found));
    program =
        false; /* nobody counts these of a lab's functions, whatever they write into a beacon */
    look(2, VL_FINISHED, 0);
    assert_null(found.code);
    assert_false(vl_finding_is_allowed(&found));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_receive_too_many),
        TEST(a_rank_that_calls_exit),
        TEST(each_rank_is_on_a_line),
        TEST(who_waits_for_whom),
        TEST(a_message_that_may_be_the_one_leaves_doubt),
        TEST(what_a_rank_sends_to_itself_is_buffered_at_once_or_never),
        TEST(messages_that_were_not_counted_may_have_been_received),
        TEST(a_synchronous_send_waits_however_short_it_is),
        TEST(what_is_waited_for_in_a_circle_was_not_sent),
        TEST(who_only_asks_does_not_wait_for_certain),
        TEST(nothing_is_certain_where_requests_are_not_seen),
        TEST(a_mismatch_that_all_came_through_stops_nobody),
        TEST(a_wait_for_collectives_begun_in_another_order),
        TEST(who_waits_for_the_first_is_not_kept_by_the_second),
        TEST(a_receive_from_any_took_what_is_waited_for),
        TEST(what_mpi_allows_comes_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
