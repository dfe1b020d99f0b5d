/* What a class found hard: which functions, how many students, and nobody's name. */
#include "class/book/hard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scratch_file.h"

static const struct vl_lab *lab(void)
{
    return vl_lab_find("1");
}

/* A student whose cases have these codes, NULL after the last pair (id, code). */
static void add(struct vl_points *points, const char *student, const char *const *pairs)
{
    struct vl_verdict verdict = {0};
    for (; pairs[0] != NULL; pairs += 2) {
        const struct vl_case_result result = {.id = (char *)pairs[0],
                                              .function = (char *)"vl_f",
                                              .status = VL_CASE_FAILED,
                                              .code = (char *)pairs[1],
                                              .points = pairs[1][0] == '\0' ? 3 : 0,
                                              .max_points = 3};
        assert_non_null(vl_verdict_add(&verdict, &result));
    }
    assert_int_equal(vl_points_add(points, student, lab(), &verdict), VL_OK);
    vl_verdict_free(&verdict);
}

/* So many students with these cases. */
static void add_many(struct vl_points *points, size_t students, const char *const *pairs)
{
    for (size_t i = 0; i < students; i++)
        add(points, "somebody", pairs);
}

static const char *const norm[] = {"rmsnorm_forward.odd", "missing_epsilon", "rmsnorm_forward.tiny",
                                   "wrong_values", NULL};
static const char *const swiglu[] = {"swiglu_forward.odd", "wrong_values", NULL};
static const char *const adamw[] = {"adamw_update.first", "wrong_values", NULL};
static const char *const attention[] = {"attention_forward.odd", "wrong_values", NULL};
static const char *const nothing[] = {"attention_forward.odd",
                                      "not_started",
                                      "attention_forward.speed",
                                      "slow",
                                      "cross_entropy_forward.odd",
                                      "",
                                      NULL};

static void each_student_counts_once_and_the_most_come_first(void **state)
{
    (void)state;
    struct vl_points points = {0};
    struct vl_hard hard;
    add_many(&points, 3, swiglu);
    add_many(&points, 5, norm);
    assert_int_equal(vl_hard_count(&hard, &points, lab()), VL_OK);
    assert_int_equal(hard.students, 8);
    assert_int_equal(hard.count, 2);
    assert_string_equal(hard.functions[0]->name, "vl_rmsnorm_forward");
    assert_int_equal(hard.met[0], 5);
    assert_string_equal(hard.functions[1]->name, "vl_swiglu_forward");
    assert_int_equal(hard.met[1], 3);
    vl_points_free(&points);
}

static void what_one_or_two_did_is_not_told(void **state)
{
    (void)state;
    struct vl_points points = {0};
    struct vl_hard hard;
    add_many(&points, 2, norm);
    add_many(&points, 20, nothing);
    assert_int_equal(vl_hard_count(&hard, &points, lab()), VL_OK);
    assert_int_equal(hard.students, 22);
    assert_int_equal(hard.count,
                     0); /* and speed, work that was not begun, and right work do not count */
    vl_points_free(&points);
}

static void no_more_than_three_are_told(void **state)
{
    (void)state;
    struct vl_points points = {0};
    struct vl_hard hard;
    add_many(&points, 3, attention);
    add_many(&points, 4, norm);
    add_many(&points, 6, swiglu);
    add_many(&points, 5, adamw);
    assert_int_equal(vl_hard_count(&hard, &points, lab()), VL_OK);
    assert_int_equal(hard.count, VL_HARD_MOST);
    assert_int_equal(hard.met[0], 6);
    assert_int_equal(hard.met[1], 5);
    assert_int_equal(hard.met[2], 4);
    vl_points_free(&points);
}

static void the_file_says_the_same_and_names_nobody(void **state)
{
    (void)state;
    struct vl_points points = {0};
    struct vl_hard hard, again;
    char bytes[2048] = "";
    add_many(&points, 5, norm);
    add_many(&points, 3, swiglu);
    assert_int_equal(vl_hard_count(&hard, &points, lab()), VL_OK);
    assert_int_equal(vl_hard_write(&hard, lab(), path), VL_OK);
    assert_int_equal(vl_hard_read(&again, lab(), path), VL_OK);
    assert_int_equal(again.students, 8);
    assert_int_equal(again.count, 2);
    assert_ptr_equal(again.functions[0], hard.functions[0]);
    assert_int_equal(again.met[1], 3);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    assert_true(fread(bytes, 1, sizeof bytes - 1, file) > 0);
    fclose(file);
    assert_null(strstr(bytes, "somebody"));
    vl_points_free(&points);
}

static void put_text(const char *text)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    fclose(file);
}

static void what_is_no_such_file_is_not_believed(void **state)
{
    (void)state;
#define HEAD                                                                                       \
    "{\"schema\": \"vialata.hard/1\", \"lab\": \"01_training_step\", \"students\": 8, \"functions\": "
    static const char *const wrong[] = {
        "",
        "[]",
        "{\"schema\": \"vialata.hard/2\", \"lab\": \"01_training_step\", \"students\": 8, "
        "\"functions\": []}",
        "{\"schema\": \"vialata.hard/1\", \"lab\": \"02_collectives\", \"students\": 8, "
        "\"functions\": []}",
        "{\"schema\": \"vialata.hard/1\", \"lab\": \"01_training_step\", \"students\": -1, "
        "\"functions\": []}",
        HEAD "1}",
        HEAD "[1]}",
        HEAD "[{\"name\": \"vl_rmsnorm_forward\"}]}",
        HEAD "[{\"name\": \"vl_rmsnorm_forward\", \"students\": 9}]}",
        HEAD "[{\"name\": \"vl_rmsnorm_forward\", \"students\": 2}]}",
        HEAD "[{\"name\": 5, \"students\": 4}]}",
    };
    struct vl_hard hard;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put_text(wrong[i]);
        assert_int_equal(vl_hard_read(&hard, lab(), path), VL_EFORMAT);
        assert_int_equal(hard.count, 0);
    }
    put_text(HEAD "[{\"name\": \"vl_that_is_gone\", \"students\": 4}]}");
    assert_int_equal(vl_hard_read(&hard, lab(), path), VL_OK);
    assert_int_equal(hard.count, 0);
    assert_int_equal(vl_hard_read(&hard, lab(), "/nowhere/at/all"), VL_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILE(each_student_counts_once_and_the_most_come_first),
        WITH_FILE(what_one_or_two_did_is_not_told),
        WITH_FILE(no_more_than_three_are_told),
        WITH_FILE(the_file_says_the_same_and_names_nobody),
        WITH_FILE(what_is_no_such_file_is_not_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
