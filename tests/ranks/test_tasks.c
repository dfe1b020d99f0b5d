/*
 * What the kernel tells about the processes of a job. The job here is a shell; its children are what
 * the ranks are to mpirun.
 */
#include "base/path.h"
#include "ranks/tasks.h"
#include "sandbox/scratch/scratch.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static const struct vl_limits limits = {
    .seconds = 10, .memory = 1u << 30, .file_size = 1u << 20, .processes = 64};

struct fixture {
    char *scratch;
    struct vl_sandbox sandbox;
    struct vl_process process;
    struct vl_tasks tasks;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    *state = fixture;
    if (fixture == NULL || vl_scratch_create(&fixture->scratch) != VL_OK)
        return 1;
    char *folder = vl_path_join(fixture->scratch, "run");
    enum vl_status status = vl_sandbox_open(&fixture->sandbox, folder);
    free(folder);
    return status != VL_OK;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    vl_process_free(&fixture->process);
    vl_sandbox_close(&fixture->sandbox);
    vl_scratch_remove(fixture->scratch);
    free(fixture->scratch);
    free(fixture);
    return 0;
}

/* A job of one "rank", which does that. */
static void start(struct fixture *fixture, const char *line)
{
    char *argv[] = {(char *)"sh", (char *)"-c", (char *)line, NULL};
    assert_int_equal(vl_process_start(&fixture->process, &fixture->sandbox, NULL, argv, &limits),
                     VL_OK);
    for (int i = 0; i < 200 && fixture->tasks.rank_count == 0; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        vl_tasks_find(&fixture->tasks, &fixture->process, &fixture->sandbox);
    }
    assert_int_equal(fixture->tasks.rank_count, 1);
}

static void one_that_sleeps_settles_and_uses_nothing(void **state)
{
    struct fixture *fixture = *state;
    start(fixture, "sleep 20 & wait");
    assert_true(vl_tasks_settle(&fixture->tasks));
    double before = vl_tasks_cpu(&fixture->tasks);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    assert_true(vl_tasks_cpu(&fixture->tasks) == before);
    assert_int_equal(vl_tasks_total(&fixture->tasks), 2);
}

static void one_that_works_does_not_settle_and_is_counted(void **state)
{
    struct fixture *fixture = *state;
    start(fixture, "(while :; do :; done) & wait");
    double before = vl_tasks_cpu(&fixture->tasks);
    assert_false(vl_tasks_settle(&fixture->tasks));
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    assert_true(vl_tasks_cpu(&fixture->tasks) > before);
}

static void one_that_is_gone_has_no_time(void **state)
{
    struct fixture *fixture = *state;
    start(fixture, "sleep 20 & wait");
    pid_t rank = fixture->tasks.ranks[0];
    vl_process_end(&fixture->process);
    vl_sandbox_sweep(&fixture->sandbox);
    assert_int_not_equal(kill(rank, 0), 0);
    assert_true(isnan(vl_tasks_cpu(&fixture->tasks)));
}

static void a_rank_stays_where_it_was_put_until_it_is_released(void **state)
{
    struct fixture *fixture = *state;
    start(fixture, "sleep 20 & wait");
    vl_tasks_pin(&fixture->tasks);
    assert_true(vl_tasks_pinned(&fixture->tasks));
    vl_tasks_release(&fixture->tasks);
    assert_true(vl_tasks_pinned(&fixture->tasks) == (sysconf(_SC_NPROCESSORS_ONLN) == 1));
}

static void a_frozen_rank_starts_nothing(void **state)
{
    struct fixture *fixture = *state;
    start(fixture, "(while ! test -e go; do :; done; /bin/true; echo started) & wait");
    vl_tasks_freeze(&fixture->tasks, &fixture->sandbox);
    char *go = vl_path_join(fixture->sandbox.folder, "go");
    FILE *file = fopen(go, "w");
    assert_non_null(file);
    fclose(file);
    free(go);
    for (int i = 0; i < 200 && !vl_process_poll(&fixture->process, 10); i++)
        ;
    if (fixture->sandbox.apart || geteuid() != 0) /* root may */
        assert_null(strstr(fixture->process.words, "started"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_that_sleeps_settles_and_uses_nothing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(one_that_works_does_not_settle_and_is_counted, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(one_that_is_gone_has_no_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_rank_stays_where_it_was_put_until_it_is_released, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_frozen_rank_starts_nothing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
