/*
 * Lab 05's cases as a whole, without a runner: truths pass, large numbers are large enough, and the
 * oracle counts what one counts by hand.
 */
#include "grade/labs/05_recompute/recompute.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "grade/whole_lab.h"

static const struct vl_lab_cases *all(void)
{
    return vl_lab_cases(vl_lab_find("05"));
}

/* ---- the oracle, against a hand ---- */

static void the_table_of_the_header_is_the_oracles(void **state)
{
    (void)state;
    static const size_t slots[VL_ORACLE_MODES][VL_ORACLE_KINDS] = {{5, 5, 5}, {5, 1, 5}, {5, 1, 1}};
    for (int mode = 0; mode < VL_ORACLE_MODES; mode++)
        for (int kind = 0; kind < VL_ORACLE_KINDS; kind++)
            assert_int_equal(
                vl_oracle_places((enum vl_oracle_mode)mode, (enum vl_oracle_kind)kind, 5),
                slots[mode][kind]);
    assert_int_equal(vl_oracle_place(VL_ORACLE_FULL, VL_ORACLE_INPUT, 3), 3);
    assert_int_equal(vl_oracle_place(VL_ORACLE_FULL, VL_ORACLE_REST, 3), 0);
}

static void the_last_layer_is_still_there(void **state)
{
    (void)state;
    for (size_t layer = 0; layer < 4; layer++) {
        int last = layer == 3;
        assert_int_equal(vl_oracle_lost(VL_ORACLE_NONE, layer, 4), VL_ORACLE_LOST_NOTHING);
        assert_int_equal(vl_oracle_lost(VL_ORACLE_SELECTIVE, layer, 4),
                         last ? VL_ORACLE_LOST_NOTHING : VL_ORACLE_LOST_PROBS);
        assert_int_equal(vl_oracle_lost(VL_ORACLE_FULL, layer, 4),
                         last ? VL_ORACLE_LOST_NOTHING : VL_ORACLE_LOST_REST);
    }
}

static void a_small_layer_is_counted_by_hand(void **state)
{
    (void)state;
    /* 2 rows of 3 tokens, width 4, 2 heads, ff 5: N = 6 */
    const struct vl_oracle_shape shape = {2, 4, 2, 5, 7, 3};
    assert_int_equal(vl_oracle_elements(VL_ORACLE_INPUT, &shape, 2), 24);
    assert_int_equal(vl_oracle_elements(VL_ORACLE_PROBS, &shape, 2), 2 * 2 * 3 * 3);
    /* 6 + 24 + 72 + 24 + 24 + 6 + 24 + 60 + 30 */
    assert_int_equal(vl_oracle_elements(VL_ORACLE_REST, &shape, 2), 270);
    assert_int_equal(vl_oracle_kept_bytes(VL_ORACLE_NONE, &shape, 2), 4 * 2 * (24 + 36 + 270));
    assert_int_equal(vl_oracle_kept_bytes(VL_ORACLE_FULL, &shape, 2), 4 * (48 + 36 + 270));
    /* attention 2 3 4 + 2 4 3; matrices 2 (4 16 + 3 20) */
    assert_true(vl_oracle_attention_flops(&shape) == 48);
    assert_true(vl_oracle_layer_flops(&shape) == 48 + 248);
    assert_true(vl_oracle_step_flops(&shape) == 3 * (2 * 296 + 2 * 28));
    assert_true(vl_oracle_again_flops(VL_ORACLE_SELECTIVE, &shape) == 48);
    assert_true(vl_oracle_again_flops(VL_ORACLE_FULL, &shape) == 296);
}

static void the_figures_are_those_of_the_text(void **state)
{
    (void)state;
    const struct vl_oracle_shape shape = {4, 128, 4, 352, 256, 128};
    assert_int_equal(vl_oracle_kept_bytes(VL_ORACLE_NONE, &shape, 8), 42500096);
    assert_int_equal(vl_oracle_kept_bytes(VL_ORACLE_SELECTIVE, &shape, 8), 36208640);
    assert_int_equal(vl_oracle_kept_bytes(VL_ORACLE_FULL, &shape, 8), 12197888);
    assert_true(fabs(vl_oracle_again_flops(VL_ORACLE_FULL, &shape) / vl_oracle_step_flops(&shape) -
                     0.2415) < 5e-5);
}

/* ---- truths ---- */

static void the_truth_passes_every_case(void **state)
{
    (void)state;
    assert_truths_pass(all(), "flops");
}

/* Where counts must be exact, the numbers of a case are larger than 32 bits and fit into 63. Operations
 * are float64, and none are 0. */
static void large_numbers_are_large(void **state)
{
    (void)state;
    for (size_t i = 0; i < all()->case_count * SEEDS; i++) {
        const struct vl_case *c = &all()->cases[i / SEEDS];
        if (c->variant != VL_RECOMPUTE_LARGE)
            continue;
        struct vl_bag *inputs = vl_bag_create(), *expected = vl_bag_create();
        assert_int_equal(c->make(inputs, c, seeds[i % SEEDS]), VL_OK);
        assert_int_equal(c->truth(expected, inputs), VL_OK);
        for (size_t a = 0; a < vl_bag_count(expected); a++) {
            const struct vl_tensor_entry *entry = vl_bag_entry(expected, a);
            for (size_t k = 0; entry->dtype == VL_I64 && k < entry->count; k++) {
                int64_t number = ((const int64_t *)entry->data)[k];
                assert_true(number > (strcmp(entry->name, "input") == 0 ? 0 : UINT32_MAX));
                assert_true(number < INT64_C(1) << 53); /* exact as float64, too */
            }
        }
        vl_bag_free(inputs);
        vl_bag_free(expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_of_the_header_is_the_oracles),
        cmocka_unit_test(the_last_layer_is_still_there),
        cmocka_unit_test(a_small_layer_is_counted_by_hand),
        cmocka_unit_test(the_figures_are_those_of_the_text),
        cmocka_unit_test(the_truth_passes_every_case),
        cmocka_unit_test(large_numbers_are_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
