/*
 * Lab 04's cases as a whole, without starting any rank: truths pass, cases about the last bits
 * depend on the order of sums, and the oracle counts what one counts by hand.
 */
#include "grade/labs/04_zero/zero.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "grade/whole_lab.h"

static const struct vl_lab_cases *all(void)
{
    return vl_lab_cases(vl_lab_find("04"));
}

/* ---- the oracle, against a hand ---- */

/* The drawing of vialata/zero.h: |0011223| |00112233| |0123| on four ranks. */
static const size_t drawn[] = {0, 7, 15, 19};
static const struct vl_oracle_units drawing = {drawn, 3, 4};

static void the_drawing_of_the_header_is_the_oracles(void **state)
{
    (void)state;
    static const char owners[] = "0011223001122330123";
    size_t unit;
    for (size_t i = 0; i < 19; i++) {
        assert_int_equal(vl_oracle_owner(&drawing, i, &unit), owners[i] - '0');
        assert_int_equal(unit, i < 7 ? 0 : i < 15 ? 1 : 2);
    }
    assert_int_equal(vl_oracle_shard_size(&drawing, 1), 5);
    assert_int_equal(vl_oracle_shard_size(&drawing, 3), 4);
    assert_int_equal(vl_oracle_largest_unit(&drawing), 8);
    /* Rank 2 owns 5 of 19, rank 3 owns 4: what it adds last it does not send. */
    assert_int_equal(vl_oracle_scatter_sent(&drawing, 2), 14);
    assert_int_equal(vl_oracle_gather_sent(&drawing, 2), 15);
}

static void a_ring_adds_its_owner_last(void **state)
{
    (void)state;
    /* In float32, 1e8 + 1 = 1e8: only (1e8 - 1e8) + 1 keeps the 1. Element 0 belongs to rank 0, so
     * it is summed 1, 2, 0; element 1 to rank 1: 2, 0, 1. */
    const size_t begin[] = {0, 3};
    const struct vl_oracle_units units = {begin, 1, 3};
    const float rows[] = {1, 1e8f, 0, /**/ 1e8f, 1, 0, /**/ -1e8f, -1e8f, 0};
    assert_true(vl_oracle_ring_sum(&units, rows, 3, 0) == 1.0f);
    assert_true(vl_oracle_ring_sum(&units, rows, 3, 1) == 1.0f);
    const float other[] = {1e8f, 0, 0, /**/ 1, 0, 0, /**/ -1e8f, 0, 0};
    assert_true(vl_oracle_ring_sum(&units, other, 3, 0) == 0.0f);
}

static void the_figures_are_those_of_the_text(void **state)
{
    (void)state;
    assert_true(vl_oracle_state_bytes(0, 869504, 4) == 13912064);
    assert_true(vl_oracle_state_bytes(1, 869504, 4) == 8695040);
    assert_true(vl_oracle_state_bytes(2, 869504, 4) == 6086528);
    assert_true(vl_oracle_state_bytes(3, 869504, 4) == 3478016);
    assert_true(4 * vl_oracle_sent_elements(3, 869504, 4) == 7825536);
    assert_true(4 * vl_oracle_sent_elements(1, 869504, 4) == 5217024);
    assert_true(vl_oracle_sent_elements(2, 869504, 1) == 0);
}

/* ---- truths ---- */

static void the_truth_passes_every_case(void **state)
{
    (void)state;
    assert_truths_pass(all(), "stages");
}

static void cases_about_bits_show_the_order_of_sums(void **state)
{
    (void)state;
    for (size_t i = 0; i < all()->case_count * SEEDS; i++) {
        const struct vl_case *c = &all()->cases[i / SEEDS];
        struct vl_bag *inputs = vl_bag_create();
        assert_int_equal(c->make(inputs, c, seeds[i % SEEDS]), VL_OK);
        if (c->variant & VL_LONG)
            assert_true(vl_zero_orders_differ(inputs));
        vl_bag_free(inputs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_drawing_of_the_header_is_the_oracles),
        cmocka_unit_test(a_ring_adds_its_owner_last),
        cmocka_unit_test(the_figures_are_those_of_the_text),
        cmocka_unit_test(the_truth_passes_every_case),
        cmocka_unit_test(cases_about_bits_show_the_order_of_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
