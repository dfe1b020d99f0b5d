/*
 * Lab 02's cases: truths against numbers worked out by hand, every truth passes, every known wrong
 * answer earns its code. For several seeds, since shapes change with the seed.
 */
#include "grade/labs/02_collectives/collectives.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "whole_lab.h"

static const struct vl_lab_cases *all(void)
{
    return vl_lab_cases(vl_lab_find("02"));
}

static const struct vl_case *case_named(const char *id)
{
    for (size_t i = 0; i < all()->case_count; i++)
        if (strcmp(all()->cases[i].id, id) == 0)
            return &all()->cases[i];
    return NULL;
}

/* ---- by hand ---- */

static void rings_and_trees_carry_what_pencil_and_paper_say(void **state)
{
    (void)state;
    /* 10 elements over 4 ranks: chunks of 3, 3, 2, 2. Nobody sends its own chunk while adding, nor
     * the next one's while gathering; nobody receives its left neighbour's, nor its own. */
    uint64_t sent[8] = {0}, received[8] = {0};
    vl_oracle_ring_reduce_scatter(sent, received, 10, 4);
    const uint64_t sent_adding[] = {7, 7, 8, 8}, received_adding[] = {8, 7, 7, 8};
    assert_memory_equal(sent, sent_adding, sizeof sent_adding);
    assert_memory_equal(received, received_adding, sizeof received_adding);
    vl_oracle_ring_all_gather(sent, received, 10, 4);
    const uint64_t sent_both[] = {14, 15, 16, 15}, received_both[] = {15, 14, 15, 16};
    assert_memory_equal(sent, sent_both, sizeof sent_both);
    assert_memory_equal(received, received_both, sizeof received_both);

    uint64_t tree[8] = {0};
    vl_oracle_tree(tree, 8);
    const uint64_t by_hand[] = {3, 2, 1, 1, 0, 0, 0, 0};
    assert_memory_equal(tree, by_hand, sizeof by_hand);
}

static void chunks_are_dealt_like_cards(void **state)
{
    (void)state;
    assert_int_equal(vl_oracle_chunk_count(10, 1, 4), 3);
    assert_int_equal(vl_oracle_chunk_count(10, 2, 4), 2);
    assert_int_equal(vl_oracle_chunk_first(10, 3, 4), 8);
    assert_int_equal(vl_oracle_chunk_count(2, 3, 4), 0);
    assert_int_equal(vl_oracle_chunk_first(2, 3, 4), 2);
}

static void seconds_are_those_of_the_steps(void **state)
{
    (void)state;
    struct vl_oracle_road road = {1000, 1};
    assert_true(vl_oracle_tree_seconds(road, 5, 40) == 3 * 1040);
    assert_true(vl_oracle_tree_seconds(road, 1, 40) == 0);
    assert_true(vl_oracle_ring_seconds(road, 5, 40, 2) == 8 * 1008);
    assert_true(vl_oracle_ring_seconds(road, 1, 40, 2) == 0);
}

static void sealed_numbers_are_those_of_the_text(void **state)
{
    (void)state;
    const struct vl_case *bytes = case_named("predict_collectives.ring_bytes");
    struct vl_bag *inputs = inputs_of(bytes, 1), *expected = truth_of(bytes, inputs);
    assert_int_equal(vl_bag_int(expected, "ring_sent_bytes"), 6000000);
    assert_int_equal(vl_truth_sealed_messages(expected, inputs), VL_OK);
    assert_int_equal(vl_bag_int(expected, "tree_root_messages"), 3);
    assert_int_equal(vl_truth_sealed_break_even(expected, inputs), VL_OK);
    assert_true(fabs(vl_bag_real(expected, "break_even_bytes") - 80000) < 1e-6);
    vl_bag_free(expected);
    vl_bag_free(inputs);
}

/* The data must be such that the order of the additions shows in the bits. */
static void another_order_of_additions_gives_other_bits(void **state)
{
    (void)state;
    for (size_t s = 0; s < SEEDS; s++) {
        struct vl_bag *inputs = inputs_of(case_named("all_reduce_start.p3_order"), seeds[s]);
        size_t n = (size_t)vl_bag_int(inputs, "n"), different = 0;
        const float *data = vl_bag_f32(inputs, "data");
        for (size_t i = 0; i < n; i++)
            different += vl_oracle_sum_in_order(data, n, i, 0, 3) !=
                         vl_oracle_sum_in_order(data, n, i, 1, 3);
        assert_true(different > n / 20);
        vl_bag_free(inputs);
    }
}

/* ---- every case ---- */

static void every_truth_passes_and_nothing_does_not(void **state)
{
    (void)state;
    assert_truths_pass(all(), FIGURES_ALL_REAL);
}

/* Long arrays take long, and their mistakes are those of the short ones. */
static struct vl_lab_cases short_ones(void)
{
    static struct vl_case kept[128];
    struct vl_lab_cases some = {.lab = all()->lab, .cases = kept};
    for (size_t i = 0; i < all()->case_count; i++) {
        int size = all()->cases[i].variant & VL_ROAD_SIZES;
        assert_true(some.case_count < sizeof kept / sizeof *kept);
        if (size != VL_ROAD_LARGE && size != VL_ROAD_MIB)
            kept[some.case_count++] = all()->cases[i];
    }
    return some;
}

static void every_suspect_earns_its_code_in_some_case_whatever_the_seed(void **state)
{
    (void)state;
    struct vl_lab_cases some = short_ones();
    assert_true(assert_suspects_are_told_apart(&some, FIGURES_ALL_REAL) >= 60);
}

/* Orders of adding that nobody listed: whatever is wrong in last bits only is told so. */
static void any_other_order_is_called_one(void **state)
{
    (void)state;
    char name[VL_RANKED_NAME];
    const struct vl_case *c = case_named("all_reduce_start.p8_order");
    struct vl_bag *inputs = inputs_of(c, 1), *expected = truth_of(c, inputs);
    struct vl_bag *answer = truth_of(c, inputs);
    const struct vl_tensor_entry *data = vl_bag_find(answer, vl_ranked(name, "data", 3));
    assert_true(data != NULL && data->dtype == VL_F64);
    double *numbers = (double *)data->data;
    numbers[0] *= 1 + 1e-7;
    struct vl_case_result result = judged(c, inputs, answer, expected, FIGURES_ALL_REAL);
    assert_int_equal(result.status, VL_CASE_FAILED);
    assert_string_equal(result.code, "other_order");
    forget(&result);
    numbers[0] += 1;
    result = judged(c, inputs, answer, expected, FIGURES_ALL_REAL);
    assert_int_equal(result.status, VL_CASE_FAILED);
    assert_string_not_equal(result.code, "other_order");
    forget(&result);
    vl_bag_free(answer);
    vl_bag_free(expected);
    vl_bag_free(inputs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_are_dealt_like_cards),
        cmocka_unit_test(rings_and_trees_carry_what_pencil_and_paper_say),
        cmocka_unit_test(seconds_are_those_of_the_steps),
        cmocka_unit_test(sealed_numbers_are_those_of_the_text),
        cmocka_unit_test(any_other_order_is_called_one),
        cmocka_unit_test(another_order_of_additions_gives_other_bits),
        cmocka_unit_test(every_truth_passes_and_nothing_does_not),
        cmocka_unit_test(every_suspect_earns_its_code_in_some_case_whatever_the_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
