#include "class/intake/entry_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* 'format' has one %s, for the lab's folder. */
static void expect_number(const char *format, const char *student, const struct vl_lab *lab,
                          int late, unsigned long long number)
{
    char entry[300];
    snprintf(entry, sizeof entry, format, lab != NULL ? lab->folder : "");
    struct vl_entry_name said = vl_entry_name(entry);
    assert_string_equal(said.student, student);
    assert_ptr_equal(said.lab, lab);
    assert_ptr_equal(vl_entry_lab(entry), lab);
    assert_int_equal(said.late, late);
    assert_int_equal(said.number, number);
    free(said.student);
}

static void expect(const char *format, const char *student, const struct vl_lab *lab, int late)
{
    expect_number(format, student, lab, late, 0);
}

static void plain_names(void **state)
{
    (void)state;
    expect("ada%s", "ada", NULL, 0);
    expect("ada.tar.gz%s", "ada", NULL, 0);
    expect("ada%s.zip", "ada", NULL, 0);
    expect("ada%s.c", "ada", NULL, 0);
    expect("a-b-99_nothing%s.zip", "a-b-99_nothing", NULL, 0);
}

static void names_of_handin(void **state)
{
    (void)state;
    for (size_t i = 0; i < vl_lab_count; i++) {
        expect("ada-%s.zip", "ada", vl_labs[i], 0);
        expect("ada-%s", "ada", vl_labs[i], 0); /* unpacked by somebody */
        expect("a-b.c-%s.zip", "a-b.c", vl_labs[i], 0);
        expect("ada-%s-1.zip", "ada", vl_labs[i], 0);
        expect("ada-%s (12).zip", "ada", vl_labs[i], 0);
    }
}

/* Something more than the lab is the student's own name. */
static void names_that_only_look_like_it(void **state)
{
    char entry[200];
    (void)state;
    static const char *const formats[] = {"ada-%s-x.zip", "ada-%s (1.zip", "ada-%s-.zip",
                                          "-%s.zip",      "ada_%s.zip",    "ada-%s2.zip"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        snprintf(entry, sizeof entry, formats[i], vl_labs[0]->folder);
        assert_null(vl_entry_lab(entry));
    }
}

static void names_of_platforms(void **state)
{
    (void)state;
    const struct vl_lab *lab = vl_labs[1];
    expect_number("lovelaceada_LATE_12_34_ada-%s.zip", "lovelaceada", lab, 1, 12);
    expect_number("lovelaceada_12_34_ada-%s-2.zip", "lovelaceada", lab, 0, 12);
    expect_number("Ada Lovelace_381_assignsubmission_file_ada-%s.zip", "Ada Lovelace", lab, 0, 381);
    expect_number("Ada Lovelace_381_assignsubmission_file_%s", "Ada Lovelace", NULL, 0, 381);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_names), cmocka_unit_test(names_of_handin),
        cmocka_unit_test(names_that_only_look_like_it), cmocka_unit_test(names_of_platforms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
