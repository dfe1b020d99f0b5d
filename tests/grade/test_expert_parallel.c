/*
 * Lab 08's cases as a whole, without starting any rank: truths pass, and the oracle says what one
 * works out by hand.
 */
#include "grade/labs/08_expert_parallel/expert_parallel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "grade/whole_lab.h"

static const struct vl_lab_cases *all(void)
{
    return vl_lab_cases(vl_lab_find("08"));
}

/* cmocka knows only floats. */
static void assert_near(double one, double other, double apart)
{
    if (fabs(one - other) > apart)
        fail_msg("%.15g is not %.15g", one, other);
}

/* ---- the oracle, against a hand ---- */

/* Affinities .9 .6 .3 .2, as in the contract's drawing. */
static const double drawn[] = {.9, .6, .3, .2};

static void the_bias_chooses_and_does_not_count(void **state)
{
    (void)state;
    const struct vl_oracle_routing routing = {1, 4, 2, 1};
    const double bias[] = {0, 0, .5, 0};
    double logits[4], affinity[4], weights[2];
    int32_t chosen[2];
    for (int e = 0; e < 4; e++)
        logits[e] = log(drawn[e] / (1 - drawn[e]));
    vl_oracle_router(affinity, chosen, weights, logits, bias, &routing);
    assert_true(chosen[0] == 0 && chosen[1] == 2);
    assert_near(affinity[1], .6, 1e-12);
    assert_near(weights[0], .9 / 1.2, 1e-12);
    assert_near(weights[1], .3 / 1.2, 1e-12);
    vl_oracle_router(affinity, chosen, weights, logits, NULL, &routing);
    assert_true(chosen[0] == 0 && chosen[1] == 1);
}

/* .9 .1 | .6 .5 | .7 .2: the middle group has the largest sum. */
static void the_best_group_is_the_one_of_the_drawing(void **state)
{
    (void)state;
    const struct vl_oracle_routing routing = {1, 6, 2, 1};
    const double shares[] = {.9, .1, .6, .5, .7, .2}, bias[] = {.2, 0, 0, 0, 0, 0};
    double logits[6], affinity[6], weights[2];
    int32_t chosen[2];
    for (int e = 0; e < 6; e++)
        logits[e] = log(shares[e] / (1 - shares[e]));
    vl_oracle_router_limited(affinity, chosen, weights, logits, NULL, &routing, 3, 1);
    assert_true(chosen[0] == 2 && chosen[1] == 3);
    assert_near(weights[0], .6 / 1.1, 1e-12);
    vl_oracle_router_limited(affinity, chosen, weights, logits, bias, &routing, 3, 1);
    assert_true(chosen[0] == 0 && chosen[1] == 1);
    assert_near(weights[0], .9, 1e-12);
    vl_oracle_router_limited(affinity, chosen, weights, logits, NULL, &routing, 3, 3);
    assert_true(chosen[0] == 0 && chosen[1] == 4);
}

static void of_equal_experts_the_smaller_number_comes_first(void **state)
{
    (void)state;
    const struct vl_oracle_routing routing = {1, 4, 3, 2};
    const double logits[] = {-1, 1, -1, 1};
    double affinity[4], weights[3];
    int32_t chosen[3];
    vl_oracle_router(affinity, chosen, weights, logits, NULL, &routing);
    assert_true(chosen[0] == 1 && chosen[1] == 3 && chosen[2] == 0);
    assert_near(weights[0] + weights[1] + weights[2], 2, 1e-12);
}

/* The loss is sum dw(j) w(j); move every logit a little. */
static void the_routers_gradient_is_a_slope(void **state)
{
    (void)state;
    enum { N = 2, E = 5, K = 3 };
    const struct vl_oracle_routing routing = {N, E, K, 1.7};
    double logits[N * E] = {.3, -1, 2, .1, -.4, 1, 1.5, -2, .7, 0},
                      dweights[N * K] = {1, -2, .5, .3, 3, -1};
    double affinity[N * E], weights[N * K], dlogits[N * E], moved[2];
    int32_t chosen[N * K];
    vl_oracle_router(affinity, chosen, weights, logits, NULL, &routing);
    vl_oracle_router_input(dlogits, dweights, affinity, chosen, &routing);
    for (size_t i = 0; i < N * E; i++) {
        for (int side = 0; side < 2; side++) {
            double was = logits[i];
            logits[i] += side ? 1e-5 : -1e-5;
            vl_oracle_router(affinity, chosen, weights, logits, NULL, &routing);
            logits[i] = was;
            moved[side] = 0;
            for (size_t c = 0; c < N * K; c++)
                moved[side] += dweights[c] * weights[c];
        }
        assert_near(dlogits[i], (moved[1] - moved[0]) / 2e-5, 1e-8);
    }
}

/* The contract's drawing: tokens a b on rank 0, c d on rank 1. */
static const int32_t drawn_choices[] = {0, 2, 0, 1, 1, 2, 2, 0};

static void rows_are_choices_sorted(void **state)
{
    (void)state;
    /* 0: a b d   1: b c   2: a c d */
    static const size_t rows[] = {0, 5, 1, 3, 4, 6, 7, 2};
    size_t row_of[8];
    vl_oracle_rows(row_of, drawn_choices, 8, 4);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(row_of[i], rows[i]);
}

static void the_drawings_plan_is_the_contracts(void **state)
{
    (void)state;
    static const int32_t tokens[] = {2, 2};
    const struct vl_expert_case c = {2,         4,        2, 2, 1, 4, 8, tokens, drawn_choices,
                                     {0, 2, 4}, {0, 5, 8}};
    int64_t order[4], counts[4] = {0}, arriving[4] = {0}, rows_of[2] = {0};
    vl_expert_plan(order, counts, arriving, rows_of, &c, 1);
    /* Rank 1: c has choices 0 (expert 1) and 1 (2); d has 2 (2) and 3 (0). */
    assert_true(order[0] == 3 && order[1] == 0 && order[2] == 1 && order[3] == 2);
    assert_true(counts[0] == 1 && counts[1] == 1 && counts[2] == 2 && counts[3] == 0);
    assert_true(arriving[0] == 1 && arriving[1] == 0 && arriving[2] == 2 && arriving[3] == 0);
    assert_true(rows_of[0] == 3 && rows_of[1] == 0);
}

static void an_expert_meets_its_own_rows(void **state)
{
    (void)state;
    /* D = F = 1: out = down silu(gate x) up x. The first expert has nothing, the second one row. */
    static const size_t rows_of[] = {0, 1};
    const double gate_up[] = {9, 9, 2, 3}, down[] = {9, 5}, x = 0.5, one = 1;
    const struct vl_oracle_experts experts = {2, rows_of, 1, 1, gate_up, down};
    double out, opened[2], active, drow, dopened[2], dactive, dgate_up[4] = {7, 7, 7, 7},
                                                              ddown[2] = {7, 7};
    double silu = 1 / (1 + exp(-1)); /* of 2 x = 1 */
    vl_oracle_experts(&out, opened, &active, &x, &experts);
    assert_near(out, 5 * silu * 1.5, 1e-12);
    vl_oracle_experts_input(&drow, dopened, &dactive, &one, opened, &experts);
    double slope = silu + silu * (1 - silu);
    assert_near(drow, 5 * (silu * 3 + 1.5 * slope * 2), 1e-12);
    vl_oracle_experts_weight(dgate_up, ddown, &one, dopened, &active, &x, &experts);
    assert_near(ddown[1], 7 + silu * 1.5, 1e-12);
    assert_near(dgate_up[3], 7 + 5 * silu * x, 1e-12);
    assert_true(dgate_up[0] == 7 && dgate_up[1] == 7 && ddown[0] == 7);
}

static void the_figures_are_those_of_the_text(void **state)
{
    (void)state;
    const struct vl_oracle_expert_shape shape = {512, 128, 352, 8, 1, 2, 2};
    assert_true(vl_oracle_expert_sent(&shape) == 1048608);
    assert_int_equal(vl_oracle_expert_parameters(&shape), 1217536);
    assert_int_equal(vl_oracle_expert_active(&shape), 406528);
}

/* ---- truths ---- */

static void the_truth_passes_every_case(void **state)
{
    (void)state;
    assert_truths_pass(all(), "bytes");
}

static void scores_keep_apart_in_float32(void **state)
{
    (void)state;
    for (size_t i = 0; i < all()->case_count; i++) {
        const struct vl_case *c = &all()->cases[i];
        if (strcmp(c->function, "vl_router_forward") != 0)
            continue;
        for (size_t s = 0; s < SEEDS; s++) {
            struct vl_bag *inputs = vl_bag_create(), *expected = vl_bag_create();
            assert_int_equal(c->make(inputs, c, seeds[s]), VL_OK);
            assert_int_equal(c->truth(expected, inputs), VL_OK);
            struct vl_oracle_routing r = vl_expert_routing(inputs);
            const float *bias = vl_bag_f32(inputs, "bias"), *logits = vl_bag_f32(inputs, "logits");
            int refused = vl_bag_int(expected, "status") != VL_OK;
            const int64_t *chosen = refused ? NULL : vl_bag_find(expected, "chosen")->data;
            for (size_t at = 0; !refused && at < r.tokens * r.chosen; at++) {
                if (at % r.chosen == 0)
                    continue;
                float scores[2];
                for (size_t before = 0; before < 2; before++) {
                    size_t e = (size_t)chosen[at - before];
                    float logit = logits[at / r.chosen * r.experts + e];
                    scores[before] = 1 / (1 + expf(-logit)) + (bias != NULL ? bias[e] : 0);
                }
                assert_true(scores[1] > scores[0] ||
                            (scores[1] == scores[0] && chosen[at - 1] < chosen[at]));
            }
            vl_bag_free(inputs);
            vl_bag_free(expected);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bias_chooses_and_does_not_count),
        cmocka_unit_test(the_best_group_is_the_one_of_the_drawing),
        cmocka_unit_test(of_equal_experts_the_smaller_number_comes_first),
        cmocka_unit_test(the_routers_gradient_is_a_slope),
        cmocka_unit_test(rows_are_choices_sorted),
        cmocka_unit_test(the_drawings_plan_is_the_contracts),
        cmocka_unit_test(an_expert_meets_its_own_rows),
        cmocka_unit_test(the_figures_are_those_of_the_text),
        cmocka_unit_test(the_truth_passes_every_case),
        cmocka_unit_test(scores_keep_apart_in_float32),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
