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

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILE(median_of_scores),
        WITH_FILE(notices_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
