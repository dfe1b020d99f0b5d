/*
 * Where in a source a call is: of this test's own.
 */
#include "base/path.h"
#include "ranks/hang/place_in_source.h"
#include "sandbox/process.h"
#include "sandbox/scratch/scratch.h"

#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MOST 32 /* places that are sought */

static struct vl_sandbox sandbox;
static char *scratch;
static char program[PATH_MAX], file[] = __FILE__;
static struct vl_place_finder finder;

static int open_sandbox(void **state)
{
    (void)state;
    if (vl_scratch_create(&scratch) != VL_OK ||
        readlink("/proc/self/exe", program, sizeof program - 1) < 0)
        return -1;
    char *folder = vl_path_join(scratch, "run");
    enum vl_status status = vl_sandbox_open(&sandbox, folder);
    free(folder);
    return status != VL_OK;
}

static int close_sandbox(void **state)
{
    (void)state;
    vl_sandbox_close(&sandbox);
    vl_scratch_remove(scratch);
    free(scratch);
    return 0;
}

static int begin(void **state)
{
    static const char *sources;
    (void)state;
    sources = sources == NULL ? dirname(file) : sources;
    sandbox.until = 0;
    finder = (struct vl_place_finder){.program = program, .sources = sources, .sandbox = &sandbox};
    return 0;
}

static int end(void **state)
{
    (void)state;
    vl_place_finder_free(&finder);
    return 0;
}

/* Of this program as it is on the disk: where the call of this function returns to. */
__attribute__((noinline)) static uint64_t address_here(void)
{
    Dl_info info;
    char *address = __builtin_return_address(0);
    assert_int_not_equal(dladdr(address, &info), 0);
    return (uint64_t)(address - (char *)info.dli_fbase);
}

static void a_call_of_this_file_has_its_name_and_line(void **state)
{
    (void)state;
    char *place = vl_place_of_call(&finder, address_here());
    assert_non_null(place);
    assert_ptr_equal(strstr(place, "test_place_in_source.c:"), place);
    free(place);
}

/* A submission says which addresses, and each costs a start and time of its own. */
static void no_more_are_sought_than_so_many(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < MOST; i++)
        free(vl_place_of_call(&finder, i + 2));
    assert_null(vl_place_of_call(&finder, address_here()));
}

static void nothing_is_sought_once_the_time_is_up(void **state)
{
    (void)state;
    sandbox.until = vl_clock() - 1;
    assert_null(vl_place_of_call(&finder, address_here()));
    assert_int_equal(finder.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_call_of_this_file_has_its_name_and_line, begin, end),
        cmocka_unit_test_setup_teardown(no_more_are_sought_than_so_many, begin, end),
        cmocka_unit_test_setup_teardown(nothing_is_sought_once_the_time_is_up, begin, end),
    };
    return cmocka_run_group_tests(tests, open_sandbox, close_sandbox);
}
