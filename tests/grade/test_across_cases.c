/*
 * A sign is said where every open case of a function shows it, and a pattern once.
 */
#include "grade/run/across_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 5, COLS = 4, COUNT = ROWS * COLS, MOST = 6 };

static double number(size_t i)
{
    return (double)(i * i % 37) - 11;
}

static enum vl_status make(struct vl_bag *inputs, const struct vl_case *self, uint64_t seed)
{
    (void)seed;
    return vl_bag_set_int(inputs, "n", self->variant) ? VL_OK : VL_ENOMEM;
}

static enum vl_status truth(struct vl_bag *expected, const struct vl_bag *inputs)
{
    (void)inputs;
    double *y = vl_bag_add_f64(expected, "y", ROWS, COLS);
    for (size_t i = 0; i < COUNT; i++)
        y[i] = number(i);
    return VL_OK;
}

struct cases {
    struct vl_case c[MOST];
    struct vl_seen_case seen[MOST];
    struct vl_case_result results[MOST];
    size_t count;
};

/* A case on so many ranks that passed. */
static void add_passed(struct cases *cases, int ranks)
{
    size_t i = cases->count++;
    cases->c[i] = (struct vl_case){.id = "made_up.case",
                                   .function = "vl_made_up",
                                   .ranks = ranks,
                                   .bound = 1e-5,
                                   .floor = 1e-6,
                                   .variant = 7,
                                   .make = make,
                                   .truth = truth};
    cases->seen[i] = (struct vl_seen_case){.c = &cases->c[i], .passed = true};
    cases->results[i] = (struct vl_case_result){.status = VL_CASE_PASSED};
}

/* A case that is open. Returns its result, which is still right. */
static float *add_open(struct cases *cases, int ranks)
{
    add_passed(cases, ranks);
    struct vl_seen_case *seen = &cases->seen[cases->count - 1];
    seen->passed = false;
    seen->outputs = vl_bag_create();
    cases->results[cases->count - 1] = (struct vl_case_result){
        .status = VL_CASE_FAILED, .code = strdup("wrong_values"), .message = strdup("Wrong.")};
    float *y = vl_bag_add_f32(seen->outputs, "y", ROWS, COLS);
    for (size_t i = 0; i < COUNT; i++)
        y[i] = (float)number(i);
    return y;
}

static void look(struct cases *cases)
{
    static const struct vl_origin origin = {.seed = 1};
    static const enum vl_across all[] = {VL_ACROSS_CERTAIN, VL_ACROSS_PATTERNS, VL_ACROSS_PLACES,
                                         VL_ACROSS_SIGNS};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_int_equal(
            vl_across_cases(cases->seen, cases->count, cases->results, &origin, all[i]), VL_OK);
}

static void end(struct cases *cases)
{
    for (size_t i = 0; i < cases->count; i++) {
        vl_bag_free(cases->seen[i].outputs);
        free(cases->seen[i].cause.message);
        free(cases->seen[i].pattern.message);
        free(cases->results[i].code);
        free(cases->results[i].message);
    }
}

static void scale(float *y, float factor)
{
    for (size_t i = 0; i < COUNT; i++)
        y[i] *= factor;
}

static void expect_cause(const struct cases *cases, size_t i, const char *code)
{
    const char *found = cases->seen[i].cause.code;
    if (code == NULL && found != NULL)
        fail_msg("case %zu: %s", i, found);
    if (code != NULL) {
        assert_non_null(found);
        assert_string_equal(found, code);
        assert_non_null(cases->seen[i].cause.message);
    }
}

static void a_sign_stands_if_every_open_case_shows_it(void **state)
{
    (void)state;
    for (int differs = 0; differs < 2; differs++) {
        struct cases cases = {0};
        scale(add_open(&cases, 1), 3);
        add_passed(&cases, 1);
        scale(add_open(&cases, 1), differs ? 5 : 3);
        look(&cases);
        expect_cause(&cases, 0, differs ? NULL : "scaled");
        expect_cause(&cases, 1, NULL);
        expect_cause(&cases, 2, differs ? NULL : "scaled");
        end(&cases);
    }
}

static void a_case_without_a_sign_drops_it_everywhere(void **state)
{
    (void)state;
    struct cases cases = {0};
    scale(add_open(&cases, 1), 3);
    add_open(&cases, 1)[5] += 1;
    look(&cases);
    expect_cause(&cases, 0, NULL);
    expect_cause(&cases, 1, NULL);
    end(&cases);
}

static void another_function_does_not_matter(void **state)
{
    (void)state;
    struct cases cases = {0};
    scale(add_open(&cases, 1), 3);
    add_open(&cases, 1)[5] += 1;
    cases.c[1].function = "vl_other";
    look(&cases);
    expect_cause(&cases, 0, "scaled");
    expect_cause(&cases, 1, NULL);
    end(&cases);
}

static void a_known_cause_is_left_alone(void **state)
{
    (void)state;
    struct cases cases = {0};
    scale(add_open(&cases, 1), 3);
    scale(add_open(&cases, 3), 3);
    for (size_t i = 0; i < 2; i++)
        cases.seen[i].cause = (struct vl_cause){.code = "known", .message = strdup("Known.")};
    add_passed(&cases, 4);
    look(&cases);
    expect_cause(&cases, 0, "known");
    expect_cause(&cases, 1, "known");
    assert_null(cases.seen[0].pattern.code);
    end(&cases);
}

static void the_end_of_an_array_needs_two_cases(void **state)
{
    (void)state;
    for (int twice = 0; twice < 2; twice++) {
        struct cases cases = {0};
        for (int i = 0; i <= twice; i++) {
            float *y = add_open(&cases, 1);
            for (size_t k = COUNT - COLS; k < COUNT; k++)
                y[k] += 1;
        }
        look(&cases);
        expect_cause(&cases, 0, twice ? "last_row" : NULL);
        end(&cases);
    }
}

/* The right numbers times a factor, in float64. */
static void give_figures(struct cases *cases, size_t k, double factor)
{
    struct vl_bag **outputs = &cases->seen[k].outputs;
    vl_bag_free(*outputs);
    *outputs = vl_bag_create();
    double *y = vl_bag_add_f64(*outputs, "y", ROWS, COLS);
    for (size_t i = 0; i < COUNT; i++)
        y[i] = factor * number(i);
}

static void figures_have_no_signs(void **state)
{
    (void)state;
    struct cases cases = {0};
    add_open(&cases, 1);
    give_figures(&cases, 0, 3);
    look(&cases);
    expect_cause(&cases, 0, NULL);
    end(&cases);
}

/* The truth of two ranks, y@0 and y@1, and another array of rank 0. */
static enum vl_status ranked_truth(struct vl_bag *expected, const struct vl_bag *inputs)
{
    static const char *const names[] = {"y@0", "y@1", "z@0"};
    (void)inputs;
    for (size_t a = 0; a < 3; a++) {
        double *y = vl_bag_add_f64(expected, names[a], ROWS, COLS);
        for (size_t i = 0; i < COUNT; i++)
            y[i] = number(i + 3 * a);
    }
    return VL_OK;
}

/* A case in which each array has the right numbers of that one. */
static void add_mixed(struct cases *cases, size_t y0, size_t y1, size_t z0)
{
    add_open(cases, 2);
    struct vl_seen_case *seen = &cases->seen[cases->count - 1];
    cases->c[cases->count - 1].truth = ranked_truth;
    cases->c[cases->count - 1].per_rank = 1;
    vl_bag_free(seen->outputs);
    seen->outputs = vl_bag_create();
    const char *const names[] = {"y@0", "y@1", "z@0"};
    const size_t of[] = {y0, y1, z0};
    for (size_t a = 0; a < 3; a++) {
        float *y = vl_bag_add_f32(seen->outputs, names[a], ROWS, COLS);
        for (size_t i = 0; i < COUNT; i++)
            y[i] = (float)number(i + 3 * of[a]);
    }
}

static void results_of_another_rank_or_array_are_recognised(void **state)
{
    (void)state;
    static const struct {
        size_t of[3];
        const char *code, *said;
    } table[] = {{{0, 0, 2}, "of_another_rank", "Rank 1 has the result that rank 0 should have."},
                 {{1, 0, 2}, "of_another_rank", "Rank 0 has the result that rank 1 should have."},
                 {{0, 1, 0}, "of_another_array", "in z (rank 0) are the ones that y (rank 0)"},
                 {{1, 1, 0}, NULL, NULL}, /* two signs */
                 {{0, 5, 2}, NULL, NULL}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct cases cases = {0};
        add_mixed(&cases, table[i].of[0], table[i].of[1], table[i].of[2]);
        look(&cases);
        expect_cause(&cases, 0, table[i].code);
        if (table[i].said != NULL)
            assert_non_null(strstr(cases.seen[0].cause.message, table[i].said));
        end(&cases);
    }
}

static void a_pattern_is_said_once_in_the_first_open_case(void **state)
{
    (void)state;
    struct cases cases = {0};
    add_passed(&cases, 4);
    add_open(&cases, 3)[1] += 1;
    add_open(&cases, 5)[2] += 1;
    look(&cases);
    assert_null(cases.seen[0].pattern.code);
    assert_non_null(cases.seen[1].pattern.code);
    assert_string_equal(cases.seen[1].pattern.code, "only_powers_of_two");
    assert_null(cases.seen[2].pattern.code);

    assert_int_equal(vl_across_cases_say(&cases.results[1], &cases.seen[1]), VL_OK);
    assert_string_equal(cases.results[1].code, "only_powers_of_two");
    assert_ptr_equal(strstr(cases.results[1].message, "Wrong. Right on 4 ranks"),
                     cases.results[1].message);
    assert_int_equal(vl_across_cases_say(&cases.results[2], &cases.seen[2]), VL_OK);
    assert_string_equal(cases.results[2].message, "Wrong.");
    end(&cases);
}

static void a_pattern_leaves_a_code_that_says_more(void **state)
{
    (void)state;
    struct cases cases = {0};
    add_passed(&cases, 4);
    add_open(&cases, 3)[1] += 1;
    add_open(&cases, 5)[1] += 1;
    look(&cases);
    assert_non_null(cases.seen[1].pattern.code);
    free(cases.results[1].code);
    cases.results[1].code = strdup("scaled");
    assert_int_equal(vl_across_cases_say(&cases.results[1], &cases.seen[1]), VL_OK);
    assert_string_equal(cases.results[1].code, "scaled");
    end(&cases);
}

static void a_factor_is_told_once(void **state)
{
    (void)state;
    for (int figures = 0; figures < 2; figures++) { /* they show no sign */
        struct cases cases = {0};
        scale(add_open(&cases, 3), 2);
        scale(add_open(&cases, 5), 2);
        if (figures)
            give_figures(&cases, 1, 2);
        look(&cases);
        expect_cause(&cases, 0, figures ? NULL : "scaled");
        assert_true((cases.seen[0].pattern.code != NULL) == figures);
        end(&cases);
    }
}

/* What passes by doing nothing is no proof, and what never ran is neither right nor wrong. */
static void idle_cases_and_cases_that_did_not_run_do_not_count(void **state)
{
    (void)state;
    for (int counts = 0; counts < 2; counts++) {
        struct cases cases = {0};
        add_passed(&cases, 4);
        cases.seen[0].idle = !counts;
        add_open(&cases, 3)[1] += 1;
        add_open(&cases, 5)[1] += 1;
        add_passed(&cases, 8);
        cases.seen[3].passed = false;
        cases.results[3].status = VL_CASE_SKIPPED;
        look(&cases);
        assert_true((cases.seen[1].pattern.code != NULL) == counts);
        end(&cases);
    }
    struct cases cases = {0};
    add_passed(&cases, 4);
    add_open(&cases, 3)[1] += 1;
    add_open(&cases, 5)[1] += 1;
    add_passed(&cases, 8);
    cases.seen[3].passed = false;
    cases.results[3].status = VL_CASE_CRASHED; /* this one is wrong */
    look(&cases);
    assert_null(cases.seen[1].pattern.code);
    end(&cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sign_stands_if_every_open_case_shows_it),
        cmocka_unit_test(a_case_without_a_sign_drops_it_everywhere),
        cmocka_unit_test(another_function_does_not_matter),
        cmocka_unit_test(a_known_cause_is_left_alone),
        cmocka_unit_test(the_end_of_an_array_needs_two_cases),
        cmocka_unit_test(figures_have_no_signs),
        cmocka_unit_test(results_of_another_rank_or_array_are_recognised),
        cmocka_unit_test(a_pattern_is_said_once_in_the_first_open_case),
        cmocka_unit_test(a_pattern_leaves_a_code_that_says_more),
        cmocka_unit_test(a_factor_is_told_once),
        cmocka_unit_test(idle_cases_and_cases_that_did_not_run_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
