/*
 * The load: how much more time a busy machine gives, and to whom.
 */
#include "sandbox/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_machine_with_a_core_for_each_gives_no_more_time(void **state)
{
    (void)state;
    assert_true(vl_load_of(0.2, 0, 2) == 1);
    assert_true(vl_load_of(2, 2, 2) == 1);
}

static void other_work_gives_more_time(void **state)
{
    (void)state;
    assert_true(vl_load_of(8, 8, 2) == 4);
    assert_true(vl_load_of(300, 300, 2) == VL_LOAD_MOST);
}

static void a_minute_that_is_over_gives_no_more_time(void **state)
{
    (void)state;
    assert_true(vl_load_of(22, 1, 2) == 1);
    assert_true(vl_load_of(1, 16, 2) == 1);
}

static void without_a_count_of_now_the_minute_counts(void **state)
{
    (void)state;
    assert_true(vl_load_of(8, -1, 2) == 4);
}

static void this_machine_has_a_load(void **state)
{
    (void)state;
    double load = vl_load_average();
    assert_true(load >= 1 && load <= VL_LOAD_MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_with_a_core_for_each_gives_no_more_time),
        cmocka_unit_test(other_work_gives_more_time),
        cmocka_unit_test(a_minute_that_is_over_gives_no_more_time),
        cmocka_unit_test(without_a_count_of_now_the_minute_counts),
        cmocka_unit_test(this_machine_has_a_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
