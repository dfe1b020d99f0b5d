/* How far an answer is from the truth: |answer - truth| / |truth|, also where squares leave a double's range. */
#include "grade/judge/compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static struct vl_tensor_entry of(const double *numbers, size_t count)
{
    return (struct vl_tensor_entry){
        .name = "y", .dtype = VL_F64, .dims = 1, .shape = {count}, .count = count, .data = numbers};
}

static struct vl_comparison compare(const double *got, const double *truth, size_t count,
                                    double floor)
{
    struct vl_tensor_entry answer = of(got, count), expected = of(truth, count);
    return vl_compare(&answer, &expected, &expected, floor);
}

/* 3-4-5: the difference has norm 5 units, the truth 10. */
static void check_error(double unit)
{
    const double truth[] = {6 * unit, 8 * unit, 0}, got[] = {6 * unit, 5 * unit, 4 * unit};
    struct vl_comparison c = compare(got, truth, 3, 0);
    assert_float_equal(c.error, 0.5, 1e-12);
    assert_int_equal(c.worst, 2);
}

static void an_error_is_relative_to_the_truth(void **state)
{
    (void)state;
    check_error(1);
    check_error(1e-30);
}

static void squares_may_be_too_large_or_too_small(void **state)
{
    (void)state;
    check_error(1e300);
    check_error(1e200);
    check_error(1e-170);
    check_error(1e-300);
    const double truth[] = {1, 1}, got[] = {1 + 1e-15, 1e200};
    assert_true(compare(got, truth, 2, 0).error > 1e199);
}

static void what_is_equal_has_no_error(void **state)
{
    (void)state;
    const double truth[] = {0, 1e-320, 1e308}, nothing[] = {0, 0};
    assert_true(compare(truth, truth, 3, 0).error == 0);
    assert_true(compare(nothing, nothing, 2, 1e-6).error == 0);
    assert_true(compare(nothing, nothing, 0, 1e-6).error == 0);
}

static void nothing_is_smaller_than_the_floor(void **state)
{
    (void)state;
    const double truth[] = {0, 0}, got[] = {3e-6, 4e-6};
    assert_float_equal(compare(got, truth, 2, 1e-3).error, 5e-3, 1e-12);
    assert_true(isinf(compare(got, truth, 2, 0).error));
}

static void what_one_side_alone_has_finite_is_infinitely_wrong(void **state)
{
    (void)state;
    const double truth[] = {1, 2, INFINITY}, got[] = {1, NAN, INFINITY};
    struct vl_comparison c = compare(got, truth, 3, 0);
    assert_true(isinf(c.error));
    assert_int_equal(c.worst, 1);
    const double far[] = {1, -1.7e308}, away[] = {1, 1.7e308}; /* no double is so far */
    c = compare(far, away, 2, 0);
    assert_true(isinf(c.error));
    assert_int_equal(c.worst, 1);
}

static void an_element_without_a_truth_does_not_count(void **state)
{
    (void)state;
    const double truth[] = {NAN, 2}, got[] = {17, 2};
    assert_true(compare(got, truth, 2, 0).error == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_is_relative_to_the_truth),
        cmocka_unit_test(squares_may_be_too_large_or_too_small),
        cmocka_unit_test(what_is_equal_has_no_error),
        cmocka_unit_test(nothing_is_smaller_than_the_floor),
        cmocka_unit_test(what_one_side_alone_has_finite_is_infinitely_wrong),
        cmocka_unit_test(an_element_without_a_truth_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
