#include "class/book/overrides.h"
#include "class/intake/csv.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "scratch_file.h"

static struct vl_student students[] = {{.id = (char *)"ada", .name = (char *)"Ada Lovelace"},
                                       {.id = (char *)"bob", .name = (char *)"Bob"}};
static const struct vl_roster roster = {.students = students, .count = 2};
static const struct vl_intake nobody = {0};

static void write_text(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static struct vl_overrides read_table(const char *text)
{
    struct vl_overrides overrides;
    char *problem;
    write_text(text);
    assert_int_equal(vl_overrides_read(&overrides, &problem, path), VL_OK);
    assert_null(problem);
    assert_int_equal(vl_overrides_know(&overrides, &roster, &nobody), VL_OK);
    return overrides;
}

/* A verdict with two cases: 0 of 3 points and 2 of 2. */
static struct vl_verdict make_verdict(void)
{
    const struct vl_case_result cases[] = {
        {.id = (char *)"f.odd",
         .function = (char *)"vl_f",
         .status = VL_CASE_FAILED,
         .code = (char *)"unwritten",
         .max_points = 3},
        {.id = (char *)"f.even", .function = (char *)"vl_f", .points = 2, .max_points = 2}};
    struct vl_verdict verdict = {0};
    for (size_t i = 0; i < 2; i++)
        assert_non_null(vl_verdict_add(&verdict, &cases[i]));
    vl_verdict_close(&verdict);
    return verdict;
}

static void assert_told(const struct vl_overrides *overrides, size_t i, const char *told)
{
    assert_true(i < overrides->problems.count);
    if (strstr(overrides->problems.list[i], told) == NULL)
        fail_msg("`%s` does not tell `%s`", overrides->problems.list[i], told);
}

static void assert_text(const struct vl_override *override, const char *told)
{
    assert_non_null(override);
    char *text = vl_override_text(override);
    assert_string_equal(text, told);
    free(text);
}

static void no_file_is_no_rows(void **state)
{
    (void)state;
    struct vl_overrides overrides;
    char *problem;
    assert_int_equal(vl_overrides_read(&overrides, &problem, "/nowhere/overrides.csv"), VL_OK);
    assert_int_equal(overrides.count, 0);
    vl_overrides_free(&overrides);
}

static void points_of_a_case_and_a_comment(void **state)
{
    (void)state;
    struct vl_overrides overrides =
        read_table("id;lab;case;points;comment;by\n"
                   "Ada Lovelace;1;f.odd;1,5;The bound was too strict.;Jo\nADA;01;f.even;;Nice;\n");
    const struct vl_lab *lab = vl_lab_find("1");
    struct vl_verdict verdict = make_verdict();
    size_t at = 0;
    vl_overrides_apply_cases(&overrides, "ada", lab, &verdict);
    vl_overrides_apply_lab(&overrides, "ada", lab, &verdict);
    assert_true(verdict.cases[0].points == 1.5);
    assert_true(verdict.cases[1].points == 2);
    assert_true(verdict.score == 3.5);
    assert_text(vl_overrides_next(&overrides, "ada", lab, &at),
                "`f.odd`: 1.5 points instead of 0, set by hand. The bound was too strict. (Jo)");
    assert_text(vl_overrides_next(&overrides, "ada", lab, &at), "`f.even`. Nice");
    assert_null(vl_overrides_next(&overrides, "ada", lab, &at));
    assert_int_equal(overrides.problems.count, 0);
    vl_verdict_free(&verdict);
    vl_overrides_free(&overrides);
}

/* The score of a lab is out of 100, whatever the lab was graded on. */
static void score_of_a_lab(void **state)
{
    (void)state;
    struct vl_overrides overrides = read_table("id,lab,points\nada,1,80\nbob,1,55\n");
    const struct vl_lab *lab = vl_lab_find("1");
    struct vl_verdict verdict = make_verdict();
    size_t at = 0;
    vl_overrides_apply_lab(&overrides, "ada", lab, &verdict);
    assert_true(fabs(verdict.score - 4) < 1e-9);
    assert_text(vl_overrides_next(&overrides, "ada", lab, &at),
                "80 out of 100 for the lab instead of 40, set by hand");
    assert_true(isnan(vl_overrides_score(&overrides, "bob", lab)));
    vl_overrides_apply_lab(&overrides, "bob", lab, NULL);
    assert_true(vl_overrides_score(&overrides, "bob", lab) == 55);
    vl_verdict_free(&verdict);
    vl_overrides_free(&overrides);
}

static void more_than_the_most_only_as_a_bonus(void **state)
{
    (void)state;
    struct vl_overrides overrides =
        read_table("id,lab,case,points,bonus,comment\nada,1,f.odd,4,,Much.\nada,1,f.even,5,yes,\n"
                   "ada,1,,101,no,More.\n");
    const struct vl_lab *lab = vl_lab_find("1");
    struct vl_verdict verdict = make_verdict();
    vl_overrides_apply_cases(&overrides, "ada", lab, &verdict);
    vl_overrides_apply_lab(&overrides, "ada", lab, &verdict);
    assert_true(verdict.cases[0].points == 0);
    assert_true(verdict.cases[1].points == 5);
    assert_true(verdict.score == 5);
    assert_int_equal(overrides.problems.count, 2);
    assert_told(&overrides, 0, "Line 2: 4 points are more than the maximum of 3");
    assert_told(&overrides, 1, "Line 4: 101 points");
    size_t at = 0;
    assert_text(vl_overrides_next(&overrides, "ada", lab, &at),
                "`f.even`: 5 points instead of 2, set by hand");
    assert_null(vl_overrides_next(&overrides, "ada", lab, &at)); /* not even their comments */
    vl_verdict_free(&verdict);
    vl_overrides_free(&overrides);
}

static void rows_that_cannot_be_used(void **state)
{
    (void)state;
    struct vl_overrides overrides = read_table(
        "id,lab,case,points,comment,bonus\n"
        ",1,f.odd,1,,\nada,99,f.odd,1,,\nada,1,f.odd,much,,\nada,1,f.odd,,,\n"
        "ada,1,f.odd,1,,maybe\nada,1,f.odd,-1,,\nada,1,f.odd,1.2.3,,\n"
        "eve,1,f.odd,1,,\nada,1,f.odd,1,,\nAda,01,f.odd,2,,\nbob,2,x,1,,\nbob,1,x,1,,\n");
    static const char *const told[] = {
        "Line 2",  "`99`",         "`much`",
        "Line 5",  "`maybe`",      "`-1`",
        "`1.2.3`", "called `eve`", "Line 11 sets the same points as line 10"};
    const struct vl_lab *lab = vl_lab_find("1");
    struct vl_verdict verdict = make_verdict();
    assert_int_equal(overrides.problems.count, sizeof told / sizeof *told);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        assert_told(&overrides, i, told[i]);
    vl_overrides_apply_cases(&overrides, "ada", lab, &verdict);
    assert_true(verdict.cases[0].points == 1);
    assert_int_equal(vl_overrides_tell_unused(&overrides, &lab, 1), VL_OK);
    assert_told(&overrides, 9, "Line 13: there is no case `x` in the verdict on bob");
    assert_int_equal(overrides.problems.count, 10); /* lab 02 is not graded this time */
    vl_verdict_free(&verdict);
    vl_overrides_free(&overrides);
}

static void what_is_no_such_table(void **state)
{
    (void)state;
    static const char *const wrong[] = {"\n", "id,case\nada,x\n", "lab\n1\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct vl_overrides overrides;
        char *problem;
        write_text(wrong[i]);
        assert_int_equal(vl_overrides_read(&overrides, &problem, path), VL_EFORMAT);
        assert_non_null(problem);
        free(problem);
    }
}

static void answers(void **state)
{
    (void)state;
    assert_int_equal(vl_csv_answer("Yes", 0), 1);
    assert_int_equal(vl_csv_answer("no", 1), 0);
    assert_int_equal(vl_csv_answer("", 1), 1);
    assert_int_equal(vl_csv_answer("perhaps", 1), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILE(no_file_is_no_rows),
        WITH_FILE(points_of_a_case_and_a_comment),
        WITH_FILE(score_of_a_lab),
        WITH_FILE(more_than_the_most_only_as_a_bonus),
        WITH_FILE(rows_that_cannot_be_used),
        WITH_FILE(what_is_no_such_table),
        WITH_FILE(answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
