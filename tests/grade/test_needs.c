/* A case that uses a function whose own cases fail points to that function, and to nothing else. */
#include "grade/run/grading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const needs[] = {"vl_first", "vl_second", "vl_whole", NULL};
static const struct vl_case whole = {.id = "whole.plain", .function = "vl_whole", .needs = needs};

/* What is said of the whole, where its parts have these results. */
static char *told(enum vl_case_status first, enum vl_case_status second, enum vl_case_status itself)
{
    struct vl_case_result cases[] = {{.function = (char *)"vl_first", .status = first},
                                     {.function = (char *)"vl_second", .status = second},
                                     {.function = (char *)"vl_whole", .status = VL_CASE_FAILED}};
    struct vl_verdict verdict = {.cases = cases, .case_count = 3};
    const struct vl_grading grading = {.verdict = &verdict};
    struct vl_case_result result = {.status = itself, .message = strdup("Look at the sign.")};
    assert_int_equal(vl_grading_point_to_need(&grading, &result, &whole, NULL), VL_OK);
    return result.message;
}

static void expect(enum vl_case_status first, enum vl_case_status second,
                   enum vl_case_status itself, const char *words)
{
    char *message = told(first, second, itself);
    if (strstr(message, words) == NULL)
        fail_msg("'%s' expected in: %s", words, message);
    free(message);
}

static void the_function_that_fails_is_named(void **unused)
{
    (void)unused;
    expect(VL_CASE_PASSED, VL_CASE_FAILED, VL_CASE_FAILED, "This uses vl_second");
    expect(VL_CASE_CRASHED, VL_CASE_FAILED, VL_CASE_HUNG, "This uses vl_first");
}

static void others_keep_their_words(void **unused)
{
    (void)unused;
    expect(VL_CASE_PASSED, VL_CASE_PASSED, VL_CASE_FAILED, "Look at the sign.");
    expect(VL_CASE_SKIPPED, VL_CASE_NOT_STARTED, VL_CASE_FAILED, "Look at the sign.");
    expect(VL_CASE_FAILED, VL_CASE_FAILED, VL_CASE_PASSED, "Look at the sign.");
}

/* The same mistake in both is told in both; another one's words are about what comes from the part. */
static void a_known_mistake_is_told_where_the_part_has_it(void **unused)
{
    (void)unused;
    struct vl_case_result cases[] = {
        {.function = (char *)"vl_first", .status = VL_CASE_FAILED, .code = (char *)"wrong_ring"},
        {.function = (char *)"vl_second", .status = VL_CASE_PASSED}};
    struct vl_seen_case seen[] = {{.cause = {.code = "wrong_ring"}}, {0}};
    struct vl_verdict verdict = {.cases = cases, .case_count = 2};
    const struct vl_grading open = {.verdict = &verdict, .seen = seen, .seen_count = 2},
                            told = {.verdict = &verdict};
    const struct {
        const struct vl_grading *grading;
        const char *known, *words;
    } table[] = {{&told, "wrong_ring", "Look at the sign."},
                 {&open, "wrong_ring", "Look at the sign."},
                 {&told, "done_too_early", "This uses vl_first"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct vl_case_result result = {.status = VL_CASE_FAILED,
                                        .message = strdup("Look at the sign.")};
        assert_int_equal(
            vl_grading_point_to_need(table[i].grading, &result, &whole, table[i].known), VL_OK);
        assert_non_null(strstr(result.message, table[i].words));
        free(result.message);
    }
}

/* Of two parts that need each other, neither says that the other one has to be mended first. */
static void two_that_need_each_other_keep_their_words(void **unused)
{
    (void)unused;
    static const char *const second[] = {"vl_second", NULL}, *const first[] = {"vl_first", NULL};
    static const struct vl_case one = {.function = "vl_first", .needs = second},
                                other = {.function = "vl_second", .uses = first};
    struct vl_case_result cases[] = {{.function = (char *)"vl_first", .status = VL_CASE_FAILED},
                                     {.function = (char *)"vl_second", .status = VL_CASE_FAILED}};
    struct vl_verdict verdict = {.cases = cases, .case_count = 2};
    struct vl_seen_case seen[] = {{.c = &one}, {.c = &other}};
    for (size_t count = 1; count <= 2; count++) {
        const struct vl_grading grading = {.verdict = &verdict, .seen = seen, .seen_count = count};
        struct vl_case_result result = {.status = VL_CASE_FAILED,
                                        .message = strdup("Look at the sign.")};
        assert_int_equal(vl_grading_point_to_need(&grading, &result, &one, NULL), VL_OK);
        assert_non_null(
            strstr(result.message, count == 2 ? "Look at the sign." : "This uses vl_second"));
        free(result.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_function_that_fails_is_named),
        cmocka_unit_test(others_keep_their_words),
        cmocka_unit_test(a_known_mistake_is_told_where_the_part_has_it),
        cmocka_unit_test(two_that_need_each_other_keep_their_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
