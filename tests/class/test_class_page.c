#include "base/file.h"
#include "class/book/class_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scratch_file.h"

#define STUDENTS_MOST 4

/* The page of students with these scores. The caller frees it. */
static char *page_of(const double *scores, size_t count, const struct vl_words *notices)
{
    const struct vl_lab *lab = vl_lab_find("1");
    const struct vl_overrides overrides = {0};
    const struct vl_similar similar = {0};
    struct vl_class_verdict verdicts[STUDENTS_MOST] = {0};
    for (size_t i = 0; i < count; i++)
        verdicts[i] = (struct vl_class_verdict){
            .student = "ada", .lab = lab, .verdict = {.score = scores[i], .max_score = 100}};
    const struct vl_class class = {verdicts, count, &lab, 1, &overrides, &similar, notices};
    char *text;
    size_t n;
    assert_int_equal(vl_class_page(&class, path), VL_OK);
    assert_int_equal(vl_file_read(&text, &n, path, 1 << 20), VL_OK);
    return text;
}

static void assert_median(const double *scores, size_t count, const char *median)
{
    const struct vl_words none = {0};
    char *page = page_of(scores, count, &none);
    char told[64];
    snprintf(told, sizeof told, "the median score is %s.", median);
    if (strstr(page, told) == NULL)
        fail_msg("the page does not say `%s`", told);
    free(page);
}

static void median_of_scores(void **state)
{
    (void)state;
    assert_median((const double[]){70}, 1, "70.0");
    assert_median((const double[]){100, 0}, 2, "50.0");
    assert_median((const double[]){100, 0, 30}, 3, "30.0");
    assert_median((const double[]){100, 0, 31, 40}, 4, "35.5");
}

static void notices_come_first(void **state)
{
    (void)state;
    struct vl_words notices = {0};
    vl_words_add(&notices, "Not in the roster: %s.", "<evva>");
    char *page = page_of((const double[]){70}, 1, &notices);
    const char *notice = strstr(page, "Not in the roster: &lt;evva&gt;.");
    assert_non_null(notice);
    assert_true(notice < strstr(page, "the median score"));
    free(page);
    vl_words_free(&notices);
}

static void add_case(struct vl_verdict *verdict, const char *id, const char *function,
                     enum vl_case_status status)
{
    const struct vl_case_result result = {.id = (char *)id,
                                          .function = (char *)function,
                                          .status = status,
                                          .code = status == VL_CASE_PASSED ? NULL : (char *)"off",
                                          .max_points = 1};
    assert_non_null(vl_verdict_add(verdict, &result));
}

/* The mistakes come before, however long the list is; a function has one row. */
static void cases_nobody_passed_are_told_by_function(void **state)
{
    (void)state;
    const struct vl_lab *lab = vl_lab_find("1");
    const struct vl_overrides overrides = {0};
    const struct vl_similar similar = {0};
    const struct vl_words none = {0};
    struct vl_class_verdict verdicts[2] = {{.student = "ada", .lab = lab},
                                           {.student = "bob", .lab = lab}};
    for (int i = 0; i < 2; i++) {
        struct vl_verdict *verdict = &verdicts[i].verdict;
        add_case(verdict, "sum.odd", "vl_sum", VL_CASE_FAILED);
        add_case(verdict, "sum.even", "vl_sum", i == 0 ? VL_CASE_PASSED : VL_CASE_FAILED);
        add_case(verdict, "mean.odd", "vl_mean", VL_CASE_PASSED);
        add_case(verdict, "sum.speed", "vl_sum",
                 VL_CASE_FAILED); /* with another function between */
    }
    const struct vl_class class = {verdicts, 2, &lab, 1, &overrides, &similar, &none};
    char *page;
    size_t n;
    assert_int_equal(vl_class_page(&class, path), VL_OK);
    assert_int_equal(vl_file_read(&page, &n, path, 1 << 20), VL_OK);
    const char *list = strstr(page, "Cases that nobody passed");
    assert_non_null(list);
    assert_true(strstr(page, "Which mistakes were made") < list);
    assert_non_null(strstr(list, "<td>2/3</td><td>odd, speed</td>"));
    assert_null(strstr(list, "vl_mean"));
    free(page);
    for (int i = 0; i < 2; i++)
        vl_verdict_free(&verdicts[i].verdict);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILE(median_of_scores),
        WITH_FILE(notices_come_first),
        WITH_FILE(cases_nobody_passed_are_told_by_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
