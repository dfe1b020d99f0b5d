/*
 * Lab 02's cases: truths agree with numbers worked out by hand, and every truth passes. For several
 * seeds, since shapes change with the seed.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/origin.h"
#include "grade/judge/refusal.h"
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

/* Two ranks: what the other chunk holds is not asked for. */
static void a_reduce_scatter_fills_only_the_chunk_of_its_rank(void **state)
{
    (void)state;
    char name[VL_RANKED_NAME];
    const struct vl_case *c = case_named("reduce_scatter_start.p2_uneven");
    struct vl_bag *inputs = inputs_of(c, 1), *expected = truth_of(c, inputs);
    size_t n = (size_t)vl_bag_int(inputs, "n"), first = (n + 1) / 2; /* of rank 1's chunk */
    const float *data = vl_bag_f32(inputs, "data");
    for (int rank = 0; rank < 2; rank++) {
        const double *sums = vl_bag_f64(expected, vl_ranked(name, "data", rank));
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(isnan(sums[i]) != 0, (i < first) != (rank == 0));
            if (!isnan(sums[i]))
                assert_true(fabs(sums[i] - (double)data[i] - (double)data[n + i]) < 1e-12);
        }
    }
    vl_bag_free(expected);
    vl_bag_free(inputs);
}

/* Pieces arrive ordered by the rank they come from, each from its place in the sender's row. */
static void pieces_arrive_in_the_order_of_their_senders(void **state)
{
    (void)state;
    const struct vl_case *c = case_named("all_to_all.p2_uneven");
    struct vl_bag *inputs = inputs_of(c, 1), *expected = truth_of(c, inputs);
    const int64_t *counts = vl_bag_find(inputs, "counts")->data;
    const struct vl_tensor_entry *rows = vl_bag_find(inputs, "data");
    const unsigned char *bytes = rows->data;
    const double *received = vl_bag_f64(expected, "received@1");
    size_t from_0 = 4 * (size_t)counts[1], own = 4 * (size_t)counts[3];
    assert_int_equal(vl_bag_find(expected, "received@1")->count, from_0 + own);
    for (size_t i = 0; i < from_0; i++)
        assert_int_equal((int)received[i], bytes[4 * (size_t)counts[0] + i]);
    for (size_t i = 0; i < own; i++)
        assert_int_equal((int)received[from_0 + i],
                         bytes[rows->shape[1] + 4 * (size_t)counts[2] + i]);
    vl_bag_free(expected);
    vl_bag_free(inputs);
}

/* ---- what is to be refused ---- */

static void what_all_must_refuse_is_told(void **state)
{
    (void)state;
    const struct vl_origin origin = {.seed = 1};
    static const struct {
        const char *id;
        bool refused;
    } cases[] = {
        {"all_reduce_start.p2_too_long", true},
        {"exchange.p1_too_long", true},
        {"all_reduce_start.p1_long", false}, /* one rank sends nothing, so nothing is too long */
        {"exchange.p2_kib", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct vl_case *c = case_named(cases[i].id);
        assert_non_null(c);
        struct vl_bag *inputs = vl_case_inputs(c, &origin);
        char *words = vl_refusal_words(c, inputs, NULL);
        assert_int_equal(words != NULL, cases[i].refused);
        if (words != NULL)
            assert_non_null(strstr(words, "VL_EINVAL"));
        free(words);
        struct vl_bag *outputs =
            vl_bag_create(); /* the last rank accepts the call, then refuses it */
        for (int rank = 0; rank < c->ranks; rank++)
            vl_bag_set_int(outputs, VL_RANKED("status", rank),
                           rank + 1 < c->ranks ? VL_EINVAL : VL_OK);
        words = vl_refusal_words(c, inputs, outputs);
        assert_int_equal(words != NULL, cases[i].refused);
        free(words);
        *(int64_t *)vl_bag_find(outputs, VL_RANKED("status", c->ranks - 1))->data = VL_EINVAL;
        assert_null(vl_refusal_words(c, inputs, outputs));
        vl_bag_free(outputs);
        vl_bag_free(inputs);
    }
}

/* ---- every case ---- */

static void every_truth_passes_and_nothing_does_not(void **state)
{
    (void)state;
    assert_truths_pass(all(), FIGURES_ALL_REAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_are_dealt_like_cards),
        cmocka_unit_test(rings_and_trees_carry_what_pencil_and_paper_say),
        cmocka_unit_test(seconds_are_those_of_the_steps),
        cmocka_unit_test(sealed_numbers_are_those_of_the_text),
        cmocka_unit_test(another_order_of_additions_gives_other_bits),
        cmocka_unit_test(a_reduce_scatter_fills_only_the_chunk_of_its_rank),
        cmocka_unit_test(pieces_arrive_in_the_order_of_their_senders),
        cmocka_unit_test(what_all_must_refuse_is_told),
        cmocka_unit_test(every_truth_passes_and_nothing_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
