/*
 * The reference of lab 10: the crossover, compared with one found by a scan, and the search.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "oracle/planner.h"
#include "planned.h"

/* ---- the crossover ---- */

struct rivals {
    double needed; /* without: (1 + needed / bandwidth) times as long */
    int calls;
    enum vl_status answer;
};

static enum vl_status two_curves(void *context, double *without, double *of_all, double bandwidth)
{
    struct rivals *r = context;
    r->calls++;
    *of_all = 3 + 1e9 / bandwidth;
    *without = bandwidth < 2e9 ? INFINITY : *of_all * (1 + r->needed / bandwidth);
    return r->answer;
}

static double without_of(void *context, double bandwidth)
{
    double without, of_all;
    two_curves(context, &without, &of_all, bandwidth);
    return without;
}

static double all_of(void *context, double bandwidth)
{
    double without, of_all;
    two_curves(context, &without, &of_all, bandwidth);
    return of_all;
}

static double crossover_of(struct rivals *r, double low, double high, double slack)
{
    const struct vl_rivals rivals = {r, two_curves};
    double bandwidth = -1;
    r->calls = 0;
    assert_int_equal(vl_crossover(&bandwidth, low, high, slack, &rivals), VL_OK);
    assert_in_range(r->calls, 1, 40);
    return bandwidth;
}

static void the_crossover_is_the_least_bandwidth_at_which_it_holds(void **state)
{
    (void)state;
    static const double needed[] = {3e8, 1e9, 1.234e10, 9e11};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        for (int percent = 1; percent <= 20; percent += 6) {
            struct rivals r = {.needed = needed[i]};
            double slack = percent / 100.0, exact = fmax(2e9, needed[i] / slack);
            double found = crossover_of(&r, 1e8, 1e14, slack);
            assert_true(found >= exact * (1 - 1e-9) && found <= exact * 1.0010001);
            double scanned = vl_oracle_crossover(1e8, 1e14, slack, without_of, all_of, &r);
            assert_true(fabs(scanned / exact - 1) < 1.1e-4);
        }
}

static void the_crossovers_edges_are_those_of_the_header(void **state)
{
    (void)state;
    struct rivals r = {.needed = 1e9};
    assert_true(crossover_of(&r, 3e10, 1e12, 0.1) == 3e10); /* there already */
    assert_true(isinf(crossover_of(&r, 1e8, 9e9, 0.1)));    /* never */
    assert_true(crossover_of(&r, 5e12, 5e12, 0.1) == 5e12); /* one point only, at which it holds */
    assert_true(isinf(crossover_of(&r, 5e12, 5e12, 0)));    /* and at which it does not */
    const struct vl_rivals rivals = {&r, two_curves};
    double bandwidth;
    assert_int_equal(vl_crossover(&bandwidth, 0, 1, 0.1, &rivals), VL_EINVAL);
    assert_int_equal(vl_crossover(&bandwidth, 2, 1, 0.1, &rivals), VL_EINVAL);
    assert_int_equal(vl_crossover(&bandwidth, 1, 2, -0.1, &rivals), VL_EINVAL);
    assert_int_equal(vl_crossover(&bandwidth, NAN, 2, 0.1, &rivals), VL_EINVAL);
    r.answer = VL_ENOMEM;
    assert_int_equal(vl_crossover(&bandwidth, 1, 2, 0.1, &rivals), VL_ENOMEM);
}

/* ---- the search ---- */

static void the_search_finds_the_best_of_all_it_tries(void **state)
{
    (void)state;
    enum { CAPACITY = 5000 };
    static struct vl_forecast all[CAPACITY], few[3];
    for (uint64_t i = 0; i < 20; i++) {
        struct draws draws = {1000 + i, 0};
        struct vl_setting s = draw_setting(&draws);
        struct vl_search search = {draw(&draws, 1, 24), 0, 0};
        size_t n, some;
        assert_int_equal(vl_forecast_search(all, &n, CAPACITY, &s, &search), VL_OK);
        assert_true(n < CAPACITY);
        for (size_t k = 0; k < n; k++) {
            const struct vl_division *d = &all[k].division;
            assert_int_equal(d->tensor * d->expert * d->data * d->pipeline, search.chips);
            assert_int_equal(vl_division_check(&s, d), VL_OK);
            assert_true(all[k].fits);
            assert_true(k == 0 || all[k - 1].step.seconds <= all[k].step.seconds);
        }
        assert_int_equal(vl_forecast_search(few, &some, 3, &s, &search), VL_OK);
        assert_int_equal(some, n < 3 ? n : 3);
        for (size_t k = 0; k < some; k++)
            assert_memory_equal(&few[k].division, &all[k].division, sizeof few[k].division);
        search.most_pipeline = 1;
        assert_int_equal(vl_forecast_search(few, &some, 1, &s, &search), VL_OK);
        size_t first = 0;
        while (first < n && all[first].division.pipeline > 1)
            first++;
        assert_int_equal(some, first < n);
        assert_true(some == 0 || few[0].step.seconds == all[first].step.seconds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_crossover_is_the_least_bandwidth_at_which_it_holds),
        cmocka_unit_test(the_crossovers_edges_are_those_of_the_header),
        cmocka_unit_test(the_search_finds_the_best_of_all_it_tries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
