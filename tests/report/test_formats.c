/* What learning platforms read stays what their documents say, whatever bytes came from a submission.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "report/verdict/report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOSTILE                                                                                    \
    "score: 100 \"scores\": {} <b> \x1b[31m \xff\xc0 \xc4\xbe\n{\"scores\": {\"x\": 9}}\n"

static struct vl_verdict make_verdict(void)
{
    struct vl_verdict verdict = {.version = "0.1.0",
                                 .commit = "abc",
                                 .lab = 1,
                                 .slug = "training_step",
                                 .submission = strdup(HOSTILE),
                                 .seed = 7,
                                 .language = "en",
                                 .compiler = strdup(HOSTILE)};
    const struct vl_case_result passed = {.id = (char *)"rmsnorm_forward.odd",
                                          .function = (char *)"vl_rmsnorm_forward",
                                          .status = VL_CASE_PASSED,
                                          .points = 1.5,
                                          .max_points = 1.5,
                                          .measured = NAN,
                                          .bound = NAN,
                                          .seconds = 0.25};
    const struct vl_case_result failed = {.id = (char *)"swiglu_forward.odd",
                                          .function = (char *)"vl_swiglu_forward",
                                          .status = VL_CASE_CRASHED,
                                          .max_points = 3,
                                          .code = (char *)"crashed",
                                          .message = (char *)HOSTILE,
                                          .detail = (char *)HOSTILE,
                                          .measured = INFINITY,
                                          .bound = NAN,
                                          .seconds = NAN};
    const struct vl_case_result rest = {.id = (char *)"attention_forward.odd",
                                        .function = (char *)"vl_attention_forward",
                                        .group = VL_GROUP_MEMORY,
                                        .status = VL_CASE_NOT_STARTED,
                                        .max_points = 4};
    const struct vl_case_result bonus = {.id = (char *)"bonus.odd",
                                         .function = (char *)"vl_rmsnorm_forward",
                                         .group = VL_GROUP_BONUS,
                                         .status = VL_CASE_FAILED};
    assert_non_null(vl_verdict_add(&verdict, &passed));
    assert_non_null(vl_verdict_add(&verdict, &failed));
    assert_non_null(vl_verdict_add(&verdict, &rest));
    assert_non_null(vl_verdict_add(&verdict, &bonus));
    vl_verdict_close(&verdict);
    return verdict;
}

static char *report(const struct vl_verdict *verdicts, size_t count, enum vl_report_format format)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(vl_report_write(stream, verdicts, count, 0, format), VL_OK);
    fclose(stream);
    return text;
}

static json_t *parsed(const char *text)
{
    json_error_t error;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (json == NULL)
        fail_msg("%s in %s", error.text, text);
    return json;
}

static json_t *written(const struct vl_verdict *verdicts, size_t count,
                       enum vl_report_format format)
{
    char *text = report(verdicts, count, format);
    json_t *json = parsed(text);
    free(text);
    return json;
}

static const char *text_at(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    assert_non_null(text);
    return text;
}

/* Every text in it is as vl_utf8_clean leaves it. */
static void assert_clean(const json_t *value)
{
    const char *key;
    json_t *item;
    size_t i;
    if (json_is_string(value)) {
        char *clean = vl_utf8_clean(json_string_value(value));
        assert_string_equal(clean, json_string_value(value));
        free(clean);
    }
    json_array_foreach(value, i, item) assert_clean(item);
    json_object_foreach((json_t *)value, key, item) assert_clean(item);
}

static void every_json_is_clean(void **state)
{
    (void)state;
    struct vl_verdict verdict = make_verdict();
    for (int i = 0; i < VL_REPORT_FORMATS; i++) {
        const char *file = vl_report_format_file((enum vl_report_format)i);
        if (strstr(file, ".json") == NULL)
            continue;
        json_t *json = written(&verdict, 1, (enum vl_report_format)i);
        assert_clean(json);
        json_decref(json);
    }
    vl_verdict_free(&verdict);
}

/* The line of a report that is 'back' lines before its end; 0 is the last one. */
static char *line_from_end(const char *text, size_t back)
{
    const char *end = text + strlen(text) - 1;
    assert_int_equal(*end, '\n');
    for (;;) {
        const char *start = end;
        while (start > text && start[-1] != '\n')
            start--;
        if (back-- == 0)
            return strndup(start, (size_t)(end - start));
        end = start - 1;
    }
}

static void autolab_ends_with_feedback_and_scores(void **state)
{
    (void)state;
    struct vl_verdict verdict = make_verdict();
    char *text = report(&verdict, 1, VL_REPORT_AUTOLAB);
    char *last = line_from_end(text, 0), *before = line_from_end(text, 1);
    assert_string_equal(last, "{\"scores\":{\"01_training_step\":1.5}}");
    json_t *feedback = parsed(before), *stage;
    size_t i;
    for (const char *c = before; *c != '\0'; c++)
        assert_in_range((unsigned char)*c, ' ', '~');
    assert_string_equal(text_at(feedback, "_presentation"), "semantic");
    assert_int_equal(json_array_size(json_object_get(feedback, "stages")), 3);
    json_array_foreach(json_object_get(feedback, "stages"), i, stage)
        assert_true(json_object_size(json_object_get(feedback, json_string_value(stage))) > 0);
    json_t *crashed = json_object_get(json_object_get(feedback, "Numbers"), "swiglu_forward.odd");
    assert_true(json_is_false(json_object_get(crashed, "passed")));
    assert_non_null(strstr(text_at(crashed, "hint"), "score: 100"));
    json_decref(feedback);
    free(last);
    free(before);
    free(text);
    vl_verdict_free(&verdict);
}

static void autolab_keeps_several_labs_apart(void **state)
{
    (void)state;
    struct vl_verdict verdicts[2] = {make_verdict(), make_verdict()};
    verdicts[1].slug = "collectives";
    verdicts[1].lab = 2;
    char *text = report(verdicts, 2, VL_REPORT_AUTOLAB);
    char *last = line_from_end(text, 0), *before = line_from_end(text, 1);
    json_t *scores = parsed(last), *feedback = parsed(before);
    assert_int_equal(json_object_size(json_object_get(scores, "scores")), 2);
    assert_int_equal(json_array_size(json_object_get(feedback, "stages")), 6);
    json_decref(scores);
    json_decref(feedback);
    free(last);
    free(before);
    free(text);
    vl_verdict_free(&verdicts[0]);
    vl_verdict_free(&verdicts[1]);
}

static void prairielearn_gives_a_share_of_the_points(void **state)
{
    (void)state;
    struct vl_verdict verdict = make_verdict();
    json_t *json = written(&verdict, 1, VL_REPORT_PRAIRIELEARN);
    double score = json_number_value(json_object_get(json, "score"));
    assert_true(fabs(score - verdict.score / verdict.max_score) < 1e-9);
    assert_true(json_is_true(json_object_get(json, "gradable")));
    assert_int_equal(json_array_size(json_object_get(json, "tests")), 4);
    json_decref(json);
    vl_verdict_free(&verdict);
}

static void prairielearn_stays_below_a_megabyte(void **state)
{
    (void)state;
    struct vl_verdict verdict = make_verdict();
    size_t n = 1200000;
    free(verdict.cases[1].detail);
    verdict.cases[1].detail = malloc(n + 1);
    memset(verdict.cases[1].detail, 'x', n);
    verdict.cases[1].detail[n] = '\0';
    char *text = report(&verdict, 1, VL_REPORT_PRAIRIELEARN);
    assert_true(strlen(text) < 1000000);
    json_t *json = parsed(text);
    assert_int_equal(json_array_size(json_object_get(json, "tests")), 4);
    json_decref(json);
    free(text);
    vl_verdict_free(&verdict);
}

/* It would refuse a share above 1, and the submission would have no points at all. */
static void prairielearn_never_gives_more_than_all(void **state)
{
    (void)state;
    struct vl_verdict verdict = make_verdict();
    verdict.score = 1.5 * verdict.max_score; /* in a verdict that was edited */
    json_t *json = written(&verdict, 1, VL_REPORT_PRAIRIELEARN);
    assert_true(json_number_value(json_object_get(json, "score")) <= 1);
    json_decref(json);
    vl_verdict_free(&verdict);
}

static char *many(char letter, size_t n)
{
    char *text = malloc(n + 1);
    memset(text, letter, n);
    text[n] = '\0';
    return text;
}

static void exercism_stays_below_its_limits(void **state)
{
    (void)state;
    struct vl_verdict verdict = make_verdict();
    free(verdict.cases[1].detail);
    verdict.cases[1].detail = many('x', 600000);
    char *text = report(&verdict, 1, VL_REPORT_EXERCISM_3);
    assert_true(strlen(text) < 500 * 1024);
    json_t *json = parsed(text);
    assert_int_equal(json_array_size(json_object_get(json, "tests")), 3);
    json_decref(json);
    free(text);
    for (size_t i = 0; i < verdict.case_count; i++) { /* nothing compiles, at great length */
        verdict.cases[i].status = VL_CASE_FAILED;
        free(verdict.cases[i].code);
        verdict.cases[i].code = strdup("does_not_compile");
    }
    free(verdict.compiler);
    verdict.compiler = many('y', 70000);
    memcpy(verdict.compiler + 60000, "\xc5\xbe", 2);
    json = written(&verdict, 1, VL_REPORT_EXERCISM_2);
    assert_string_equal(text_at(json, "status"), "error");
    assert_in_range(strlen(text_at(json, "message")), 65000, 65535);
    assert_int_equal(json_array_size(json_object_get(json, "tests")), 0);
    json_decref(json);
    vl_verdict_free(&verdict);
}

/* In base64 it is one environment variable, of which Linux takes 128 KiB. */
static json_t *assert_github_fits(const struct vl_verdict *verdicts, size_t count, size_t tests)
{
    char *text = report(verdicts, count, VL_REPORT_GITHUB_CLASSROOM);
    assert_true((strlen(text) + 2) / 3 * 4 + strlen("VIALATA_RESULTS=") < 131072);
    json_t *json = parsed(text), *list = json_object_get(json, "tests"), *test;
    double score = 0, most = 0;
    size_t i;
    assert_int_equal(json_array_size(list), tests);
    json_array_foreach(list, i, test) score += json_number_value(json_object_get(test, "score"));
    for (i = 0; i < count; i++)
        most += verdicts[i].score;
    assert_true(fabs(score - most) < 1e-9);
    free(text);
    return json;
}

static void github_says_less_rather_than_too_much(void **state)
{
    (void)state;
    struct vl_verdict verdict = make_verdict(), several[10];
    json_decref(assert_github_fits(&verdict, 1, 4));
    free(verdict.cases[1].detail);
    verdict.cases[1].detail = many('x', 100000);
    json_t *json = assert_github_fits(&verdict, 1, 4);
    assert_non_null(strstr(text_at(json_array_get(json_object_get(json, "tests"), 1), "message"),
                           "score: 100"));
    json_decref(json);
    free(verdict.cases[1].message);
    verdict.cases[1].message = many('x', 10000);
    for (size_t i = 0; i < 10; i++)
        several[i] = verdict;
    json = assert_github_fits(several, 10, 10);
    assert_string_equal(text_at(json_array_get(json_object_get(json, "tests"), 9), "name"),
                        "01_training_step");
    json_decref(json);
    vl_verdict_free(&verdict);
}

static void codegrade_weighs_cases_by_their_points(void **state)
{
    (void)state;
    struct vl_verdict verdict = make_verdict();
    verdict.cases[2].status = VL_CASE_FAILED; /* a quarter of its points */
    verdict.cases[2].points = 1;
    char *text = report(&verdict, 1, VL_REPORT_CODEGRADE);
    assert_null(strstr(text, "<properties"));
    assert_null(strstr(text, "<skipped"));
    assert_null(strstr(text, "nan"));
    assert_non_null(strstr(text, "tests=\"5\" failures=\"3\" errors=\"0\""));
    assert_non_null(strstr(text, "attention_forward.odd\" time=\"0.000\" weight=\"1\"/>"));
    assert_non_null(strstr(text, "attention_forward.odd\" time=\"0.000\" weight=\"3\">"));
    free(text);
    text = report(&verdict, 1, VL_REPORT_JUNIT);
    assert_non_null(strstr(text, "<properties"));
    assert_null(strstr(text, "weight"));
    assert_null(strstr(text, "nan"));
    free(text);
    vl_verdict_free(&verdict);
}

static void what_was_not_graded_is_an_error_with_its_reason(void **state)
{
    (void)state;
    struct vl_verdict verdict = {.version = "0",
                                 .commit = "0",
                                 .lab = 1,
                                 .slug = "training_step",
                                 .language = "en",
                                 .status = VL_VERDICT_ERROR,
                                 .max_score = 100,
                                 .message = strdup("no file of it")};
    json_t *json = written(&verdict, 1, VL_REPORT_PRAIRIELEARN);
    assert_true(json_is_false(json_object_get(json, "gradable")));
    json_t *first = json_array_get(json_object_get(json, "format_errors"), 0);
    assert_non_null(strstr(json_string_value(first), "no file of it"));
    json_decref(json);
    const enum vl_report_format exercism[] = {VL_REPORT_EXERCISM_2, VL_REPORT_EXERCISM_3};
    for (int i = 0; i < 2; i++) {
        json = written(&verdict, 1, exercism[i]);
        assert_string_equal(text_at(json, "status"), "error");
        assert_non_null(strstr(text_at(json, "message"), "no file of it"));
        json_decref(json);
    }
    json = written(&verdict, 1, VL_REPORT_GITHUB_CLASSROOM);
    assert_string_equal(text_at(json, "status"), "error");
    first = json_array_get(json_object_get(json, "tests"), 0);
    assert_non_null(strstr(text_at(first, "message"), "no file of it"));
    json_decref(json);
    vl_verdict_free(&verdict);
}

static void exercism_fails_no_exercise_for_its_bonus(void **state)
{
    (void)state;
    struct vl_verdict verdict = make_verdict();
    verdict.cases[1].status = verdict.cases[2].status = VL_CASE_PASSED;
    json_t *json = written(&verdict, 1, VL_REPORT_EXERCISM_3);
    assert_string_equal(text_at(json, "status"), "pass");
    assert_int_equal(json_array_size(json_object_get(json, "tests")), 3);
    json_t *first = json_array_get(json_object_get(json, "tests"), 0);
    assert_true(json_integer_value(json_object_get(first, "task_id")) > 0);
    json_decref(json);
    verdict.cases[2].status = VL_CASE_SKIPPED;
    json = written(&verdict, 1, VL_REPORT_EXERCISM_2);
    assert_string_equal(text_at(json, "status"), "fail");
    json_decref(json);
    vl_verdict_free(&verdict);
}

static void all_names_are_listed(void **state)
{
    (void)state;
    char *names = vl_report_format_names();
    for (int i = 0; i < VL_REPORT_FORMATS; i++)
        assert_non_null(strstr(names, vl_report_format_name((enum vl_report_format)i)));
    free(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_json_is_clean),
        cmocka_unit_test(autolab_ends_with_feedback_and_scores),
        cmocka_unit_test(autolab_keeps_several_labs_apart),
        cmocka_unit_test(prairielearn_gives_a_share_of_the_points),
        cmocka_unit_test(prairielearn_stays_below_a_megabyte),
        cmocka_unit_test(prairielearn_never_gives_more_than_all),
        cmocka_unit_test(exercism_stays_below_its_limits),
        cmocka_unit_test(github_says_less_rather_than_too_much),
        cmocka_unit_test(codegrade_weighs_cases_by_their_points),
        cmocka_unit_test(what_was_not_graded_is_an_error_with_its_reason),
        cmocka_unit_test(exercism_fails_no_exercise_for_its_bonus),
        cmocka_unit_test(all_names_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
