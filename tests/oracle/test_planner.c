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
              .kv_heads = 2,
              .key_width = 5,
              .value_width = 3,
              .rope_width = 1,
              .query_rank = 4,
              .latent_rank = 6,
              .ff = 20,
              .ff_matrices = 3,
              .expert_ff = 7,
              .experts = 4,
              .chosen = 2,
              .shared = 1,
              .expert_groups = 2,
              .groups_met = 1,
              .vocabulary = 50,
              .sequence = 8},
    .recipe = {.batch = 9,
               .weight_bytes = 2,
               .gradient_bytes = 4,
               .optimizer_bytes = 12,
               .kept_bytes = 2,
               .element_bytes = 2,
               .dispatch_bytes = 1,
               .combine_bytes = 2},
    .cluster = {.peak = 1e6,
                .efficiency = 0.5,
                .memory_bytes = 1e6,
                .hidden_gathers = 0.25,
                .hidden_experts = 0.5,
                .hidden_pipeline = 0.125,
                .hidden_closing = 0.5,
                .levels = 2,
                .domain = 4,
                .inner = {0.5, 100, 125},
                .outer = {2, 10, 12}},
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
    /* Three layers of 250 and a head of 250: two layers, or one and the head. One of 700 is slower. */
    assert_is(vl_oracle_plan_arithmetic(1000, 250, &small, &d), 2 * 2 * 8 * 500 / 2.0 / 5e5);
    assert_is(vl_oracle_plan_arithmetic(1000, 700, &small, &d), 2 * 2 * 8 * 800 / 2.0 / 5e5);
}

/* A token moves 10 x 10 elements for norms and sums in each layer; divided by 2: 2 (10 + 10 + 6 + 4 +
 * 6) for heads and latents, 1.5 x 8 x 2 scores, and 3 x 20, or 3 x 7 for each of 3 experts and 4 x 10
 * for each of 2 rows. Of 3 layers 2 have experts; forward, twice as much backward, and again. */
static void memory_takes_what_it_takes_on_paper(void **state)
{
    (void)state;
    const struct vl_division d = {2, 2, 2, 2, 1, 2, 2, VL_KEEP_SELECTED};
    struct vl_setting s = small;
    s.cluster.memory_bandwidth = 1e6;
    s.cluster.score_passes = 1.5;
    double bytes = 4 * 2 * ((100 + 156 / 2.0) + 2 * (100 + 239 / 2.0));
    assert_is(vl_oracle_plan_efficiency(1000, &s, &d), 500 / (500 / 0.5 + bytes));
    s.cluster.sequence_parallel = 1;
    assert_is(vl_oracle_plan_efficiency(1000, &s, &d), 500 / (500 / 0.5 + bytes - 4 * 2 * 3 * 50));
}

/* 8 rows, in tiles of 4 x 4 on 5 processors. 10 -> 26: 14, 6 and 21 tiles take the time of 15, 10 and
 * 25; 6 -> 10: 6, 4, 6 that of 10, 5, 10; 10 -> 40: 20, 6, 30 that of 20, 10, 30; 20 -> 10: 6, 10, 15
 * that of 10, 10, 15. */
static void tiles_take_what_they_take_on_paper(void **state)
{
    (void)state;
    const struct vl_division d = {1, 1, 9, 1, 1, 1, 0, VL_KEEP_ALL};
    struct vl_setting s = small;
    s.model.query_rank = s.model.latent_rank = s.model.experts = 0;
    s.cluster.processors = 5;
    s.cluster.tile_rows = s.cluster.tile_columns = 4;
    double could = 16 * ((10 * 15 + 26 * 10 + 8 * 25) + (6 * 10 + 10 * 5 + 8 * 10) +
                         (10 * 20 + 40 * 10 + 8 * 30) + (20 * 10 + 10 * 10 + 8 * 15));
    double did = 3 * 8 * (10 * 26 + 6 * 10 + 10 * 40 + 20 * 10);
    assert_is(vl_oracle_plan_efficiency(1000, &s, &d), 0.5 * did / could);
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
    double loads[VL_ORACLE_LOADS] = {9, 2, 5, 1, 2.375, 3};
    double step[VL_ORACLE_STEP];
    vl_oracle_plan_step(step, loads, 1000, 250, &small, &d);
    assert_is(step[0],
              0.5 + 0 + 0.125); /* 5 behind half of 9, 1 behind an eighth, 2.375: a quarter */
    loads[2] = 5.375, loads[4] = 2;
    vl_oracle_plan_step(step, loads, 1000, 250, &small, &d);
    assert_is(step[0], 0.875);
    loads[2] = 5.5, loads[4] = 2.25;
    vl_oracle_plan_step(step, loads, 1000, 250, &small, &d);
    assert_is(step[0], 1);
    assert_is(step[1], 12 / 3.0); /* of 9 + 2 + 1 */
    assert_is(step[2], 2);        /* 3 behind half of two thirds of a third of 9 */
    assert_is(step[3], 9 + 2 + 1 + 4 + 2);
    assert_is(step[4], 72 / 18.0);
    assert_is(step[5], 4 * 1000 / 6e6);
    assert_is(step[6], 4 * 1250 / 6e6);
    struct vl_setting eager = small; /* together no more than all of the arithmetic is hidden */
    eager.cluster.hidden_gathers = eager.cluster.hidden_pipeline = 1;
    loads[2] = loads[3] = loads[4] = 4;
    vl_oracle_plan_step(step, loads, 1000, 250, &eager, &d);
    assert_is(step[0], 3);
}

/* DeepSeek-V3's nodes (arXiv:2412.19437): 256 experts in 8 groups, 4 of them for a token. */
static void domains_met_are_those_on_paper(void **state)
{
    (void)state;
    struct vl_blueprint m = {.experts = 8, .chosen = 2, .expert_groups = 1, .groups_met = 1};
    assert_is(vl_oracle_plan_domains(&m, 1), 1);
    assert_is(vl_oracle_plan_domains(&m, 8), 2);                      /* never the same expert */
    assert_is(vl_oracle_plan_domains(&m, 2), 2 * (1 - 4 * 3 / 56.0)); /* one half of them */
    m.expert_groups = 2; /* both choices are in one group of four */
    assert_is(vl_oracle_plan_domains(&m, 2), 1);
    assert_is(vl_oracle_plan_domains(&m, 4), 2 * (1 - 2 * 1 / 12.0));
    m.expert_groups = 4, m.groups_met = 2; /* two of four pairs: both in one half by 1/3 */
    assert_is(vl_oracle_plan_domains(&m, 2), 1 / 3.0 * 1 + 2 / 3.0 * 2 * (1 - 1 / 6.0));
    struct vl_blueprint v3 = {.experts = 256, .chosen = 8, .expert_groups = 8, .groups_met = 4};
    assert_true(fabs(vl_oracle_plan_domains(&v3, 8) - 3.629) < 0.001);
    assert_true(fabs(vl_oracle_plan_domains(&v3, 32) - 6.597) < 0.001);
    struct vl_blueprint k2 = {.experts = 384, .chosen = 8, .expert_groups = 1, .groups_met = 1};
    assert_true(fabs(vl_oracle_plan_domains(&k2, 8) - 5.280) < 0.001);
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
        8 * 10 * 2 / 2.0, 8 * 10 * 1 / 2.0, /* half of its two choices; half of one group's domain */
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
        cmocka_unit_test(memory_takes_what_it_takes_on_paper),
        cmocka_unit_test(tiles_take_what_they_take_on_paper),
        cmocka_unit_test(roads_take_what_they_take_on_paper),
        cmocka_unit_test(a_step_is_that_on_paper),
        cmocka_unit_test(domains_met_are_those_on_paper),
        cmocka_unit_test(traffic_is_that_on_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
