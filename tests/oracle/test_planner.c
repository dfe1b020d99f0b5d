/*
 * The planner's oracle against numbers worked out by hand, on a model small enough for that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "oracle/planner.h"

/* Three layers, the first dense; latent attention; 4 experts, 2 for a token, and a shared one. */
static const struct vl_setting small = {
    .model = {.layers = 3,
              .dense_layers = 1,
              .width = 10,
              .heads = 2,
              .key_width = 5,
              .value_width = 3,
              .rope_width = 1,
              .query_rank = 4,
              .latent_rank = 6,
              .ff = 20,
              .expert_ff = 7,
              .experts = 4,
              .chosen = 2,
              .shared = 1,
              .vocabulary = 50,
              .sequence = 8},
    .recipe = {.batch = 9,
               .weight_bytes = 2,
               .gradient_bytes = 4,
               .optimizer_bytes = 12,
               .kept_bytes = 2,
               .element_bytes = 2,
               .dispatch_bytes = 1,
               .combine_bytes = 2,
               .domains_met = 1},
    .cluster = {.peak = 1e6,
                .efficiency = 0.5,
                .memory_bytes = 1e6,
                .hidden = 0.5,
                .domain = 4,
                .inner = {0.5, 100},
                .outer = {2, 10}},
};

static void assert_is(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g, not %.17g", got, expected);
}

/* Attention: 10x4 + 4x10 queries, 10x(6+1) down, 6x2x(4+3) up, 6x10 out: 294; gains 10+10+4+6. */
static void parameters_are_those_on_paper(void **state)
{
    (void)state;
    double all, active;
    vl_oracle_plan_parameters(&all, &active, &small.model);
    assert_is(all, 3 * (294 + 30) + 600 + 2 * (40 + 5 * 210) + 2 * 500 + 10);
    assert_is(active, 3 * 294 + 600 + 2 * (40 + 3 * 210) + 500);
}

static void flops_are_those_on_paper(void **state)
{
    (void)state;
    double useful, again;
    vl_oracle_plan_flops(&useful, &again, &small.model, VL_KEEP_SELECTED);
    assert_is(useful, 6 * 3322.0 + 3 * 3 * 2 * 2.0 * 8 * (5 + 3));
    assert_is(again, 3 * 2 * (4 * 10 + 6 * 2 * (4 + 3)));
    vl_oracle_plan_flops(&useful, &again, &small.model, VL_KEEP_INPUT);
    assert_is(again, 2 * (3322.0 - 500) + 3 * 2 * 2.0 * 8 * (5 + 3));
}

/* Two stages of two layers and one: the chip looked at has two with experts and the embedding. */
static void a_chip_is_that_on_paper(void **state)
{
    (void)state;
    const struct vl_division d = {2, 2, 2, 2, 1, 2, 2, VL_KEEP_SELECTED};
    struct vl_oracle_chip chip;
    vl_oracle_plan_chip(&chip, &small.model, &d);
    assert_int_equal(chip.expert_layers, 2);
    assert_int_equal(chip.dense_layers, 0);
    assert_is(chip.common, (2 * (324 + 40 + 210) + 500) / 2.0);
    assert_is(chip.experts, 2 * 4 * 210 / 4.0);
    assert_is(chip.unit, (324 + 40 + 210) / 2.0 + 4 * 210 / 4.0);
    assert_is(vl_oracle_plan_state_bytes(&chip, &small.recipe, &d),
              824 * (2 + 4 / 4.0 + 12 / 4.0) + 420 * (2 + 4 / 2.0 + 12 / 2.0) + 497 * 4);
    /* 9 sequences, 4 replicas, 2 micro-batches: 2 at most. Kept in a layer: x and mid 20, latents
     * 11, attention 6, rows 20, gate and up 42. Again: normed 20, q k v 26, active 21. */
    assert_int_equal(vl_oracle_plan_rows(&small.recipe, &d), 2);
    assert_is(vl_oracle_plan_kept_bytes(&chip, &small, &d),
              2 * 16 / 2.0 * (2 * 2 * 99 + 20 + 26 + 21));
    assert_is(vl_oracle_plan_arithmetic(1000, &small, &d), 2 * 2 * 8 * 1000 * (2 / 3.0) / 2 / 5e5);
}

static void roads_take_what_they_take_on_paper(void **state)
{
    (void)state;
    struct vl_cluster torus = small.cluster;
    assert_int_equal(vl_oracle_plan_inside(6, 1, 4), 3);
    assert_int_equal(vl_oracle_plan_inside(8, 2, 4), 2);
    assert_int_equal(vl_oracle_plan_inside(8, 5, 4), 1);
    /* 3 inside: two steps of a third; then 2 across: one step of half of a third. */
    assert_is(vl_oracle_plan_gather(3, 2, &torus, 600),
              2 * (0.5 + 200 / 100.0) + 1 * (2 + 100 / 10.0));
    assert_is(vl_oracle_plan_exchange(3, 2, &torus, 600, 10), 2 * 0.5 + 6);
    assert_is(vl_oracle_plan_exchange(3, 2, &torus, 600, 100), 2 + 10);
    torus.torus = 3; /* 64 are 4 x 4 x 4 */
    assert_is(vl_oracle_plan_gather(64, 1, &torus, 6400), 63 * (0.5 + 100 / 300.0));
    assert_is(vl_oracle_plan_exchange(64, 1, &torus, 6400, 0), 63 * 0.5 + 64);
    torus.torus = 1; /* a ring of 64: on average 16 hops, one way or the other */
    assert_is(vl_oracle_plan_exchange(64, 1, &torus, 6400, 0), 63 * 0.5 + 64 * 16);
}

/* 3 micro-batches on 2 stages, of which each waits for one. */
static void a_step_is_that_on_paper(void **state)
{
    (void)state;
    const struct vl_division d = {1, 1, 3, 2, 1, 3, 1, VL_KEEP_ALL};
    const double loads[VL_ORACLE_LOADS] = {9, 2, 5.5, 3};
    double step[VL_ORACLE_STEP];
    vl_oracle_plan_step(step, loads, 1000, &small, &d);
    assert_is(step[0], 1);        /* 5.5 behind half of 9 */
    assert_is(step[1], 12 / 3.0); /* of 9 + 2 + 1 */
    assert_is(step[2], 2);        /* 3 behind half of two thirds of a third of 9 */
    assert_is(step[3], 9 + 2 + 1 + 4 + 2);
    assert_is(step[4], 72 / 18.0);
    assert_is(step[5], 4 * 1000 / 6e6);
}

static void traffic_is_that_on_paper(void **state)
{
    (void)state;
    const struct vl_division d = {2, 2, 2, 2, 1, 2, 2, VL_KEEP_SELECTED};
    struct vl_oracle_chip chip;
    double t[VL_ORACLE_TRAFFIC];
    vl_oracle_plan_chip(&chip, &small.model, &d);
    vl_oracle_plan_traffic(t, &chip, 2, 2, &small, &d);
    const double expected[VL_ORACLE_TRAFFIC] = {
        2 * 8 * 10 * 2,   2 * 2 * 4,        /* two layers, two micro-batches, four each */
        8 * 10 * 2 / 2.0, 8 * 10 * 1 / 2.0, /* half of its two choices; half of one domain */
        2 * 2 * 2,        8 * 10 * 2,       2 * 2, 1, 0, 0, 1};
    for (int i = 0; i < VL_ORACLE_TRAFFIC; i++)
        assert_is(t[i], expected[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_those_on_paper),
        cmocka_unit_test(flops_are_those_on_paper),
        cmocka_unit_test(a_chip_is_that_on_paper),
        cmocka_unit_test(roads_take_what_they_take_on_paper),
        cmocka_unit_test(a_step_is_that_on_paper),
        cmocka_unit_test(traffic_is_that_on_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
