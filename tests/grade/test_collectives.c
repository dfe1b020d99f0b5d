/*
 * Lab 02's cases: truths against numbers worked out by hand, every truth passes, every known wrong
 * answer earns its code. For several seeds, since shapes change with the seed.
 */
#include "grade/collectives.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const uint64_t seeds[] = {20260101, 1, 7, 12345};
#define SEEDS (sizeof seeds / sizeof *seeds)

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

static struct vl_bag *inputs_of(const struct vl_case *c, uint64_t seed)
{
    struct vl_bag *inputs = vl_bag_create();
    assert_int_equal(c->make(inputs, c, seed), VL_OK);
    return inputs;
}

static struct vl_bag *truth_of(const struct vl_case *c, const struct vl_bag *inputs)
{
    struct vl_bag *expected = vl_bag_create();
    assert_int_equal(c->truth(expected, inputs), VL_OK);
    return expected;
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

static int is_status(const char *name)
{
    return strncmp(name, "status", 6) == 0;
}

/* An answer as the runner would give it: numbers as they are, with a status for each rank. */
static struct vl_bag *outputs_from(const struct vl_case *c, const struct vl_bag *answer,
                                   const struct vl_bag *expected)
{
    struct vl_bag *outputs = vl_bag_create();
    const struct vl_bag *from[] = {answer, expected};
    for (int b = 0; b < 2; b++)
        for (size_t a = 0; a < vl_bag_count(from[b]); a++) {
            const struct vl_tensor_entry *e = vl_bag_entry(from[b], a);
            if (is_status(e->name) || vl_bag_find(outputs, e->name) != NULL)
                continue;
            void *copy = vl_bag_add(outputs, e->name, e->dtype, e->dims, e->shape);
            assert_non_null(copy);
            memcpy(copy, e->data, e->count * vl_dtype_bytes(e->dtype));
            for (size_t i = 0; i < e->count && e->dtype == VL_F64; i++)
                if (isnan(((double *)copy)[i]))
                    ((double *)copy)[i] = 0; /* does not count, but it is a number */
        }
    int64_t status = vl_bag_int(expected, "status");
    char name[VL_RANKED_NAME];
    for (int rank = 0; rank < c->ranks; rank++)
        assert_true(vl_bag_set_int(
            outputs, c->per_rank ? vl_ranked(name, "status", rank) : "status", status));
    return outputs;
}

static enum vl_case_status judged(const struct vl_case *c, const struct vl_bag *inputs,
                                  const struct vl_bag *outputs, char code[64])
{
    struct vl_case_result result = {0};
    assert_int_equal(vl_judge(&result, c, 8, inputs, outputs), VL_OK);
    code[0] = '\0';
    if (result.code != NULL)
        strncpy(code, result.code, 63)[63] = '\0';
    assert_true(result.status == VL_CASE_PASSED ? fabs(result.points - 8 * c->share) < 1e-12
                                                : result.points == 0 && result.message != NULL);
    enum vl_case_status status = result.status;
    free(result.code);
    free(result.message);
    return status;
}

/* Long arrays take long, and their mistakes are those of the short ones. */
static int is_long(const struct vl_case *c)
{
    int size = c->variant & VL_ROAD_SIZES;
    return size == VL_ROAD_LARGE || size == VL_ROAD_MIB;
}

static void every_truth_passes_and_nothing_does_not(void **state)
{
    (void)state;
    char code[64];
    for (size_t i = 0; i < all()->case_count; i++)
        for (size_t s = 0; s < (is_long(&all()->cases[i]) ? 1 : SEEDS); s++) {
            const struct vl_case *c = &all()->cases[i];
            struct vl_bag *inputs = inputs_of(c, seeds[s]), *expected = truth_of(c, inputs);
            struct vl_bag *outputs = outputs_from(c, expected, expected);
            if (judged(c, inputs, outputs, code) != VL_CASE_PASSED)
                fail_msg("%s: %s", c->id, code);
            assert_true(judged(c, inputs, NULL, code) != VL_CASE_PASSED);
            vl_bag_free(outputs);
            vl_bag_free(expected);
            vl_bag_free(inputs);
        }
}

/* The code that the answer of this suspect gets in this case; empty if it passes. */
static void code_of(const struct vl_suspect *suspect, const struct vl_case *c, uint64_t seed,
                    char code[64])
{
    struct vl_bag *inputs = inputs_of(c, seed), *expected = truth_of(c, inputs);
    struct vl_bag *wrong = vl_bag_create();
    assert_int_equal(suspect->answer(wrong, inputs, expected), VL_OK);
    struct vl_bag *outputs = outputs_from(c, wrong, expected);
    judged(c, inputs, outputs, code);
    if (vl_bag_int(expected, "status") != VL_OK)
        code[0] = '\0';
    vl_bag_free(outputs);
    vl_bag_free(wrong);
    vl_bag_free(expected);
    vl_bag_free(inputs);
}

static void every_suspect_earns_its_code_in_some_case_whatever_the_seed(void **state)
{
    (void)state;
    char code[64];
    size_t suspects = 0;
    int unearned = 0;
    for (size_t i = 0; i < all()->case_count; i++) {
        const struct vl_case *first = &all()->cases[i];
        for (const struct vl_suspect *s = first->suspects; s != NULL && s->code; s++, suspects++)
            for (size_t k = 0; k < SEEDS; k++) {
                int earned = 0;
                for (size_t j = 0; j < all()->case_count && !earned; j++) {
                    if (all()->cases[j].suspects != first->suspects || is_long(&all()->cases[j]))
                        continue;
                    code_of(s, &all()->cases[j], seeds[k], code);
                    earned = strcmp(code, s->code) == 0;
                }
                if (!earned)
                    print_error("%s: no case tells %s (seed %zu)\n", first->function, s->code,
                                (size_t)seeds[k]);
                unearned += !earned;
            }
        /* Once for each list. */
        while (i + 1 < all()->case_count && all()->cases[i + 1].suspects == first->suspects)
            i++;
    }
    assert_int_equal(unearned, 0);
    assert_true(suspects >= 60);
}

/* Orders of adding that nobody listed: whatever is wrong in last bits only is told so. */
static void any_other_order_is_called_one(void **state)
{
    (void)state;
    char code[64], name[VL_RANKED_NAME];
    const struct vl_case *c = case_named("all_reduce_start.p8_order");
    struct vl_bag *inputs = inputs_of(c, 1), *expected = truth_of(c, inputs);
    struct vl_bag *outputs = outputs_from(c, expected, expected);
    const struct vl_tensor_entry *data = vl_bag_find(outputs, vl_ranked(name, "data", 3));
    double *numbers = data != NULL && data->dtype == VL_F64 ? (double *)data->data : NULL;
    assert_non_null(numbers);
    numbers[0] *= 1 + 1e-7;
    assert_int_equal(judged(c, inputs, outputs, code), VL_CASE_FAILED);
    assert_string_equal(code, "other_order");
    numbers[0] += 1;
    assert_int_equal(judged(c, inputs, outputs, code), VL_CASE_FAILED);
    assert_string_not_equal(code, "other_order");
    vl_bag_free(outputs);
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
