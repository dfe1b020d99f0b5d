/*
 * Scratch folders of processes that are at work, and of those that were killed, with what those left
 * running.
 */
#include "sandbox/process.h"
#include "sandbox/scratch/scratch.h"
#include "sandbox/scratch/scratch_owner.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char *base;

static int open_base(void **state)
{
    (void)state;
    unsetenv("TMPDIR");
    /* Root would not put its folders where a sandbox cannot go. */
    return vl_scratch_create(&base) == VL_OK && chmod(base, 0711) == 0 ? setenv("TMPDIR", base, 1)
                                                                       : -1;
}

static int close_base(void **state)
{
    (void)state;
    vl_scratch_remove(base);
    free(base);
    return 0;
}

/* What another process makes: it writes the path to the pipe, and is killed when 'end' is closed. */
struct other {
    pid_t process;
    int end;
    char path[512];
};

static struct other start_other(void)
{
    struct other other = {0};
    int said[2], end[2];
    char *path, byte;
    assert_true(pipe(said) == 0 && pipe(end) == 0);
    other.process = fork();
    if (other.process == 0) {
        close(end[1]);
        if (vl_scratch_create(&path) != VL_OK)
            _exit(1);
        FILE *file = vl_scratch_begin(path, "large");
        fputs("bytes", file);
        vl_scratch_end(file);
        bool told = write(said[1], path, strlen(path) + 1) > 0;
        _exit(read(end[0], &byte, 1) != 0 || !told);
    }
    close(end[0]);
    close(said[1]);
    assert_true(read(said[0], other.path, sizeof other.path) > 0);
    close(said[0]);
    other.end = end[1];
    return other;
}

static void kill_other(const struct other *other)
{
    close(other->end);
    assert_int_equal(waitpid(other->process, NULL, 0), other->process);
}

static bool exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

static void a_folder_goes_when_its_process_is_dead(void **state)
{
    (void)state;
    const struct other other = start_other();
    vl_scratch_sweep(base, 0);
    assert_true(exists(other.path));
    kill_other(&other);
    vl_scratch_sweep(base, VL_SCRATCH_YOUNG); /* it may have been made a moment ago */
    assert_true(exists(other.path));
    vl_scratch_sweep(base, 0);
    assert_false(exists(other.path));
}

static void a_folder_of_this_process_stays(void **state)
{
    (void)state;
    char *path;
    assert_int_equal(vl_scratch_create(&path), VL_OK);
    vl_scratch_sweep(base, 0);
    assert_true(exists(path));
    vl_scratch_remove(path);
    assert_false(exists(path));
    free(path);
}

/* Another process opens a sandbox, starts what leaves its job, and is killed. Its path goes to
 * 'scratch'; returns what is left running. */
static pid_t leave_an_orphan(char *scratch, size_t length, bool apart)
{
    int said[2];
    char *path, text[64] = "";
    assert_true(pipe(said) == 0 && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0); /* so we adopt it */
    pid_t other = fork();
    if (other == 0) {
        struct vl_sandbox sandbox;
        struct vl_process process;
        char folder[600], script[] = "echo $$; exec sleep 1000";
        char leave[] = "setsid", shell[] = "sh", option[] = "-c";
        char *command[] = {leave, shell, option, script, NULL};
        const struct vl_limits limits = {.file_size = 1 << 20, .processes = 64};
        if (vl_scratch_create(&path) != VL_OK || write(said[1], path, strlen(path)) < 0)
            _exit(1);
        snprintf(folder, sizeof folder, "%s/run", path);
        if (vl_sandbox_open(&sandbox, folder) != VL_OK)
            _exit(1);
        if (!apart && chown(folder, geteuid(), getegid()) != 0)
            _exit(1);
        sandbox.apart &= (int)apart;
        if (vl_process_start(&process, &sandbox, NULL, command, &limits) != VL_OK)
            _exit(1);
        while (process.kept == 0)
            vl_process_poll(&process, 5);
        (void)!write(said[1], "\n", 1);
        (void)!write(said[1], process.words, process.kept);
        _exit(0);
    }
    close(said[1]);
    FILE *words = fdopen(said[0], "r");
    assert_non_null(words);
    assert_non_null(fgets(scratch, (int)length, words));
    assert_non_null(fgets(text, sizeof text, words));
    fclose(words);
    scratch[strcspn(scratch, "\n")] = '\0';
    assert_int_equal(waitpid(other, NULL, 0), other);
    return (pid_t)atoi(text);
}

/* What was killed is gone a moment later: the kernel takes its memory first. */
static bool is_gone(pid_t orphan)
{
    for (int round = 0; round < 5000; round++) {
        if (waitpid(orphan, NULL, WNOHANG) == orphan || kill(orphan, 0) != 0)
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return false;
}

static void what_a_dead_process_left_running_ends(bool apart)
{
    char scratch[512];
    const pid_t orphan = leave_an_orphan(scratch, sizeof scratch, apart);
    assert_true(orphan > 0 && kill(orphan, 0) == 0);
    vl_scratch_sweep(base, VL_SCRATCH_YOUNG);
    assert_int_equal(kill(orphan, 0), 0);
    vl_scratch_sweep(base, 0);
    assert_true(is_gone(orphan));
    assert_false(exists(scratch));
}

static void orphans_of_a_user_of_their_own_end(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    what_a_dead_process_left_running_ends(true);
}

static void orphans_of_this_user_end(void **state)
{
    (void)state;
    what_a_dead_process_left_running_ends(false);
}

/* Numbers of processes are given again, and users follow from them. */
static void a_user_of_a_living_process_is_spared(void **state)
{
    (void)state;
    char scratch[512], other[600];
    if (geteuid() != 0)
        skip();
    const pid_t orphan = leave_an_orphan(scratch, sizeof scratch, true);
    char *living, *mine;
    struct stat info;
    assert_int_equal(vl_scratch_create(&living), VL_OK);
    snprintf(other, sizeof other, "%s/run", scratch);
    assert_int_equal(stat(other, &info), 0);
    assert_int_equal(vl_scratch_folder(&mine, living, "run"), VL_OK);
    assert_int_equal(chown(mine, info.st_uid, info.st_gid), 0);
    vl_scratch_sweep(base, 0);
    assert_int_equal(kill(orphan, 0), 0);
    assert_int_equal(waitpid(orphan, NULL, WNOHANG), 0);
    kill(orphan, SIGKILL);
    assert_int_equal(waitpid(orphan, NULL, 0), orphan);
    vl_scratch_remove(living);
    free(living);
    free(mine);
}

static void nothing_else_is_removed(void **state)
{
    (void)state;
    char other[600], link[600], target[600];
    snprintf(other, sizeof other, "%s/somebody", base);
    snprintf(target, sizeof target, "%s/target", base);
    snprintf(link, sizeof link, "%s/" VL_SCRATCH_MARK "abcdef", base);
    assert_true(mkdir(other, 0700) == 0 && mkdir(target, 0700) == 0 && symlink(target, link) == 0);
    vl_scratch_sweep(base, 0);
    assert_true(exists(other) && exists(target) && exists(link));
    if (geteuid() != 0)
        return;
    char stranger[600];
    snprintf(stranger, sizeof stranger, "%s/" VL_SCRATCH_MARK "uvwxyz", base);
    assert_true(mkdir(stranger, 0700) == 0 && chown(stranger, 54321, 54321) == 0);
    vl_scratch_sweep(base, 0);
    assert_true(exists(stranger));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_folder_goes_when_its_process_is_dead),
                                       cmocka_unit_test(a_folder_of_this_process_stays),
                                       cmocka_unit_test(orphans_of_a_user_of_their_own_end),
                                       cmocka_unit_test(orphans_of_this_user_end),
                                       cmocka_unit_test(a_user_of_a_living_process_is_spared),
                                       cmocka_unit_test(nothing_else_is_removed)};
    return cmocka_run_group_tests(tests, open_base, close_base);
}
