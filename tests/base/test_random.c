/* Random numbers by counting. The figures below were computed apart, with Python's integers:
 * whoever changes them changes every grading seed and every training run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/random.h"

static void bits_are_those_of_every_machine(void **state)
{
    (void)state;
    assert_true(vl_random_bits(0, 0, 0) == 0xe5fcf23cc62b8be0u);
    assert_true(vl_random_bits(1, 2, 3) == 0xe5021f3d1be36d47u);
    assert_true(vl_random_below(1000, 1, 2, 3) == 894);
    assert_true(vl_random_uniform(1, 2, 3) == 0x1.ca043e7a37c6dp-1);
    assert_true(vl_random_normal(1, 2, 3) == -0.759307861328125f);
}

static void seed_stream_and_index_each_matter(void **state)
{
    (void)state;
    uint64_t here = vl_random_bits(7, 7, 7);
    assert_true(here != vl_random_bits(8, 7, 7));
    assert_true(here != vl_random_bits(7, 8, 7));
    assert_true(here != vl_random_bits(7, 7, 8));
}

static void normal_numbers_have_mean_zero_and_variance_one(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        double x = (double)vl_random_normal(3, 1, i);
        assert_true(fabs(x) <= 6);
        sum += x;
        squares += x * x;
    }
    /* Five standard errors: 1 / sqrt(n) of the mean, sqrt(2 / n) of the variance. */
    assert_true(fabs(sum / COUNT) < 5 / sqrt((double)COUNT));
    assert_true(fabs(squares / COUNT - 1) < 5 * sqrt(2.0 / COUNT));
}

static void integers_stay_below_and_reach_every_value(void **state)
{
    (void)state;
    int seen[7] = {0};
    for (uint64_t i = 0; i < 7000; i++) {
        uint64_t x = vl_random_below(7, 4, 0, i);
        assert_true(x < 7);
        seen[x]++;
    }
    for (int k = 0; k < 7; k++) /* 1000 expected, standard deviation 29 */
        assert_true(seen[k] > 850 && seen[k] < 1150);
}

static void a_fill_continues_where_another_ended(void **state)
{
    (void)state;
    float whole[10], parts[10];
    vl_random_fill_normal(whole, 10, 0.5f, 9, 2, 0);
    vl_random_fill_normal(parts, 4, 0.5f, 9, 2, 0);
    vl_random_fill_normal(parts + 4, 6, 0.5f, 9, 2, 4);
    assert_memory_equal(whole, parts, sizeof whole);
    assert_true(whole[3] == 0.5f * vl_random_normal(9, 2, 3));
}

static void a_fill_has_the_numbers_of_its_stream(void **state)
{
    (void)state;
    uint8_t whole[300];
    vl_random_fill_below(whole, sizeof whole, 238, 9, 2);
    for (size_t i = 0; i < sizeof whole; i++)
        assert_int_equal(whole[i], vl_random_below(238, 9, 2, i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_those_of_every_machine),
        cmocka_unit_test(seed_stream_and_index_each_matter),
        cmocka_unit_test(normal_numbers_have_mean_zero_and_variance_one),
        cmocka_unit_test(integers_stay_below_and_reach_every_value),
        cmocka_unit_test(a_fill_continues_where_another_ended),
        cmocka_unit_test(a_fill_has_the_numbers_of_its_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
