/*
 * Lab 05's cases as a whole, without a runner: truths pass, every known wrong answer that does harm
 * earns its code, and what the oracle counts is what a hand counts.
 */
#include "base/text.h"
#include "grade/recompute.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const uint64_t seeds[] = {20260101, 1, 2, 3, 77};
#define SEEDS (sizeof seeds / sizeof *seeds)

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

/* ---- truths and suspects ---- */

/* As a submission would give it: tensors in float32, figures in float64. */
static void give(struct vl_bag *outputs, const struct vl_bag *answer)
{
    for (size_t a = 0; a < vl_bag_count(answer); a++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(answer, a);
        if (strcmp(entry->name, "status") == 0 || vl_bag_find(outputs, entry->name))
            continue;
        int narrow =
            entry->dtype == VL_F64 && entry->count > 1 && strcmp(entry->name, "flops") != 0;
        void *out = vl_bag_add(outputs, entry->name, narrow ? VL_F32 : entry->dtype, entry->dims,
                               entry->shape);
        assert_non_null(out);
        for (size_t i = 0; narrow && i < entry->count; i++)
            ((float *)out)[i] = (float)((const double *)entry->data)[i];
        if (!narrow && entry->count > 0)
            memcpy(out, entry->data, entry->count * vl_dtype_bytes(entry->dtype));
    }
}

/* Judge the answer; what it leaves out is right. */
static struct vl_case_result judged(const struct vl_case *c, const struct vl_bag *inputs,
                                    const struct vl_bag *answer, const struct vl_bag *expected)
{
    struct vl_case_result result = {0};
    struct vl_bag *outputs = vl_bag_create();
    assert_true(vl_bag_set_int(outputs, "status", vl_bag_int(expected, "status")));
    give(outputs, answer);
    give(outputs, expected);
    assert_int_equal(vl_judge(&result, c, 1, inputs, outputs), VL_OK);
    vl_bag_free(outputs);
    return result;
}

static void the_truth_passes_every_case(void **state)
{
    (void)state;
    for (size_t i = 0; i < vl_cases_recompute.case_count * SEEDS; i++) {
        const struct vl_case *c = &vl_cases_recompute.cases[i / SEEDS];
        struct vl_bag *inputs = vl_bag_create(), *expected = vl_bag_create();
        assert_int_equal(c->make(inputs, c, seeds[i % SEEDS]), VL_OK);
        assert_int_equal(c->truth(expected, inputs), VL_OK);
        struct vl_case_result result = judged(c, inputs, expected, expected);
        if (result.status != VL_CASE_PASSED)
            fail_msg("%s, seed %zu: %s %s", c->id, (size_t)seeds[i % SEEDS], result.code,
                     result.message);
        vl_bag_free(inputs);
        vl_bag_free(expected);
    }
}

/* One suspect in one case: 1 if it earns its code, 0 if it does no harm here, -1 if it gets
 * another. */
static int accuse(const struct vl_case *c, const struct vl_suspect *suspect, uint64_t seed)
{
    struct vl_bag *inputs = vl_bag_create(), *expected = vl_bag_create(), *wrong = vl_bag_create();
    assert_int_equal(c->make(inputs, c, seed), VL_OK);
    assert_int_equal(c->truth(expected, inputs), VL_OK);
    assert_int_equal(suspect->answer(wrong, inputs, expected), VL_OK);
    int caught = 0;
    if (vl_bag_int(expected, "status") == VL_OK && vl_bag_count(wrong) > 0) {
        struct vl_case_result result = judged(c, inputs, wrong, expected);
        caught = result.status != VL_CASE_PASSED;
        if (caught && strcmp(result.code, suspect->code) != 0)
            caught = -1;
        free(result.code);
        free(result.message);
    }
    vl_bag_free(inputs);
    vl_bag_free(expected);
    vl_bag_free(wrong);
    return caught;
}

/* In one case two mistakes may look alike; in some case each must be told apart. */
static void every_suspect_earns_its_code_in_some_case(void **state)
{
    (void)state;
    for (size_t i = 0; i < vl_cases_recompute.case_count; i++) {
        const struct vl_suspect *suspects = vl_cases_recompute.cases[i].suspects;
        for (size_t s = 0; suspects != NULL && suspects[s].code != NULL; s++) {
            int earned = 0;
            for (size_t k = 0; k < vl_cases_recompute.case_count && earned < 1; k++)
                if (vl_cases_recompute.cases[k].suspects == suspects)
                    for (size_t seed = 0; seed < SEEDS && earned < 1; seed++)
                        earned = accuse(&vl_cases_recompute.cases[k], &suspects[s], seeds[seed]);
            if (earned < 1)
                fail_msg("%s, suspect %zu: %s", vl_cases_recompute.cases[i].id, s,
                         suspects[s].code);
        }
    }
}

/* Where counts must be exact, the numbers of a case are larger than 32 bits and fit into 63. */
static void large_numbers_are_large(void **state)
{
    (void)state;
    for (size_t i = 0; i < vl_cases_recompute.case_count * SEEDS; i++) {
        const struct vl_case *c = &vl_cases_recompute.cases[i / SEEDS];
        if (c->variant != VL_RECOMPUTE_LARGE)
            continue;
        struct vl_bag *inputs = vl_bag_create(), *expected = vl_bag_create();
        assert_int_equal(c->make(inputs, c, seeds[i % SEEDS]), VL_OK);
        assert_int_equal(c->truth(expected, inputs), VL_OK);
        for (size_t a = 0; a < vl_bag_count(expected); a++) {
            const struct vl_tensor_entry *entry = vl_bag_entry(expected, a);
            for (size_t k = 0; k < entry->count; k++) {
                int64_t number = ((const int64_t *)entry->data)[k];
                assert_true(number > (strcmp(entry->name, "input") == 0 ? 0 : UINT32_MAX));
                assert_true(number < INT64_C(1) << 53); /* exact as float64, too */
            }
        }
        vl_bag_free(inputs);
        vl_bag_free(expected);
    }
}

static void shares_add_up_to_one(void **state)
{
    (void)state;
    const struct vl_lab *lab = vl_lab_find("recompute");
    double points = 0;
    for (size_t f = 0; f < lab->function_count; f++) {
        const struct vl_lab_function *function = &lab->functions[f];
        double share = 0;
        for (size_t i = 0; i < vl_cases_recompute.case_count; i++)
            if (strcmp(vl_cases_recompute.cases[i].function, function->name) == 0)
                share += vl_cases_recompute.cases[i].share;
        int timed = 0;
        for (size_t i = 0; i < vl_cases_recompute.timing_count; i++)
            timed += strcmp(vl_cases_recompute.timings[i].function, function->name) == 0;
        if (function->speed_points == 0 && fabs(share - 1) > 1e-9)
            fail_msg("%s: %g", function->name, share);
        assert_int_equal(timed, function->speed_points > 0);
        points += function->points + function->speed_points;
    }
    assert_true(points == 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_of_the_header_is_the_oracles),
        cmocka_unit_test(the_last_layer_is_still_there),
        cmocka_unit_test(a_small_layer_is_counted_by_hand),
        cmocka_unit_test(the_figures_are_those_of_the_text),
        cmocka_unit_test(the_truth_passes_every_case),
        cmocka_unit_test(every_suspect_earns_its_code_in_some_case),
        cmocka_unit_test(large_numbers_are_large),
        cmocka_unit_test(shares_add_up_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
