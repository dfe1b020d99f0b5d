/*
 * The reference of lab 09, its serial part: bias, auxiliary loss and interference compared with
 * float64, and at the edges of their contracts. ranks_balance.c has how counts are added over
 * ranks.
 */
#include "oracle/differences.h"
#include "vialata/expert_balance.h"

#include <float.h>
#include <string.h>

enum { TOKENS = 12, EXPERTS = 9, CHOSEN = 4 }; /* at most */
#define SIZE (TOKENS * EXPERTS)

static const float alpha = 0.3f;
static const struct vl_routing routings[] = {
    {7, 4, 2, 1.0f}, {12, 9, 3, 2.5f}, {5, 4, 4, 1.0f}, {6, 5, 1, 1.0f}, {1, 3, 2, 1.0f},
};

/* A micro-batch of these tokens in a scope with twice as many and one. */
static struct {
    struct vl_routing r;
    size_t scope;
    double logits[SIZE], counts[EXPERTS];
    float affinity[SIZE];
} it;

static void draw(const struct vl_routing *routing)
{
    int32_t chosen[TOKENS * CHOSEN];
    float weights[TOKENS * CHOSEN], logits[SIZE];
    it.r = *routing;
    it.scope = 2 * it.r.tokens + 1;
    fill(it.logits, it.r.tokens * it.r.experts, 1);
    for (size_t i = 0; i < it.r.tokens * it.r.experts; i++)
        logits[i] = (float)it.logits[i];
    assert_int_equal(vl_router_forward(it.affinity, chosen, weights, logits, NULL, &it.r), VL_OK);
    memset(it.counts, 0, sizeof it.counts);
    assert_int_equal(vl_load_add(it.counts, chosen, &it.r), VL_OK);
    /* What the others of the scope have chosen. */
    for (size_t c = 0; c < (it.scope - it.r.tokens) * it.r.chosen; c++)
        it.counts[vl_random_below(it.r.experts, 7, 2, c)] += 1.0;
}

/* The loss of the header, in float64; the shares of the others in the scope are left out, since
 * they do not depend on these logits. */
static double wide_loss(void *context)
{
    (void)context;
    double e = (double)it.r.experts, k = (double)it.r.chosen, t = (double)it.scope, loss = 0.0;
    for (size_t i = 0; i < it.r.tokens; i++) {
        double sum = 0.0, mean = 0.0;
        for (size_t j = 0; j < it.r.experts; j++) {
            double a = 1.0 / (1.0 + exp(-it.logits[i * it.r.experts + j]));
            sum += a;
            mean += a * it.counts[j];
        }
        loss += e * (double)alpha / (k * t * t) * mean / sum;
    }
    return loss;
}

/* ---- the auxiliary loss ---- */

static void loss_is_that_of_the_header(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof routings / sizeof *routings; i++) {
        double shares[EXPERTS] = {0}, loss = NAN, whole = 0.0;
        draw(&routings[i]);
        assert_int_equal(vl_balance_shares_add(shares, it.affinity, &it.r), VL_OK);
        for (size_t e = 0; e < it.r.experts; e++)
            whole += shares[e];
        assert_true(fabs(whole - (double)it.r.tokens) < 1e-12 * (double)TOKENS);
        assert_int_equal(vl_balance_loss(&loss, shares, it.counts, it.scope, &it.r, alpha), VL_OK);
        assert_true(fabs(loss - wide_loss(NULL)) < 1e-6 * loss);
        /* Added to: a second time gives twice as much. */
        double again;
        assert_int_equal(vl_balance_shares_add(shares, it.affinity, &it.r), VL_OK);
        assert_int_equal(vl_balance_loss(&again, shares, it.counts, it.scope, &it.r, alpha), VL_OK);
        assert_true(fabs(again - 2.0 * loss) < 1e-12 * loss);
    }
}

static void even_load_costs_alpha(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof routings / sizeof *routings; i++) {
        double shares[EXPERTS] = {0}, loss = NAN;
        draw(&routings[i]);
        for (size_t e = 0; e < it.r.experts; e++)
            it.counts[e] = (double)(it.r.tokens * it.r.chosen) / (double)it.r.experts;
        assert_int_equal(vl_balance_shares_add(shares, it.affinity, &it.r), VL_OK);
        assert_int_equal(vl_balance_loss(&loss, shares, it.counts, it.r.tokens, &it.r, alpha),
                         VL_OK);
        assert_true(fabs(loss - (double)alpha) < 1e-12);
    }
}

static void gradient_is_that_of_the_loss_and_is_added(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof routings / sizeof *routings; i++) {
        float dlogits[SIZE] = {0}, twice[SIZE];
        double gradient[SIZE];
        draw(&routings[i]);
        size_t n = it.r.tokens * it.r.experts;
        assert_int_equal(
            vl_balance_loss_backward(dlogits, it.affinity, it.counts, it.scope, &it.r, alpha),
            VL_OK);
        for (size_t j = 0; j < n; j++)
            gradient[j] = (double)dlogits[j];
        assert_gradient(gradient, it.logits, n, wide_loss, NULL);
        memcpy(twice, dlogits, sizeof twice);
        assert_int_equal(
            vl_balance_loss_backward(twice, it.affinity, it.counts, it.scope, &it.r, alpha), VL_OK);
        for (size_t j = 0; j < n; j++)
            assert_true(twice[j] == 2.0f * dlogits[j]);
    }
}

/* One expert has all the load: its logits are pushed down, the others' up. With an even load, none
 * are. */
static void gradient_pushes_the_loaded_one_down(void **state)
{
    (void)state;
    float dlogits[SIZE] = {0};
    draw(&routings[0]);
    for (size_t e = 0; e < it.r.experts; e++)
        it.counts[e] = e == 1 ? 30.0 : 0.0;
    assert_int_equal(
        vl_balance_loss_backward(dlogits, it.affinity, it.counts, it.scope, &it.r, alpha), VL_OK);
    for (size_t i = 0; i < it.r.tokens * it.r.experts; i++)
        assert_true(i % it.r.experts == 1 ? dlogits[i] > 0.0f : dlogits[i] < 0.0f);
    memset(dlogits, 0, sizeof dlogits);
    for (size_t e = 0; e < it.r.experts; e++)
        it.counts[e] = 8.0;
    assert_int_equal(
        vl_balance_loss_backward(dlogits, it.affinity, it.counts, it.scope, &it.r, alpha), VL_OK);
    for (size_t i = 0; i < it.r.tokens * it.r.experts; i++)
        assert_true(fabsf(dlogits[i]) < 1e-8f);
}

/* Affinities that are 1, tiny, the smallest there is, and all zero. */
static void affinities_at_the_edge_give_finite_numbers(void **state)
{
    (void)state;
    const struct vl_routing r = {4, 3, 2, 1.0f};
    const float affinity[] = {1.0f,    1.0f,         1.0f,         1e-30f, 1e-38f, 1e-30f,
                              FLT_MIN, FLT_TRUE_MIN, FLT_TRUE_MIN, 0.0f,   0.0f,   0.0f};
    const double counts[] = {6, 1, 1};
    double shares[3] = {0}, loss;
    float dlogits[12] = {0};
    assert_int_equal(vl_balance_shares_add(shares, affinity, &r), VL_OK);
    assert_true(fabs(shares[0] + shares[1] + shares[2] - 3.0) <
                1e-12); /* the last counts nothing */
    assert_int_equal(vl_balance_loss(&loss, shares, counts, 4, &r, 0.01f), VL_OK);
    assert_true(isfinite(loss));
    assert_int_equal(vl_balance_loss_backward(dlogits, affinity, counts, 4, &r, 0.01f), VL_OK);
    for (size_t i = 0; i < 12; i++)
        assert_true(isfinite(dlogits[i]));
    for (size_t i = 0; i < 3; i++)
        assert_true(dlogits[i] == 0.0f && dlogits[9 + i] == 0.0f);
    assert_true(dlogits[3] > 0.0f && dlogits[6] > 0.0f);
}

static void nothing_at_all_costs_nothing(void **state)
{
    (void)state;
    const struct vl_routing r = {0, 3, 2, 1.0f};
    double shares[3] = {0}, loss = NAN;
    const double counts[3] = {0};
    assert_int_equal(vl_balance_shares_add(shares, NULL, &r), VL_OK);
    assert_int_equal(vl_balance_loss(&loss, shares, counts, 0, &r, 0.01f), VL_OK);
    assert_true(loss == 0.0);
    assert_int_equal(vl_balance_loss_backward(NULL, NULL, counts, 0, &r, 0.01f), VL_OK);
}

/* ---- the bias ---- */

static void bias_takes_one_step_whatever_the_distance(void **state)
{
    (void)state;
    const double counts[] = {0, 10, 9, 11, 20}; /* the mean is 10 */
    float bias[] = {0.5f, 0.25f, -0.5f, 0.0f, 0.0f};
    assert_int_equal(vl_balance_bias_update(bias, counts, 5, 0.125f), VL_OK);
    const float expected[] = {0.625f, 0.25f, -0.375f, -0.125f, -0.125f};
    assert_memory_equal(bias, expected, sizeof bias);
}

static void bias_knows_means_that_are_no_whole_number_and_large_counts(void **state)
{
    (void)state;
    float bias[3] = {0}, large[2] = {0}, none[2] = {1.0f, -1.0f};
    assert_int_equal(vl_balance_bias_update(bias, (const double[]){3, 3, 4}, 3, 1.0f), VL_OK);
    assert_true(bias[0] == 1.0f && bias[1] == 1.0f && bias[2] == -1.0f);
    const double most = 4503599627370496.0; /* 2^52 */
    assert_int_equal(vl_balance_bias_update(large, (const double[]){most, most - 1}, 2, 1.0f),
                     VL_OK);
    assert_true(large[0] == -1.0f && large[1] == 1.0f);
    assert_int_equal(vl_balance_bias_update(none, (const double[]){0, 0}, 2, 1.0f), VL_OK);
    assert_true(none[0] == 1.0f && none[1] == -1.0f);
    assert_int_equal(vl_balance_bias_update(none, (const double[]){7}, 1, 1.0f), VL_OK);
    assert_true(none[0] == 1.0f); /* a single expert is the mean */
    assert_int_equal(vl_balance_bias_update(NULL, NULL, 0, 1.0f), VL_OK);
}

/* ---- counting ---- */

static void max_violation_is_measured_against_the_mean(void **state)
{
    (void)state;
    double v = NAN;
    assert_int_equal(vl_load_max_violation(&v, (const double[]){5, 5, 5}, 3), VL_OK);
    assert_true(v == 0.0);
    assert_int_equal(vl_load_max_violation(&v, (const double[]){0, 0, 6, 6}, 4), VL_OK);
    assert_true(v == 1.0);
    assert_int_equal(vl_load_max_violation(&v, (const double[]){0, 0}, 2), VL_OK);
    assert_true(v == 0.0);
}

/* ---- interference ---- */

static void interference_is_size_and_cosine(void **state)
{
    (void)state;
    double size = NAN, cosine = NAN;
    const float aux[] = {3, 4}, along[] = {6, 8}, across[] = {-8, 6}, against[] = {-3, -4};
    const float zero[] = {0, 0}, at45[] = {-1, 7};
    assert_int_equal(vl_balance_interference(&size, &cosine, aux, along, 2), VL_OK);
    assert_true(size == 0.5 && fabs(cosine - 1.0) < 1e-15);
    assert_int_equal(vl_balance_interference(&size, &cosine, aux, across, 2), VL_OK);
    assert_true(size == 0.5 && fabs(cosine) < 1e-15);
    assert_int_equal(vl_balance_interference(&size, &cosine, aux, against, 2), VL_OK);
    assert_true(size == 1.0 && fabs(cosine + 1.0) < 1e-15);
    assert_int_equal(vl_balance_interference(&size, &cosine, aux, at45, 2), VL_OK);
    assert_true(fabs(cosine - sqrt(0.5)) < 1e-15);
    assert_int_equal(vl_balance_interference(&size, &cosine, zero, aux, 2), VL_OK);
    assert_true(size == 0.0 && cosine == 0.0);
    assert_int_equal(vl_balance_interference(&size, &cosine, zero, zero, 2), VL_OK);
    assert_int_equal(vl_balance_interference(&size, &cosine, NULL, NULL, 0), VL_OK);
    assert_true(size == 0.0 && cosine == 0.0);
    assert_int_equal(vl_balance_interference(&size, &cosine, aux, zero, 2), VL_EINVAL);
    /* Squares of such numbers do not fit into float32. */
    const float huge[] = {3e38f, 0}, tiny[] = {1e-38f, 1e-38f};
    assert_int_equal(vl_balance_interference(&size, &cosine, tiny, huge, 2), VL_OK);
    assert_true(size > 0.0 && fabs(cosine - sqrt(0.5)) < 1e-12);
}

/* ---- refusals, and the prediction ---- */

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    const struct vl_routing r = {2, 3, 1, 1.0f}, no_experts = {2, 0, 1, 1.0f},
                            no_choice = {2, 3, 0, 1.0f};
    const float affinity[6] = {0};
    double x[3] = {0}, loss;
    float dlogits[6] = {0}, bias[3] = {0};
    assert_int_equal(vl_load_add(x, (const int32_t[]){1, 3}, &r), VL_EINVAL);
    assert_int_equal(vl_load_add(x, (const int32_t[]){1, -1}, &r), VL_EINVAL);
    assert_true(x[1] == 0.0); /* nothing was added before the refusal */
    assert_int_equal(vl_load_max_violation(&loss, x, 0), VL_EINVAL);
    assert_int_equal(vl_balance_bias_update(bias, NULL, 3, 0.1f), VL_EINVAL);
    assert_int_equal(vl_balance_shares_add(x, NULL, &r), VL_EINVAL);
    assert_int_equal(vl_balance_shares_add(x, affinity, &no_experts), VL_EINVAL);
    assert_int_equal(vl_balance_loss(&loss, x, x, 2, &no_choice, 0.1f), VL_EINVAL);
    assert_int_equal(vl_balance_loss_backward(dlogits, affinity, x, 2, &no_choice, 0.1f),
                     VL_EINVAL);
    assert_int_equal(vl_balance_loss_backward(NULL, affinity, x, 2, &r, 0.1f), VL_EINVAL);
    assert_int_equal(vl_balance_interference(&loss, NULL, affinity, affinity, 6), VL_EINVAL);
}

/* The two numbers that are not about messages, by running what they are about. */
static void prediction_is_what_happens(void **state)
{
    (void)state;
    struct vl_balance_prediction said;
    double counts[8] = {0}, worst;
    assert_int_equal(vl_predict_expert_balancing(&said), VL_OK);
    const struct vl_routing r = {16, 8, 2, 1.0f};
    int32_t chosen[32];
    for (size_t c = 0; c < 32; c++)
        chosen[c] = c % 2 ? 5 : 3;
    assert_int_equal(vl_load_add(counts, chosen, &r), VL_OK);
    assert_int_equal(vl_load_max_violation(&worst, counts, 8), VL_OK);
    assert_true(said.worst_violation == worst);

    float bias[8] = {0};
    uint64_t steps = 0;
    for (; steps < 1000 && bias[0] - bias[3] < 0.05f - 1e-6f; steps++)
        assert_int_equal(vl_balance_bias_update(bias, counts, 8, 0.001f), VL_OK);
    assert_int_equal(said.bias_steps, steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loss_is_that_of_the_header),
        cmocka_unit_test(even_load_costs_alpha),
        cmocka_unit_test(gradient_is_that_of_the_loss_and_is_added),
        cmocka_unit_test(gradient_pushes_the_loaded_one_down),
        cmocka_unit_test(affinities_at_the_edge_give_finite_numbers),
        cmocka_unit_test(nothing_at_all_costs_nothing),
        cmocka_unit_test(bias_takes_one_step_whatever_the_distance),
        cmocka_unit_test(bias_knows_means_that_are_no_whole_number_and_large_counts),
        cmocka_unit_test(max_violation_is_measured_against_the_mean),
        cmocka_unit_test(interference_is_size_and_cosine),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(prediction_is_what_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
