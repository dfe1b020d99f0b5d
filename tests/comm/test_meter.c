/* The meter's table, without MPI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "comm/count.h"
#include "comm/meter.h"
#include "wire/board.h"

static void count(uint32_t communicator, uint32_t operation, uint64_t bytes)
{
    vl_meter_count(&(struct vl_meter_row){.communicator = communicator,
                                          .operation = operation,
                                          .calls = 1,
                                          .sent_messages = 1,
                                          .sent_bytes = bytes,
                                          .received_messages = 2,
                                          .received_bytes = 3 * bytes});
}

static void rows_are_apart_by_communicator_and_operation(void **state)
{
    (void)state;
    vl_meter_reset();
    count(0, VL_OP_SEND, 10);
    count(7, VL_OP_SEND, 20);
    count(0, VL_OP_ISEND, 30);
    count(0, VL_OP_SEND, 40);
    const struct vl_meter *meter = vl_meter_now();
    assert_int_equal(meter->row_count, 3);
    assert_int_equal(vl_meter_row(0, VL_OP_SEND)->calls, 2);
    assert_int_equal(vl_meter_row(0, VL_OP_SEND)->sent_bytes, 50);
    assert_int_equal(vl_meter_row(0, VL_OP_SEND)->received_messages, 4);
    assert_int_equal(vl_meter_row(7, VL_OP_SEND)->received_bytes, 60);
    assert_int_equal(vl_meter_row(0, VL_OP_ISEND)->sent_messages, 1);
    assert_int_equal(meter->total.calls, 4);
    assert_int_equal(meter->total.sent_bytes, 100);
}

/* Rows with the same hint must not be confused. */
static void rows_stay_apart_when_they_alternate(void **state)
{
    (void)state;
    vl_meter_reset();
    for (int i = 0; i < 10; i++)
        for (uint32_t k = 0; k < 8; k++)
            count(32 * k, VL_OP_SEND, k);
    for (uint32_t k = 0; k < 8; k++) {
        assert_int_equal(vl_meter_row(32 * k, VL_OP_SEND)->calls, 10);
        assert_int_equal(vl_meter_row(32 * k, VL_OP_SEND)->sent_bytes, 10 * k);
    }
}

/* What leaves for others: a message is known, and a collective has two bounds. */
static void bytes_for_others_are_counted_apart(void **state)
{
    (void)state;
    vl_meter_reset();
    count(0, VL_OP_SEND, 10); /* to this rank itself, for all that the table knows */
    vl_meter_message(100, false);
    vl_meter_collective(1000, 4);
    vl_meter_collective(1000, 1);
    assert_int_equal(vl_meter_now()->wire.least, 100);
    assert_int_equal(vl_meter_now()->wire.most, 100 + 3 * 1000);
    assert_int_equal(vl_meter_now()->wire.messages, 1 + 3 * 2);
    vl_meter_reset();
    assert_int_equal(vl_meter_now()->wire.most, 0);
}

/* What MPI adds to a message depends on how it goes, not on whether it carries data. */
static void what_mpi_adds_is_known_for_each_message(void **state)
{
    (void)state;
    const uint64_t *added = &vl_meter_now()->wire.added;
    vl_meter_reset();
    vl_meter_message(0, false);
    assert_in_range(*added, 22, 24);
    vl_meter_reset();
    vl_meter_message(0, true);
    assert_in_range(*added, 88, 92);
    vl_meter_reset();
    vl_meter_message(4096, false);
    vl_meter_message(1 << 20, true);
    assert_in_range(*added, 2 * 160, 2 * VL_BOARD_MOST_ADDED);
}

/* MPI_Bcast sends 300 KiB in pieces of one. */
static void what_mpi_adds_to_the_pieces_of_a_collective_is_known(void **state)
{
    (void)state;
    vl_meter_reset();
    vl_meter_collective(300 << 10, 4);
    assert_true(vl_meter_now()->wire.messages >= 3 * 300);
    assert_in_range(vl_meter_now()->wire.added, 3 * 300 * 22, 3 * 300 * 24 + 6 * 176);
}

/* Nobody needs thousands of collectives in a case; what they add is only known at most. */
static void what_mpi_adds_to_collectives_has_an_end(void **state)
{
    (void)state;
    vl_meter_reset();
    for (int i = 0; i < VL_METER_COLLECTIVES; i++)
        vl_meter_collective(4, 2);
    uint64_t added = vl_meter_now()->wire.added;
    assert_in_range(added, 22 * VL_METER_COLLECTIVES, 2 * 24 * VL_METER_COLLECTIVES);
    vl_meter_collective(4, 2);
    assert_int_equal(vl_meter_now()->wire.added, added);
    assert_int_equal(vl_meter_now()->wire.most, 4 * (VL_METER_COLLECTIVES + 1));
}

static void full_table_still_adds_to_the_total(void **state)
{
    (void)state;
    vl_meter_reset();
    for (uint32_t k = 0; k < VL_METER_ROWS + 5; k++)
        count(k, VL_OP_RECV, 1);
    assert_int_equal(vl_meter_now()->row_count, VL_METER_ROWS);
    assert_int_equal(vl_meter_now()->total.calls, VL_METER_ROWS + 5);
    assert_null(vl_meter_row(VL_METER_ROWS, VL_OP_RECV));
}

static void reset_leaves_nothing(void **state)
{
    (void)state;
    count(1, VL_OP_SEND, 5);
    vl_meter_reset();
    assert_int_equal(vl_meter_now()->row_count, 0);
    assert_int_equal(vl_meter_now()->total.sent_bytes, 0);
    count(2, VL_OP_SEND, 6); /* on a row that a stale hint may point to */
    assert_int_equal(vl_meter_row(2, VL_OP_SEND)->sent_bytes, 6);
}

static void every_operation_has_a_name(void **state)
{
    (void)state;
    for (uint32_t operation = 0; operation < VL_OPERATIONS; operation++)
        assert_string_not_equal(vl_operation_name(operation), "?");
    assert_string_equal(vl_operation_name(VL_OPERATIONS), "?");
    assert_true(vl_operation_is_collective(VL_OP_SCAN));
    assert_true(vl_operation_is_collective(VL_OP_VL_ALL_REDUCE));
    assert_false(vl_operation_is_collective(VL_OP_VL_FINISH));
    assert_false(vl_operation_is_collective(VL_OP_PROBE));
}

static void new_case_begins_with_an_empty_beacon(void **state)
{
    (void)state;
    static struct vl_beacon beacon;
    vl_beacon_use(&beacon);
    beacon.requests_open = 3;
    vl_beacon_begin(0, 0);
    assert_ptr_equal(vl_beacon_mine(), &beacon);
    assert_int_equal(beacon.phase, VL_PHASE_INSIDE);
    assert_int_equal(beacon.requests_open, 0);
    vl_beacon_end(5);
    assert_int_equal(beacon.phase, VL_PHASE_RETURNED);
    assert_int_equal(beacon.status, 5);
    vl_beacon_use(NULL);
    assert_ptr_not_equal(vl_beacon_mine(), &beacon);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_apart_by_communicator_and_operation),
        cmocka_unit_test(rows_stay_apart_when_they_alternate),
        cmocka_unit_test(bytes_for_others_are_counted_apart),
        cmocka_unit_test(what_mpi_adds_is_known_for_each_message),
        cmocka_unit_test(what_mpi_adds_to_the_pieces_of_a_collective_is_known),
        cmocka_unit_test(what_mpi_adds_to_collectives_has_an_end),
        cmocka_unit_test(full_table_still_adds_to_the_total),
        cmocka_unit_test(reset_leaves_nothing),
        cmocka_unit_test(every_operation_has_a_name),
        cmocka_unit_test(new_case_begins_with_an_empty_beacon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
