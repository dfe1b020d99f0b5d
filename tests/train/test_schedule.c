#include "train/run/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

static const struct vl_rate_schedule plan = {.peak = 0.01, .warmup = 10, .horizon = 110};

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void rate_rises_in_a_straight_line_to_the_peak(void **state)
{
    (void)state;
    for (unsigned step = 1; step <= 10; step++)
        assert_near(vl_schedule_rate(&plan, step), 0.001 * step);
}

static void rate_falls_along_half_a_cosine_to_a_tenth(void **state)
{
    (void)state;
    assert_near(vl_schedule_rate(&plan, 60), 0.0055); /* half way: the middle of 1 and 0.1 */
    assert_near(vl_schedule_rate(&plan, 35), 0.001 + 0.009 * 0.5 * (1 + sqrt(0.5)));
    assert_near(vl_schedule_rate(&plan, 110), 0.001);
    for (unsigned step = 11; step <= 110; step++)
        assert_true(vl_schedule_rate(&plan, step) < vl_schedule_rate(&plan, step - 1));
}

static void rate_stays_at_its_floor_past_the_horizon(void **state)
{
    (void)state;
    assert_near(vl_schedule_rate(&plan, 111), 0.001);
    assert_near(vl_schedule_rate(&plan, 1000000), 0.001);
}

static void plan_without_warmup_or_with_nothing_else_is_finite(void **state)
{
    (void)state;
    const struct vl_rate_schedule sudden = {.peak = 1, .warmup = 0, .horizon = 10};
    const struct vl_rate_schedule rising = {.peak = 1, .warmup = 5, .horizon = 5};
    assert_near(vl_schedule_rate(&sudden, 10), 0.1);
    assert_true(vl_schedule_rate(&sudden, 1) > 0.9 && vl_schedule_rate(&sudden, 1) < 1);
    assert_near(vl_schedule_rate(&rising, 4), 0.8);
    assert_near(vl_schedule_rate(&rising, 5), 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_rises_in_a_straight_line_to_the_peak),
        cmocka_unit_test(rate_falls_along_half_a_cosine_to_a_tenth),
        cmocka_unit_test(rate_stays_at_its_floor_past_the_horizon),
        cmocka_unit_test(plan_without_warmup_or_with_nothing_else_is_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
