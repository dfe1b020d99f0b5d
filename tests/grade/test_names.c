/* Names that a submission may use and define. The list of the others is the build's own. */
#include "base/place.h"
#include "grade/build/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int open_place(void **unused)
{
    (void)unused;
    return vl_place_start() != VL_OK;
}

static int close_place(void **unused)
{
    (void)unused;
    vl_place_end();
    return 0;
}

/* A file of that lab with these symbols is refused with this code, and the sentence names it; or it
 * is not, if 'code' is NULL. */
static void expect(const char *lab, const char *symbols, const char *code, const char *name)
{
    struct vl_names *names;
    assert_int_equal(vl_names_read(&names, vl_lab_find(lab)), VL_OK);
    struct vl_refusal refusal = vl_names_look(names, "mine.c", symbols);
    if (code == NULL) {
        if (refusal.code != NULL)
            fail_msg("%s", refusal.sentence);
    } else {
        assert_non_null(refusal.code);
        assert_string_equal(refusal.code, code);
        assert_non_null(strstr(refusal.sentence, name));
        assert_non_null(strstr(refusal.sentence, "mine.c"));
    }
    free(refusal.sentence);
    vl_names_free(names);
}

static void functions_of_this_lab_and_of_earlier_ones_may_be_used(void **state)
{
    (void)state;
    expect("02", "\nvl_all_reduce_start U         \nvl_exchange T 0 1a\n", NULL, NULL);
    expect("08", "\nvl_linear_forward U\nvl_all_to_all U\nvl_experts_forward T 0 1a\n", NULL, NULL);
    expect("10", "\nvl_forecast_make U\nvl_mfu w\n", NULL, NULL); /* the first: of given code */
}

static void what_libraries_and_status_h_offer_may_be_used(void **state)
{
    (void)state;
    expect("01", "\nmemcpy U\nMPI_Send U\ncblas_sgemm U\nompi_mpi_float U\n", NULL, NULL);
    expect("01", "\nvl_status_text U\nvl_status_code U\nvl_status_name U\nvl_typing_error U\n",
           NULL, NULL);
}

static void functions_of_later_labs_may_not(void **state)
{
    (void)state;
    expect("01", "\nvl_planned_flops U\n", "uses_later_lab", "vl_planned_flops of lab 10");
    expect("02", "\nvl_replica_sum w\n", "uses_later_lab", "vl_replica_sum of lab 03");
    expect("09", "\nvl_forecast_make U\n", "uses_later_lab", "of lab 10");
}

static void nor_may_what_is_the_runners(void **state)
{
    static const char *const some[] = {
        "vl_meter_count", "vl_layout_parameters", "vl_bag_read",     "vl_fingerprint", "PMPI_Send",
        "PMPI_T_init",    "__real_vl_all_to_all", "__wrap_anything", "dlsym",          "_DYNAMIC"};
    (void)state;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char symbols[80] = "\n";
        strcat(strcat(symbols, some[i]), " U         \n");
        expect("10", symbols, "uses_reserved_name", some[i]);
    }
}

static void names_of_its_own_may_be_defined_and_static_ones_of_any_kind(void **state)
{
    (void)state;
    expect("01", "\nvl_rmsnorm_forward T 0 1a\nvl_my_helper T 0 1\nsquare W 0 1\n_mine B 0 4\n",
           NULL, NULL);
    expect("01", "\nmemcmp t 0 1a\nvl_meter_count d 0 8\nPMPI_Send b 0 8\n", NULL, NULL);
    expect("10", "\nvl_forecast_make T 0 1\n", NULL, NULL);
}

static void what_the_runner_relies_on_may_not_be_defined(void **state)
{
    static const char *const some[] = {"memcmp",   "malloc",      "clock_gettime", "read",
                                       "sqrt",     "vl_bag_read", "vl_mfu",        "MPI_Send",
                                       "MPI_Put",  "PMPI_Send",   "json_object",   "fsync",
                                       "__helper", "_start",      "ompi_mpi_int"};
    static const char *const kinds[] = {" T 0 1a", " W 0 1a", " i 0 1a",
                                        " C 4 4",  " V 0 8",  " A 1"};
    (void)state;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char symbols[80] = "\nmine T 0 1\n";
        strcat(strcat(symbols, some[i]), kinds[i % (sizeof kinds / sizeof *kinds)]);
        expect("02", symbols, "defines_reserved_name", some[i]);
    }
}

static void a_version_changes_no_name(void **state)
{
    (void)state;
    expect("01", "\nmemcmp@@GLIBC_2.2.5 T 0 1\n", "defines_reserved_name", "memcmp,");
    expect("01", "\ndlsym@GLIBC_2.34 U\n", "uses_reserved_name", "dlsym,");
}

static void a_sentence_repeats_no_control_characters(void **state)
{
    (void)state;
    expect("01", "\nPMPI_\033[2J\377 U\n", "uses_reserved_name", "PMPI_?[2J?,");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_this_lab_and_of_earlier_ones_may_be_used),
        cmocka_unit_test(what_libraries_and_status_h_offer_may_be_used),
        cmocka_unit_test(functions_of_later_labs_may_not),
        cmocka_unit_test(nor_may_what_is_the_runners),
        cmocka_unit_test(names_of_its_own_may_be_defined_and_static_ones_of_any_kind),
        cmocka_unit_test(what_the_runner_relies_on_may_not_be_defined),
        cmocka_unit_test(a_version_changes_no_name),
        cmocka_unit_test(a_sentence_repeats_no_control_characters),
    };
    return cmocka_run_group_tests(tests, open_place, close_place);
}
