/*
 * Lab 01's cases as a whole: every truth passes, every known wrong answer earns its code, and no
 * nonsense passes. For several seeds, since shapes change with the seed.
 */
#include "grade/case.h"

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
    return vl_lab_cases(vl_lab_find("01"));
}

static void set_text(struct vl_case_result *result)
{
    free(result->code);
    free(result->message);
    result->code = result->message = NULL;
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

/* Put an answer into 'outputs' as a submission would: rounded to float32, doubles where the
 * contract has doubles. Elements that do not count get a number. */
static void answer(struct vl_bag *outputs, const struct vl_bag *from)
{
    static const char *const doubles[] = {"norm", "loss",   "gradient_norm", "flops",
                                          "mfu",  "losses", "flops_per_step"};
    for (size_t a = 0; a < vl_bag_count(from); a++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(from, a);
        if (strcmp(entry->name, "status") == 0 || vl_bag_find(outputs, entry->name))
            continue;
        if (entry->dtype == VL_I64) {
            assert_true(vl_bag_set_int(outputs, entry->name, vl_bag_int(from, entry->name)));
            continue;
        }
        int wide = 0;
        for (size_t d = 0; d < sizeof doubles / sizeof *doubles; d++)
            wide |= strcmp(entry->name, doubles[d]) == 0;
        void *out =
            vl_bag_add(outputs, entry->name, wide ? VL_F64 : VL_F32, entry->dims, entry->shape);
        assert_non_null(out);
        for (size_t i = 0; i < entry->count; i++) {
            double value = ((const double *)entry->data)[i];
            if (wide)
                ((double *)out)[i] = value;
            else
                ((float *)out)[i] = (float)value;
        }
    }
}

static struct vl_bag *outputs_with_status(enum vl_status status)
{
    struct vl_bag *outputs = vl_bag_create();
    assert_true(vl_bag_set_int(outputs, "status", status));
    return outputs;
}

static void every_truth_passes_and_earns_its_share(void **state)
{
    (void)state;
    for (size_t i = 0; i < all()->case_count; i++) {
        const struct vl_case *c = &all()->cases[i];
        for (size_t s = 0; s < SEEDS; s++) {
            struct vl_bag *inputs = inputs_of(c, seeds[s]), *expected = truth_of(c, inputs);
            struct vl_bag *outputs =
                outputs_with_status((enum vl_status)vl_bag_int(expected, "status"));
            answer(outputs, expected);
            struct vl_case_result result = {0};
            assert_int_equal(vl_judge(&result, c, 8, inputs, outputs), VL_OK);
            if (result.status != VL_CASE_PASSED)
                print_error("%s: %s\n", c->id, result.message);
            assert_int_equal(result.status, VL_CASE_PASSED);
            assert_true(fabs(result.points - 8 * c->share) < 1e-12);
            assert_null(result.code);
            set_text(&result);
            vl_bag_free(outputs);
            vl_bag_free(expected);
            vl_bag_free(inputs);
        }
    }
}

/* Two mistakes may come to the same in a case: with one token there is no softmax to forget. */
static int same_answer(const struct vl_bag *a, const struct vl_bag *b)
{
    for (size_t i = 0; i < vl_bag_count(a); i++) {
        const struct vl_tensor_entry *x = vl_bag_entry(a, i), *y = vl_bag_find(b, x->name);
        if (!y || y->count != x->count)
            return 0;
        for (size_t k = 0; k < x->count && x->dtype == VL_F64; k++)
            if (!(fabs(((const double *)x->data)[k] - ((const double *)y->data)[k]) < 1e-6))
                return 0;
    }
    return 1;
}

static int is_the_same_mistake(const struct vl_case *c, const char *code,
                               const struct vl_bag *wrong, const struct vl_bag *inputs,
                               const struct vl_bag *expected)
{
    int same = 0;
    for (const struct vl_suspect *s = c->suspects; s->code; s++) {
        struct vl_bag *other = vl_bag_create();
        assert_int_equal(s->answer(other, inputs, expected), VL_OK);
        same |= strcmp(s->code, code) == 0 && same_answer(wrong, other);
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
    struct vl_bag *outputs = outputs_with_status((enum vl_status)vl_bag_int(expected, "status"));
    answer(outputs, wrong);
    answer(outputs, expected);
    struct vl_case_result result = {0};
    assert_int_equal(vl_judge(&result, c, 1, inputs, outputs), VL_OK);
    int earned = result.status != VL_CASE_PASSED && strcmp(result.code, suspect->code) == 0;
    int refusal = vl_bag_int(expected, "status") != VL_OK;
    if (result.status != VL_CASE_PASSED && !earned && !refusal &&
        !is_the_same_mistake(c, result.code, wrong, inputs, expected)) {
        print_error("%s: %s was called %s\n", c->id, suspect->code, result.code);
        (*mistaken)++;
    }
    if (earned)
        assert_true(result.points == 0 && result.message && *result.message);
    set_text(&result);
    vl_bag_free(outputs);
    vl_bag_free(wrong);
    vl_bag_free(expected);
    vl_bag_free(inputs);
    return earned;
}

static int first_with_suspects(size_t i)
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
    size_t suspects = 0;
    int unearned = 0, mistaken = 0;
    for (size_t i = 0; i < all()->case_count; i++) {
        if (!first_with_suspects(i))
            continue;
        for (const struct vl_suspect *s = all()->cases[i].suspects; s->code; s++, suspects++) {
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
    }
    assert_int_equal(unearned, 0);
    assert_int_equal(mistaken, 0);
    assert_true(suspects >= 20);
}

/* Judge a bag that must not pass. */
static void refuse(const struct vl_case *c, const struct vl_bag *inputs,
                   const struct vl_bag *outputs, const char *what)
{
    struct vl_case_result result = {0};
    assert_int_equal(vl_judge(&result, c, 1, inputs, outputs), VL_OK);
    if (result.status == VL_CASE_PASSED)
        print_error("%s passed with %s\n", c->id, what);
    assert_int_not_equal(result.status, VL_CASE_PASSED);
    assert_true(result.points == 0);
    assert_non_null(result.code);
    assert_non_null(result.message);
    set_text(&result);
}

/* The truth's names with other types or sizes. */
static void refuse_reshaped(const struct vl_case *c, const struct vl_bag *inputs,
                            const struct vl_bag *expected, enum vl_dtype dtype, int shorter)
{
    struct vl_bag *outputs = outputs_with_status(VL_OK);
    for (size_t a = 0; a < vl_bag_count(expected); a++) {
        const struct vl_tensor_entry *e = vl_bag_entry(expected, a);
        if (e->count > 0 && strcmp(e->name, "status") != 0)
            assert_non_null(
                vl_bag_add(outputs, e->name, dtype, 1, (size_t[]){e->count - (size_t)shorter}));
    }
    refuse(c, inputs, outputs, "another type or size");
    vl_bag_free(outputs);
}

static int asks_for_numbers(const struct vl_bag *expected)
{
    for (size_t a = 0; a < vl_bag_count(expected); a++)
        if (vl_bag_entry(expected, a)->count > 0 &&
            strcmp(vl_bag_entry(expected, a)->name, "status") != 0)
            return 1;
    return 0;
}

static void nonsense_never_passes_and_never_crashes(void **state)
{
    (void)state;
    for (size_t i = 0; i < all()->case_count; i++) {
        const struct vl_case *c = &all()->cases[i];
        struct vl_bag *inputs = inputs_of(c, seeds[0]), *expected = truth_of(c, inputs);
        refuse(c, inputs, NULL, "nothing");
        struct vl_bag *empty = vl_bag_create();
        refuse(c, inputs, empty, "an empty bag");
        vl_bag_free(empty);
        struct vl_bag *todo = outputs_with_status(VL_TODO);
        refuse(c, inputs, todo, "VL_TODO");
        vl_bag_free(todo);
        struct vl_bag *odd = outputs_with_status((enum vl_status)77);
        refuse(c, inputs, odd, "an unknown status");
        vl_bag_free(odd);
        if (asks_for_numbers(expected)) {
            refuse_reshaped(c, inputs, expected, VL_F32, 1);
            refuse_reshaped(c, inputs, expected, VL_I32, 0);
            refuse_reshaped(c, inputs, expected, VL_U8, 0);
            struct vl_bag *poisoned =
                outputs_with_status((enum vl_status)vl_bag_int(expected, "status"));
            answer(poisoned, expected);
            for (size_t a = 0; a < vl_bag_count(poisoned); a++)
                if (strcmp(vl_bag_entry(poisoned, a)->name, "status") != 0)
                    vl_bag_poison(poisoned, vl_bag_entry(poisoned, a)->name);
            refuse(c, inputs, poisoned, "poison");
            vl_bag_free(poisoned);
        }
        vl_bag_free(expected);
        vl_bag_free(inputs);
    }
}

static void another_seed_gives_other_inputs_and_the_same_seed_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < all()->case_count; i++) {
        const struct vl_case *c = &all()->cases[i];
        int others = 0;
        for (uint64_t seed = 1; seed < 9; seed++) {
            struct vl_bag *a = inputs_of(c, 0), *b = inputs_of(c, 0), *other = inputs_of(c, seed);
            assert_null(vl_bag_difference(a, b));
            others += vl_bag_difference(a, other) != NULL;
            vl_bag_free(a);
            vl_bag_free(b);
            vl_bag_free(other);
        }
        /* The shape of the prediction stands in the lab's text; "empty" may have nothing to vary.
         */
        if (strcmp(c->function, "vl_predict_training") == 0)
            assert_int_equal(others, 0);
        else if (!strstr(c->id, ".empty"))
            assert_true(others > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_truth_passes_and_earns_its_share),
        cmocka_unit_test(every_suspect_earns_its_code_in_some_case_whatever_the_seed),
        cmocka_unit_test(nonsense_never_passes_and_never_crashes),
        cmocka_unit_test(another_seed_gives_other_inputs_and_the_same_seed_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
