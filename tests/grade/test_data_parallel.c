/*
 * Lab 03's cases as a whole, without a single rank started: truths pass, every known wrong answer
 * earns its code, and what the oracle counts is what a hand counts.
 */
#include "grade/case.h"
#include "grade/data_parallel.h"
#include "oracle/replicas.h"

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
    return vl_lab_cases(vl_lab_find("data_parallel"));
}

/* ---- the oracle ---- */

static void a_ring_sends_what_a_hand_counts(void **state)
{
    (void)state;
    /* 10 = 3 + 3 + 2 + 2. Rank 0 sends chunks 3 2 1, then 0 3 2; it receives 2 1 0, then 3 2 1. */
    size_t sent, received;
    vl_oracle_ring(&sent, &received, 10, 0, 4);
    assert_int_equal(sent, 2 + 2 + 3 + 3 + 2 + 2);
    assert_int_equal(received, 2 + 3 + 3 + 2 + 2 + 3);
    size_t everywhere = 0;
    for (int r = 0; r < 4; r++) {
        vl_oracle_ring(&sent, &received, 10, r, 4);
        everywhere += sent;
    }
    assert_int_equal(everywhere, 2 * 3 * 10);
    vl_oracle_ring(&sent, &received, 10, 0, 1);
    assert_int_equal(sent + received, 0);
    vl_oracle_ring(&sent, &received, 1, 2, 3); /* only chunk 0 has anything */
    assert_int_equal(sent, 0 + 1 + 0 + 0);
}

static void buckets_close_where_a_hand_closes_them(void **state)
{
    (void)state;
    const size_t units[] = {0, 5, 7, 11, 13};
    size_t started[4], open_end[4];
    /* Six elements are exactly the two last units; seven are left for unit 0 to close. */
    assert_int_equal(vl_oracle_buckets(started, open_end, units, 4, 6 * sizeof(float)), 2);
    const size_t want_started[] = {0, 1, 1, 2}, want_end[] = {13, 7, 7, 0};
    assert_memory_equal(started, want_started, sizeof want_started);
    assert_memory_equal(open_end, want_end, sizeof want_end);
    assert_int_equal(vl_oracle_buckets(started, open_end, units, 4, 0), 4);
    assert_int_equal(vl_oracle_buckets(started, open_end, units, 4, 1000), 1);
}

/* ---- answers ---- */

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

static void the_prediction_is_that_of_the_text(void **state)
{
    (void)state;
    int found = 0;
    for (size_t i = 0; i < all()->case_count; i++) {
        const struct vl_case *c = &all()->cases[i];
        if (strcmp(c->function, "vl_predict_data_parallel") != 0)
            continue;
        struct vl_bag *inputs = inputs_of(c, seeds[0]), *expected = truth_of(c, inputs);
        if (vl_bag_find(expected, "predicted_bytes"))
            found += vl_bag_int(expected, "predicted_bytes") == 5217024;
        else if (vl_bag_find(expected, "predicted_accumulated"))
            found += vl_bag_int(expected, "predicted_accumulated") == 5217024;
        else
            found += fabs(vl_bag_real(expected, "hidden_share") - 0.962) < c->bound * 0.962;
        vl_bag_free(expected);
        vl_bag_free(inputs);
    }
    assert_int_equal(found, 3);
}

static int is_double(const char *name)
{
    static const char *const doubles[] = {
        "norm@", "loss@", "gradient_norm@", "losses@", "started_share", "hidden_share", "value@"};
    for (size_t d = 0; d < sizeof doubles / sizeof *doubles; d++)
        if (strncmp(name, doubles[d], strlen(doubles[d])) == 0)
            return 1;
    return 0;
}

/* Put an answer into 'outputs' as a submission would: rounded to float32, doubles and whole numbers
 * where the contract has them. */
static void answer(struct vl_bag *outputs, const struct vl_bag *from)
{
    for (size_t a = 0; a < vl_bag_count(from); a++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(from, a);
        int whole = entry->dtype == VL_I64, wide = is_double(entry->name);
        if (strncmp(entry->name, "status", 6) == 0 || vl_bag_find(outputs, entry->name))
            continue;
        void *out = vl_bag_add(outputs, entry->name,
                               whole  ? VL_I64
                               : wide ? VL_F64
                                      : VL_F32,
                               entry->dims, entry->shape);
        assert_non_null(out);
        for (size_t i = 0; i < entry->count; i++)
            if (whole)
                ((int64_t *)out)[i] = ((const int64_t *)entry->data)[i];
            else if (wide)
                ((double *)out)[i] = ((const double *)entry->data)[i];
            else
                ((float *)out)[i] = (float)((const double *)entry->data)[i];
    }
}

static struct vl_bag *outputs_with_status(const struct vl_case *c, enum vl_status status)
{
    char name[VL_RANKED_NAME];
    struct vl_bag *outputs = vl_bag_create();
    for (int r = 0; r < c->ranks; r++)
        assert_true(
            vl_bag_set_int(outputs, c->per_rank ? vl_ranked(name, "status", r) : "status", status));
    return outputs;
}

/* Judge what a submission with these answers would leave; 'other' fills what 'first' leaves out. */
static struct vl_case_result judged(const struct vl_case *c, const struct vl_bag *inputs,
                                    const struct vl_bag *first, const struct vl_bag *other)
{
    struct vl_case_result result = {0};
    struct vl_bag *outputs = outputs_with_status(c, (enum vl_status)vl_bag_int(other, "status"));
    answer(outputs, first);
    answer(outputs, other);
    assert_int_equal(vl_judge(&result, c, 8, inputs, outputs), VL_OK);
    vl_bag_free(outputs);
    return result;
}

static void forget(struct vl_case_result *result)
{
    free(result->code);
    free(result->message);
}

static void every_truth_passes_and_earns_its_share(void **state)
{
    (void)state;
    for (size_t i = 0; i < all()->case_count * SEEDS; i++) {
        const struct vl_case *c = &all()->cases[i / SEEDS];
        struct vl_bag *inputs = inputs_of(c, seeds[i % SEEDS]), *expected = truth_of(c, inputs);
        struct vl_case_result result = judged(c, inputs, expected, expected);
        if (result.status != VL_CASE_PASSED)
            print_error("%s: %s\n", c->id, result.message);
        assert_int_equal(result.status, VL_CASE_PASSED);
        assert_true(fabs(result.points - 8 * c->share) < 1e-12);
        forget(&result);
        vl_bag_free(expected);
        vl_bag_free(inputs);
    }
}

/* Does another suspect of the case, called 'code', say the same of all that 'wrong' says? */
static int says_the_same(const struct vl_case *c, const char *code, const struct vl_bag *wrong,
                         const struct vl_bag *inputs, const struct vl_bag *expected)
{
    int same = 0;
    for (const struct vl_suspect *s = c->suspects; s->code; s++) {
        struct vl_bag *other = vl_bag_create();
        assert_int_equal(s->answer(other, inputs, expected), VL_OK);
        int equal = strcmp(s->code, code) == 0;
        for (size_t a = 0; a < vl_bag_count(wrong) && equal; a++) {
            const struct vl_tensor_entry *x = vl_bag_entry(wrong, a),
                                         *y = vl_bag_find(other, x->name);
            equal = y && y->count == x->count;
            for (size_t k = 0; equal && k < x->count; k++)
                equal =
                    x->dtype == VL_I64
                        ? ((const int64_t *)x->data)[k] == ((const int64_t *)y->data)[k]
                        : fabs(((const double *)x->data)[k] - ((const double *)y->data)[k]) < 1e-6;
        }
        same |= equal;
        vl_bag_free(other);
    }
    return same;
}

/* Does this suspect's answer earn its own code in this case? */
static int earns_code(const struct vl_case *c, const struct vl_suspect *suspect, uint64_t seed,
                      int *mistaken)
{
    struct vl_bag *inputs = inputs_of(c, seed), *expected = truth_of(c, inputs);
    struct vl_bag *wrong = vl_bag_create();
    assert_int_equal(suspect->answer(wrong, inputs, expected), VL_OK);
    struct vl_case_result result = judged(c, inputs, wrong, expected);
    int earned = result.status != VL_CASE_PASSED && strcmp(result.code, suspect->code) == 0;
    if (result.status != VL_CASE_PASSED && !earned && vl_bag_int(expected, "status") == VL_OK &&
        !says_the_same(c, result.code, wrong, inputs, expected)) {
        print_error("%s: %s was called %s\n", c->id, suspect->code, result.code);
        (*mistaken)++;
    }
    forget(&result);
    vl_bag_free(wrong);
    vl_bag_free(expected);
    vl_bag_free(inputs);
    return earned;
}

static int is_first_with_its_suspects(size_t i)
{
    const struct vl_case *cases = all()->cases;
    for (size_t j = 0; j < i; j++)
        if (cases[j].suspects == cases[i].suspects)
            return 0;
    return cases[i].suspects != NULL;
}

static void every_suspect_earns_its_code_in_some_case_whatever_the_seed(void **state)
{
    (void)state;
    int unearned = 0, mistaken = 0;
    for (size_t i = 0; i < all()->case_count; i++) {
        if (!is_first_with_its_suspects(i))
            continue;
        for (const struct vl_suspect *s = all()->cases[i].suspects; s->code; s++)
            for (size_t k = 0; k < SEEDS; k++) {
                int earned = 0;
                for (size_t j = i; j < all()->case_count; j++)
                    if (all()->cases[j].suspects == all()->cases[i].suspects)
                        earned |= earns_code(&all()->cases[j], s, seeds[k], &mistaken);
                if (!earned)
                    print_error("%s: no case tells %s (seed %zu)\n", all()->cases[i].function,
                                s->code, (size_t)seeds[k]);
                unearned += !earned;
            }
    }
    assert_int_equal(unearned, 0);
    assert_int_equal(mistaken, 0);
}

static void ids_say_how_many_ranks(void **state)
{
    (void)state;
    for (size_t i = 0; i < all()->case_count; i++) {
        const struct vl_case *c = &all()->cases[i];
        const char *special = strchr(c->id, '.');
        assert_non_null(special);
        if (c->per_rank)
            assert_int_equal(atoi(special + 2), c->ranks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_sends_what_a_hand_counts),
        cmocka_unit_test(buckets_close_where_a_hand_closes_them),
        cmocka_unit_test(the_prediction_is_that_of_the_text),
        cmocka_unit_test(every_truth_passes_and_earns_its_share),
        cmocka_unit_test(every_suspect_earns_its_code_in_some_case_whatever_the_seed),
        cmocka_unit_test(ids_say_how_many_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
