#include "class/privacy/pseudonym.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "scratch_file.h"

static const char key[32] = "one key of thirty-two bytes ....";

static void a_pseudonym_is_stable_and_its_own(void **state)
{
    char one[VL_PSEUDONYM], two[VL_PSEUDONYM];
    (void)state;
    /* From Python's hmac; pseudonyms that were handed out must not change. */
    assert_string_equal(vl_pseudonym(one, key, sizeof key, "ada"), "q81e-v5kj-j55v");
    assert_string_equal(vl_pseudonym(two, key, sizeof key, "ADA"), one);
    assert_string_not_equal(vl_pseudonym(two, key, sizeof key, "adb"), one);
    assert_string_not_equal(vl_pseudonym(two, key, sizeof key - 1, "ada"), one);
    assert_int_equal(strlen(one), VL_PSEUDONYM - 1);
    assert_int_equal(strspn(one, "0123456789abcdefghjkmnpqrstvwxyz-"), VL_PSEUDONYM - 1);
}

static struct vl_pseudonyms make_table(void)
{
    struct vl_pseudonyms table = {0};
    assert_int_equal(vl_pseudonyms_add(&table, "p1", "ada", "Ada, of London"), VL_OK);
    assert_int_equal(vl_pseudonyms_add(&table, "p2", "bob", "Sam"), VL_OK);
    assert_int_equal(vl_pseudonyms_add(&table, "p3", "cyd", "sam"), VL_OK);
    assert_int_equal(vl_pseudonyms_add(&table, "P1", "again", "again"), VL_OK);
    assert_int_equal(table.count, 3);
    return table;
}

static void who_is_meant(void **state)
{
    (void)state;
    struct vl_pseudonyms table = make_table();
    assert_ptr_equal(vl_pseudonyms_find(&table, "ADA"), &table.rows[0]);
    assert_ptr_equal(vl_pseudonyms_find(&table, "p2"), &table.rows[1]);
    assert_ptr_equal(vl_pseudonyms_find(&table, "ada, of london"), &table.rows[0]);
    assert_null(vl_pseudonyms_find(&table, "sam")); /* two have that name */
    assert_null(vl_pseudonyms_find(&table, "nobody"));
    vl_pseudonyms_remove(&table, &table.rows[1]);
    assert_int_equal(table.count, 2);
    assert_ptr_equal(vl_pseudonyms_find(&table, "cyd"), &table.rows[1]);
    vl_pseudonyms_free(&table);
}

static void a_table_comes_back_and_is_nobody_elses(void **state)
{
    struct stat info;
    (void)state;
    struct vl_pseudonyms table = make_table(), again;
    assert_int_equal(vl_pseudonyms_write(&table, path), VL_OK);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(vl_pseudonyms_read(&again, path), VL_OK);
    assert_int_equal(again.count, 3);
    assert_string_equal(again.rows[0].name, "Ada, of London");
    assert_string_equal(again.rows[2].id, "cyd");
    vl_pseudonyms_free(&table);
    vl_pseudonyms_free(&again);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("id,name\nada,Ada\n", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(vl_pseudonyms_read(&again, path), VL_EFORMAT);
    vl_pseudonyms_free(&again);
    assert_int_equal(vl_pseudonyms_read(&again, "/nowhere/names.csv"), VL_OK);
    assert_int_equal(again.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_pseudonym_is_stable_and_its_own),
                                       cmocka_unit_test(who_is_meant),
                                       WITH_FILE(a_table_comes_back_and_is_nobody_elses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
