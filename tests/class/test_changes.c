#include "class/book/changes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "scratch_file.h"

/* A verdict with as many points in one case as are given, of 3. */
static struct vl_verdict make_verdict(double points, const char *code)
{
    const struct vl_case_result result = {.id = (char *)"f.odd",
                                          .function = (char *)"vl_f",
                                          .status = code != NULL ? VL_CASE_FAILED : VL_CASE_PASSED,
                                          .code = (char *)code,
                                          .points = points,
                                          .max_points = 3};
    struct vl_verdict verdict = {0};
    assert_non_null(vl_verdict_add(&verdict, &result));
    vl_verdict_close(&verdict);
    return verdict;
}

static void add(struct vl_points *points, const char *student, const char *lab, double earned,
                const char *code)
{
    struct vl_verdict verdict = make_verdict(earned, code);
    assert_int_equal(vl_points_add(points, student, vl_lab_find(lab), &verdict), VL_OK);
    vl_verdict_free(&verdict);
}

static void written_and_read(void **state)
{
    (void)state;
    struct vl_points points = {0}, again = {0};
    add(&points, "ada", "1", 1.5, "unwritten");
    add(&points, "Žofia", "1", 3, NULL);
    add(&points, "ada", "2", 3, NULL); /* of another lab: not in this file */
    assert_int_equal(vl_points_write(&points, vl_lab_find("1"), path), VL_OK);
    assert_int_equal(vl_points_read(&again, path), VL_OK);
    assert_int_equal(again.count, 2);
    assert_string_equal(again.list[0].cases[0].code, "unwritten");
    assert_true(again.list[0].score == 1.5 && again.list[0].most == 3);
    assert_string_equal(again.list[1].student, "Žofia");
    assert_null(again.list[1].cases[0].code);
    vl_points_free(&points);
    vl_points_free(&again);
}

static void what_is_no_such_file(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "[]",
        "{\"schema\": \"vialata.points/2\", \"lab\": \"1\", \"students\": []}",
        "{\"schema\": \"vialata.points/1\", \"lab\": \"99\", \"students\": []}",
        "{\"schema\": \"vialata.points/1\", \"lab\": \"1\", \"students\": [{\"student\": \"a\"}]}",
        ("{\"schema\": \"vialata.points/1\", \"lab\": \"1\", \"students\": [{\"student\": \"a\", "
         "\"score\": 1, \"max_score\": 1, \"cases\": [{\"id\": \"x\", \"points\": -1}]}]}")};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct vl_points points = {0};
        FILE *file = fopen(path, "w");
        fputs(wrong[i], file);
        fclose(file);
        assert_int_equal(vl_points_read(&points, path), VL_EFORMAT);
        vl_points_free(&points);
    }
}

static void what_has_changed(void **state)
{
    (void)state;
    struct vl_points before = {0}, after = {0};
    struct vl_changes changes;
    struct vl_case_change found;
    size_t at = 0;
    add(&before, "same", "1", 2, "unwritten");
    add(&before, "gone", "1", 3, NULL);
    add(&before, "Better", "1", 0, "unwritten");
    add(&before, "other_code", "1", 0, "unwritten");
    add(&after, "new", "2", 3, NULL);
    add(&after, "better", "1", 3, NULL);
    add(&after, "other_code", "1", 0, "too_slow");
    add(&after, "same", "1", 2, "unwritten");
    assert_int_equal(vl_changes_find(&changes, &before, &after), VL_OK);
    assert_int_equal(changes.count, 4);
    assert_int_equal(changes.same, 1);
    assert_string_equal(changes.list[0].after->student, "better");
    assert_true(vl_change_case(&found, &changes.list[0], &at));
    assert_true(found.before->points == 0 && found.after->points == 3);
    assert_false(vl_change_case(&found, &changes.list[0], &at));
    assert_null(changes.list[1].after);
    assert_string_equal(changes.list[2].before->student, "other_code");
    assert_null(changes.list[3].before);
    json_t *json = vl_changes_json(&changes);
    assert_int_equal(json_array_size(json_object_get(json, "changed")), 4);
    assert_true(json_number_value(json_object_get(json, "after")) == 3); /* of those in both */
    json_decref(json);
    free(changes.list);
    vl_points_free(&before);
    vl_points_free(&after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILE(written_and_read),
        WITH_FILE(what_is_no_such_file),
        WITH_FILE(what_has_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
