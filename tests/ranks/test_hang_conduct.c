/* What a case that returned left open, and what MPI refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "beacons.h"

static void everybody_back(int ranks)
{
    for (int rank = 0; rank < ranks; rank++)
        returned(rank);
}

static void good_manners_are_not_mentioned(void **state)
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
    says("Rank 1 returned without a single MPI call, but rank 0 sent it something");
    sent(1, 0, 7);
    sent(0, 1, 4);
    received(0, 1, 7);
    look(2, 1, 0);
    is("message_not_received");
    says("Rank 0 sent 2 messages with tag 4 to rank 1");
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

static void all_ranks_with_open_ends_are_named(void **state)
{
    (void)state;
    everybody_back(5);
    for (int rank = 1; rank < 5; rank++)
        posted(rank, 0, VL_OP_IRECV, 0, 4, rank == 3 ? 34 : 33);
    look(5, 1, 0);
    says("Rank 1 leaves 1 request open, begun by MPI_Irecv (ring.c:33)");
    says("done. The same is true of ranks 2, 4. Rank 3 leaves something of this kind, too.");
    posted(4, 1, VL_OP_IRECV, 0, 5, 35); /* another number of them */
    look(5, 1, 0);
    says("The same is true of rank 2. Ranks 3, 4 leave something of this kind, too.");
}

static void all_ranks_whose_messages_were_not_received_are_named(void **state)
{
    (void)state;
    everybody_back(4);
    collective(0, VL_OP_BARRIER, 30);
    for (int rank = 1; rank < 4; rank++)
        sent(rank, 0, 7);
    look(4, 1, 0);
    is("message_not_received");
    says("Rank 1 sent 1 message with tag 7 to rank 0");
    says("Messages of ranks 2, 3 were never received, either.");
    received(0, 3, 7);
    look(4, 1, 0);
    says("Messages of rank 2 were never received, either.");
}

static void a_request_that_only_mpi_knows_of_is_an_open_end(void **state)
{
    (void)state;
    everybody_back(2);
    beacon[1].held = 1;
    look(2, 1, 0);
    is("request_not_completed");
    says("Rank 1 leaves a request open: each needs a wait");
    posted(1, 5, VL_OP_IRECV, 0, 4, 33); /* the wrappers tell more */
    look(2, 1, 0);
    is("request_not_completed");
    says("Rank 1 leaves 1 request open, begun by MPI_Irecv (ring.c:33)");
}

static void a_refusal_names_the_argument(void **state)
{
    (void)state;
    beacon[0].error_call = call(VL_OP_RECV, 1, 7, 41);
    beacon[0].error = VL_REFUSED_TYPE;
    look(2, 0, 0);
    says("MPI refused the call of rank 0 to MPI_Recv (ring.c:41): the datatype was never made");
    beacon[0].error = 99;
    look(2, 0, 0);
    says("look at each of its arguments");
    beacon[0].error = VL_REFUSED_TYPE;
    beacon[0].error_call = call(VL_OP_NONE, 0, 0, 42); /* it has no wrapper */
    strcpy(beacon[0].error_name, "MPI_Type_vector");
    look(2, 0, 0);
    says("MPI refused the call of rank 0 to MPI_Type_vector (ring.c:42): the datatype");
    memset(beacon[0].error_name, 'x',
           sizeof beacon[0].error_name); /* who wrote it is not trusted */
    look(2, 0, 0);
    says("MPI refused the call of rank 0 to MPI (ring.c:42)");
    memcpy(beacon[0].error_name, "MPI_\033[1m", 9);
    look(2, 0, 0);
    says("rank 0 to MPI_ (ring.c:42)");
}

static void truncation_tells_both_sizes_if_it_can(void **state)
{
    (void)state;
    beacon[0].error = VL_REFUSED_TRUNCATED;
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
    beacon[0].error = VL_REFUSED_OTHER;
    look(2, 0, 0);
    is("mpi_error");
    says("MPI refused the call of rank 0 to MPI_Recv (ring.c:41): look at each");
    beacon[0].error_call.peer = 3;
    look(2, 0, 0);
    is("mpi_error");
    says(
        "Rank 0 names rank 3 as its partner in MPI_Recv (ring.c:41), but the ranks are numbered from 0 to 1");
    look(1, 0, 0);
    is("mpi_error");
    says("Rank 0 names rank 3 as its partner in MPI_Recv (ring.c:41), but no other rank runs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(good_manners_are_not_mentioned),
        TEST(open_ends_are_found),
        TEST(all_ranks_with_open_ends_are_named),
        TEST(all_ranks_whose_messages_were_not_received_are_named),
        TEST(a_request_that_only_mpi_knows_of_is_an_open_end),
        TEST(a_refusal_names_the_argument),
        TEST(truncation_tells_both_sizes_if_it_can),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
