/* Messages that the two sides call by different types. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "beacons.h"

static void note(struct vl_beacon_types *types, uint32_t type, uint32_t operation, uint64_t line)
{
    types->kinds[vl_element_kind(type)]++;
    types->type = type;
    types->operation = operation;
    types->address = line;
}

/* A message from rank 0 to rank 1, whose ends call it by these types. */
static void came(uint32_t sent_as, uint32_t received_as)
{
    program = true;
    sent(0, 1, 7);
    received(1, 0, 7);
    note(&channel(0, 1, 7)->out, sent_as, VL_OP_ISEND, 41);
    note(&channel(1, 0, 7)->in, received_as, VL_OP_RECV, 42);
}

static void a_real_number_is_no_whole_one(void **state)
{
    (void)state;
    came(VL_TYPE_FLOAT, VL_TYPE_INT);
    look(2, VL_FINISHED, 0);
    is("message_type");
    says("Rank 0 sends with MPI_FLOAT in MPI_Isend (ring.c:41)");
    says("rank 1 receives it with MPI_INT in MPI_Recv (ring.c:42)");
}

static void names_of_the_same_numbers_are_the_same(void **state)
{
    (void)state;
    came(VL_TYPE_LONG, VL_TYPE_UINT64_T);
    look(2, VL_FINISHED, 0);
    assert_null(found.code);
}

static void what_is_unknown_accuses_nobody(void **state)
{
    (void)state;
    came(VL_TYPE_FLOAT, VL_TYPE_UNKNOWN);
    look(2, VL_FINISHED, 0);
    assert_null(found.code);
    channel(1, 0, 7)->in = channel(0, 1, 7)->out;
    channel(1, 0, 7)->in.type = 4000000000u; /* whatever a program may write there */
    channel(1, 0, 7)->in.kinds[VL_ELEMENT_REAL_4] = 2;
    look(2, VL_FINISHED, 0);
    assert_null(found.code);
}

static void the_order_of_messages_does_not_matter(void **state)
{
    (void)state;
    came(VL_TYPE_FLOAT, VL_TYPE_DOUBLE);
    came(VL_TYPE_DOUBLE, VL_TYPE_FLOAT);
    look(2, VL_FINISHED, 0);
    assert_null(found.code);
}

static void a_message_on_its_way_is_not_compared(void **state)
{
    (void)state;
    came(VL_TYPE_FLOAT, VL_TYPE_INT);
    sent(0, 1, 7);
    look(2, VL_FINISHED, 0);
    is("message_not_received");
}

static void collectives_name_one_type(void **state)
{
    (void)state;
    for (int rank = 0; rank < 3; rank++)
        collective(rank, VL_OP_BCAST, 4)->type = rank == 1 ? VL_TYPE_FLOAT : VL_TYPE_INT;
    look(3, VL_FINISHED, 0);
    is("collective_count");
    says(
        "Rank 1 calls MPI_Bcast (ring.c:4) with MPI_FLOAT, but rank 0 calls MPI_Bcast (ring.c:4) with MPI_INT");
    beacon[1].collective[0].count = 0;
    beacon[0].collective[0].count = beacon[2].collective[0].count = 0; /* nothing is sent */
    look(3, VL_FINISHED, 0);
    assert_null(found.code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_real_number_is_no_whole_one),        TEST(names_of_the_same_numbers_are_the_same),
        TEST(what_is_unknown_accuses_nobody),       TEST(the_order_of_messages_does_not_matter),
        TEST(a_message_on_its_way_is_not_compared), TEST(collectives_name_one_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
