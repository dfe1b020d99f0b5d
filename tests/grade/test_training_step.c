/*
 * Lab 01's cases as a whole: every truth passes, and no nonsense does. For several seeds, since
 * shapes change with the seed.
 */
#include "grade/catalogue/case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "whole_lab.h"

static const struct vl_lab_cases *all(void)
{
    return vl_lab_cases(vl_lab_find("01"));
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
    assert_truths_pass(all(), "losses");
}

/* Judge a bag that must not pass. */
static void refuse(const struct vl_case *c, const struct vl_bag *inputs,
                   const struct vl_bag *outputs, const char *what)
{
    struct vl_case_result result = {0};
    assert_int_equal(judge_and_explain(&result, c, 1, inputs, outputs, NULL), VL_OK);
    if (result.status == VL_CASE_PASSED)
        print_error("%s passed with %s\n", c->id, what);
    assert_int_not_equal(result.status, VL_CASE_PASSED);
    assert_true(result.points == 0);
    assert_non_null(result.code);
    assert_non_null(result.message);
    forget(&result);
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
            give(poisoned, expected, "losses");
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
        /* The lab's text gives the prediction's shape; an empty case may have nothing to vary. */
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
        cmocka_unit_test(nonsense_never_passes_and_never_crashes),
        cmocka_unit_test(another_seed_gives_other_inputs_and_the_same_seed_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
