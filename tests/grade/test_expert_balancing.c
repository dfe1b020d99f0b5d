/*
 * Lab 09's cases as a whole, without starting any rank: truths pass, runs get as even as the
 * published bounds ask for, and the oracle gives what was worked out by hand.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/shapes.h"
#include "grade/labs/09_expert_balancing/expert_balancing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "grade/whole_lab.h"

static const struct vl_lab_cases *all(void)
{
    return vl_lab_cases(vl_lab_find("09"));
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-9))
        fail_msg("%.12g instead of %.12g", value, expected);
}

/* ---- the oracle, against a hand ---- */

static void counts_of_a_hand_have_its_violation(void **state)
{
    (void)state;
    assert_near(vl_oracle_max_violation((double[]){6, 1, 1, 0}, 4), 2);
    assert_near(vl_oracle_max_violation((double[]){3, 3, 3}, 3), 0);
    assert_near(vl_oracle_max_violation((double[]){0, 0}, 2), 0);
}

static void the_mean_keeps_its_bias(void **state)
{
    (void)state;
    double bias[] = {0, 0, 1, 1, 1};
    vl_oracle_bias_step(bias, (double[]){5, 1, 3, 2, 4}, 5, 0.25);
    static const double moved[] = {-0.25, 0.25, 1, 1.25, 0.75};
    for (size_t e = 0; e < 5; e++)
        assert_near(bias[e], moved[e]);
    double close[] = {0, 0, 0}; /* a mean of 10/3 */
    vl_oracle_bias_step(close, (double[]){3, 3, 4}, 3, 1);
    assert_true(close[0] > 0 && close[1] > 0 && close[2] < 0);
}

static void an_even_load_costs_alpha(void **state)
{
    (void)state;
    /* Six tokens, three experts, k = 2: four choices and a share of 2 each. */
    const struct vl_oracle_balance b = {3, 2, 6, 0.5};
    assert_near(vl_oracle_balance_loss((double[]){2, 2, 2}, (double[]){4, 4, 4}, &b), 0.5);
    /* 3 * 0.5 / (2 * 36) * (3 * 6 + 2 * 4 + 1 * 2) */
    assert_near(vl_oracle_balance_loss((double[]){3, 2, 1}, (double[]){6, 4, 2}, &b),
                1.5 / 72 * 28);
}

static void the_gradient_is_the_slope_of_the_loss(void **state)
{
    (void)state;
    static const double logits[] = {0.3, -1.2, 0.9, 2}, counts[] = {7, 2, 1, 4};
    const struct vl_oracle_balance b = {4, 2, 7, 0.75};
    double gradient[4] = {0}, affinity[4];
    for (size_t e = 0; e < 4; e++)
        affinity[e] = 1 / (1 + exp(-logits[e]));
    vl_oracle_balance_gradient(gradient, affinity, counts, &b);
    for (size_t e = 0; e < 4; e++) {
        double loss[2], own = affinity[e];
        for (int side = 0; side < 2; side++) {
            double shares[4] = {0};
            affinity[e] = 1 / (1 + exp(-logits[e] - (side ? 1e-5 : -1e-5)));
            vl_oracle_shares_add(shares, affinity, 1, 4);
            loss[side] = vl_oracle_balance_loss(shares, counts, &b);
        }
        affinity[e] = own;
        assert_near(gradient[e], (loss[1] - loss[0]) / 2e-5);
    }
}

static void vectors_of_a_hand_have_their_angle(void **state)
{
    (void)state;
    double size, cosine;
    vl_oracle_interference(&size, &cosine, (double[]){3, 4}, (double[]){10, 0}, 2);
    assert_near(size, 0.5);
    assert_near(cosine, 0.6);
}

/* ---- runs: what is published can be kept, and is not kept by doing nothing ---- */

static const struct vl_case *case_of(const char *id)
{
    for (size_t i = 0; i < all()->case_count; i++)
        if (strcmp(all()->cases[i].id, id) == 0)
            return &all()->cases[i];
    fail_msg("no case %s", id);
    return NULL;
}

static void runs_keep_the_published_bounds(void **state)
{
    (void)state;
    static const char *const ids[] = {"balance_by_bias.p1",          "balance_by_bias.p4",
                                      "balance_by_bias.p5_reversed", "balance_by_loss.p4_global",
                                      "balance_by_loss.p2_micro",    "balance_by_loss.p3_sequence"};
    for (size_t i = 0; i < 6; i++)
        for (uint64_t seed = 100; seed < 106; seed++) {
            const struct vl_case *c = case_of(ids[i]);
            struct vl_bag *inputs = vl_bag_create();
            assert_int_equal(c->make(inputs, c, seed), VL_OK);
            struct vl_bag *wide = vl_bag_widened(inputs);
            const struct vl_oracle_router router = vl_balance_router(wide);
            struct vl_oracle_run run = i < 3 ? vl_oracle_balance_by_bias(NULL, &router)
                                             : vl_oracle_balance_by_loss(&router);
            struct vl_oracle_router alone = router;
            alone.u = 0;
            struct vl_oracle_run idle = vl_oracle_balance_by_bias(NULL, &alone);
            if (run.violation > 0.85 * c->bound || idle.violation < 1.2 || !run.same)
                fail_msg("%s, seed %zu: %g; left alone %g", c->id, (size_t)seed, run.violation,
                         idle.violation);
            if (i >= 3 && fabs(run.loss - 1) > 0.02)
                fail_msg("%s, seed %zu: the loss over alpha is %g", c->id, (size_t)seed, run.loss);
            vl_bag_free(wide);
            vl_bag_free(inputs);
        }
}

static void the_first_batch_has_no_bias(void **state)
{
    (void)state;
    const struct vl_case *c = case_of("balance_by_bias.p3_course");
    struct vl_bag *inputs = vl_bag_create(), *expected = vl_bag_create();
    assert_int_equal(c->make(inputs, c, 5), VL_OK);
    assert_int_equal(c->truth(expected, inputs), VL_OK);
    const double *course = vl_bag_f64(expected, "course@2");
    for (size_t e = 0; e < 8; e++) {
        assert_true(fabs(course[e]) <= 0);
        assert_true(fabs(course[8 + e]) <= 0x1p-8);
    }
    vl_bag_free(inputs);
    vl_bag_free(expected);
}

/* ---- truths ---- */

static void the_sealed_numbers_are_those_of_the_text(void **state)
{
    (void)state;
    struct vl_bag *expected = vl_bag_create(), *inputs = vl_bag_create();
    assert_int_equal(vl_shapes_put(inputs, vl_lab_find("09"), NULL), VL_OK);
    assert_int_equal(vl_truth_predict_worst_violation(expected, inputs), VL_OK);
    assert_int_equal(vl_truth_predict_bias_steps(expected, inputs), VL_OK);
    assert_int_equal(vl_truth_predict_reduced_bytes(expected, inputs), VL_OK);
    vl_bag_free(inputs);
    assert_near(vl_bag_real(expected, "worst_violation"), 3);
    assert_int_equal(vl_bag_int(expected, "bias_steps"), 25);
    assert_int_equal(vl_bag_int(expected, "reduced_bytes"), 192);
    vl_bag_free(expected);
}

static void the_truth_passes_every_case(void **state)
{
    (void)state;
    assert_truths_pass(all(), "counts");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_a_hand_have_its_violation),
        cmocka_unit_test(the_mean_keeps_its_bias),
        cmocka_unit_test(an_even_load_costs_alpha),
        cmocka_unit_test(the_gradient_is_the_slope_of_the_loss),
        cmocka_unit_test(vectors_of_a_hand_have_their_angle),
        cmocka_unit_test(runs_keep_the_published_bounds),
        cmocka_unit_test(the_first_batch_has_no_bias),
        cmocka_unit_test(the_sealed_numbers_are_those_of_the_text),
        cmocka_unit_test(the_truth_passes_every_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
