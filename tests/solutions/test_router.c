/*
 * The reference of lab 08's router, which is serial: compared with float64, and at the edges of its
 * contract.
 */
#include <stdlib.h>

#include "base/random.h"
#include "oracle/differences.h"
#include "vialata/router.h"

enum { TOKENS = 40, EXPERTS = 64, CHOSEN = 8 }; /* at most */
#define SIZE (TOKENS * EXPERTS)

static const struct vl_routing routings[] = {
    {7, 4, 2, 1.0f}, {5, 9, 3, 2.5f},   {6, 5, 5, 1.5f}, /* k = E */
    {6, 8, 1, 1.0f}, {40, 64, 8, 2.5f}, {3, 1, 1, 1.0f}, {0, 4, 2, 1.0f},
};

/* What forward gave, and what a backward needs. */
static struct {
    struct vl_routing r;
    float logits[SIZE], bias[EXPERTS], affinity[SIZE], weights[TOKENS * CHOSEN];
    float dweights[TOKENS * CHOSEN], dlogits[SIZE];
    int32_t chosen[TOKENS * CHOSEN];
    double wide[SIZE]; /* the logits */
} it;

static double weight_of(size_t token, size_t j)
{
    const double *logits = it.wide + token * it.r.experts;
    const int32_t *chosen = it.chosen + token * it.r.chosen;
    double sum = 0.0;
    for (size_t i = 0; i < it.r.chosen; i++)
        sum += 1.0 / (1.0 + exp(-logits[chosen[i]]));
    return (double)it.r.scale / (1.0 + exp(-logits[chosen[j]])) / sum;
}

/* For whom dweights is the gradient of the weights. */
static double loss(void *context)
{
    (void)context;
    double sum = 0.0;
    for (size_t c = 0; c < it.r.tokens * it.r.chosen; c++)
        sum += (double)it.dweights[c] * weight_of(c / it.r.chosen, c % it.r.chosen);
    return sum;
}

/* How many experts come before e, by the rule alone? */
static size_t place_of(size_t token, size_t e, const float *bias)
{
    const float *affinity = it.affinity + token * it.r.experts;
    size_t before = 0;
    float own = affinity[e] + (bias ? bias[e] : 0);
    for (size_t o = 0; o < it.r.experts; o++) {
        float other = affinity[o] + (bias ? bias[o] : 0);
        before += other > own || (other == own && o < e);
    }
    return before;
}

static void router_is_right(const float *bias)
{
    size_t n = it.r.tokens, e = it.r.experts, k = it.r.chosen;
    double gradient[SIZE];
    assert_int_equal(vl_router_forward(it.affinity, it.chosen, it.weights, it.logits, bias, &it.r),
                     VL_OK);
    for (size_t i = 0; i < n * e; i++) {
        it.wide[i] = (double)it.logits[i];
        assert_true(fabs((double)it.affinity[i] - 1.0 / (1.0 + exp(-it.wide[i]))) < 1e-7);
    }
    for (size_t c = 0; c < n * k; c++)
        assert_int_equal(place_of(c / k, (size_t)it.chosen[c], bias), c % k);
    for (size_t c = 0; c < n * k; c++)
        assert_true(fabs((double)it.weights[c] - weight_of(c / k, c % k)) < 1e-6);

    assert_int_equal(vl_router_backward(it.dlogits, it.dweights, it.affinity, it.chosen, &it.r),
                     VL_OK);
    for (size_t i = 0; i < n * e; i++) {
        gradient[i] = (double)it.dlogits[i];
        assert_true(k != 1 || it.dlogits[i] == 0.0f); /* exactly */
    }
    if (k != 1 && n > 0)
        assert_gradient(gradient, it.wide, n * e, loss, NULL);
}

static void router_is_that_of_float64(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < sizeof routings / sizeof *routings; i++) {
        it.r = routings[i];
        size_t n = it.r.tokens * it.r.experts;
        vl_random_fill_normal(it.logits, n, 1.0f, i, 0, 0);
        vl_random_fill_normal(it.bias, it.r.experts, 0.5f, i, 1, 0);
        vl_random_fill_normal(it.dweights, it.r.tokens * it.r.chosen, 1.0f, i, 2, 0);
        router_is_right(NULL);
        router_is_right(it.bias);
        for (size_t j = 0; j < n; j++) /* ties: a few values in all, then a single one */
            it.logits[j] = roundf(it.logits[j]);
        router_is_right(NULL);
        for (size_t j = 0; j < n; j++)
            it.logits[j] = 0.0f;
        router_is_right(NULL);
    }
}

/* One token, four experts, k = 2. */
static void route_one(float a, float b, float c, float d)
{
    it.r = (struct vl_routing){1, 4, 2, 1.0f};
    it.logits[0] = a, it.logits[1] = b, it.logits[2] = c, it.logits[3] = d;
    it.dweights[0] = 1, it.dweights[1] = 2;
    assert_int_equal(vl_router_forward(it.affinity, it.chosen, it.weights, it.logits, NULL, &it.r),
                     VL_OK);
    assert_int_equal(vl_router_backward(it.dlogits, it.dweights, it.affinity, it.chosen, &it.r),
                     VL_OK);
}

static void extreme_logits_give_numbers(void **state)
{
    (void)state;
    route_one(-200, -300, -INFINITY, -250); /* no affinity is left */
    assert_true(it.chosen[0] == 0 && it.chosen[1] == 1);
    assert_true(it.weights[0] == 0 && it.weights[1] == 0);
    for (int e = 0; e < 4; e++)
        assert_true(it.dlogits[e] == 0);
    route_one(100, -300, 0, 100); /* as sure as can be */
    assert_true(it.chosen[0] == 0 && it.chosen[1] == 3);
    assert_true(it.weights[0] == 0.5f && it.weights[1] == 0.5f);
    route_one(-86, -300, -INFINITY, -86); /* affinities that are hardly floats */
    assert_true(it.weights[0] == 0.5f && it.weights[1] == 0.5f);
    assert_true(fabsf(it.dlogits[0] + 0.25f) < 1e-6f && fabsf(it.dlogits[3] - 0.25f) < 1e-6f);
}

static void what_the_contract_refuses_is_refused(void **state)
{
    (void)state;
    route_one(1, 2, 3, 4);
    for (size_t k = 0; k <= 5; k += 5) { /* none, or more than there are */
        it.r.chosen = k;
        assert_int_equal(
            vl_router_forward(it.affinity, it.chosen, it.weights, it.logits, NULL, &it.r),
            VL_EINVAL);
        assert_int_equal(vl_router_backward(it.dlogits, it.dweights, it.affinity, it.chosen, &it.r),
                         VL_EINVAL);
    }
    it.r.chosen = 2;
    it.logits[2] = NAN;
    assert_int_equal(vl_router_forward(it.affinity, it.chosen, it.weights, it.logits, NULL, &it.r),
                     VL_EINVAL);
    it.r.tokens = 0;
    assert_int_equal(vl_router_forward(NULL, NULL, NULL, NULL, NULL, &it.r), VL_OK);
    assert_int_equal(vl_router_backward(NULL, NULL, NULL, NULL, &it.r), VL_OK);
}

/* ---- groups ---- */

/* The contract's drawing. */
static void a_token_stays_in_its_best_group(void **state)
{
    (void)state;
    const double drawn[] = {.9, .1, .6, .5, .7, .2};
    const struct vl_router_groups one = {3, 1}, all = {3, 3};
    it.r = (struct vl_routing){1, 6, 2, 1.0f};
    for (int e = 0; e < 6; e++)
        it.logits[e] = (float)log(drawn[e] / (1 - drawn[e]));
    assert_int_equal(
        vl_router_limited(it.affinity, it.chosen, it.weights, it.logits, NULL, &it.r, &one), VL_OK);
    assert_true(it.chosen[0] == 2 && it.chosen[1] == 3);
    assert_true(fabsf(it.weights[0] - 6.0f / 11) < 1e-6f);
    assert_int_equal(
        vl_router_limited(it.affinity, it.chosen, it.weights, it.logits, NULL, &it.r, &all), VL_OK);
    assert_true(it.chosen[0] == 0 && it.chosen[1] == 4);
}

static void open_groups_give_the_bits_of_no_groups(void **state)
{
    (void)state;
    static float affinity[SIZE], weights[TOKENS * CHOSEN];
    static int32_t chosen[TOKENS * CHOSEN];
    const struct vl_router_groups open = {16, 16};
    it.r = (struct vl_routing){40, 64, 8, 2.5f};
    vl_random_fill_normal(it.logits, SIZE, 1, 5, 0, 0);
    vl_random_fill_normal(it.bias, EXPERTS, 0.3f, 5, 1, 0);
    assert_int_equal(
        vl_router_forward(it.affinity, it.chosen, it.weights, it.logits, it.bias, &it.r), VL_OK);
    assert_int_equal(vl_router_limited(affinity, chosen, weights, it.logits, it.bias, &it.r, &open),
                     VL_OK);
    assert_memory_equal(affinity, it.affinity, sizeof affinity);
    assert_memory_equal(chosen, it.chosen, sizeof chosen);
    assert_memory_equal(weights, it.weights, sizeof weights);
}

static void groups_that_cannot_be_are_refused(void **state)
{
    (void)state;
    struct vl_node_rows rows;
    it.r = (struct vl_routing){1, 6, 3, 1.0f};
    static const struct {
        struct vl_router_groups groups;
        enum vl_status status;
    } wrong[] = {{{0, 1}, VL_ESHAPE},
                 {{4, 2}, VL_ESHAPE},
                 {{3, 0}, VL_EINVAL},
                 {{3, 4}, VL_EINVAL},
                 {{3, 1}, VL_EINVAL}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(vl_router_limited(it.affinity, it.chosen, it.weights, it.logits, NULL,
                                           &it.r, &wrong[i].groups),
                         wrong[i].status);
    const struct vl_router_groups groups = {3, 2};
    const int32_t chosen[] = {0, 1, 6};
    assert_int_equal(vl_router_node_rows(&rows, chosen, 3, &it.r, &groups), VL_EINVAL);
    assert_int_equal(vl_router_node_rows(&rows, chosen, 0, &it.r, &groups), VL_EINVAL);
}

/* Rows that leave node 0, per token; E = 64, n = 8, k = 8, and every expert is equally likely. */
static struct vl_node_rows rows_at(size_t limit)
{
    enum { MANY = 100 }; /* times 40 tokens */
    const struct vl_router_groups groups = {8, limit};
    struct vl_node_rows all = {0, 0}, rows;
    it.r = (struct vl_routing){TOKENS, 64, 8, 1.0f};
    for (uint64_t draw = 0; draw < MANY; draw++) {
        vl_random_fill_normal(it.logits, SIZE, 1, 7, draw, 0);
        assert_int_equal(
            vl_router_limited(it.affinity, it.chosen, it.weights, it.logits, NULL, &it.r, &groups),
            VL_OK);
        assert_int_equal(vl_router_node_rows(&rows, it.chosen, 0, &it.r, &groups), VL_OK);
        assert_true(rows.once <= limit * TOKENS);
        all.each += rows.each;
        all.once += rows.once;
    }
    return all;
}

static void rows_between_nodes_are_those_of_the_closed_form(void **state)
{
    (void)state;
    const double tokens = 100.0 * TOKENS, none = 1420494075.0 / 4426165368.0; /* C(56,8)/C(64,8) */
    double before = INFINITY;
    for (size_t limit = 8; limit > 0; limit /= 2) {
        const struct vl_node_rows rows = rows_at(limit);
        assert_true(fabs((double)rows.each / (tokens * 8 * 7 / 8) - 1) < 0.02);
        assert_true((double)rows.once < before);
        before = (double)rows.once;
        if (limit == 8)
            assert_true(fabs(before / (tokens * 7 * (1 - none)) - 1) < 0.02);
        if (limit == 1) /* one node, and in seven of eight cases another one */
            assert_true(fabs(before / (tokens * 7 / 8) - 1) < 0.02);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(router_is_that_of_float64),
        cmocka_unit_test(extreme_logits_give_numbers),
        cmocka_unit_test(what_the_contract_refuses_is_refused),
        cmocka_unit_test(a_token_stays_in_its_best_group),
        cmocka_unit_test(open_groups_give_the_bits_of_no_groups),
        cmocka_unit_test(groups_that_cannot_be_are_refused),
        cmocka_unit_test(rows_between_nodes_are_those_of_the_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
