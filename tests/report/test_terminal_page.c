/* A page of the course, as it is shown at different widths. */
#include "report/draw/terminal_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The page at a width, in memory that the caller frees. */
static char *shown(int columns, const char *text)
{
    char *bytes = NULL;
    size_t length;
    struct vl_terminal terminal = {.stream = open_memstream(&bytes, &length), .columns = columns};
    assert_non_null(terminal.stream);
    vl_terminal_page(&terminal, text);
    assert_int_equal(fclose(terminal.stream), 0);
    return bytes;
}

static void assert_shown(int columns, const char *text, const char *expected)
{
    char *given = shown(columns, text);
    assert_string_equal(given, expected);
    free(given);
}

static void a_paragraph_ends_where_the_terminal_does(void **state)
{
    (void)state;
    assert_shown(40, "one two three four five six seven eight nine ten\n",
                 "one two three four five six seven eight\nnine ten\n");
    assert_shown(80, "one two three four five six seven eight nine ten\n",
                 "one two three four five six seven eight nine ten\n");
}

static void a_unit_stays_with_its_number(void **state)
{
    (void)state;
    assert_shown(40, "one two three four five six seven eig 40 MB\n",
                 "one two three four five six seven eig\n40 MB\n");
}

static void an_item_goes_on_under_its_first_word(void **state)
{
    (void)state;
    assert_shown(40, "2. one two three four five six seven eight nine\n",
                 "2. one two three four five six seven\n   eight nine\n");
    assert_shown(40, "12. one two three four five six seven eight nine\n",
                 "12. one two three four five six seven\n    eight nine\n");
    assert_shown(40, "* one two three four five six seven eight nine\n",
                 "* one two three four five six seven\n  eight nine\n");
    assert_shown(40, "   one two three four five six seven eight nine\n",
                 "   one two three four five six seven\n   eight nine\n");
    assert_shown(40, "   * one two three four five six seven eight\n",
                 "   * one two three four five six seven\n     eight\n");
}

static void what_must_stay_whole_does(void **state)
{
    (void)state;
    const char *drawing = "   rank 0   ....    rank 1   ....    rank 2   .... \n"
                          "  \n"
                          "   rank 3 \n";
    assert_shown(40, drawing, "   rank 0   ....    rank 1   ....    rank 2   ....\n\n   rank 3\n");
}

static void a_heading_is_underlined_no_further_than_the_terminal(void **state)
{
    (void)state;
    char line[61], cut[41];
    memset(line, '-', sizeof line - 1);
    memset(cut, '-', sizeof cut - 1);
    line[60] = cut[40] = '\0';
    char text[64], expected[64];
    snprintf(text, sizeof text, "%s\n", line);
    snprintf(expected, sizeof expected, "%s\n", cut);
    assert_shown(40, text, expected);
    assert_shown(80, text, text);
}

static void no_line_is_too_long_to_read(void **state)
{
    (void)state;
    char words[402] = "";
    for (int i = 0; i < 100; i++)
        strcat(words, "abc ");
    words[399] = '\n';
    char *given = shown(120, words);
    for (const char *line = given; *line != '\0'; line += strcspn(line, "\n") + 1)
        assert_in_range(strcspn(line, "\n"), 1, 78);
    free(given);
}

static void nobody_steers_the_terminal(void **state)
{
    (void)state;
    char *given = shown(80, "a\033[2Jb\n");
    assert_null(strchr(given, '\033'));
    free(given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_paragraph_ends_where_the_terminal_does),
        cmocka_unit_test(a_unit_stays_with_its_number),
        cmocka_unit_test(an_item_goes_on_under_its_first_word),
        cmocka_unit_test(what_must_stay_whole_does),
        cmocka_unit_test(a_heading_is_underlined_no_further_than_the_terminal),
        cmocka_unit_test(no_line_is_too_long_to_read),
        cmocka_unit_test(nobody_steers_the_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
