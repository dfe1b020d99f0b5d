/*
 * Status and score of a verdict, from its cases.
 */
#include "grade/catalogue/verdict.h"
#include "grade/job/throughput.h"
#include "grade/run/result.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void add(struct vl_verdict *verdict, enum vl_case_status status, double points, double most)
{
    struct vl_case_result result = {.id = (char *)"some.case",
                                    .function = (char *)"vl_some",
                                    .ranks = 1,
                                    .status = status,
                                    .points = points,
                                    .max_points = most,
                                    .measured = NAN,
                                    .bound = NAN};
    assert_non_null(vl_verdict_add(verdict, &result));
}

static void add_ratio(struct vl_verdict *verdict, double ratio)
{
    struct vl_case_result result = {.id = (char *)"some.speed",
                                    .function = (char *)"vl_some",
                                    .group = VL_GROUP_THROUGHPUT,
                                    .status = VL_CASE_PASSED,
                                    .measured = ratio,
                                    .bound = NAN};
    assert_non_null(vl_verdict_add(verdict, &result));
}

static void expect(struct vl_verdict *verdict, enum vl_verdict_status status, double score,
                   int exit_status)
{
    vl_verdict_close(verdict);
    assert_int_equal(verdict->status, status);
    assert_true(verdict->score == score);
    assert_int_equal(vl_verdict_exit(verdict), exit_status);
    vl_verdict_free(verdict);
}

static void add_bonus(struct vl_verdict *verdict, enum vl_case_status status)
{
    add(verdict, status, 0, 0);
    verdict->cases[verdict->case_count - 1].group = VL_GROUP_BONUS;
}

static void full_score_is_passed_although_shares_are_thirds(void **state)
{
    (void)state;
    struct vl_verdict verdict = {0};
    for (int i = 0; i < 3; i++)
        add(&verdict, VL_CASE_PASSED, 100.0 / 3, 100.0 / 3);
    expect(&verdict, VL_VERDICT_PASSED, 100, 0);
}

static void a_bonus_is_nobodys_duty(void **state)
{
    (void)state;
    struct vl_verdict without = {0}, wrong = {0}, unwritten = {0}, alone = {0};
    add(&without, VL_CASE_PASSED, 100, 100);
    add_bonus(&without, VL_CASE_NOT_STARTED);
    expect(&without, VL_VERDICT_PASSED, 100, 0);
    add(&unwritten, VL_CASE_NOT_STARTED, 0, 100);
    add_bonus(&unwritten, VL_CASE_PASSED);
    expect(&unwritten, VL_VERDICT_NOT_STARTED, 0, 1);
    /* Asked for alone it is judged like anything else. */
    add_bonus(&wrong, VL_CASE_PASSED);
    add_bonus(&wrong, VL_CASE_FAILED);
    expect(&wrong, VL_VERDICT_FAILED, 0, 1);
    add_bonus(&alone, VL_CASE_PASSED);
    expect(&alone, VL_VERDICT_PASSED, 0, 0);
}

static void some_points_are_partial(void **state)
{
    (void)state;
    struct vl_verdict verdict = {0};
    add(&verdict, VL_CASE_PASSED, 2, 2);
    add(&verdict, VL_CASE_NOT_STARTED, 0, 2);
    expect(&verdict, VL_VERDICT_PARTIAL, 2, 1);
}

static void no_points_for_something_written_is_failed(void **state)
{
    (void)state;
    struct vl_verdict verdict = {0};
    add(&verdict, VL_CASE_CRASHED, 0, 2);
    add(&verdict, VL_CASE_NOT_STARTED, 0, 2);
    expect(&verdict, VL_VERDICT_FAILED, 0, 1);
}

static void nothing_written_is_not_started_whatever_was_given(void **state)
{
    (void)state;
    struct vl_verdict verdict = {0};
    add(&verdict, VL_CASE_PASSED, 0, 0); /* worked code */
    add(&verdict, VL_CASE_NOT_STARTED, 0, 2);
    add(&verdict, VL_CASE_SKIPPED, 0, 2);
    expect(&verdict, VL_VERDICT_NOT_STARTED, 0, 1);
}

static void damage_to_worked_code_is_not_passed(void **state)
{
    (void)state;
    struct vl_verdict verdict = {0};
    add(&verdict, VL_CASE_FAILED, 0, 0);
    add(&verdict, VL_CASE_PASSED, 2, 2);
    expect(&verdict, VL_VERDICT_PARTIAL, 2, 1);
}

static void an_error_stays_an_error(void **state)
{
    (void)state;
    struct vl_verdict verdict = {.status = VL_VERDICT_ERROR};
    add(&verdict, VL_CASE_PASSED, 2, 2);
    expect(&verdict, VL_VERDICT_ERROR, 2, 4);
}

static void ratio_is_the_median_of_what_was_measured(void **state)
{
    (void)state;
    struct vl_verdict verdict = {0};
    vl_verdict_close(&verdict);
    assert_true(isnan(verdict.throughput.ratio_median));
    add_ratio(&verdict, 0.9);
    add_ratio(&verdict, NAN);
    add_ratio(&verdict, 0.2);
    add_ratio(&verdict, 0.5);
    vl_verdict_close(&verdict);
    assert_true(verdict.throughput.ratio_median == 0.5);
    vl_verdict_free(&verdict);
}

static void texts_are_the_verdicts_own(void **state)
{
    (void)state;
    struct vl_verdict verdict = {0};
    char message[] = "before";
    struct vl_case_result result = {.id = (char *)"a.b", .message = message};
    struct vl_case_result *added = vl_verdict_add(&verdict, &result);
    message[0] = 'X';
    assert_string_equal(added->message, "before");
    assert_null(added->detail);
    vl_verdict_free(&verdict);
}

static void speed_earns_by_the_logarithm_between_a_tenth_and_seven_tenths(void **state)
{
    (void)state;
    assert_true(vl_throughput_share(0.1) == 0);
    assert_true(vl_throughput_share(NAN) == 0);
    assert_true(vl_throughput_share(0) == 0);
    assert_true(vl_throughput_share(0.7) == 1);
    assert_true(vl_throughput_share(3) == 1);
    assert_true(fabs(vl_throughput_share(sqrt(0.07)) - 0.5) < 1e-12);
}

static void speed_that_nothing_reaches_earns_nothing(void **state)
{
    (void)state;
    for (int fast = 0; fast < 2; fast++) {
        const struct vl_throughput_result throughput = {
            .end = VL_THROUGHPUT_MEASURED, .ratio = fast ? 3.1 : 2.9, .stable = 1};
        struct vl_case_result result = {.max_points = 5};
        vl_result_from_throughput(&result, &throughput);
        assert_int_equal(result.status, fast ? VL_CASE_FAILED : VL_CASE_PASSED);
        assert_true(result.points == (fast ? 0 : 5));
        if (fast)
            assert_string_equal(result.code, "implausible_speed");
        vl_result_clear(&result);
    }
}

/* Times that differ by more than half say nothing, unless even the worst of them earn everything; of a
 * single long turn nobody knows the spread. */
static void unsteady_times_cost_no_verdict_on_speed(void **state)
{
    (void)state;
    static const struct {
        double ratio, spread;
        enum vl_case_status status;
        const char *code;
    } expected[] = {{0.4, 0.51, VL_CASE_SKIPPED, "unsteady_times"},
                    {3.1, 0.51, VL_CASE_SKIPPED, "unsteady_times"},
                    {0.4, 0.49, VL_CASE_FAILED, "too_slow"},
                    {0.4, INFINITY, VL_CASE_FAILED, "too_slow"},
                    {0.8, 0.90, VL_CASE_PASSED, NULL}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct vl_throughput_result throughput = {.end = VL_THROUGHPUT_MEASURED,
                                                        .ratio = expected[i].ratio,
                                                        .spread = expected[i].spread};
        struct vl_case_result result = {.max_points = 5, .measured = NAN};
        vl_result_from_throughput(&result, &throughput);
        assert_int_equal(result.status, expected[i].status);
        assert_int_equal(result.code == NULL, expected[i].code == NULL);
        if (expected[i].code != NULL)
            assert_string_equal(result.code, expected[i].code);
        if (result.status == VL_CASE_SKIPPED)
            assert_true(result.points == 0 && isnan(result.measured));
        vl_result_clear(&result);
    }
}

static void times_that_do_not_count_say_why(void **state)
{
    (void)state;
    static const struct {
        enum vl_throughput_end end;
        const char *code;
    } expected[] = {{VL_THROUGHPUT_ELSEWHERE, "worked_out_of_turn"},
                    {VL_THROUGHPUT_THREADS, "used_threads"},
                    {VL_THROUGHPUT_CONFUSED, "wrong_protocol"}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct vl_throughput_result throughput = {.end = expected[i].end, .ratio = 1};
        struct vl_case_result result = {.max_points = 5};
        vl_result_from_throughput(&result, &throughput);
        assert_int_equal(result.status, VL_CASE_FAILED);
        assert_string_equal(result.code, expected[i].code);
        assert_true(result.points == 0);
        vl_result_clear(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_score_is_passed_although_shares_are_thirds),
        cmocka_unit_test(a_bonus_is_nobodys_duty),
        cmocka_unit_test(some_points_are_partial),
        cmocka_unit_test(no_points_for_something_written_is_failed),
        cmocka_unit_test(nothing_written_is_not_started_whatever_was_given),
        cmocka_unit_test(damage_to_worked_code_is_not_passed),
        cmocka_unit_test(an_error_stays_an_error),
        cmocka_unit_test(ratio_is_the_median_of_what_was_measured),
        cmocka_unit_test(texts_are_the_verdicts_own),
        cmocka_unit_test(speed_earns_by_the_logarithm_between_a_tenth_and_seven_tenths),
        cmocka_unit_test(speed_that_nothing_reaches_earns_nothing),
        cmocka_unit_test(unsteady_times_cost_no_verdict_on_speed),
        cmocka_unit_test(times_that_do_not_count_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
