/*
 * The changes of a submission's function: read by another process, whatever the text does to it.
 */
#include "grade/experiment/changes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct vl_sandbox here; /* this user */

static struct vl_schema changes_of(const char *file)
{
    struct vl_schema schema;
    assert_int_equal(vl_changes_make(&schema, file, "vl_f", &here), VL_OK);
    return schema;
}

static void they_are_those_of_the_schema(void **unused)
{
    (void)unused;
    static const char file[] = "int vl_f(int n, const int *x)\n"
                               "{\n"
                               "    int sum = 0;\n"
                               "    for (int i = 0; i < n; i++)\n"
                               "        sum += 2 * x[i];\n"
                               "    return sum;\n"
                               "}\n";
    struct vl_schema here_read, schema = changes_of(file);
    assert_int_equal(vl_schema_make(&here_read, file, "vl_f"), VL_OK);
    assert_string_equal(schema.text, here_read.text);
    assert_int_equal(schema.count, here_read.count);
    assert_true(schema.count > 10);
    for (size_t i = 0; i < schema.count; i++) {
        assert_int_equal(schema.list[i].kind, here_read.list[i].kind);
        assert_int_equal(schema.list[i].line, here_read.list[i].line);
        assert_string_equal(schema.list[i].piece, here_read.list[i].piece);
    }
    vl_schema_free(&here_read);
    vl_schema_free(&schema);
}

/* A function whose body is the same words so many times. */
static char *repeated(const char *before, const char *words, size_t times, const char *after)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    fprintf(out, "int vl_f(int n, const struct s *s)\n{\n%s\n", before);
    for (size_t i = 0; i < times; i++)
        fputs(words, out);
    fprintf(out, "%s\n    return n;\n}\n", after);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void gives_nothing(char *text)
{
    struct vl_schema schema = changes_of(text);
    assert_null(schema.text);
    assert_int_equal(schema.count, 0);
    vl_schema_free(&schema);
    free(text);
}

static void a_text_without_the_function_has_none(void **unused)
{
    (void)unused;
    gives_nothing(strdup("int vl_g(int n)\n{\n    return n + 1;\n}\n"));
    gives_nothing(strdup(""));
}

static void one_that_takes_all_of_the_stack_has_none(void **unused)
{
    (void)unused;
    gives_nothing(repeated("    ", "do ", 300000, "n++; while (0);"));
}

static void one_that_takes_for_ever_has_none(void **unused)
{
    (void)unused;
    gives_nothing(repeated("    size_t a = 1, b = 2;", "    f(s->x, a, b);\n", 30000, ""));
}

/* A comment may have any number of functions of that name. */
static void one_that_is_there_often_is_read(void **unused)
{
    (void)unused;
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    fputs("/*\n", out);
    for (int i = 0; i < 40; i++)
        fputs("int vl_f()\n{\n}\n", out);
    fputs("*/\nint vl_f(int n)\n{\n    return n + 1;\n}\n", out);
    assert_int_equal(fclose(out), 0);
    struct vl_schema schema;
    enum vl_status status = vl_schema_make(&schema, text, "vl_f"); /* here, where it would crash */
    assert_true(status == VL_OK || status == VL_EFORMAT);
    vl_schema_free(&schema);
    free(text);
}

static void one_with_too_many_has_none(void **unused)
{
    (void)unused;
    gives_nothing(repeated("", "    n = n + 1;\n", 2000, ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(they_are_those_of_the_schema),
                                       cmocka_unit_test(a_text_without_the_function_has_none),
                                       cmocka_unit_test(one_that_takes_all_of_the_stack_has_none),
                                       cmocka_unit_test(one_that_takes_for_ever_has_none),
                                       cmocka_unit_test(one_that_is_there_often_is_read),
                                       cmocka_unit_test(one_with_too_many_has_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
