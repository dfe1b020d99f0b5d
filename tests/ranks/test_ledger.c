/*
 * The ledger: when a submission may use how much processor time.
 */
#include "ranks/ledger.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Two turns of 2 ms on two ranks, and 10 ms of processor time around them. */
static const struct vl_ledger usual = {
    .turn = {2e-3, 2e-3}, .in_turns = 8e-3, .resting = 4e-3, .elsewhere = 10e-3};

static enum vl_ledger_finding judge(const struct vl_ledger *submission)
{
    return vl_ledger_judge(submission, &usual, 2);
}

static void what_the_reference_does_is_clean(void **state)
{
    (void)state;
    assert_int_equal(judge(&usual), VL_LEDGER_CLEAN);
}

static void work_while_the_other_has_its_turn_is_found(void **state)
{
    (void)state;
    struct vl_ledger ledger = usual;
    ledger.while_resting = 1e-3;
    assert_int_equal(judge(&ledger), VL_LEDGER_ELSEWHERE);
}

static void half_of_the_work_moved_out_of_the_turns_is_found(void **state)
{
    (void)state;
    struct vl_ledger ledger = usual;
    ledger.turn[0] = ledger.turn[1] = 1e-3;
    ledger.in_turns -= 4e-3;
    ledger.elsewhere += 4e-3;
    assert_int_equal(judge(&ledger), VL_LEDGER_ELSEWHERE);
}

static void a_step_in_the_preparation_may_be_as_slow_as_one_in_a_turn(void **state)
{
    (void)state;
    struct vl_ledger ledger = usual;
    ledger.turn[0] = ledger.turn[1] = 6e-3;
    ledger.in_turns = 24e-3;
    ledger.elsewhere += 16e-3; /* two more steps, on two ranks, 4 ms slower */
    assert_int_equal(judge(&ledger), VL_LEDGER_ELSEWHERE);
    ledger.steps = true;
    assert_int_equal(judge(&ledger), VL_LEDGER_CLEAN);
}

static void more_processor_time_than_the_cores_have_is_found(void **state)
{
    (void)state;
    struct vl_ledger ledger = usual;
    ledger.in_turns = 12e-3;
    assert_int_equal(judge(&ledger), VL_LEDGER_THREADS);
}

static void leaving_its_core_is_found(void **state)
{
    (void)state;
    struct vl_ledger ledger = usual;
    ledger.moved = true;
    assert_int_equal(judge(&ledger), VL_LEDGER_THREADS);
}

static void time_that_could_not_be_read_is_not_clean(void **state)
{
    (void)state;
    struct vl_ledger ledger = usual;
    ledger.elsewhere = NAN;
    assert_int_equal(judge(&ledger), VL_LEDGER_ELSEWHERE);
    ledger = usual;
    ledger.in_turns = NAN;
    assert_int_equal(judge(&ledger), VL_LEDGER_THREADS);
}

static void a_turn_counts_no_less_than_the_average_one(void **state)
{
    (void)state;
    struct vl_ledger ledger = usual;
    ledger.turn[0] = 3.9e-3;
    ledger.turn[1] = 0.1e-3;
    assert_true(vl_ledger_turn(&ledger, 0, 2) == 3.9e-3);
    assert_true(fabs(vl_ledger_turn(&ledger, 1, 2) - 2e-3) < 1e-12);
}

static void noise_accuses_nobody(void **state)
{
    (void)state;
    assert_false(vl_ledger_accuses(5, 0));
    assert_false(vl_ledger_accuses(1, 9)); /* few pairs: one clean one is enough */
    assert_false(vl_ledger_accuses(10, 5));
    assert_false(vl_ledger_accuses(6, 9));
}

static void nearly_every_pair_accuses(void **state)
{
    (void)state;
    assert_true(vl_ledger_accuses(0, 3));
    assert_true(vl_ledger_accuses(5, 10));
    assert_true(vl_ledger_accuses(1, 14));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_reference_does_is_clean),
        cmocka_unit_test(work_while_the_other_has_its_turn_is_found),
        cmocka_unit_test(half_of_the_work_moved_out_of_the_turns_is_found),
        cmocka_unit_test(a_step_in_the_preparation_may_be_as_slow_as_one_in_a_turn),
        cmocka_unit_test(more_processor_time_than_the_cores_have_is_found),
        cmocka_unit_test(leaving_its_core_is_found),
        cmocka_unit_test(time_that_could_not_be_read_is_not_clean),
        cmocka_unit_test(a_turn_counts_no_less_than_the_average_one),
        cmocka_unit_test(noise_accuses_nobody),
        cmocka_unit_test(nearly_every_pair_accuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
