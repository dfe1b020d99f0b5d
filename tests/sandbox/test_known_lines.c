/*
 * Places in sources that are remembered: for the same addresses of the same program, and for no others.
 */
#include "sandbox/objects/known_lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "scratch_file.h"

static const uint64_t here[] = {0x1200, 0x3400}, there[] = {0x1200, 0x3500};

static void expect(const struct vl_known_lines *lines, const char *program,
                   const uint64_t *addresses, size_t count, bool known, const char *expected)
{
    char *text;
    assert_int_equal(vl_known_lines_find(&text, lines, program, addresses, count), known);
    if (expected == NULL)
        assert_null(text);
    else
        assert_string_equal(text, expected);
    free(text);
}

static void what_was_found_is_known(void **state)
{
    (void)state;
    struct vl_known_lines lines = {0};
    expect(&lines, path, here, 2, false, NULL);
    vl_known_lines_keep(&lines, path, here, 2, "forward.c:88");
    vl_known_lines_keep(&lines, path, there, 2, NULL); /* none of them lies in the sources */
    expect(&lines, path, here, 2, true, "forward.c:88");
    expect(&lines, path, there, 2, true, NULL);
    expect(&lines, path, here, 1, false, NULL);
    expect(NULL, path, here, 2, false, NULL);
    vl_known_lines_free(&lines);
    expect(&lines, path, here, 2, false, NULL);
}

/* A program that is built again has other lines at the same addresses. */
static void another_program_is_not_known(void **state)
{
    (void)state;
    struct vl_known_lines lines = {0};
    vl_known_lines_keep(&lines, path, here, 2, "forward.c:88");
    usleep(20000); /* the kernel's times have steps */
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("another", file);
    assert_int_equal(fclose(file), 0);
    expect(&lines, path, here, 2, false, NULL);
    expect(&lines, "/nowhere/runner", here, 2, false, NULL);
    vl_known_lines_keep(&lines, "/nowhere/runner", here, 2, "forward.c:1");
    assert_int_equal(lines.count, 1);
    vl_known_lines_free(&lines);
}

static void when_it_is_full_nothing_more_is_kept(void **state)
{
    (void)state;
    struct vl_known_lines lines = {0};
    for (uint64_t address = 0; address < VL_KNOWN_LINES + 1; address++)
        vl_known_lines_keep(&lines, path, &address, 1, "forward.c:1");
    assert_int_equal(lines.count, VL_KNOWN_LINES);
    expect(&lines, path, &(uint64_t){VL_KNOWN_LINES}, 1, false, NULL);
    expect(&lines, path, &(uint64_t){VL_KNOWN_LINES - 1}, 1, true, "forward.c:1");
    vl_known_lines_free(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {WITH_FILE(what_was_found_is_known),
                                       WITH_FILE(another_program_is_not_known),
                                       WITH_FILE(when_it_is_full_nothing_more_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
