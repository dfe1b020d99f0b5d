/*
 * The thirty cases: what they quote is in their programs, once; a right diagnosis earns everything, and five wrong
 * ones do not.
 */
#include "base/file.h"
#include "base/place.h"
#include "clinic/case.h"
#include "clinic/credit.h"
#include "clinic/repair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CASES 30

static char *program_of(const struct vl_clinic_case *item)
{
    char name[80], *text = NULL;
    size_t n;
    snprintf(name, sizeof name, "clinic/%02d_%s.c", item->number, item->slug);
    char *path = vl_place_path("labs", name);
    assert_non_null(path);
    if (vl_file_read(&text, &n, path, 100000) != VL_OK)
        fail_msg("%s cannot be read", path);
    free(path);
    return text;
}

static int times_in(const char *text, const char *piece)
{
    int times = 0;
    for (const char *at = strstr(text, piece); at != NULL; at = strstr(at + 1, piece))
        times++;
    return times;
}

static void there_are_thirty_in_order(void **state)
{
    (void)state;
    assert_int_equal(vl_clinic_count, CASES);
    for (int i = 0; i < CASES; i++)
        assert_int_equal(vl_clinic_cases[i]->number, i + 1);
    assert_null(vl_clinic_case(CASES + 1));
}

static void check_words(const struct vl_clinic_case *item)
{
    assert_non_null(item->title);
    assert_non_null(item->story);
    assert_non_null(item->explained);
    for (int i = 0; i < VL_CLINIC_HINTS; i++)
        assert_non_null(item->hints[i]);
    assert_true(item->cause > VL_CAUSE_NONE && item->cause < VL_CAUSES);
    assert_true(item->close < VL_CAUSES && item->close != item->cause);
}

static void check_ranks(const struct vl_clinic_case *item)
{
    int shown = 0;
    assert_in_range(item->ranks, 2, 8);
    for (int i = 0; i < VL_CLINIC_RUNS && item->runs[i] > 0; i++)
        shown += item->runs[i] == item->ranks;
    assert_int_equal(shown, 1);
    assert_true(item->runs[2] > 0); /* three at least */
    assert_true(item->who == VL_CLINIC_ALL || item->who >> item->ranks == 0);
    assert_int_not_equal(item->who, 0);
}

static void every_case_is_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < vl_clinic_count; i++) {
        check_words(vl_clinic_cases[i]);
        check_ranks(vl_clinic_cases[i]);
    }
}

static void what_is_quoted_is_in_the_program_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < vl_clinic_count; i++) {
        const struct vl_clinic_case *item = vl_clinic_cases[i];
        char *program = program_of(item), *repaired = NULL;
        for (int k = 0; k < VL_CLINIC_PLACES && item->places[k] != NULL; k++)
            if (times_in(program, item->places[k]) != 1)
                fail_msg("case %d: \"%s\"", item->number, item->places[k]);
        for (int k = 0; k < VL_CLINIC_REPAIRS && item->repairs[k].broken != NULL; k++)
            if (times_in(program, item->repairs[k].broken) != 1)
                fail_msg("case %d: \"%s\"", item->number, item->repairs[k].broken);
        assert_int_equal(vl_clinic_repair(&repaired, item, program), VL_OK);
        assert_string_not_equal(repaired, program);
        free(repaired);
        free(program);
    }
}

static struct vl_diagnosis right_for(const struct vl_clinic_case *item, const char *program)
{
    return (struct vl_diagnosis){
        .who = item->who, .line = vl_place_line(program, item->places[0]), .cause = item->cause};
}

static void a_right_diagnosis_earns_everything(void **state)
{
    (void)state;
    for (size_t i = 0; i < vl_clinic_count; i++) {
        char *program = program_of(vl_clinic_cases[i]);
        struct vl_diagnosis right = right_for(vl_clinic_cases[i], program);
        struct vl_credit credit = vl_credit_of(vl_clinic_cases[i], program, &right);
        assert_true(vl_credit_is_whole(&credit));
        assert_int_equal(vl_credit_points(&credit, 0, false), VL_CREDIT_WHOLE);
        free(program);
    }
}

/* Another rank, another line, another cause, and two pairs of these. */
static void five_wrong_ones_do_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < vl_clinic_count; i++) {
        const struct vl_clinic_case *item = vl_clinic_cases[i];
        char *program = program_of(item);
        const struct vl_diagnosis right = right_for(item, program);
        uint32_t who = item->who == VL_CLINIC_ALL ? VL_CLINIC_RANK(0) : VL_CLINIC_ALL;
        enum vl_cause cause =
            item->cause == VL_CAUSE_WRONG_TYPE ? VL_CAUSE_NEVER_FREED : VL_CAUSE_WRONG_TYPE;
        struct vl_diagnosis wrong[5] = {right, right, right, right, right};
        wrong[0].who = wrong[3].who = who;
        wrong[1].line = wrong[3].line = wrong[4].line = 1;
        wrong[2].cause = wrong[4].cause = cause;
        for (int k = 0; k < 5; k++) {
            struct vl_credit credit = vl_credit_of(item, program, &wrong[k]);
            assert_false(vl_credit_is_whole(&credit));
            assert_true(vl_credit_points(&credit, 0, false) < VL_CREDIT_WHOLE);
        }
        free(program);
    }
}

static int start(void **state)
{
    (void)state;
    return vl_place_start();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_thirty_in_order),
        cmocka_unit_test(every_case_is_whole),
        cmocka_unit_test(what_is_quoted_is_in_the_program_once),
        cmocka_unit_test(a_right_diagnosis_earns_everything),
        cmocka_unit_test(five_wrong_ones_do_not),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
