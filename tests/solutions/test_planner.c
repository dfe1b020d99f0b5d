/*
 * The reference of lab 10: each function compared with the oracle on random models, machines
 * and divisions, and the edges of its contracts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "oracle/planner.h"
#include "planned.h"
#include "vialata/budget.h"
#include "vialata/road_cost.h"

enum { TRIES = 300 };

static struct draws draws;

static void assert_near(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g, not %.17g", got, expected);
}

/* One that a setting and a division are drawn for. */
struct drawn {
    struct vl_setting s;
    struct vl_division d;
    struct vl_chip chip;
};

static struct drawn drawn_from(uint64_t seed)
{
    struct drawn drawn;
    draws = (struct draws){seed, 0};
    drawn.s = draw_setting(&draws);
    drawn.d = draw_division(&draws, &drawn.s);
    assert_int_equal(vl_planned_chip(&drawn.chip, &drawn.s.model, &drawn.d), VL_OK);
    return drawn;
}

/* ---- compared with the oracle ---- */

static void parameters_and_flops_are_those_counted(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < TRIES; i++) {
        draws = (struct draws){i, 0};
        struct vl_setting s = draw_setting(&draws);
        struct vl_parameters count;
        double all, active;
        vl_oracle_plan_parameters(&all, &active, &s.model);
        assert_int_equal(vl_planned_parameters(&count, &s.model), VL_OK);
        assert_near((double)count.all, all);
        assert_near((double)count.active, active);
        for (int keep = 0; keep < 3; keep++) {
            struct vl_work work;
            double useful, again;
            vl_oracle_plan_flops(&useful, &again, &s.model, (enum vl_keep)keep);
            assert_int_equal(vl_planned_flops(&work, &s.model, (enum vl_keep)keep), VL_OK);
            assert_near(work.useful, useful);
            assert_near(work.again, again);
            assert_near(work.head, vl_oracle_plan_head(&s.model));
        }
    }
}

static void a_chip_holds_and_computes_what_is_counted(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < TRIES; i++) {
        const struct drawn drawn = drawn_from(i);
        const struct vl_setting s = drawn.s;
        const struct vl_division d = drawn.d;
        const struct vl_chip chip = drawn.chip;
        struct vl_oracle_chip true_chip;
        struct vl_work work = {draw_amount(&draws, 1e6, 1e9), draw_amount(&draws, 1, 1e9),
                               draw_amount(&draws, 1, 1e6)};
        double bytes, seconds;
        vl_oracle_plan_chip(&true_chip, &s.model, &d);
        assert_int_equal(vl_planned_arithmetic(&seconds, &work, &s, &d), VL_OK);
        assert_near(seconds,
                    vl_oracle_plan_arithmetic(work.useful + work.again, work.head, &s, &d));
        assert_int_equal(chip.dense_layers, true_chip.dense_layers);
        assert_int_equal(chip.expert_layers, true_chip.expert_layers);
        assert_near(chip.common, true_chip.common);
        assert_near(chip.experts, true_chip.experts);
        assert_near(chip.unit, true_chip.unit);
        assert_int_equal(vl_planned_state_bytes(&bytes, &chip, &s.recipe, &d), VL_OK);
        assert_near(bytes, vl_oracle_plan_state_bytes(&true_chip, &s.recipe, &d));
        assert_int_equal(vl_planned_kept_bytes(&bytes, &chip, &s, &d), VL_OK);
        assert_near(bytes, vl_oracle_plan_kept_bytes(&true_chip, &s, &d));
    }
}

static void groups_lie_and_talk_as_counted(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < TRIES; i++) {
        draws = (struct draws){i, 0};
        struct vl_setting s = draw_setting(&draws);
        size_t members = draw(&draws, 1, 64), stride = draw(&draws, 1, 20);
        double bytes = draw_amount(&draws, 0, 1e9), more = draw_amount(&draws, 0, 1e9), seconds;
        struct vl_group group;
        assert_int_equal(vl_group_of(&group, members, stride, &s.cluster), VL_OK);
        assert_int_equal(group.inside, vl_oracle_plan_inside(members, stride, s.cluster.domain));
        assert_int_equal(group.inside * group.across, members);
        assert_int_equal(vl_group_gather_seconds(&seconds, &group, &s.cluster, bytes), VL_OK);
        assert_near(seconds, vl_oracle_plan_gather(group.inside, group.across, &s.cluster, bytes));
        assert_int_equal(vl_group_exchange_seconds(&seconds, &group, &s.cluster, bytes, more),
                         VL_OK);
        assert_near(seconds,
                    vl_oracle_plan_exchange(group.inside, group.across, &s.cluster, bytes, more));
    }
}

static void domains_met_are_those_counted(void **state)
{
    (void)state;
    int seen = 0;
    for (uint64_t i = 0; i < TRIES; i++) {
        draws = (struct draws){i, 0};
        struct vl_setting s = draw_setting(&draws);
        size_t across = draw(&draws, 1, 24);
        double domains;
        if (s.model.experts == 0 || s.model.experts % across != 0)
            continue;
        seen++;
        assert_int_equal(vl_domains_met(&domains, &s.model, across), VL_OK);
        assert_near(domains, vl_oracle_plan_domains(&s.model, across));
        assert_true(domains <= (double)across * (1 + 1e-12));
        assert_true(domains <= (double)s.model.chosen * (1 + 1e-12));
        assert_int_equal(vl_domains_met(&domains, &s.model, s.model.experts + 1), VL_EINVAL);
    }
    assert_in_range(seen, 30, TRIES);
}

static void what_travels_is_what_is_counted(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < TRIES; i++) {
        const struct drawn drawn = drawn_from(i);
        const struct vl_setting s = drawn.s;
        const struct vl_division d = drawn.d;
        const struct vl_chip chip = drawn.chip;
        struct vl_group group;
        struct vl_traffic t;
        double expected[VL_ORACLE_TRAFFIC];
        assert_int_equal(vl_group_of(&group, d.tensor * d.expert, 1, &s.cluster), VL_OK);
        const struct vl_oracle_chip same = {chip.dense_layers, chip.expert_layers, chip.common,
                                            chip.experts, chip.unit};
        vl_oracle_plan_traffic(expected, &same, group.inside, group.across, &s, &d);
        assert_int_equal(vl_planned_traffic(&t, &chip, &group, &s, &d), VL_OK);
        const double got[VL_ORACLE_TRAFFIC] = {
            t.reduced_bytes, t.reductions,     t.inside_elements, t.across_elements,
            t.exchanges,     t.boundary_bytes, t.boundaries,      t.each.scatters,
            t.each.gathers,  t.once.scatters,  t.once.gathers};
        for (int k = 0; k < VL_ORACLE_TRAFFIC; k++)
            assert_near(got[k], expected[k]);
    }
}

static void a_step_is_put_together_as_counted(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < TRIES; i++) {
        const struct drawn drawn = drawn_from(i);
        const struct vl_setting s = drawn.s;
        const struct vl_division d = drawn.d;
        struct vl_loads loads;
        struct vl_work work = {draw_amount(&draws, 1e3, 1e9), draw_amount(&draws, 0, 1e9), 1};
        struct vl_step_plan step;
        double expected[VL_ORACLE_STEP];
        loads.arithmetic = draw_amount(&draws, 0.1, 2);
        loads.tensor = draw_amount(&draws, 0, 1);
        loads.flowing.experts = draw_amount(&draws, 0, 2);
        loads.flowing.pipeline = draw_amount(&draws, 0, 1);
        loads.flowing.data = draw_amount(&draws, 0, 2);
        loads.closing = draw_amount(&draws, 0, 1);
        const double all[VL_ORACLE_LOADS] = {loads.arithmetic,      loads.tensor,
                                             loads.flowing.experts, loads.flowing.pipeline,
                                             loads.flowing.data,    loads.closing};
        vl_oracle_plan_step(expected, all, work.useful, work.again, &s, &d);
        assert_int_equal(vl_planned_step(&step, &loads, &work, &s, &d), VL_OK);
        assert_true(fabs(step.exposed - expected[0]) < 1e-12 * vl_flowing_seconds(&loads.flowing));
        assert_near(step.bubble, expected[1]);
        assert_near(step.left, expected[2]);
        assert_near(step.seconds, expected[3]);
        assert_near(step.tokens_per_second, expected[4]);
        assert_near(step.mfu, expected[5]);
        assert_near(step.hfu, expected[6]);
    }
}

static void a_forecast_is_the_oracles(void **state)
{
    (void)state;
    int fitting = 0;
    for (uint64_t i = 0; i < TRIES; i++) {
        const struct drawn drawn = drawn_from(i);
        const struct vl_setting s = drawn.s;
        const struct vl_division d = drawn.d;
        struct vl_forecast f;
        struct vl_oracle_forecast expected;
        vl_oracle_plan_forecast(&expected, &s, &d);
        assert_int_equal(vl_forecast_make(&f, &s, &d), VL_OK);
        assert_near(f.state_bytes, expected.state_bytes);
        assert_near(f.kept_bytes, expected.kept_bytes);
        assert_near(f.loads.arithmetic, expected.loads[0]);
        assert_near(f.loads.tensor, expected.loads[1]);
        assert_near(f.loads.flowing.experts, expected.loads[2]);
        assert_near(f.loads.flowing.pipeline, expected.loads[3]);
        assert_near(f.loads.flowing.data, expected.loads[4]);
        assert_near(f.loads.closing, expected.loads[5]);
        assert_near(f.step.seconds, expected.step[3]);
        assert_near(f.step.mfu, expected.step[5]);
        assert_int_equal(f.fits, expected.fits);
        fitting += f.fits;
    }
    assert_in_range(fitting, 10, TRIES - 10); /* both kinds were there */
}

/* ---- compared with the earlier labs ---- */

static void a_plain_models_budget_is_that_of_the_first_lab(void **state)
{
    (void)state;
    const struct vl_shape shape = {3, 48, 4, 128, 256, 33};
    const struct vl_blueprint model = {.layers = 3,
                                       .width = 48,
                                       .heads = 4,
                                       .kv_heads = 4,
                                       .key_width = 12,
                                       .value_width = 12,
                                       .ff = 128,
                                       .ff_matrices = 3,
                                       .vocabulary = 256,
                                       .sequence = 33};
    struct vl_parameters count;
    struct vl_work work;
    uint64_t all, multiplying;
    double flops;
    assert_int_equal(vl_planned_parameters(&count, &model), VL_OK);
    assert_int_equal(vl_parameter_count(&all, &multiplying, &shape), VL_OK);
    assert_true(count.all == all && count.active == multiplying);
    assert_int_equal(vl_planned_flops(&work, &model, VL_KEEP_SELECTED), VL_OK);
    assert_int_equal(vl_flops_per_token(&flops, &shape), VL_OK);
    assert_near(work.useful, flops);
    assert_true(work.again == 0); /* no latents: only what costs no products is forgotten */
}

static void a_gather_in_two_levels_is_half_of_an_all_reduce_in_two_levels(void **state)
{
    (void)state;
    const struct vl_cluster cluster = {
        .domain = 8, .inner = {2e-6, 4e11, 4e11}, .outer = {1e-5, 5e10, 5e10}};
    const struct vl_road inside = {2e-6, 1 / 4e11}, across = {1e-5, 1 / 5e10};
    struct vl_group group;
    double half, whole;
    assert_int_equal(vl_group_of(&group, 32, 1, &cluster), VL_OK);
    assert_int_equal(vl_group_gather_seconds(&half, &group, &cluster, 1e9), VL_OK);
    assert_int_equal(vl_two_level_seconds(&whole, &inside, &across, 4, 8, 1e9), VL_OK);
    assert_near(2 * half, whole);
}

/* ---- edges ---- */

static void a_division_that_cannot_be_is_refused(void **state)
{
    (void)state;
    struct vl_setting s = {.model = {.layers = 6,
                                     .heads = 4,
                                     .kv_heads = 4,
                                     .width = 8,
                                     .key_width = 2,
                                     .value_width = 2,
                                     .ff = 8,
                                     .ff_matrices = 3,
                                     .expert_groups = 1,
                                     .groups_met = 1,
                                     .experts = 12,
                                     .chosen = 2,
                                     .expert_ff = 4,
                                     .vocabulary = 9,
                                     .sequence = 5},
                           .recipe = {.batch = 7}};
    const struct vl_division good = {2, 3, 1, 3, 2, 3, 3, VL_KEEP_ALL};
    assert_int_equal(vl_division_check(&s, &good), VL_OK);
    const struct vl_division bad[] = {
        {0, 3, 1, 3, 2, 3, 3, VL_KEEP_ALL}, {2, 3, 1, 3, 2, 0, 3, VL_KEEP_ALL},
        {3, 2, 1, 3, 2, 3, 3, VL_KEEP_ALL}, /* heads */
        {4, 2, 1, 3, 2, 3, 3, VL_KEEP_ALL}, /* experts */
        {2, 3, 1, 3, 3, 3, 3, VL_KEEP_ALL}, /* layers: 9 chunks for 6, the embedding and the head */
        {2, 3, 1, 3, 2, 2, 3, VL_KEEP_ALL}, /* p | m */
        {2, 3, 1, 1, 2, 3, 3, VL_KEEP_ALL}, /* chunks of one stage */
        {2, 3, 1, 1, 1, 4, 3, VL_KEEP_ALL}, /* 7 sequences, 3 replicas: 3 micro-batches at most */
        {2, 2, 4, 1, 1, 1, 3, VL_KEEP_ALL}, /* 8 replicas */
        {2, 3, 1, 3, 2, 3, 4, VL_KEEP_ALL}, /* no such stage of ZeRO */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(vl_division_check(&s, &bad[i]), VL_ESHAPE);
    s.model.experts = 0;
    assert_int_equal(vl_division_check(&s, &good), VL_ESHAPE);
}

static void nobody_to_talk_to_costs_nothing(void **state)
{
    (void)state;
    const struct vl_cluster cluster = {
        .domain = 1, .torus = 3, .inner = {1, 1, 1}, .outer = {1, 1, 1}};
    const struct vl_group alone = {1, 1};
    double seconds = 9;
    assert_int_equal(vl_group_gather_seconds(&seconds, &alone, &cluster, 1e9), VL_OK);
    assert_true(seconds == 0);
    assert_int_equal(vl_group_exchange_seconds(&seconds, &alone, &cluster, 1e9, 1e9), VL_OK);
    assert_true(seconds == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_and_flops_are_those_counted),
        cmocka_unit_test(a_chip_holds_and_computes_what_is_counted),
        cmocka_unit_test(groups_lie_and_talk_as_counted),
        cmocka_unit_test(domains_met_are_those_counted),
        cmocka_unit_test(what_travels_is_what_is_counted),
        cmocka_unit_test(a_step_is_put_together_as_counted),
        cmocka_unit_test(a_forecast_is_the_oracles),
        cmocka_unit_test(a_plain_models_budget_is_that_of_the_first_lab),
        cmocka_unit_test(a_gather_in_two_levels_is_half_of_an_all_reduce_in_two_levels),
        cmocka_unit_test(a_division_that_cannot_be_is_refused),
        cmocka_unit_test(nobody_to_talk_to_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
