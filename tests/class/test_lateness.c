#include "class/book/lateness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DAY 86400

static void assert_text(const struct vl_lateness *lateness, const char *told)
{
    char *text = vl_lateness_text(lateness);
    assert_string_equal(text, told);
    free(text);
}

static void local_times(void **state)
{
    (void)state;
    time_t at, other;
    char text[VL_DUE_TEXT];
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
    assert_true(vl_due_read(&at, "2026-12-01T18:00"));
    assert_int_equal(at, 1796144400); /* 17:00 UTC */
    assert_string_equal(vl_due_text(text, at), "2026-12-01 18:00 CET");
    assert_true(vl_due_read(&other, "2026-12-01 18:00:00"));
    assert_int_equal(at, other);
    assert_true(vl_due_read(&at, "2026-07-01T18:00")); /* summer time */
    assert_string_equal(vl_due_text(text, at), "2026-07-01 18:00 CEST");
    unsetenv("TZ");
    tzset();
}

static void what_is_no_time(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "tomorrow",
                                        "2026-12-01",
                                        "18:00",
                                        "2026-02-31T18:00",
                                        "2026-13-01T18:00",
                                        "2026-12-01T18:00+0100"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        time_t at;
        if (vl_due_read(&at, wrong[i]))
            fail_msg("`%s` was taken", wrong[i]);
    }
}

static void begun_days_count(void **state)
{
    (void)state;
    const struct vl_due due = {.at = 1000000};
    struct vl_lateness lateness = vl_lateness_of(&due, due.at, 3);
    assert_int_equal(lateness.days, 0);
    assert_text(&lateness, "");
    lateness = vl_lateness_of(&due, due.at + 1, 0);
    assert_int_equal(lateness.days, 1);
    assert_text(&lateness, "late by 1 day");
    lateness = vl_lateness_of(&due, due.at + DAY, 0);
    assert_int_equal(lateness.days, 1);
    lateness = vl_lateness_of(&due, due.at + DAY + 1, 3);
    assert_text(&lateness, "late by 2 days; 2 of 3 late days used");
    assert_true(lateness.kept == 1);
    assert_int_equal(vl_lateness_of(&(struct vl_due){0}, due.at, 0).days, 0); /* nothing is due */
    assert_int_equal(vl_lateness_of(&due, 0, 0).days, 0); /* nobody knows when */
}

static void days_beyond_cost_points(void **state)
{
    (void)state;
    const struct vl_due due = {.at = 1000000, .penalty = 0.1};
    struct vl_lateness lateness = vl_lateness_of(&due, due.at + 4 * DAY, 3);
    assert_int_equal(lateness.beyond, 1);
    assert_true(fabs(lateness.kept - 0.9) < 1e-9);
    assert_text(&lateness, "late by 4 days; 3 of 3 late days used; 1 day beyond them; 10% of the "
                           "points taken off");
    lateness = vl_lateness_of(&due, due.at + 3 * DAY, 3);
    assert_true(lateness.kept == 1);
    lateness = vl_lateness_of(&due, due.at + 400 * DAY, 3);
    assert_true(lateness.kept == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_times),
        cmocka_unit_test(what_is_no_time),
        cmocka_unit_test(begun_days_count),
        cmocka_unit_test(days_beyond_cost_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
