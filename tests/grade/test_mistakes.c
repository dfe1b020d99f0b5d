/* The known mistakes: each can be read, belongs to a function of its lab, and applies to the
 * present reference. tests/mistakes checks that each earns its code. */
#include "grade/diagnose/edit.h"
#include "grade/mutants/c_function.h"

#include "base/place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int is_graded(const struct vl_lab *lab, const char *function, size_t length)
{
    for (size_t i = 0; i < lab->function_count; i++)
        if (strlen(lab->functions[i].name) == length &&
            strncmp(lab->functions[i].name, function, length) == 0)
            return 1;
    return 0;
}

static void check_also(const struct vl_lab *lab, const struct vl_mistake *mistake)
{
    for (const char *word = mistake->also; *(word += strspn(word, " ")) != '\0';
         word += strcspn(word, " "))
        if (!is_graded(lab, word, strcspn(word, " ")))
            fail_msg("%s/%s: also:%s", mistake->function, mistake->name, mistake->also);
}

static void check_mistake(const struct vl_lab *lab, const struct vl_mistake *mistake,
                          const struct vl_reference *reference)
{
    char *text, *problem;
    size_t file;
    if (!is_graded(lab, mistake->function, strlen(mistake->function)))
        fail_msg("lab %d has no function %s", lab->number, mistake->function);
    check_also(lab, mistake);
    if (vl_mistake_apply(&text, &file, mistake, reference, &problem) != VL_OK)
        fail_msg("%s/%s: %s", mistake->function, mistake->name, problem);
    if (strcmp(text, reference->files[file].text) == 0)
        fail_msg("%s/%s changes nothing", mistake->function, mistake->name);
    free(text);
    free(problem);
}

static void every_mistake_applies_to_the_reference(void **unused)
{
    (void)unused;
    assert_int_equal(vl_place_start(), VL_OK);
    for (size_t i = 0; i < vl_lab_count; i++) {
        struct vl_mistakes mistakes;
        struct vl_reference reference;
        char *problem;
        if (vl_mistakes_read(&mistakes, vl_labs[i], &problem) != VL_OK)
            fail_msg("lab %d: %s", vl_labs[i]->number, problem);
        assert_int_equal(vl_reference_read(&reference, vl_labs[i], NULL), VL_OK);
        for (size_t m = 0; m < mistakes.count; m++)
            check_mistake(vl_labs[i], &mistakes.list[m], &reference);
        vl_reference_free(&reference);
        vl_mistakes_free(&mistakes);
    }
    vl_place_end();
}

static char file_name[] = "one.c";
static char file_text[] = "#include <a.h>\n"
                          "\n"
                          "/* A comment (with a parenthesis). */\n"
                          "static int helper(int x)\n"
                          "{\n"
                          "    int y = 1;\n"
                          "    return x + y;\n"
                          "}\n"
                          "\n"
                          "enum vl_status vl_given(int a,\n"
                          "                        int b)\n"
                          "{\n"
                          "    int y = 1;\n"
                          "    return helper(a) + b + y;\n"
                          "}\n";
static struct vl_reference_file file = {.name = file_name, .text = file_text};
static const struct vl_reference reference = {&file, 1};

static void functions_are_found_with_their_heads(void **unused)
{
    (void)unused;
    struct vl_c_function f;
    assert_true(vl_c_function_next(&f, file_text));
    assert_int_equal(f.length, strlen("helper"));
    assert_memory_equal(f.name, "helper", f.length);
    assert_true(f.is_static);
    assert_memory_equal(f.start, "static int", 10);
    assert_true(vl_c_function_next(&f, f.end));
    assert_memory_equal(f.name, "vl_given", 8);
    assert_false(f.is_static);
    assert_memory_equal(f.start, "enum vl_status", 14);
    assert_string_equal(f.end, "");
    assert_false(vl_c_function_next(&f, f.end));
}

/* The status of an edit; *said is its text or the complaint, to be freed. */
static enum vl_status edited(char **said, const char *where, const char *old_text,
                             const char *new_text)
{
    char *text, *problem;
    size_t index;
    struct vl_mistake mistake = {.edit_count = 1};
    mistake.edits[0] = (struct vl_mistake_edit){(char *)where, (char *)old_text, (char *)new_text};
    enum vl_status status = vl_mistake_apply(&text, &index, &mistake, &reference, &problem);
    *said = status == VL_OK ? text : problem;
    return status;
}

static void edit_is_made_in_the_named_function_alone(void **unused)
{
    (void)unused;
    char *said;
    assert_int_equal(edited(&said, "vl_given", "    int y = 1;\n", "    int y = 2;\n"), VL_OK);
    assert_non_null(strstr(said, "{\n    int y = 1;\n    return x"));
    assert_non_null(strstr(said, "{\n    int y = 2;\n    return helper"));
    free(said);
}

static void edit_that_fits_twice_or_nowhere_is_refused_with_the_place(void **unused)
{
    (void)unused;
    char *said;
    assert_int_equal(edited(&said, "one.c", "    int y = 1;\n", ""), VL_EINVAL);
    assert_non_null(strstr(said, "2"));
    free(said);
    assert_int_equal(edited(&said, "vl_given", "    int z = 1;\n", ""), VL_EINVAL);
    assert_non_null(strstr(said, "one.c"));
    assert_non_null(strstr(said, "10"));
    free(said);
    assert_int_equal(edited(&said, "vl_missing", "    int y = 1;\n", ""), VL_EINVAL);
    assert_non_null(strstr(said, "vl_missing"));
    free(said);
}

static void edits_that_overlap_are_refused(void **unused)
{
    (void)unused;
    char *text, *problem, *line = (char *)"    int y = 1;\n";
    size_t index;
    struct vl_mistake mistake = {.edit_count = 2};
    mistake.edits[0] = (struct vl_mistake_edit){(char *)"vl_given", line, (char *)""};
    mistake.edits[1] = (struct vl_mistake_edit){(char *)"vl_given", line, (char *)"    int y;\n"};
    assert_int_equal(vl_mistake_apply(&text, &index, &mistake, &reference, &problem), VL_EINVAL);
    assert_non_null(strstr(problem, "Two"));
    free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mistake_applies_to_the_reference),
        cmocka_unit_test(functions_are_found_with_their_heads),
        cmocka_unit_test(edit_is_made_in_the_named_function_alone),
        cmocka_unit_test(edit_that_fits_twice_or_nowhere_is_refused_with_the_place),
        cmocka_unit_test(edits_that_overlap_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
