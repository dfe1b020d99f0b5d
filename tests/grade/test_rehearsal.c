/*
 * Rehearsals, in all labs: they have the sizes of their case, and other numbers.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/rehearsal.h"
#include "grade/experiment/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct vl_origin origin = {.seed = 4};

static bool is_number(const struct vl_tensor_entry *entry)
{
    return entry->count > 1 &&
           (entry->dtype == VL_F32 || entry->dtype == VL_F64 || entry->dtype == VL_U8);
}

/* Do all arrays have the same type and size? And is what has one element, a size or a flag, the same? */
static bool has_sizes_of(const struct vl_bag *rehearsal, const struct vl_bag *inputs)
{
    for (size_t i = 0; i < vl_bag_count(inputs); i++) {
        const struct vl_tensor_entry *one = vl_bag_entry(inputs, i);
        const struct vl_tensor_entry *other = vl_bag_find(rehearsal, one->name);
        if (other == NULL || other->dtype != one->dtype || other->count != one->count ||
            (one->dtype == VL_I64 && one->count == 1 &&
             memcmp(one->data, other->data, sizeof(int64_t)) != 0)) {
            print_error("%s: ", one->name);
            return false;
        }
    }
    return vl_bag_count(rehearsal) == vl_bag_count(inputs);
}

static bool holds_numbers(const struct vl_bag *inputs)
{
    bool holds = false;
    for (size_t i = 0; i < vl_bag_count(inputs); i++)
        holds |= is_number(vl_bag_entry(inputs, i));
    return holds;
}

/* What these give is about sizes alone, and so is most of what is asked of a planner. */
static bool is_about_sizes(const struct vl_case *c)
{
    static const char *const functions[] = {"vl_rotary_table", "vl_buckets_begin",
                                            "vl_zero_gradients", "vl_recompute_choose"};
    bool found = vl_case_lab(c)->number == 10;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        found |= strcmp(c->function, functions[i]) == 0;
    return found;
}

/* Does at least one array of numbers differ from the case's, and the answer too? */
static bool asks_something_else(const struct vl_case *c, const struct vl_bag *rehearsal,
                                const struct vl_bag *inputs)
{
    struct vl_bag *truth = vl_truth_of(c, inputs), *other = vl_truth_of(c, rehearsal);
    assert_non_null(truth);
    assert_non_null(other);
    bool differs =
        vl_bag_difference(inputs, rehearsal) != NULL && vl_bag_difference(truth, other) != NULL;
    vl_bag_free(truth);
    vl_bag_free(other);
    return differs;
}

static void each_has_the_sizes_of_its_case_and_other_numbers(void **state)
{
    (void)state;
    int failures = 0;
    for (size_t l = 0; l < vl_lab_count; l++) {
        const struct vl_lab_cases *all = vl_lab_cases(vl_labs[l]);
        for (size_t i = 0; i < all->case_count; i++) {
            const struct vl_case *c = &all->cases[i];
            if (!vl_case_is_rehearsed(c))
                continue;
            struct vl_bag *inputs = vl_case_inputs(c, &origin);
            struct vl_bag *rehearsal = vl_rehearsal_inputs(c, &origin);
            assert_non_null(inputs);
            assert_non_null(rehearsal);
            bool right =
                has_sizes_of(rehearsal, inputs) && (!holds_numbers(inputs) || is_about_sizes(c) ||
                                                    asks_something_else(c, rehearsal, inputs));
            if (!right)
                print_error("%s\n", c->id);
            failures += !right;
            vl_bag_free(inputs);
            vl_bag_free(rehearsal);
        }
    }
    assert_int_equal(failures, 0);
}

static const struct vl_case *case_named(const char *lab, const char *id)
{
    const struct vl_lab_cases *all = vl_lab_cases(vl_lab_find(lab));
    for (size_t i = 0; i < all->case_count; i++)
        if (strcmp(all->cases[i].id, id) == 0)
            return &all->cases[i];
    fail_msg("no case %s", id);
    return NULL;
}

static void the_first_on_one_rank_and_on_several_has_one(void **state)
{
    (void)state;
    assert_true(vl_case_is_rehearsed(case_named("01", "rmsnorm_forward.odd")));
    assert_false(vl_case_is_rehearsed(case_named("01", "rmsnorm_forward.tiny")));
    assert_true(vl_case_is_rehearsed(case_named("02", "broadcast.p1")));
    assert_true(vl_case_is_rehearsed(case_named("02", "broadcast.p2_last")));
    assert_false(vl_case_is_rehearsed(case_named("02", "broadcast.p3_large")));
    assert_false(vl_case_is_rehearsed(case_named("01", "predict_training.parameters")));
    assert_false(vl_case_is_rehearsed(case_named("01", "ten_steps.gradients")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_has_the_sizes_of_its_case_and_other_numbers),
        cmocka_unit_test(the_first_on_one_rank_and_on_several_has_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
