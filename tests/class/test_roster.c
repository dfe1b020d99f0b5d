#include "class/intake/csv.h"
#include "class/intake/roster.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "scratch_file.h"

static void write_text(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static struct vl_csv read_table(const char *text)
{
    struct vl_csv table;
    write_text(text);
    assert_int_equal(vl_csv_read(&table, path), VL_OK);
    return table;
}

/* ---- tables ---- */

static void a_table_of_a_spreadsheet(void **state)
{
    (void)state;
    struct vl_csv table = read_table("\xef\xbb\xbfId ; Name;x\r\n\r\n"
                                     "ada;\"Lovelace; \"\"Ada\"\"\";1\r\n;;\r\n bob ;Bób\r\n");
    assert_int_equal(table.rows, 2);
    assert_int_equal(table.columns, 3);
    int name = vl_csv_column(&table, "NAME");
    assert_int_equal(name, 1);
    assert_string_equal(vl_csv_cell(&table, 0, name), "Lovelace; \"Ada\"");
    assert_string_equal(vl_csv_cell(&table, 1, 0), "bob");
    assert_string_equal(vl_csv_cell(&table, 1, 2), "");
    assert_int_equal(table.line[0], 3);
    assert_int_equal(table.line[1], 5);
    assert_int_equal(vl_csv_column(&table, "nothing"), -1);
    assert_string_equal(vl_csv_cell(&table, 0, -1), "");
    vl_csv_free(&table);
}

/* A cell may hold line ends; a row may have too many cells. */
static void awkward_cells(void **state)
{
    (void)state;
    struct vl_csv table = read_table("id,name\na,\"two\nlines\"\nb,c,d,e\n\"open,f\n");
    assert_true(table.rows >= 2);
    assert_string_equal(vl_csv_cell(&table, 0, 1), "two\nlines");
    assert_string_equal(vl_csv_cell(&table, 1, 1), "c");
    assert_int_equal(table.line[1], 4);
    vl_csv_free(&table);
}

static void what_is_no_table(void **state)
{
    (void)state;
    struct vl_csv table;
    write_text("\n\n");
    assert_int_equal(vl_csv_read(&table, path), VL_EFORMAT);
    FILE *file = fopen(path, "w");
    fwrite("id\0name\n", 1, 8, file);
    fclose(file);
    assert_int_equal(vl_csv_read(&table, path), VL_EFORMAT);
    assert_int_equal(vl_csv_read(&table, "/nowhere/at/all"), VL_EIO);
    assert_int_equal(errno, ENOENT);
}

/* What is written is read again, and nothing of it is a formula to a spreadsheet. */
static void cells_come_back(void **state)
{
    (void)state;
    FILE *file = fopen(path, "w");
    fputs("id,name\n", file);
    vl_csv_put(file, "a,\"b\"\nc");
    fputc(',', file);
    vl_csv_put(file, "=HYPERLINK(1)");
    fputc('\n', file);
    fclose(file);
    struct vl_csv table;
    assert_int_equal(vl_csv_read(&table, path), VL_OK);
    assert_string_equal(vl_csv_cell(&table, 0, 0), "a,\"b\"\nc");
    assert_string_equal(vl_csv_cell(&table, 0, 1), "=HYPERLINK(1)");
    vl_csv_free(&table);
}

static void expect_cell(const char *cell, const char *written)
{
    char *text = NULL;
    size_t n = 0;
    FILE *file = open_memstream(&text, &n);
    vl_csv_put(file, cell);
    fclose(file);
    assert_string_equal(text, written);
    free(text);
}

/* In many countries a spreadsheet splits lines at semicolons only, whatever quotes say. */
static void no_cell_holds_a_formula(void **state)
{
    (void)state;
    expect_cell("", "");
    expect_cell("Ada Lovelace", "Ada Lovelace");
    expect_cell("a-b+c=d@e", "a-b+c=d@e");
    expect_cell("=1", "\"'=1\"");
    expect_cell("\uff1d1", "\"'\uff1d1\"");
    expect_cell(" =1", "\" '=1\"");
    expect_cell("\"=1", "\"\"\"'=1\"");
    expect_cell("a;=1;b", "\"a;'=1;b\"");
    expect_cell("a; \"@1\"", "\"a; \"\"'@1\"\"\"");
    expect_cell("a\n-1", "\"a\n'-1\"");
    expect_cell("a\t+1", "\"a\t'+1\"");
    expect_cell("a\xff\x1b", "a\xef\xbf\xbd\xef\xbf\xbd");
}

/* ---- rosters ---- */

static void a_roster(void **state)
{
    (void)state;
    struct vl_roster roster;
    char *problem;
    write_text("name,id,language,late_days,extra_time,mail,board\n"
               "Ada Lovelace,ada,fr,2,1.5,x,No\nŠtefan Č,č.š-1@uni.sk,,,,,\n");
    assert_int_equal(vl_roster_read(&roster, &problem, path), VL_OK);
    assert_int_equal(roster.count, 2);
    const struct vl_student *ada = vl_roster_find(&roster, "ADA");
    assert_non_null(ada);
    assert_string_equal(ada->language, "fr");
    assert_int_equal(ada->late_days, 2);
    assert_true(ada->extra_time == 1.5);
    assert_false(ada->board);
    assert_ptr_equal(vl_roster_find(&roster, "ada lovelace"), ada);
    const struct vl_student *other = vl_roster_find(&roster, "Štefan Č");
    assert_non_null(other);
    assert_null(other->language);
    assert_true(other->extra_time == 1);
    assert_true(other->board);
    assert_null(vl_roster_find(&roster, "nobody"));
    vl_roster_free(&roster);
}

static void two_of_one_name_need_their_ids(void **state)
{
    (void)state;
    struct vl_roster roster;
    char *problem;
    write_text("id,name\na,Jo\nb,Jo\n");
    assert_int_equal(vl_roster_read(&roster, &problem, path), VL_OK);
    assert_null(vl_roster_find(&roster, "Jo"));
    assert_string_equal(vl_roster_find(&roster, "b")->id, "b");
    vl_roster_free(&roster);
}

static void other_columns_are_named(void **state)
{
    (void)state;
    struct vl_roster roster;
    char *problem;
    write_text("Id,group,,Name,e-mail\na,7,,Jo,a@x\n");
    assert_int_equal(vl_roster_read(&roster, &problem, path), VL_OK);
    assert_string_equal(roster.unknown, "group, e-mail");
    vl_roster_free(&roster);
    write_text("id,name,language,late_days,extra_time,board\na,,,,,\n");
    assert_int_equal(vl_roster_read(&roster, &problem, path), VL_OK);
    assert_null(roster.unknown);
    vl_roster_free(&roster);
}

static void what_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told;
    } wrong[] = {{"name\nx\n", "`id`"},
                 {"id\na\nb\nA\n", "Line 4: the student `A` is already"},
                 {"id\n../x\n", "Line 2: `../x`"},
                 {"id\n.hidden\n", "Line 2: `.hidden`"},
                 {"id,language\na,klingon\n", "`klingon`"},
                 {"id,late_days\na,-1\n", "`-1`"},
                 {"id,late_days\na,1.5\n", "`1.5`"},
                 {"id,late_days\na,nan\n", "`nan`"},
                 {"id,extra_time\na,0.5\n", "`0.5`"},
                 {"id,extra_time\na,much\n", "`much`"},
                 {"id,board\na,perhaps\n", "`perhaps`"},
                 {"\n", "CSV"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct vl_roster roster;
        char *problem;
        write_text(wrong[i].text);
        assert_int_equal(vl_roster_read(&roster, &problem, path), VL_EFORMAT);
        assert_non_null(problem);
        assert_non_null(strstr(problem, wrong[i].told));
        free(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILE(a_table_of_a_spreadsheet),
        WITH_FILE(awkward_cells),
        WITH_FILE(what_is_no_table),
        WITH_FILE(cells_come_back),
        cmocka_unit_test(no_cell_holds_a_formula),
        WITH_FILE(a_roster),
        WITH_FILE(two_of_one_name_need_their_ids),
        WITH_FILE(other_columns_are_named),
        WITH_FILE(what_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
