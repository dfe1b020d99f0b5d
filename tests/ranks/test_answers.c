/*
 * Where ranks answer: in a folder of the sandbox's user, who may put other files in the place of ours.
 */
#include "base/path.h"
#include "ranks/answers.h"
#include "sandbox/scratch/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
    char *scratch, *results, *other;
    struct vl_sandbox sandbox;
    struct vl_answers answers;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    *state = fixture;
    if (fixture == NULL || vl_scratch_create(&fixture->scratch) != VL_OK)
        return 1;
    char *folder = vl_path_join(fixture->scratch, "run");
    enum vl_status status = vl_sandbox_open(&fixture->sandbox, folder);
    if (status == VL_OK)
        status = vl_answers_open(&fixture->answers, &fixture->sandbox, 1);
    fixture->results = vl_path_join(folder, "results.0");
    fixture->other = vl_path_join(fixture->scratch, "other");
    free(folder);
    FILE *file = vl_scratch_begin(fixture->scratch, "other");
    if (file != NULL)
        fputs("kept", file);
    return status != VL_OK || vl_scratch_end(file) != VL_OK;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    vl_answers_close(&fixture->answers);
    vl_sandbox_close(&fixture->sandbox);
    vl_scratch_remove(fixture->scratch);
    free(fixture->scratch);
    free(fixture->results);
    free(fixture->other);
    free(fixture);
    return 0;
}

static off_t size_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? info.st_size : -1;
}

static void results_are_cut_to_nothing(void **state)
{
    const struct fixture *fixture = *state;
    assert_int_equal(truncate(fixture->results, 100), 0);
    assert_int_equal(vl_answers_clear(&fixture->sandbox, 1), VL_OK);
    assert_int_equal(size_of(fixture->results), 0);
}

/* The kernel allows such a link to whoever owns the file, and to everybody where
 * fs.protected_hardlinks is 0. */
static void a_file_of_others_is_not_cut_through_a_link(void **state)
{
    const struct fixture *fixture = *state;
    assert_int_equal(unlink(fixture->results), 0);
    assert_int_equal(link(fixture->other, fixture->results), 0);
    assert_int_equal(vl_answers_clear(&fixture->sandbox, 1), VL_EIO);
    assert_int_equal(size_of(fixture->other), 4);
    assert_int_equal(unlink(fixture->results), 0);
    assert_int_equal(symlink(fixture->other, fixture->results), 0);
    assert_int_equal(vl_answers_clear(&fixture->sandbox, 1), VL_EIO);
    assert_int_equal(size_of(fixture->other), 4);
}

#define IN_SANDBOX(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SANDBOX(results_are_cut_to_nothing),
        IN_SANDBOX(a_file_of_others_is_not_cut_through_a_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
