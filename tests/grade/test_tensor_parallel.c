/*
 * Lab 06's cases as a whole, without starting any rank: truths pass, and the oracle counts what one
 * counts by hand.
 */
#include "grade/labs/06_tensor_parallel/tensor_parallel.h"
#include "oracle/tensor.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "grade/whole_lab.h"

static const struct vl_lab_cases *all(void)
{
    return vl_lab_cases(vl_lab_find("06"));
}

/* ---- the oracle, against a hand ---- */

static void a_ring_of_three_sends_all_but_one_chunk_twice(void **state)
{
    (void)state;
    /* Seven elements: chunks of 3, 2, 2. Rank 0 scatters all but its own chunk and gathers all but
     * the next rank's, which it receives last and keeps. */
    assert_int_equal(vl_oracle_scatter_half_sent(7, 0, 3), 4);
    assert_int_equal(vl_oracle_gather_half_sent(7, 0, 3), 5);
    assert_int_equal(vl_oracle_all_reduce_sent(7, 0, 3), 9);
    assert_int_equal(vl_oracle_all_reduce_sent(7, 2, 3), 5 + 4);
    assert_int_equal(vl_oracle_all_reduce_sent(7, 0, 1), 0);
}

static void three_numbers_a_token_travel(void **state)
{
    (void)state;
    /* Two ranks, four tokens: 4 maxima to the other; 8 sums and targets, half of them twice. */
    assert_int_equal(vl_oracle_cross_entropy_sent(4, 0, 2), 4 + 8);
    /* Four ranks: 4 maxima of each, 3 times; 8 numbers in chunks of 2, 6 times. */
    assert_int_equal(vl_oracle_cross_entropy_sent(4, 1, 4), 12 + 12);
}

static void the_figures_are_those_of_the_text(void **state)
{
    (void)state;
    const struct vl_oracle_tensor_shape shape = {
        .layers = 4, .width = 128, .ff = 352, .vocabulary = 256, .tokens = 8 * 128, .ranks = 2};
    assert_int_equal(vl_oracle_tensor_sums(1), 6);
    assert_int_equal(vl_oracle_tensor_sums(4), 18);
    assert_int_equal(4 * vl_oracle_tensor_sent(&shape, 0), 9449472);
    assert_int_equal(4 * vl_oracle_tensor_weights(&shape), 1741312);
}

static void an_input_gathered_again_is_half_a_ring(void **state)
{
    (void)state;
    struct vl_oracle_tensor_shape shape = {
        .layers = 3, .width = 5, .tokens = 8, .ranks = 4, .shared = false};
    uint64_t once = vl_oracle_tensor_sent(&shape, 1);
    assert_int_equal(vl_oracle_tensor_again(&shape), 0);
    shape.shared = true;
    assert_int_equal(vl_oracle_tensor_again(&shape), 3 * 2 + 1);
    /* Of 8 tokens three quarters: 6 rows of 5 numbers pass through each rank. */
    assert_int_equal(vl_oracle_tensor_sent(&shape, 1) - once, 7 * 6 * 5);
}

static void shared_tokens_are_kept_once(void **state)
{
    (void)state;
    /* Two ranks; one layer; 4 tokens of width 8 in a sequence of 4; 2 heads; F 6. A token keeps 4 of
     * width 8 and two 1/rms outside, and 16 + 4 + 9 = 29 numbers of a rank's inside. */
    struct vl_oracle_tensor_shape shape = {.layers = 1,
                                           .width = 8,
                                           .ff = 6,
                                           .heads = 2,
                                           .length = 4,
                                           .tokens = 4,
                                           .ranks = 2,
                                           .shared = false};
    assert_int_equal(vl_oracle_tensor_kept(&shape), 4 * 34 + 4 * 29);
    shape.shared = true;
    assert_int_equal(vl_oracle_tensor_kept(&shape), 2 * 34 + 4 * 29);
}

/* ---- truths, against a hand ---- */

static void rows_outside_a_ranks_chunk_are_not_judged(void **state)
{
    (void)state;
    static const float x[] = {1, 2, 3, 4, /**/ 50, 60, 70, 80}; /* two ranks, (4,1) each */
    struct vl_bag *inputs = vl_bag_create(), *sum = vl_bag_create(), *gather = vl_bag_create();
    memcpy(vl_bag_add_f32(inputs, "x", 8, 1), x, sizeof x);
    assert_true(vl_bag_set_int(inputs, "ranks", 2) && vl_bag_set_int(inputs, "shared", 1));
    assert_true(vl_bag_set_int(inputs, "n", 4) && vl_bag_set_int(inputs, "d", 1));
    assert_int_equal(vl_truth_tensor_sum(sum, inputs), VL_OK);
    assert_int_equal(vl_truth_tensor_gather(gather, inputs), VL_OK);
    const double *first = vl_bag_f64(sum, "x@0"), *second = vl_bag_f64(sum, "x@1");
    assert_true(first[0] == 51 && first[1] == 62 && isnan(first[2]) && isnan(first[3]));
    assert_true(isnan(second[0]) && isnan(second[1]) && second[2] == 73 && second[3] == 84);
    const double *both[] = {vl_bag_f64(gather, "x@0"), vl_bag_f64(gather, "x@1")};
    for (int rank = 0; rank < 2; rank++)
        assert_true(both[rank][0] == 1 && both[rank][1] == 2 && both[rank][2] == 70 &&
                    both[rank][3] == 80);
    vl_bag_free(inputs);
    vl_bag_free(sum);
    vl_bag_free(gather);
}

static void columns_of_the_ranks_are_one_softmax(void **state)
{
    (void)state;
    /* One token, logits 0, ln 2 | ln 3, ln 2: of 8 parts 1, 2, 3, 2. The target is the third. */
    const float logits[] = {0, logf(2), logf(3), logf(2)};
    struct vl_bag *inputs = vl_bag_create(), *expected = vl_bag_create();
    memcpy(vl_bag_add_f32(inputs, "logits", 2, 2), logits, sizeof logits);
    vl_bag_add_i32(inputs, "targets", 1, 1)[0] = 2;
    assert_true(vl_bag_set_int(inputs, "ranks", 2) && vl_bag_set_int(inputs, "vocabulary", 4));
    assert_true(vl_bag_set_int(inputs, "n", 1));
    assert_int_equal(vl_truth_tensor_cross_entropy(expected, inputs), VL_OK);
    assert_float_equal(vl_bag_f64(expected, "probs@0")[1], 2.0 / 8, 1e-6);
    assert_float_equal(vl_bag_f64(expected, "probs@1")[0], 3.0 / 8, 1e-6);
    assert_float_equal(vl_bag_f64(expected, "losses@0")[0], log(8.0 / 3), 1e-6);
    assert_float_equal(vl_bag_f64(expected, "losses@1")[0], log(8.0 / 3), 1e-6);
    vl_bag_free(inputs);
    vl_bag_free(expected);
}

/* ---- all cases ---- */

static void the_truth_passes_every_case(void **state)
{
    (void)state;
    assert_truths_pass(all(), "bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_of_three_sends_all_but_one_chunk_twice),
        cmocka_unit_test(three_numbers_a_token_travel),
        cmocka_unit_test(the_figures_are_those_of_the_text),
        cmocka_unit_test(an_input_gathered_again_is_half_a_ring),
        cmocka_unit_test(shared_tokens_are_kept_once),
        cmocka_unit_test(rows_outside_a_ranks_chunk_are_not_judged),
        cmocka_unit_test(columns_of_the_ranks_are_one_softmax),
        cmocka_unit_test(the_truth_passes_every_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
