/*
 * Who is judged again with something of the reference: cases that fail because of one other function, or
 * of functions of one file that belong together, and nobody else.
 */
#include "grade/run/instead/rejudge.h"
#include "grade/run/instead/undone.h"

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
    {"late", NULL, 4, VL_GROUP_NUMERICS, 0},
    {"vl_slots", "d.c", 4, VL_GROUP_NUMERICS, 0},
    {"vl_slot", "d.c", 4, VL_GROUP_NUMERICS, 0},
    {"fitting", NULL, 4, VL_GROUP_NUMERICS, 0},
    {"peak", NULL, 4, VL_GROUP_NUMERICS, 0}};
static const struct vl_lab lab = {.functions = functions,
                                  .function_count = sizeof functions / sizeof *functions};
static const struct vl_grade_request request = {.lab = &lab};

#define NEEDS(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
/* vl_one and vl_two need one another, as parts of one thing may. vl_slots and vl_slot only share a file. */
static const struct vl_case cases[] = {
    {.id = "given", .function = "vl_given"},
    {.id = "one", .function = "vl_one"},
    {.id = "one_two", .function = "vl_one", .needs = NEEDS("vl_two")},
    {.id = "two", .function = "vl_two"},
    {.id = "two_one", .function = "vl_two", .needs = NEEDS("vl_one")},
    {.id = "step", .function = "vl_step", .needs = NEEDS("vl_one", "vl_two", "vl_step")},
    {.id = "whole", .function = "whole", .needs = NEEDS("vl_given", "vl_one", "vl_two", "vl_step")},
    {.id = "late", .function = "late", .needs = NEEDS("vl_one", "vl_step", "one_traffic")},
    {.id = "traffic", .function = "one_traffic", .needs = NEEDS("vl_given", "vl_one")},
    {.id = "slots", .function = "vl_slots"},
    {.id = "slot", .function = "vl_slot"},
    {.id = "fitting", .function = "fitting", .needs = NEEDS("vl_slots", "vl_slot")},
    {.id = "peak", .function = "peak", .needs = NEEDS("vl_slots", "vl_slot")}};
#define COUNT (sizeof cases / sizeof *cases)

/* A grading with these results: '+' passed, '-' failed, 'c' crashed, 'n' not started, 'h' hung, 's'
 * skipped after a hang. In the order: given, one, one_two, two, two_one, step, whole, late, traffic; then
 * slots, slot, fitting, peak, which pass where nothing is said of them. */
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
        const char letter = i < strlen(letters) ? letters[i] : '+';
        scene->results[i] =
            (struct vl_case_result){.id = (char *)cases[i].id,
                                    .function = (char *)cases[i].function,
                                    .status = status_of(letter),
                                    .code = letter == 's' ? (char *)"skipped_after_hang" : NULL};
        scene->seen[i] = (struct vl_seen_case){.c = &cases[i], .passed = letter == '+'};
    }
    scene->verdict = (struct vl_verdict){.cases = scene->results, .case_count = COUNT};
    scene->grading = (struct vl_grading){
        .request = &request, .verdict = &scene->verdict, .seen = scene->seen, .seen_count = COUNT};
}

/* A function, or a file. */
static struct vl_replacement named(const char *name)
{
    for (size_t i = 0; i < lab.function_count; i++)
        if (strcmp(functions[i].name, name) == 0)
            return (struct vl_replacement){.file = functions[i].file, .function = &functions[i]};
    return (struct vl_replacement){.file = name};
}

/* Which are left of those marked with 'x' in 'before' with this in mind, if 'payer' (or NULL) pays. */
static void expect_paid(const char *before, const char *letters, const char *name,
                        const char *payer, const char *expected)
{
    const struct vl_suspicion suspicion = {.what = named(name), .payer = payer};
    struct scene scene;
    bool kept[COUNT];
    char got[COUNT + 1] = "";
    set_up(&scene, letters);
    for (size_t i = 0; i < COUNT; i++)
        kept[i] = i >= strlen(before) || before[i] == 'x';
    size_t count = vl_rejudge_keep(kept, &scene.grading, &suspicion);
    for (size_t i = 0; i < COUNT; i++) {
        if (i < strlen(expected))
            got[i] = kept[i] ? 'x' : '.';
        count -= kept[i];
    }
    assert_int_equal(count, 0);
    assert_string_equal(got, expected);
}

static void expect_of(const char *before, const char *letters, const char *name,
                      const char *expected)
{
    expect_paid(before, letters, name, NULL, expected);
}

static void expect(const char *letters, const char *name, const char *expected)
{
    expect_of("", letters, name, expected);
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

static void with_two_wrong_functions_one_is_not_enough(void **unused)
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

/* ---- files ---- */

static bool together(const char *letters, const char *file)
{
    struct scene scene;
    set_up(&scene, letters);
    return vl_rejudge_belong_together(&scene.grading, file);
}

/* "late" uses "traffic", too, which is about vl_one alone. */
static void functions_that_use_one_another_are_replaced_together(void **unused)
{
    (void)unused;
    assert_true(together("+-+-+----", "a.c"));
    expect("+-+-+----", "a.c", ".....xx..");
    expect("+--------", "a.c", ".....xx..");
    expect("+-+++----", "a.c", ".....xx.."); /* one is wrong, and shares something with the other */
    assert_false(together("+-+-+----", "b.c"));
}

static void a_file_earns_nothing_for_its_own_functions(void **unused)
{
    (void)unused;
    expect("+--++++++", "a.c", ".........");
    expect("+++++++++--+-", "d.c", "............x");
}

/* Both are wrong, but what needs both is right: one mistake, in two places. */
static void functions_that_fit_one_another_are_replaced_together(void **unused)
{
    (void)unused;
    struct scene scene;
    assert_true(together("+++++++++--+-", "d.c"));
    expect("+++++++++--+-", "vl_slots", ".............");
    assert_false(together("+++++++++--+-", "a.c"));
    set_up(&scene, "+++++++++--+-");
    scene.seen[11].idle = true; /* right for functions that do nothing, too */
    assert_false(vl_rejudge_fit(&scene.grading, "d.c"));
    set_up(&scene, "+++++++++--+-");
    scene.results[11].replaced = (char *)"vl_slots";
    assert_false(vl_rejudge_fit(&scene.grading, "d.c"));
    set_up(&scene, "+-++++++++--+-"); /* what passes uses one of the two */
    scene.seen[11].c = &cases[1];
    assert_false(vl_rejudge_fit(&scene.grading, "d.c"));
}

static bool together_with(const char *of_slots, const char *of_slot)
{
    struct scene scene;
    set_up(&scene, "+++++++++--+-");
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(scene.results[i].function, "vl_slots") == 0)
            scene.results[i].message = (char *)of_slots;
        else if (strcmp(scene.results[i].function, "vl_slot") == 0)
            scene.results[i].message = (char *)of_slot;
        else if (strcmp(scene.results[i].function, "fitting") == 0)
            scene.results[i].status = VL_CASE_FAILED;
    return vl_rejudge_belong_together(&scene.grading, "d.c");
}

static void functions_that_fail_at_one_place_are_replaced_together(void **unused)
{
    (void)unused;
    assert_true(together_with("A send at d.c:16, then at d.c:41.", "A send at d.c:41."));
    assert_false(together_with("A send at d.c:16.", "A send at d.c:161."));
    assert_false(together_with("A send at d.c:16.", NULL));
    assert_false(together_with("A send at e.c:16.", "A send at e.c:16."));
    assert_false(together_with("Look into d.c.", "Look into d.c."));
}

static void two_mistakes_in_one_file_that_do_not_fit_are_both_in_the_way(void **unused)
{
    (void)unused;
    assert_false(together("+++++++++----", "d.c"));
    expect("+++++++++----", "d.c", ".............");
    assert_false(together("+++++++++-++-", "d.c")); /* one of them alone: there is another way */
}

static void two_mistakes_in_two_files_are_both_in_the_way(void **unused)
{
    (void)unused;
    expect_of("......x..", "+-+-+----", "a.c", "........."); /* the step failed again */
    expect("+-+-+--++", "b.c", ".........");
}

/* ---- what a composed function alone sees ---- */

static bool pays_alone(const char *letters, size_t function)
{
    struct scene scene;
    set_up(&scene, letters);
    return vl_rejudge_pays_alone(&scene.grading, &functions[function]);
}

static void a_composed_function_pays_for_what_it_alone_sees(void **unused)
{
    (void)unused;
    assert_true(pays_alone("++++++--+", 4));
    assert_false(pays_alone("+++++---+", 4)); /* the step is wrong: that pays */
    assert_false(pays_alone("+++++-+++", 3));
    assert_false(pays_alone("+++++++++", 4));
    expect_paid("", "++++++--+", "vl_one", "whole", ".......x.");
    expect_paid("", "++++++--+", "vl_two", "whole", "........."); /* "late" does not use it */
    expect_paid("", "++++++-++", "vl_one", "whole", ".........");
    expect_paid("", "+++++-++-", "vl_one", "one_traffic",
                "........."); /* the step sees it, too: it pays */
    expect_paid("", "++++++--+", "vl_one", NULL, ".........");
}

static double owed(const char *letters, const char *name, double one, double one_two)
{
    const struct vl_replacement what = named(name);
    struct scene scene;
    set_up(&scene, letters);
    scene.results[1].max_points = one;
    scene.results[2].max_points = one_two;
    scene.results[3].max_points = 1;
    return vl_rejudge_owed(&scene.grading, &what);
}

/* A function is worth 4 points; what its own cases have not lost is still to be paid. */
static void a_mistake_costs_what_its_function_is_worth(void **unused)
{
    (void)unused;
    assert_float_equal(owed("+-+++----", "vl_one", 0.5, 3.5), 3.5, 1e-9);
    assert_float_equal(owed("+--++----", "vl_one", 0.5, 3.5), 0, 1e-9);
    assert_float_equal(owed("+-n++----", "vl_one", 0.5, 3.5), 0, 1e-9); /* nor had it begun */
    assert_float_equal(owed("++++-----", "vl_one", 0.5, 3.5), 0, 1e-9); /* it is right */
    assert_float_equal(owed("+-+-+----", "a.c", 0.5, 3.5), 6.5, 1e-9);
}

static bool may_owe(const char *letters, size_t payer, size_t function)
{
    struct scene scene;
    set_up(&scene, letters);
    return vl_rejudge_may_owe(&scene.grading, &functions[payer], &functions[function]);
}

/* vl_one passes its own cases; vl_two, which needs it, and all that need both see its mistake. */
static void a_written_function_pays_for_what_it_alone_sees(void **unused)
{
    (void)unused;
    assert_true(pays_alone("++++---++", 2));
    assert_true(may_owe("++++---++", 2, 1));
    expect_paid("", "++++---++", "vl_one", "vl_two", ".....xx..");
    expect_paid("....x.x..", "++++---++", "vl_one", "vl_two",
                ".........");                 /* the step fails again */
    assert_false(pays_alone("++++---++", 3)); /* what the step needs is wrong, in another file */
    assert_false(pays_alone("++++-++++", 2)); /* nothing else hangs on it */
    assert_false(may_owe("+-++---++", 2, 1)); /* wrong in its own cases: tried before */
    assert_false(may_owe("++++---++", 2, 0)); /* given */
    assert_false(may_owe("++++---++", 2, 7)); /* none of its cases uses that */
    assert_true(pays_alone("++-+---++", 2));  /* both fail, and use one another */
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

static const struct vl_timing peak_time = {.function = "vl_step",
                                           .needs = NEEDS("vl_slots", "vl_slot", "vl_step")};

static const struct vl_timing step_time = {
    .function = "vl_step", .needs = NEEDS("vl_given", "vl_one", "vl_two", "vl_step")};
static const struct vl_timing one_time = {.function = "vl_one", .needs = NEEDS("vl_one")};
static const struct vl_timing whole_time = {.function = "whole_time", .needs = NEEDS("whole")};

static const struct vl_timing mixed_time = {.function = "vl_step",
                                            .needs = NEEDS("vl_one", "vl_slots", "vl_step")};

static void expect_timed(struct scene *scene, const struct vl_timing *timing, const char *name)
{
    struct vl_replacement what;
    bool found = vl_rejudge_for_timing(&what, &scene->grading, timing);
    assert_string_equal(found ? vl_replacement_name(&what) : "nothing",
                        name != NULL ? name : "nothing");
}

static void a_whole_step_is_timed_with_what_is_right(void **unused)
{
    (void)unused;
    struct scene scene;
    set_up(&scene, "+-+++++++");
    expect_timed(&scene, &step_time, "vl_one");
    expect_timed(&scene, &one_time, NULL);
    set_up(&scene, "+-+-+++++");
    expect_timed(&scene, &step_time, "a.c");
    set_up(&scene, "+++++++++--+-");
    expect_timed(&scene, &peak_time, "d.c");
    set_up(&scene, "+++++++++----");
    expect_timed(&scene, &peak_time, NULL);
    set_up(&scene, "+-+-+++++--+-"); /* in two files */
    expect_timed(&scene, &mixed_time, NULL);
    set_up(&scene, "+++++-+++"); /* it is about the step */
    expect_timed(&scene, &step_time, NULL);
    set_up(&scene, "+++++++++");
    expect_timed(&scene, &step_time, NULL);
    set_up(&scene, "+nn++++++");
    expect_timed(&scene, &step_time, NULL);
}

/* It fails like a wrong one, but one that does nothing has the same answers. */
static void what_does_nothing_is_never_replaced(void **unused)
{
    (void)unused;
    struct scene scene;
    bool kept[COUNT], undone[COUNT] = {false};
    const struct vl_suspicion one = {.what = named("vl_one")};
    for (int nothing = 0; nothing <= 1; nothing++) {
        set_up(&scene, "+-+-+----");
        scene.grading.undone = undone;
        undone[named("vl_two").function - functions] = nothing;
        assert_int_equal(vl_rejudge_belong_together(&scene.grading, "a.c"), !nothing);
        set_up(&scene, "+-+++----");
        scene.grading.undone = undone;
        undone[named("vl_one").function - functions] = nothing;
        memset(kept, 1, sizeof kept);
        assert_int_equal(vl_rejudge_keep(kept, &scene.grading, &one), nothing ? 0 : 2);
        set_up(&scene, "+-+++++++");
        scene.grading.undone = undone;
        expect_timed(&scene, &step_time, nothing ? NULL : "vl_one");
    }
}

static void the_same_answer_has_the_same_words_and_bytes(void **unused)
{
    (void)unused;
    const struct vl_case_result failed = {.status = VL_CASE_FAILED};
    const struct vl_case_result said = {.status = VL_CASE_FAILED,
                                        .code = (char *)"unwritten",
                                        .message = (char *)"Never written: y[0]."};
    struct vl_case_result other = said;
    assert_true(vl_undone_is_same(&said, NULL, &other, NULL));
    other.message = (char *)"Never written: y[4].";
    assert_false(vl_undone_is_same(&said, NULL, &other, NULL));
    assert_false(vl_undone_is_same(&said, NULL, &failed, NULL));
    struct vl_bag *one = vl_bag_create(), *two = vl_bag_create();
    float *y = vl_bag_add_f32(one, "y", 2, 3), *z = vl_bag_add_f32(two, "y", 2, 3);
    assert_non_null(y);
    assert_non_null(z);
    assert_true(vl_bag_set_int(one, "beacon@1", 4) && vl_bag_set_int(two, "beacon@1", 5));
    assert_true(vl_undone_is_same(&failed, one, &failed, two));
    z[5] = 1;
    assert_false(vl_undone_is_same(&failed, one, &failed, two));
    assert_false(vl_undone_is_same(&failed, one, &failed, NULL));
    vl_bag_free(one);
    vl_bag_free(two);
}

/* Its own speed counts if it is right in what is timed. */
static void a_function_may_be_partly_right(void **unused)
{
    (void)unused;
    struct scene scene;
    const struct vl_replacement what = {.file = functions[1].file, .function = &functions[1]};
    set_up(&scene, "+-+++++++");
    assert_true(vl_rejudge_may_be_right(&scene.grading, &what));
    set_up(&scene, "+--++++++");
    assert_false(vl_rejudge_may_be_right(&scene.grading, &what));
    set_up(&scene, "+h+++++++");
    assert_false(vl_rejudge_may_be_right(&scene.grading, &what));
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
    scene.results[5].replaced = (char *)"a.c";
    expect_timed(&scene, &step_time, "a.c");
    scene.results[5].replaced = (char *)"vl_slots";
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
        cmocka_unit_test(what_does_nothing_is_never_replaced),
        cmocka_unit_test(the_same_answer_has_the_same_words_and_bytes),
        cmocka_unit_test(with_two_wrong_functions_one_is_not_enough),
        cmocka_unit_test(a_failure_may_hang_on_another_one),
        cmocka_unit_test(what_still_fails_takes_its_users_with_it),
        cmocka_unit_test(functions_that_use_one_another_are_replaced_together),
        cmocka_unit_test(a_file_earns_nothing_for_its_own_functions),
        cmocka_unit_test(functions_that_fit_one_another_are_replaced_together),
        cmocka_unit_test(functions_that_fail_at_one_place_are_replaced_together),
        cmocka_unit_test(two_mistakes_in_one_file_that_do_not_fit_are_both_in_the_way),
        cmocka_unit_test(two_mistakes_in_two_files_are_both_in_the_way),
        cmocka_unit_test(a_composed_function_pays_for_what_it_alone_sees),
        cmocka_unit_test(a_mistake_costs_what_its_function_is_worth),
        cmocka_unit_test(a_written_function_pays_for_what_it_alone_sees),
        cmocka_unit_test(only_what_a_student_writes_is_replaced),
        cmocka_unit_test(a_whole_step_is_timed_with_what_is_right),
        cmocka_unit_test(a_function_may_be_partly_right),
        cmocka_unit_test(a_need_that_was_judged_again_counts_as_such)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
