/*
 * Who is judged again with a function of the reference: cases that fail because of one other function,
 * and nobody else.
 */
#include "grade/run/rejudge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct vl_lab_function functions[] = {
    {"vl_given", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_one", "a.c", 4, VL_GROUP_NUMERICS, 2},
    {"vl_two", "a.c", 4, VL_GROUP_NUMERICS, 0},
    {"vl_step", "b.c", 4, VL_GROUP_NUMERICS, 5},
    {"whole", NULL, 4, VL_GROUP_NUMERICS, 0},
    {"one_traffic", NULL, 4, VL_GROUP_NUMERICS, 0},
    {"late", NULL, 4, VL_GROUP_NUMERICS, 0}};
static const struct vl_lab lab = {.functions = functions,
                                  .function_count = sizeof functions / sizeof *functions};
static const struct vl_grade_request request = {.lab = &lab};

#define NEEDS(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
/* vl_one and vl_two need one another, as parts of one thing may. */
static const struct vl_case cases[] = {
    {.id = "given", .function = "vl_given"},
    {.id = "one", .function = "vl_one"},
    {.id = "one_two", .function = "vl_one", .needs = NEEDS("vl_two")},
    {.id = "two", .function = "vl_two"},
    {.id = "two_one", .function = "vl_two", .needs = NEEDS("vl_one")},
    {.id = "step", .function = "vl_step", .needs = NEEDS("vl_one", "vl_two", "vl_step")},
    {.id = "whole", .function = "whole", .needs = NEEDS("vl_given", "vl_one", "vl_two", "vl_step")},
    {.id = "late", .function = "late", .needs = NEEDS("vl_one", "vl_step", "one_traffic")},
    {.id = "traffic", .function = "one_traffic", .needs = NEEDS("vl_given", "vl_one")}};
#define COUNT (sizeof cases / sizeof *cases)

/* A grading with these results: '+' passed, '-' failed, 'c' crashed, 'n' not started, 'h' hung, 's'
 * skipped after a hang. In the order: given, one, one_two, two, two_one, step, whole, late, traffic. */
struct scene {
    struct vl_case_result results[COUNT + 2];
    struct vl_seen_case seen[COUNT];
    struct vl_verdict verdict;
    struct vl_grading grading;
};

static enum vl_case_status status_of(char letter)
{
    return letter == '+'   ? VL_CASE_PASSED
           : letter == '-' ? VL_CASE_FAILED
           : letter == 'c' ? VL_CASE_CRASHED
           : letter == 'h' ? VL_CASE_HUNG
           : letter == 's' ? VL_CASE_SKIPPED
                           : VL_CASE_NOT_STARTED;
}

static void set_up(struct scene *scene, const char *letters)
{
    memset(scene, 0, sizeof *scene);
    for (size_t i = 0; i < COUNT; i++) {
        scene->results[i] = (struct vl_case_result){
            .id = (char *)cases[i].id,
            .function = (char *)cases[i].function,
            .status = status_of(letters[i]),
            .code = letters[i] == 's' ? (char *)"skipped_after_hang" : NULL};
        scene->seen[i] = (struct vl_seen_case){.c = &cases[i], .passed = letters[i] == '+'};
    }
    scene->verdict = (struct vl_verdict){.cases = scene->results, .case_count = COUNT};
    scene->grading = (struct vl_grading){
        .request = &request, .verdict = &scene->verdict, .seen = scene->seen, .seen_count = COUNT};
}

/* Which are left of those marked with 'x' in 'before'. */
static void expect_of(const char *before, const char *letters, const char *function,
                      const char *expected)
{
    struct scene scene;
    bool kept[COUNT];
    char got[COUNT + 1] = "";
    set_up(&scene, letters);
    for (size_t i = 0; i < COUNT; i++)
        kept[i] = before[i] == 'x';
    size_t count = vl_rejudge_keep(kept, &scene.grading, function);
    for (size_t i = 0; i < COUNT; i++) {
        got[i] = kept[i] ? 'x' : '.';
        count -= kept[i];
    }
    assert_int_equal(count, 0);
    assert_string_equal(got, expected);
}

static void expect(const char *letters, const char *function, const char *expected)
{
    expect_of("xxxxxxxxx", letters, function, expected);
}

static void what_uses_the_wrong_function_is_judged_again(void **unused)
{
    (void)unused;
    expect("+-+++----", "vl_one", ".....xx..");
    expect("+-+++ch--", "vl_one", ".....xx..");
    expect("+-+++s---", "vl_one", ".....xx..");
}

static void own_cases_and_those_about_it_alone_stay_lost(void **unused)
{
    (void)unused;
    expect("+--++++--", "vl_one", ".........");
}

/* One that needs itself is none that fails through another. */
static void a_function_is_never_judged_with_its_own_reference(void **unused)
{
    (void)unused;
    expect("+++++--++", "vl_step", "......x..");
}

/* "late" is before "traffic", which nothing excuses. */
static void the_order_of_cases_does_not_matter(void **unused)
{
    (void)unused;
    expect("+-++++---", "vl_one", "......x..");
    expect("+-++++--+", "vl_one", "......xx.");
}

static void what_passes_or_is_not_begun_is_left_alone(void **unused)
{
    (void)unused;
    expect("+-+++nn++", "vl_one", ".........");
}

static void with_two_wrong_functions_nobody_is_judged_again(void **unused)
{
    (void)unused;
    expect("+-+-+----", "vl_one", ".........");
    expect("+-+-+----", "vl_two", ".........");
}

/* vl_two fails by itself, for all that is known; but its failure goes with that of vl_one. The other way
 * round, only what vl_one does with a right vl_two can be asked: it fails without it, too. */
static void a_failure_may_hang_on_another_one(void **unused)
{
    (void)unused;
    expect("+--+-----", "vl_one", "....xxx..");
    expect("+--+-----", "vl_two", "..x......");
}

static void what_still_fails_takes_its_users_with_it(void **unused)
{
    (void)unused;
    expect_of("....xxx..", "+--+-----", "vl_one", "....xxx..");
    expect_of(".....xx..", "+--+-----", "vl_one", "........."); /* two_one failed again */
    expect_of("....x.x..", "+--+-----", "vl_one", "....x....");
}

static void only_what_a_student_writes_is_replaced(void **unused)
{
    (void)unused;
    struct scene scene;
    set_up(&scene, "---++++++");
    assert_false(vl_rejudge_is_wrong(&scene.grading, &functions[0]));
    assert_true(vl_rejudge_is_wrong(&scene.grading, &functions[1]));
    assert_false(vl_rejudge_is_wrong(&scene.grading, &functions[2]));
    set_up(&scene, "+nn++----");
    assert_false(vl_rejudge_is_wrong(&scene.grading, &functions[1]));
}

/* ---- timings ---- */

static const struct vl_timing step_time = {
    .function = "vl_step", .needs = NEEDS("vl_given", "vl_one", "vl_two", "vl_step")};
static const struct vl_timing one_time = {.function = "vl_one", .needs = NEEDS("vl_one")};
static const struct vl_timing whole_time = {.function = "whole_time", .needs = NEEDS("whole")};

static void expect_timed(struct scene *scene, const struct vl_timing *timing, const char *function)
{
    const struct vl_lab_function *found = vl_rejudge_for_timing(&scene->grading, timing);
    if (function == NULL)
        assert_null(found);
    else
        assert_string_equal(found != NULL ? found->name : "nothing", function);
}

static void a_whole_step_is_timed_with_a_right_function(void **unused)
{
    (void)unused;
    struct scene scene;
    set_up(&scene, "+-+++++++");
    expect_timed(&scene, &step_time, "vl_one");
    expect_timed(&scene, &one_time, NULL);
    set_up(&scene, "+-+-+++++");
    expect_timed(&scene, &step_time, NULL);
    set_up(&scene, "+++++-+++"); /* it is about the step */
    expect_timed(&scene, &step_time, NULL);
    set_up(&scene, "+++++++++");
    expect_timed(&scene, &step_time, NULL);
    set_up(&scene, "+nn++++++");
    expect_timed(&scene, &step_time, NULL);
}

/* Its own speed counts if it is right in what is timed. */
static void a_function_may_be_partly_right(void **unused)
{
    (void)unused;
    struct scene scene;
    set_up(&scene, "+-+++++++");
    assert_true(vl_rejudge_is_partly_right(&scene.grading, &functions[1]));
    set_up(&scene, "+--++++++");
    assert_false(vl_rejudge_is_partly_right(&scene.grading, &functions[1]));
    set_up(&scene, "+h+++++++");
    assert_false(vl_rejudge_is_partly_right(&scene.grading, &functions[1]));
}

/* What passed with a right function is timed with the same one, or not at all. */
static void a_need_that_was_judged_again_counts_as_such(void **unused)
{
    (void)unused;
    struct scene scene;
    set_up(&scene, "+-+++++++");
    scene.results[6].replaced = (char *)"vl_one";
    expect_timed(&scene, &whole_time, "vl_one");
    assert_true(vl_grading_lacks(&scene.verdict, "whole", 0));
    assert_false(vl_grading_lacks(&scene.verdict, "whole", 1));
    scene.results[5].replaced = (char *)"vl_two";
    expect_timed(&scene, &step_time, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_uses_the_wrong_function_is_judged_again),
        cmocka_unit_test(own_cases_and_those_about_it_alone_stay_lost),
        cmocka_unit_test(a_function_is_never_judged_with_its_own_reference),
        cmocka_unit_test(the_order_of_cases_does_not_matter),
        cmocka_unit_test(what_passes_or_is_not_begun_is_left_alone),
        cmocka_unit_test(with_two_wrong_functions_nobody_is_judged_again),
        cmocka_unit_test(a_failure_may_hang_on_another_one),
        cmocka_unit_test(what_still_fails_takes_its_users_with_it),
        cmocka_unit_test(only_what_a_student_writes_is_replaced),
        cmocka_unit_test(a_whole_step_is_timed_with_a_right_function),
        cmocka_unit_test(a_function_may_be_partly_right),
        cmocka_unit_test(a_need_that_was_judged_again_counts_as_such)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
