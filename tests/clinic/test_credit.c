/*
 * Partial credit, causes by name, and repairs of a text.
 */
#include "clinic/credit.h"
#include "clinic/repair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const char program[] = "one\ntwo\nthree\nfour wrong line\nfive\nsix\nseven\n";

static const struct vl_clinic_case item = {
    .ranks = 4,
    .who = VL_CLINIC_RANK(1) | VL_CLINIC_RANK(3),
    .places = {"wrong line"},
    .cause = VL_CAUSE_WRONG_TAG,
    .close = VL_CAUSE_WRONG_ORDER,
    .repairs = {{"wrong", "right"}, {"two", "2"}},
};

static struct vl_credit credit_of(uint32_t who, int line, enum vl_cause cause)
{
    return vl_credit_of(&item, program, &(struct vl_diagnosis){who, line, cause});
}

static void ranks_named_in_part_earn_half(void **state)
{
    (void)state;
    const uint32_t one = VL_CLINIC_RANK(1), both = one | VL_CLINIC_RANK(3);
    assert_int_equal(credit_of(both, 0, VL_CAUSE_NONE).ranks, 15);
    assert_int_equal(credit_of(one, 0, VL_CAUSE_NONE).ranks, 7);
    assert_int_equal(credit_of(VL_CLINIC_ALL, 0, VL_CAUSE_NONE).ranks, 7);
    assert_int_equal(credit_of(VL_CLINIC_RANK(0), 0, VL_CAUSE_NONE).ranks, 0);
    assert_int_equal(credit_of(both | VL_CLINIC_RANK(9), 0, VL_CAUSE_NONE).ranks, 7);
}

static void all_ranks_may_be_named_one_by_one(void **state)
{
    (void)state;
    struct vl_clinic_case all = item;
    all.who = VL_CLINIC_ALL;
    const struct vl_diagnosis each = {.who = 15, .line = 4, .cause = VL_CAUSE_WRONG_TAG};
    const struct vl_diagnosis three = {.who = 7, .line = 4, .cause = VL_CAUSE_WRONG_TAG};
    assert_int_equal(vl_credit_of(&all, program, &each).ranks, 15);
    assert_int_equal(vl_credit_of(&all, program, &three).ranks, 7);
}

static void a_line_nearby_earns_half(void **state)
{
    (void)state;
    static const int earned[] = {0, 0, 10, 10, 20, 10, 10, 0};
    for (int line = 1; line <= 7; line++)
        assert_int_equal(credit_of(0, line, VL_CAUSE_NONE).line, earned[line]);
}

static void a_cause_that_is_close_earns_half(void **state)
{
    (void)state;
    assert_int_equal(credit_of(0, 0, VL_CAUSE_WRONG_TAG).cause, 25);
    assert_int_equal(credit_of(0, 0, VL_CAUSE_WRONG_ORDER).cause, 12);
    assert_int_equal(credit_of(0, 0, VL_CAUSE_WRONG_PEER).cause, 0);
}

static void earlier_tries_and_the_report_cost_something(void **state)
{
    (void)state;
    const struct vl_credit whole = {15, 20, 25}, some = {0, 10, 12}, none = {0};
    assert_int_equal(vl_credit_points(&whole, 0, false), 60);
    assert_int_equal(vl_credit_points(&whole, 2, false), 50);
    assert_int_equal(vl_credit_points(&whole, 2, true), 35);
    assert_int_equal(vl_credit_points(&whole, 1000000000, true), 20);
    assert_int_equal(vl_credit_points(&some, 0, false), 22);
    assert_int_equal(vl_credit_points(&some, 3, true), 7);
    assert_int_equal(vl_credit_points(&none, 0, false), 0);
}

static void causes_are_found_by_name(void **state)
{
    (void)state;
    for (int cause = VL_CAUSE_NONE + 1; cause < VL_CAUSES; cause++) {
        assert_non_null(vl_cause_meaning((enum vl_cause)cause));
        assert_int_equal(vl_cause_named(vl_cause_name((enum vl_cause)cause)), cause);
    }
    assert_int_equal(vl_cause_named("wrong-tag"), VL_CAUSE_WRONG_TAG);
    assert_int_equal(vl_cause_named("wrong_ta"), VL_CAUSE_NONE);
    assert_int_equal(vl_cause_named("wrong_tags"), VL_CAUSE_NONE);
    assert_int_equal(vl_cause_named(""), VL_CAUSE_NONE);
}

static void repairs_replace_what_is_there(void **state)
{
    (void)state;
    char *text = NULL;
    assert_int_equal(vl_clinic_repair(&text, &item, program), VL_OK);
    assert_string_equal(text, "one\n2\nthree\nfour right line\nfive\nsix\nseven\n");
    free(text);
    assert_int_equal(vl_clinic_repair(&text, &item, "two"), VL_EFORMAT);
    assert_null(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_named_in_part_earn_half),
        cmocka_unit_test(all_ranks_may_be_named_one_by_one),
        cmocka_unit_test(a_line_nearby_earns_half),
        cmocka_unit_test(a_cause_that_is_close_earns_half),
        cmocka_unit_test(earlier_tries_and_the_report_cost_something),
        cmocka_unit_test(causes_are_found_by_name),
        cmocka_unit_test(repairs_replace_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
