/* Contracts: what is read off a header, and what is refused. */
#include "grade/program/contract.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/vialata-test-XXXXXX";

static int open_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    char path[64];
    snprintf(path, sizeof path, "%s/a.h", folder);
    FILE *file = fopen(path, "we");
    if (file == NULL)
        return 1;
    fputs(
        "/* vl_first(no) is only mentioned here */\n"
        "struct vl_settings {\n    float rate; /* of learning; not more */\n    uint64_t step;\n};\n"
        "// vl_first(int)\n"
        "enum vl_status vl_first_of_all(float *z);\n"
        "enum vl_status vl_first(float *y, const float *x /* (n, d) */, const struct vl_settings *settings,\n"
        "                        const int32_t *tokens, float scale,\n"
        "                        size_t n);\n"
        "enum vl_status vl_deep(float **y, size_t n);\n"
        "enum vl_status vl_array(float y[3]);\n"
        "enum vl_status vl_called(void (*call)(int), size_t n);\n"
        "enum vl_status vl_open(float *y,\n",
        file);
    return fclose(file);
}

static int close_folder(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "%s/a.h", folder);
    return unlink(path) + rmdir(folder);
}

static void assert_parameter(const struct vl_contract *contract, size_t i, const char *type,
                             const char *name, bool is_pointer, bool is_constant)
{
    const struct vl_parameter *one = &contract->parameters[i];
    assert_string_equal(one->type, type);
    assert_string_equal(one->name, name);
    assert_int_equal(one->is_pointer, is_pointer);
    assert_int_equal(one->is_constant, is_constant);
}

static void a_declaration_is_read(void **state)
{
    (void)state;
    struct vl_contract contract;
    assert_int_equal(vl_contract_read(&contract, "vl_first", folder), VL_OK);
    assert_string_equal(contract.header, "a.h");
    assert_int_equal(contract.count, 6);
    assert_parameter(&contract, 0, "float", "y", true, false);
    assert_parameter(&contract, 1, "float", "x", true, true);
    assert_parameter(&contract, 2, "struct vl_settings", "settings", true, true);
    assert_parameter(&contract, 3, "int32_t", "tokens", true, true);
    assert_parameter(&contract, 4, "float", "scale", false, false);
    assert_parameter(&contract, 5, "size_t", "n", false, false);
}

static void the_fields_of_a_structure_are_read(void **state)
{
    (void)state;
    struct vl_contract fields;
    assert_int_equal(vl_contract_fields(&fields, "struct vl_settings", "a.h", folder), VL_OK);
    assert_int_equal(fields.count, 2);
    assert_parameter(&fields, 0, "float", "rate", false, false);
    assert_parameter(&fields, 1, "uint64_t", "step", false, false);
    assert_int_equal(vl_contract_fields(&fields, "struct vl_other", "a.h", folder), VL_ELACK);
}

static void what_is_not_understood_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"vl_absent", "vl_deep", "vl_array", "vl_called", "vl_open"};
    struct vl_contract contract;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(vl_contract_read(&contract, names[i], folder), VL_ELACK);
    assert_int_equal(vl_contract_read(&contract, "vl_first", "/nowhere/at/all"), VL_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_declaration_is_read),
        cmocka_unit_test(the_fields_of_a_structure_are_read),
        cmocka_unit_test(what_is_not_understood_is_refused),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
