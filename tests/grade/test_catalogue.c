/*
 * The catalogue and the tables of cases, for all labs: a lab is found by any of its names, and what
 * is asked of a submission adds up to what it is worth.
 */
#include "grade/catalogue/case.h"
#include "grade/run/grade.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct vl_lab_function *function_named(const struct vl_lab *lab, const char *name)
{
    for (size_t i = 0; i < lab->function_count; i++)
        if (strcmp(lab->functions[i].name, name) == 0)
            return &lab->functions[i];
    return NULL;
}

static void a_lab_is_found_by_number_slug_and_folder(void **state)
{
    (void)state;
    assert_true(vl_lab_count >= 10);
    for (size_t i = 0; i < vl_lab_count; i++) {
        assert_ptr_equal(vl_lab_find(vl_labs[i]->slug), vl_labs[i]);
        assert_ptr_equal(vl_lab_find(vl_labs[i]->folder), vl_labs[i]);
        assert_int_equal(vl_labs[i]->number, i + 1);
        assert_non_null(vl_lab_cases(vl_labs[i]));
    }
    assert_int_equal(vl_lab_find("3")->number, 3);
    assert_int_equal(vl_lab_find("03")->number, 3);
    assert_null(vl_lab_find("0"));
    assert_null(vl_lab_find("99"));
    assert_null(vl_lab_find("0000003"));
    assert_null(vl_lab_find(""));
    assert_null(vl_lab_find(NULL));
}

static void points_of_a_lab_add_up_to_a_hundred(void **state)
{
    (void)state;
    for (size_t l = 0; l < vl_lab_count; l++) {
        double points = 0;
        for (size_t f = 0; f < vl_labs[l]->function_count; f++)
            points += vl_labs[l]->functions[f].points + vl_labs[l]->functions[f].speed_points;
        if (points != 100)
            fail_msg("%s: %g", vl_labs[l]->slug, points);
    }
}

static void what_is_asked_has_a_maximum_of_its_own(void **state)
{
    (void)state;
    for (size_t l = 0; l < vl_lab_count; l++) {
        struct vl_grade_request request = {.lab = vl_labs[l]};
        double speed = 0;
        for (size_t f = 0; f < vl_labs[l]->function_count; f++)
            speed += vl_labs[l]->functions[f].speed_points;
        assert_true(vl_grade_most_points(&request) == 100);
        request.without_throughput = 1;
        assert_true(fabs(vl_grade_most_points(&request) - (100 - speed)) < 1e-6);
    }
    struct vl_grade_request one = {.lab = vl_lab_find("01"), .only = "vl_rmsnorm_forward"};
    const struct vl_lab_function *function = function_named(one.lab, one.only);
    assert_true(vl_grade_most_points(&one) == function->points + function->speed_points);
}

static void the_first_labs_are_worth_in_each_group_what_was_decided(void **state)
{
    (void)state;
    static const double decided[][VL_GROUP_PREDICTION + 1] = {
        {[VL_GROUP_NUMERICS] = 50, [VL_GROUP_PREDICTION] = 25, [VL_GROUP_THROUGHPUT] = 25},
        {[VL_GROUP_NUMERICS] = 50,
         [VL_GROUP_COMMUNICATION] = 15,
         [VL_GROUP_PREDICTION] = 10,
         [VL_GROUP_THROUGHPUT] = 25},
        {[VL_GROUP_NUMERICS] = 50,
         [VL_GROUP_COMMUNICATION] = 17,
         [VL_GROUP_PREDICTION] = 8,
         [VL_GROUP_THROUGHPUT] = 25},
    };
    for (size_t l = 0; l < sizeof decided / sizeof *decided; l++) {
        double points[VL_GROUP_PREDICTION + 1] = {0};
        for (size_t f = 0; f < vl_labs[l]->function_count; f++) {
            points[vl_labs[l]->functions[f].group] += vl_labs[l]->functions[f].points;
            points[VL_GROUP_THROUGHPUT] += vl_labs[l]->functions[f].speed_points;
        }
        assert_memory_equal(points, decided[l], sizeof points);
    }
}

/* What is only timed has no case; any other function's shares add up to one, and it is timed if
 * speed earns points. */
static void shares_of_a_function_add_up_to_one(void **state)
{
    (void)state;
    for (size_t l = 0; l < vl_lab_count; l++) {
        const struct vl_lab_cases *all = vl_lab_cases(vl_labs[l]);
        for (size_t f = 0; f < vl_labs[l]->function_count; f++) {
            const struct vl_lab_function *function = &vl_labs[l]->functions[f];
            double share = 0;
            for (size_t i = 0; i < all->case_count; i++)
                if (strcmp(all->cases[i].function, function->name) == 0)
                    share += all->cases[i].share;
            int timed = 0;
            for (size_t i = 0; i < all->timing_count; i++)
                timed += strcmp(all->timings[i].function, function->name) == 0;
            if (!(fabs(share - (function->group != VL_GROUP_THROUGHPUT)) < 1e-12) ||
                timed != (function->speed_points > 0))
                fail_msg("%s: shares %g, timings %d", function->name, share, timed);
        }
    }
}

static void ids_are_unique_and_functions_are_in_the_catalogue(void **state)
{
    (void)state;
    for (size_t l = 0; l < vl_lab_count; l++) {
        const struct vl_lab_cases *all = vl_lab_cases(vl_labs[l]);
        for (size_t i = 0; i < all->case_count; i++) {
            assert_non_null(function_named(vl_labs[l], all->cases[i].function));
            for (size_t j = 0; j < i; j++)
                assert_string_not_equal(all->cases[i].id, all->cases[j].id);
        }
        for (size_t i = 0; i < all->timing_count; i++)
            assert_non_null(function_named(vl_labs[l], all->timings[i].function));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lab_is_found_by_number_slug_and_folder),
        cmocka_unit_test(points_of_a_lab_add_up_to_a_hundred),
        cmocka_unit_test(what_is_asked_has_a_maximum_of_its_own),
        cmocka_unit_test(the_first_labs_are_worth_in_each_group_what_was_decided),
        cmocka_unit_test(shares_of_a_function_add_up_to_one),
        cmocka_unit_test(ids_are_unique_and_functions_are_in_the_catalogue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
