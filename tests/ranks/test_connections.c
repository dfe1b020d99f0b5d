/*
 * Connections: behind a wall the kernel can be asked about them, by whoever put up the wall.
 */
#include "base/path.h"
#include "base/place.h"
#include "ranks/connections.h"
#include "sandbox/isolation.h"
#include "sandbox/scratch/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static char *scratch;
static struct vl_sandbox sandbox;

static int set_up(void **unused)
{
    (void)unused;
    if (vl_place_start() != VL_OK || vl_scratch_create(&scratch) != VL_OK)
        return 1;
    char *folder = vl_path_join(scratch, "run");
    enum vl_status status = vl_sandbox_open(&sandbox, folder);
    free(folder);
    return status != VL_OK || vl_isolation_choose(&sandbox, false) != VL_OK;
}

static int tear_down(void **unused)
{
    (void)unused;
    vl_sandbox_close(&sandbox);
    vl_scratch_remove(scratch);
    free(scratch);
    vl_place_end();
    return 0;
}

static struct vl_process sleeper(void)
{
    static const char *const nothing[] = {NULL};
    static const struct vl_limits limits = {.memory = 1u << 30,
                                            .file_size = 1u << 20,
                                            .processes = 64,
                                            .sees = nothing,
                                            .writes = nothing};
    struct vl_process process;
    char *argv[] = {(char *)"sh", (char *)"-c", (char *)"echo; sleep 100", NULL};
    assert_int_equal(vl_process_start(&process, &sandbox, NULL, argv, &limits), VL_OK);
    for (int i = 0; i < 1000 && process.printed == 0; i++)
        vl_process_poll(&process, 10);
    assert_true(process.printed > 0);
    return process;
}

static void a_network_without_connections_has_repeated_nothing(void **unused)
{
    (void)unused;
    if (!sandbox.walled)
        skip();
    struct vl_process process = sleeper();
    int connections = vl_connections_open(vl_process_program(&process), &sandbox);
    uint64_t bytes = 1;
    assert_true(connections >= 0);
    for (int i = 0; i < 3; i++) { /* one socket serves for all questions */
        assert_true(vl_connections_resent(&bytes, connections));
        assert_int_equal(bytes, 0);
    }
    vl_process_free(&process);
    vl_sandbox_sweep(&sandbox);
    assert_true(vl_connections_resent(&bytes, connections)); /* also once its processes are gone */
    close(connections);
}

static void a_program_that_has_ended_has_no_network(void **unused)
{
    (void)unused;
    struct vl_process process = sleeper();
    vl_process_end(&process);
    assert_int_equal(vl_connections_open(vl_process_program(&process), &sandbox), -1);
    vl_process_free(&process);
    vl_sandbox_sweep(&sandbox);
}

static void nobody_is_asked_without_a_socket(void **unused)
{
    (void)unused;
    uint64_t bytes = 1;
    assert_false(vl_connections_resent(&bytes, -1));
    int file[2];
    assert_int_equal(pipe(file), 0);
    assert_false(vl_connections_resent(&bytes, file[0]));
    close(file[0]);
    close(file[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network_without_connections_has_repeated_nothing),
        cmocka_unit_test(a_program_that_has_ended_has_no_network),
        cmocka_unit_test(nobody_is_asked_without_a_socket),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
