/*
 * The sandbox and its processes: what they may do, and that nothing of them is left.
 */
#include "base/path.h"
#include "base/place.h"
#include "sandbox/isolation.h"
#include "sandbox/memory/memory_files.h"
#include "sandbox/numbers.h"
#include "sandbox/process.h"
#include "sandbox/sandbox.h"
#include "sandbox/scratch/remove_tree.h"
#include "sandbox/scratch/scratch.h"

#include <fcntl.h>
#include <grp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define STRANGER 54321 /* an ordinary user without a name */

static const struct vl_limits limits = {
    .seconds = 10, .memory = 1u << 30, .file_size = 1u << 20, .processes = 64};

struct fixture {
    char *scratch;
    struct vl_sandbox sandbox;
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
    vl_sandbox_close(&fixture->sandbox);
    vl_scratch_remove(fixture->scratch);
    int gone = access(fixture->scratch, F_OK) != 0;
    free(fixture->scratch);
    free(fixture);
    return !gone;
}

/* Run a line of shell; the caller frees the process. */
static struct vl_process shell(const struct fixture *fixture, const char *line,
                               const struct vl_limits *bounds)
{
    struct vl_process process;
    char *argv[] = {(char *)"sh", (char *)"-c", (char *)line, NULL};
    assert_int_equal(vl_process_run(&process, &fixture->sandbox, NULL, argv, bounds), VL_OK);
    return process;
}

static void runs_as_nobody_in_its_own_folder_with_a_small_environment(void **state)
{
    const struct fixture *fixture = *state;
    setenv("VL_SECRET", "seen", 1);
    struct vl_process p = shell(fixture, "id -u; pwd; echo $HOME; echo [$VL_SECRET]; cat", &limits);
    char wanted[1024];
    snprintf(wanted, sizeof wanted, "%u\n%s\n%s\n[]\n", (unsigned)fixture->sandbox.user,
             fixture->sandbox.folder, fixture->sandbox.folder);
    assert_string_equal(p.words, wanted);
    assert_int_equal(p.exit, 0);
    if (geteuid() == 0)
        assert_true(fixture->sandbox.user != 0);
    vl_process_free(&p);
}

static void openblas_is_told_which_kernels_to_take(void **state)
{
    const struct fixture *fixture = *state;
    setenv("OPENBLAS_CORETYPE", "Haswell", 1);
    struct vl_process p = shell(fixture, "echo $OPENBLAS_CORETYPE", &limits);
    unsetenv("OPENBLAS_CORETYPE");
    assert_string_equal(p.words, "Haswell\n");
    vl_process_free(&p);
}

static void a_program_that_is_not_there_is_told(void **state)
{
    const struct fixture *fixture = *state;
    struct vl_process p;
    char *argv[] = {(char *)"vialata-has-no-such-program", NULL};
    assert_int_equal(vl_process_run(&p, &fixture->sandbox, NULL, argv, &limits), VL_ELACK);
}

static void time_that_is_up_ends_it(void **state)
{
    struct vl_limits brief = limits;
    brief.seconds = 0.2;
    struct vl_process p = shell(*state, "trap '' TERM INT; sleep 100", &brief);
    assert_true(p.overtime);
    assert_int_equal(p.signal, SIGKILL);
    vl_process_free(&p);
    vl_sandbox_sweep(&((struct fixture *)*state)->sandbox);
    assert_int_equal(vl_sandbox_count(&((struct fixture *)*state)->sandbox, NULL), 0);
}

static void output_is_drained_but_only_its_beginning_kept(void **state)
{
    struct vl_process p = shell(*state, "head -c 3000000 /dev/zero | tr '\\0' x", &limits);
    assert_int_equal(p.exit, 0);
    assert_int_equal(p.printed, 3000000);
    assert_int_equal(p.kept, VL_PROCESS_WORDS);
    assert_int_equal(strlen(p.words), VL_PROCESS_WORDS);
    vl_process_free(&p);
}

static void a_file_grows_no_further_than_its_limit(void **state)
{
    struct vl_process p =
        shell(*state, "head -c 3000000 /dev/zero > large; wc -c < large", &limits);
    assert_non_null(strstr(p.words, "1048576"));
    vl_process_free(&p);
}

static void who_leaves_session_and_parent_is_swept(void **state)
{
    const struct fixture *fixture = *state;
    struct vl_process p = shell(fixture,
                                "for i in 1 2 3; do (setsid sleep 1000 >/dev/null 2>&1 &) ; done; "
                                "sleep 0.2",
                                &limits);
    vl_process_free(&p);
    assert_int_equal(vl_sandbox_count(&fixture->sandbox, NULL), 3);
    vl_sandbox_sweep(&fixture->sandbox);
    assert_int_equal(vl_sandbox_count(&fixture->sandbox, NULL), 0);
}

static void a_child_from_before_is_spared(void **state)
{
    struct fixture *fixture = *state;
    pid_t older = fork();
    if (older == 0) {
        pause();
        _exit(0);
    }
    char *folder = vl_path_join(fixture->scratch, "second");
    struct vl_sandbox second;
    assert_int_equal(vl_sandbox_open(&second, folder), VL_OK);
    free(folder);
    vl_sandbox_sweep(&second);
    assert_int_equal(waitpid(older, NULL, WNOHANG), 0);
    kill(older, SIGKILL);
    waitpid(older, NULL, 0);
    vl_sandbox_close(&second);
}

static void a_tree_of_any_depth_and_mode_is_removed(void **state)
{
    const struct fixture *fixture = *state;
    struct vl_process p =
        shell(fixture,
              "d=a_folder_with_a_rather_long_name; i=0; ln -s / root; "
              "while [ $i -lt 200 ]; do mkdir $d && cd -P $d || break; "
              "touch file; i=$((i + 1)); done; chmod 0 .; cd \"$HOME\"; chmod 0 .",
              &limits);
    vl_process_free(&p);
    assert_int_equal(access("/tmp", F_OK), 0); /* the link led away; tear_down looks at the rest */
}

/* Who removes a tree moves its folders up to new names: somebody may have used them before. */
static void a_tree_that_has_the_names_of_its_removal_is_removed(void **state)
{
    const struct fixture *fixture = *state;
    struct vl_process p = shell(fixture,
                                "for i in 0 1 2 3 4 5 6 7 8 9; do mkdir -p tree/.gone.$i/in/x; "
                                "done",
                                &limits);
    char *tree = vl_path_join(fixture->sandbox.folder, "tree");
    assert_int_equal(access(tree, F_OK), 0);
    vl_remove_tree(tree);
    assert_int_not_equal(access(tree, F_OK), 0);
    free(tree);
    vl_process_free(&p);
}

static void few_timers_and_signals_may_wait(void **state)
{
    struct vl_process p = shell(*state, "grep pending /proc/self/limits", &limits);
    assert_non_null(strstr(p.words, " 128 "));
    vl_process_free(&p);
}

static void links_and_large_files_are_not_copied(void **state)
{
    const struct fixture *fixture = *state;
    char *link = vl_path_join(fixture->scratch, "link"), *to = vl_path_join(fixture->scratch, "to");
    assert_int_equal(symlink("/etc/passwd", link), 0);
    assert_int_equal(vl_scratch_copy(to, link, 1 << 20), VL_EFORMAT);
    assert_int_equal(vl_scratch_copy(to, "/etc/passwd", 3), VL_EFORMAT);
    assert_int_equal(vl_scratch_copy(to, "/dev/zero", 1 << 20), VL_EFORMAT);
    assert_int_equal(vl_scratch_copy(to, "/nonexistent", 1 << 20), VL_EIO);
    assert_int_equal(access(to, F_OK), -1);
    assert_int_equal(vl_scratch_copy(to, "/etc/passwd", 1 << 20), VL_OK);
    free(link);
    free(to);
}

/* Wait, but not for ever, until it has printed something. */
static void await_words(struct vl_process *process)
{
    for (int i = 0; i < 1000 && process->printed == 0 && !process->ended; i++)
        vl_process_poll(process, 10);
    assert_true(process->printed > 0);
}

/* Thirty files in each folder that is memory; one of them is removed, but open. */
static void files_in_memory_are_counted(void **state)
{
    struct fixture *fixture = *state;
    char *argv[] = {(char *)"sh", (char *)"-c",
                    (char *)"for i in $(seq 29); do : >$i >/tmp/$i >/dev/shm/$i; done; "
                            "exec 7>a 8>/tmp/a 9>/dev/shm/a; rm a /tmp/a /dev/shm/a; "
                            "echo; sleep 100",
                    NULL};
    const char *const nothing[] = {NULL};
    struct vl_limits walled = limits;
    struct vl_process p;
    assert_int_equal(vl_isolation_choose(&fixture->sandbox, false), VL_OK);
    if (!fixture->sandbox.walled)
        skip();
    walled.sees = walled.writes = nothing;
    assert_int_equal(vl_process_start(&p, &fixture->sandbox, NULL, argv, &walled), VL_OK);
    await_words(&p);
    assert_in_range(vl_memory_files(&p, &fixture->sandbox), 3 * 30, 3 * 30 + 9);
    vl_process_free(&p);
}

/* What others have in the same folders is not the program's. */
static void files_outside_of_a_wall_are_not_counted(void **state)
{
    const struct fixture *fixture = *state;
    char *argv[] = {(char *)"sh", (char *)"-c", (char *)": >mine; echo; sleep 100", NULL};
    struct vl_process p;
    assert_int_equal(vl_process_start(&p, &fixture->sandbox, NULL, argv, &limits), VL_OK);
    await_words(&p);
    assert_int_equal(vl_memory_files(&p, &fixture->sandbox), 0);
    vl_process_free(&p);
}

static void paths_are_shortened_only_where_they_are_paths(void **state)
{
    (void)state;
    char text[] = "/tmp/x/a.c:1: in /tmp/x and /tmp/x/b.c";
    vl_scratch_shorten(text, "/tmp/x");
    assert_string_equal(text, "a.c:1: in /tmp/x and b.c");
}

static int find_place(void **state)
{
    (void)state;
    return vl_place_start() != VL_OK;
}

static int leave_place(void **state)
{
    (void)state;
    vl_place_end();
    return 0;
}

/* What others than the owner may do in a scratch folder that this user makes, as an exit status; 255 if
 * that fails, or if the folder is root's and somebody may be in its group. */
static void make_scratch(uid_t user)
{
    struct stat info;
    char *folder = NULL;
    if (user != geteuid() && setresuid(user, user, user) != 0)
        _exit(255);
    unsetenv("TMPDIR");
    if (vl_scratch_create(&folder) != VL_OK || stat(folder, &info) != 0)
        _exit(255);
    vl_scratch_remove(folder);
    bool peopled = user == 0 && (info.st_gid == 0 || getgrgid(info.st_gid) != NULL);
    _exit(peopled ? 255 : info.st_mode & 0077);
}

static int scratch_mode(uid_t user)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0)
        make_scratch(user);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

/* Inputs and sources lie there: whoever has an account here may be one of the class. */
static void a_scratch_folder_is_closed_to_whoever_has_an_account(void **state)
{
    (void)state;
    assert_int_equal(scratch_mode(geteuid() != 0 ? geteuid() : STRANGER), 0);
    if (geteuid() == 0)
        assert_int_equal(scratch_mode(0), 0010);
}

/* useradd gives each user 65536 numbers for containers, from 100000 on: who has them may become them. */
static void nobody_may_become_the_user_of_a_sandbox(void **state)
{
    const struct fixture *fixture = *state;
    struct vl_numbers free;
    if (!fixture->sandbox.apart || !vl_numbers_find(&free) || free.users < 100000)
        skip();
    assert_true(fixture->sandbox.user > 100000 + 1000 * 65536);
    assert_true(fixture->sandbox.user < INT32_MAX); /* what some programs take for negative */
}

#define IN_SANDBOX(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SANDBOX(runs_as_nobody_in_its_own_folder_with_a_small_environment),
        IN_SANDBOX(openblas_is_told_which_kernels_to_take),
        IN_SANDBOX(a_program_that_is_not_there_is_told),
        IN_SANDBOX(time_that_is_up_ends_it),
        IN_SANDBOX(output_is_drained_but_only_its_beginning_kept),
        IN_SANDBOX(a_file_grows_no_further_than_its_limit),
        IN_SANDBOX(who_leaves_session_and_parent_is_swept),
        IN_SANDBOX(a_child_from_before_is_spared),
        IN_SANDBOX(a_tree_of_any_depth_and_mode_is_removed),
        IN_SANDBOX(a_tree_that_has_the_names_of_its_removal_is_removed),
        IN_SANDBOX(few_timers_and_signals_may_wait),
        IN_SANDBOX(links_and_large_files_are_not_copied),
        IN_SANDBOX(files_in_memory_are_counted),
        IN_SANDBOX(files_outside_of_a_wall_are_not_counted),
        cmocka_unit_test(a_scratch_folder_is_closed_to_whoever_has_an_account),
        IN_SANDBOX(nobody_may_become_the_user_of_a_sandbox),
        cmocka_unit_test(paths_are_shortened_only_where_they_are_paths),
    };
    return cmocka_run_group_tests(tests, find_place, leave_place);
}
