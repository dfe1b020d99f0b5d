/*
 * The turn: who has to wait for it, and who must not.
 */
#include "sandbox/scratch/scratch.h"
#include "sandbox/turn.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define STRANGER 54321

static char *folder;

static int open_folder(void **state)
{
    (void)state;
    unsetenv("TMPDIR");
    return vl_scratch_create(&folder) == VL_OK ? setenv("TMPDIR", folder, 1) : -1;
}

static int close_folder(void **state)
{
    (void)state;
    vl_scratch_remove(folder);
    free(folder);
    return 0;
}

/* Another grading that has the turn until the pipe's other end is closed. */
static pid_t start_other(int *end)
{
    int ready[2], stay[2];
    char byte = 0;
    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(stay), 0);
    pid_t other = fork();
    if (other == 0) {
        struct vl_turn turn = {0};
        close(stay[1]);
        vl_turn_take(&turn);
        _exit(write(ready[1], &byte, 1) != 1 || read(stay[0], &byte, 1) != 0);
    }
    close(ready[1]);
    close(stay[0]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    *end = stay[1];
    return other;
}

static void nobody_waits_alone(void **state)
{
    (void)state;
    struct vl_turn turn = {0};
    assert_true(vl_turn_take(&turn) < 1);
    assert_non_null(turn.lock.path);
    assert_true(vl_turn_take(&turn) < 1); /* it has it already */
    vl_turn_leave(&turn);
    assert_true(vl_turn_take(&turn) < 1);
    vl_turn_leave(&turn);
}

static void it_ends_with_whoever_has_it(void **state)
{
    (void)state;
    struct vl_turn turn = {0};
    int end, status;
    pid_t other = start_other(&end);
    close(end);
    assert_int_equal(waitpid(other, &status, 0), other);
    assert_true(vl_turn_take(&turn) < 1);
    vl_turn_leave(&turn);
}

/* Else whoever has an account here could have every grading wait. */
static void nobody_else_can_take_it(void **state)
{
    (void)state;
    struct vl_turn turn = {0};
    struct stat info;
    assert_true(vl_turn_take(&turn) < 1);
    assert_int_equal(stat(turn.lock.path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    char *path = strdup(turn.lock.path);
    vl_turn_leave(&turn);
    int file = open(path, O_RDWR | O_CREAT, 0644);
    assert_true(file >= 0 && flock(file, LOCK_EX) == 0);
    if (geteuid() == 0) {
        assert_int_equal(fchown(file, STRANGER, STRANGER), 0);
        assert_true(vl_turn_take(&turn) < 1);
        vl_turn_leave(&turn);
    }
    assert_int_equal(unlink(path), 0);
    close(file);
    free(path);
}

static void who_comes_second_waits(void **state)
{
    (void)state;
    int end, status;
    pid_t other = start_other(&end);
    pid_t second = fork();
    if (second == 0) {
        struct vl_turn turn = {0};
        close(end);
        _exit(vl_turn_take(&turn) < 0.2);
    }
    usleep(400000);
    assert_int_equal(waitpid(second, &status, WNOHANG), 0); /* still waiting */
    close(end);
    assert_int_equal(waitpid(second, &status, 0), second);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(waitpid(other, &status, 0), other);
}

static void without_a_folder_it_comes_at_once(void **state)
{
    (void)state;
    struct vl_turn turn = {0};
    setenv("TMPDIR", "/proc/nowhere", 1);
    assert_true(vl_turn_take(&turn) < 1);
    assert_null(turn.lock.path);
    vl_turn_leave(&turn);
    setenv("TMPDIR", folder, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_waits_alone),
        cmocka_unit_test(nobody_else_can_take_it),
        cmocka_unit_test(it_ends_with_whoever_has_it),
        cmocka_unit_test(who_comes_second_waits),
        cmocka_unit_test(without_a_folder_it_comes_at_once),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
