/*
 * The number of processes, for an ordinary user: one submission leaves none for another.
 */
#include "base/path.h"
#include "base/place.h"
#include "sandbox/isolation.h"
#include "sandbox/process_limit.h"
#include "sandbox/scratch/scratch.h"

#include <fcntl.h>
#include <grp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define USER  54321 /* an ordinary user without a name */
#define MOST  40
#define LOOKS 2000 /* of ten milliseconds */

static char *scratch;
static struct vl_sandbox sandbox;

static int become_ordinary(void)
{
    return geteuid() != 0 || (setgroups(0, NULL) == 0 && setresgid(USER, USER, USER) == 0 &&
                              setresuid(USER, USER, USER) == 0);
}

static int set_up(void **unused)
{
    (void)unused;
    if (!become_ordinary() || vl_place_start() != VL_OK || vl_scratch_create(&scratch) != VL_OK)
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

static struct vl_process started(const char *line)
{
    static const char *const nothing[] = {NULL};
    static const struct vl_limits limits = {
        .memory = 1u << 30, .file_size = 1u << 20, .processes = MOST, .sees = nothing};
    struct vl_process process;
    char *argv[] = {(char *)"sh", (char *)"-c", (char *)line, NULL};
    assert_int_equal(vl_process_start(&process, &sandbox, NULL, argv, &limits), VL_OK);
    return process;
}

static void await(struct vl_process *process, const char *words)
{
    for (int i = 0; i < LOOKS && strstr(process->words, words) == NULL; i++)
        vl_process_poll(process, 10);
    assert_non_null(strstr(process->words, words));
}

/* A line of shell that starts so many, and says whether it could. */
#define START(n)                                                                                   \
    "i=0; while [ $i -lt " #n " ]; do sleep 600 & i=$((i+1)); done; echo; echo started all; wait"

static void one_program_leaves_the_other_its_number(void **unused)
{
    (void)unused;
    if (!sandbox.walled)
        skip();
    struct vl_process patient =
        started("echo; echo waits; until [ -e go ]; do :; done; " START(30));
    await(&patient, "\nwaits\n");
    struct vl_process greedy = started(START(35)), another = started(START(35));
    await(&greedy, "\nstarted all\n");
    await(&another, "\nstarted all\n");
    char *go = vl_path_join(sandbox.folder, "go");
    close(open(go, O_CREAT | O_WRONLY, 0600));
    free(go);
    await(&patient, "\nstarted all\n");
    vl_process_free(&patient);
    vl_process_free(&greedy);
    vl_process_free(&another);
}

static void nobody_has_more_than_that(void **unused)
{
    (void)unused;
    struct vl_process process = started(START(400));
    for (int i = 0; i < LOOKS && !vl_process_poll(&process, 10); i++)
        ;
    assert_true(process.ended);
    assert_null(strstr(process.words, "started all"));
    vl_process_free(&process);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_program_leaves_the_other_its_number),
        cmocka_unit_test(nobody_has_more_than_that),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
