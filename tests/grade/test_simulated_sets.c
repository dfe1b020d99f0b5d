/*
 * The table that lab 10's last station is graded by: what every row has to be, and that the lab's
 * own planner passes every one of its sets, with the tolerances that the README states.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "grade/labs/10_bandwidth/bandwidth.h"
#include "grade/labs/10_bandwidth/simulated/sets.h"
#include "vialata/divisions.h"

enum { SETS = 200, LEAST_APART = 4 };
#define APART 1.35 /* the generator's rule: tests/simulate/make_sets.py */

static double planned(const struct vl_simulated_set *set, size_t layout)
{
    struct vl_forecast forecast;
    assert_int_equal(vl_forecast_make(&forecast, &set->setting, &set->layouts[layout]), VL_OK);
    return forecast.step.seconds;
}

static int is_simple(const struct vl_division *d)
{
    return d->tensor == 1 && d->pipeline == 1;
}

static void every_row_is_a_set_that_asks_something(void **state)
{
    (void)state;
    assert_int_equal(vl_simulated_count(), SETS);
    for (size_t i = 0; i < vl_simulated_count(); i++) {
        const struct vl_simulated_set set = vl_simulated_set(i);
        size_t apart = 0;
        for (size_t a = 0; a < VL_SIMULATED_LAYOUTS; a++) {
            const struct vl_division *d = &set.layouts[a];
            struct vl_forecast forecast;
            assert_int_equal(vl_forecast_make(&forecast, &set.setting, d), VL_OK);
            assert_true(forecast.fits);
            assert_true(d->tensor <= set.setting.cluster.domain);
            assert_int_equal(d->tensor * d->data * d->pipeline,
                             set.layouts[0].tensor * set.layouts[0].data * set.layouts[0].pipeline);
            assert_true(set.seconds[a] > 0);
            for (size_t b = 0; b < a; b++)
                apart += fmax(set.seconds[a], set.seconds[b]) >=
                         APART * fmin(set.seconds[a], set.seconds[b]);
        }
        assert_true(apart >= LEAST_APART);
        assert_true(is_simple(&set.layouts[VL_SIMULATED_SIMPLE]));
        assert_true(set.layouts[VL_SIMULATED_STAGED].pipeline > 1);
        assert_true(set.crossover > VL_SIMULATED_LOW && set.crossover < VL_SIMULATED_HIGH);
    }
}

/* The lab's text: nine steps in ten are off by a fifth at most, and none is twice too long. */
static void steps_are_off_by_what_the_text_says(void **state)
{
    size_t near = 0, all = SETS * VL_SIMULATED_LAYOUTS;
    double longest = 0, shortest = 1;
    (void)state;
    for (size_t i = 0; i < vl_simulated_count(); i++) {
        const struct vl_simulated_set set = vl_simulated_set(i);
        for (size_t a = 0; a < VL_SIMULATED_LAYOUTS; a++) {
            double ratio = planned(&set, a) / set.seconds[a];
            near += fabs(ratio - 1) <= 0.2;
            longest = fmax(longest, ratio);
            shortest = fmin(shortest, ratio);
        }
    }
    print_message("%zu of %zu steps are within a fifth; all from %.2f to %.2f\n", near, all,
                  shortest, longest);
    assert_true(10 * near >= 9 * all);
    assert_true(longest < 2 && shortest > 0.5);
}

/* How far a pair may be apart in the simulator while the planner has it the wrong way round: less
 * than what counts as a tie, in all sets. */
static void the_reference_orders_every_pair_that_is_no_tie(void **state)
{
    (void)state;
    size_t pairs = 0, apart = 0, wrong = 0;
    double furthest = 1;
    for (size_t i = 0; i < vl_simulated_count(); i++) {
        const struct vl_simulated_set set = vl_simulated_set(i);
        for (size_t a = 0; a < VL_SIMULATED_LAYOUTS; a++)
            for (size_t b = 0; b < VL_SIMULATED_LAYOUTS; b++) {
                double ratio = set.seconds[b] / set.seconds[a];
                pairs += ratio >= 1 && a != b;
                apart += ratio >= VL_SIMULATED_TIE;
                if (ratio > 1 && planned(&set, b) < planned(&set, a)) {
                    wrong++;
                    furthest = fmax(furthest, ratio);
                    if (ratio >= VL_SIMULATED_TIE)
                        print_message("set %zu: layouts %zu and %zu, %.3g and %.3g s\n", i, a, b,
                                      set.seconds[a], set.seconds[b]);
                }
            }
    }
    print_message("%zu of %zu pairs are no tie; %zu are the wrong way round, by %.3f at most\n",
                  apart, pairs, wrong, furthest);
    assert_true(furthest < VL_SIMULATED_TIE);
}

static void the_reference_finds_every_crossover_that_is_asked_for(void **state)
{
    (void)state;
    double furthest = 1;
    size_t asked = 0, all = vl_simulated_count();
    for (size_t i = 0; i < all; i++) {
        const struct vl_simulated_set set = vl_simulated_set(i);
        double found;
        if (!vl_choice_can_cross(i))
            continue;
        asked++;
        assert_int_equal(vl_divisions_crossover(&found, VL_SIMULATED_LOW, VL_SIMULATED_HIGH,
                                                &set.setting, &set.layouts[VL_SIMULATED_SIMPLE],
                                                &set.layouts[VL_SIMULATED_STAGED]),
                         VL_OK);
        double off = fmax(found / set.crossover, set.crossover / found);
        if (!(off <= VL_SIMULATED_FACTOR))
            print_message("set %zu: %.3g GB/s, simulated %.3g\n", i, found * 1e-9,
                          set.crossover * 1e-9);
        furthest = fmax(furthest, off);
    }
    print_message("%zu of %zu crossovers are asked for; they are within a factor of %.3f\n", asked,
                  all, furthest);
    assert_true(furthest <= VL_SIMULATED_FACTOR);
    assert_true(10 * asked >= 8 * all); /* else the planner would not be worth its lab */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_a_set_that_asks_something),
        cmocka_unit_test(steps_are_off_by_what_the_text_says),
        cmocka_unit_test(the_reference_orders_every_pair_that_is_no_tie),
        cmocka_unit_test(the_reference_finds_every_crossover_that_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
